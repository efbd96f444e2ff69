// Device memory that is freed together, handed out as typed pointers.
#pragma once

#include <cstring>
#include <memory>
#include <vector>

#include "device_api/device.h"

namespace trammel {

/// Small allocations share blocks of memory; copies reach the device together, in flush().
class DeviceArena {
 public:
  /// Sizes of allocations are rounded up to a multiple of this, bytes.
  static constexpr std::size_t alignment = 256;

  /// `repeated`: repeat() will be called.
  explicit DeviceArena(Device& device, bool repeated = false) : device_(device), repeated_(repeated) {}
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
    if (first_blocks_ == 0) first_blocks_ = blocks_.size();
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
      const bool compared = repeated_ && (first_blocks_ == 0 || flushed_ < first_blocks_);
      if (!compared) block.here = {};
    }
  }
  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t block_size = 1 << 18;
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
    if (n > left_) {
      const bool large = n > block_size / 4;
      rooms_.emplace_back(device_, large ? n : block_size);
      bytes_ += rooms_.back().size();
      if (large) return rooms_.back().data();
      next_ = rooms_.back().data();
      left_ = block_size;
    }
    unsigned char* taken = next_;
    next_ += n;
    left_ -= n;
    return taken;
  }

  unsigned char* store(const void* values, std::size_t n) {
    if (blocks_.empty() || !blocks_.back().here ||
        aligned(blocks_.back().used) + n > blocks_.back().there.size()) {
      const std::size_t size = n > block_size ? aligned(n) : block_size;
      blocks_.push_back({DeviceArray<unsigned char>(device_, size),
                         std::make_unique_for_overwrite<unsigned char[]>(size), 0, 0});
      bytes_ += size;
    }
    Block& block = blocks_.back();
    const std::size_t at = aligned(block.used);
    if (n > 0) std::memcpy(block.here.get() + at, values, n);
    block.used = at + n;
    return block.there.data() + at;
  }

  const unsigned char* table(const void* values, std::size_t n) {
    const std::size_t call = calls_++;
    if (first_blocks_ > 0 && call < tables_.size()) {
      const Table& first = tables_[call];
      if (first.bytes == n && (n == 0 || std::memcmp(first.here, values, n) == 0)) return first.there;
    }
    const unsigned char* there = store(values, n);
    const Block& block = blocks_.back();
    if (repeated_ && first_blocks_ == 0) tables_.push_back({block.here.get() + block.used - n, there, n});
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
  std::size_t bytes_ = 0;
};

}  // namespace trammel
