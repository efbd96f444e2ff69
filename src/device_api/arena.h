// Device memory that is freed together, handed out as typed pointers.
#pragma once

#include <cstring>
#include <memory>
#include <vector>

#include "device_api/device.h"

namespace trammel {

/// Small allocations share blocks of memory; copies reach the device together, in flush(). Blocks for many
/// objects (`repeated`) are the larger the more of them there are, as it takes time to have one.
class DeviceArena {
 public:
  /// Sizes of allocations are rounded up to a multiple of this, bytes.
  static constexpr std::size_t alignment = 256;

  /// `repeated`: repeat() will be called.
  explicit DeviceArena(Device& device, bool repeated = false) : device_(device), repeated_(repeated) {}
  /// The arena of the first of objects of one structure.
  struct Like {
    const DeviceArena& first;
  };
  /// For further objects, whose tables that are those of the first are not stored again: other threads can
  /// add objects at the same time, each to an arena of its own. `first` must outlive it.
  explicit DeviceArena(const Like& like) : device_(like.first.device_), repeated_(true), like_(&like.first) {}
  DeviceArena(const DeviceArena&) = delete;
  DeviceArena& operator=(const DeviceArena&) = delete;
  Device& device() const { return device_; }

  /// Uninitialized room for n values.
  template <class T>
  T* room(std::size_t n) {
    static_assert(std::is_trivially_copyable_v<T>);
    return reinterpret_cast<T*>(take_room(n * sizeof(T)));
  }
  /// Room for n values that the device may write, initialized by flush() with a copy of `values`.
  template <class T>
  T* filled(const T* values, std::size_t n) {
    static_assert(std::is_trivially_copyable_v<T>);
    return reinterpret_cast<T*>(store(values, n * sizeof(T)));
  }
  template <class T>
  T* filled(const std::vector<T>& values) {
    return filled(values.data(), values.size());
  }
  /// A read-only copy of n values, valid after flush().
  template <class T>
  const T* copy(const T* values, std::size_t n) {
    static_assert(std::is_trivially_copyable_v<T>);
    return reinterpret_cast<const T*>(table(values, n * sizeof(T)));
  }
  template <class T>
  const T* copy(const std::vector<T>& values) {
    return copy(values.data(), values.size());
  }
  /// Starts the sequence of copy() calls again for another object of the same structure: a table whose bytes
  /// (padding included) equal those of the first object's table is not stored again.
  void repeat() {
    if (!like_ && first_blocks_ == 0) first_blocks_ = blocks_.size();
    calls_ = 0;
  }
  /// Copies to the device what was added since the last call.
  void flush() {
    for (; flushed_ < blocks_.size(); ++flushed_) {
      Block& block = blocks_[flushed_];
      if (block.used > block.flushed)
        device_.upload(block.there.data() + block.flushed, block.here.get() + block.flushed,
                       block.used - block.flushed);
      block.flushed = block.used;
      if (repeated_ && flushed_ + 1 == blocks_.size()) return;  // more tables may be added to it
      const bool compared = repeated_ && !like_ && (first_blocks_ == 0 || flushed_ < first_blocks_);
      if (!compared) block.here = {};
    }
  }
  /// Memory on the device, and how much of it is handed out.
  std::size_t bytes() const { return bytes_; }
  std::size_t used() const { return used_; }

 private:
  static constexpr std::size_t block_size = 1 << 18, largest_block = 1 << 25;
  /// Size of the next block of a kind, after which those of many objects are twice as large.
  std::size_t next_size(std::size_t& size) const {
    const std::size_t now = size;
    if (repeated_ && size < largest_block) size *= 2;
    return now;
  }
  static std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

  /// Memory on the device, with a copy here until flush().
  struct Block {
    DeviceArray<unsigned char> there;
    std::unique_ptr<unsigned char[]> here;
    std::size_t used = 0, flushed = 0;
  };
  struct Table {
    const unsigned char *here, *there;
    std::size_t bytes;
  };

  unsigned char* take_room(std::size_t n) {
    n = aligned(n);
    used_ += n;
    if (n > left_) {
      const bool large = n > room_size_ / 4;
      const std::size_t size = large ? n : next_size(room_size_);
      rooms_.emplace_back(device_, size);
      bytes_ += size;
      if (large) return rooms_.back().data();
      next_ = rooms_.back().data();
      left_ = size;
    }
    unsigned char* taken = next_;
    next_ += n;
    left_ -= n;
    return taken;
  }

  unsigned char* store(const void* values, std::size_t n) {
    if (blocks_.empty() || !blocks_.back().here ||
        aligned(blocks_.back().used) + n > blocks_.back().there.size()) {
      const std::size_t size = n > store_size_ ? aligned(n) : next_size(store_size_);
      blocks_.push_back({DeviceArray<unsigned char>(device_, size),
                         std::make_unique_for_overwrite<unsigned char[]>(size), 0, 0});
      bytes_ += size;
    }
    Block& block = blocks_.back();
    const std::size_t at = aligned(block.used);
    if (n > 0) std::memcpy(block.here.get() + at, values, n);
    used_ += aligned(n);
    block.used = at + n;
    return block.there.data() + at;
  }

  const unsigned char* table(const void* values, std::size_t n) {
    const std::size_t call = calls_++;
    const std::vector<Table>& of_first = like_ ? like_->tables_ : tables_;
    if ((like_ || first_blocks_ > 0) && call < of_first.size()) {
      const Table& first = of_first[call];
      if (first.bytes == n && (n == 0 || std::memcmp(first.here, values, n) == 0)) return first.there;
    }
    const unsigned char* there = store(values, n);
    const Block& block = blocks_.back();
    if (repeated_ && !like_ && first_blocks_ == 0)
      tables_.push_back({block.here.get() + block.used - n, there, n});
    return there;
  }

  Device& device_;
  std::vector<DeviceArray<unsigned char>> rooms_;
  unsigned char* next_ = nullptr;
  std::size_t left_ = 0;
  std::vector<Block> blocks_;
  std::size_t flushed_ = 0;
  std::vector<Table> tables_;  ///< of the first object, in the order of its copy() calls
  std::size_t calls_ = 0, first_blocks_ = 0;
  const bool repeated_;
  const DeviceArena* like_ = nullptr;
  std::size_t bytes_ = 0, used_ = 0;
  std::size_t room_size_ = block_size, store_size_ = block_size;
};

}  // namespace trammel
