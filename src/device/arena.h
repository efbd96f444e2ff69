// Device memory that lives and dies together, handed out as typed pointers.
#pragma once

#include <vector>

#include "device/device.h"

namespace trammel {

class DeviceArena {
 public:
  explicit DeviceArena(Device& device) : device_(device) {}
  Device& device() const { return device_; }

  /// Room for n values; what it holds is undefined.
  template <class T>
  T* room(std::size_t n) {
    static_assert(std::is_trivially_copyable_v<T>);
    blocks_.emplace_back(device_, n * sizeof(T));
    bytes_ += n * sizeof(T);
    return reinterpret_cast<T*>(blocks_.back().data());
  }
  /// A copy of n values.
  template <class T>
  T* copy(const T* values, std::size_t n) {
    T* there = room<T>(n);
    if (n > 0) device_.upload(there, values, n * sizeof(T));
    return there;
  }
  template <class T>
  T* copy(const std::vector<T>& values) {
    return copy(values.data(), values.size());
  }
  std::size_t bytes() const { return bytes_; }

 private:
  Device& device_;
  std::vector<DeviceArray<unsigned char>> blocks_;
  std::size_t bytes_ = 0;
};

}  // namespace trammel
