// A device whose back end's table is wrapped: counts and remembers allocations, tells another size of shared
// memory.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "../support/each_device.h"
#include "device_api/abi.h"

namespace trammel::test {

class Spy {
 public:
  /// The table of the back end, spied upon; one at a time. shared_memory 0: as the device says.
  static const TrammelDeviceApi& on(const DeviceName& name, int shared_memory = 0) {
    real_ = &load_backend(name.backend);
    shared_memory_ = shared_memory;
    allocated_.clear();
    table_ = *real_;
    table_.allocate = allocate;
    table_.describe = describe;
    return table_;
  }
  /// All that was allocated, and how large it is.
  static const std::vector<std::pair<void*, std::size_t>>& allocated() { return allocated_; }

 private:
  static int allocate(void* context, std::size_t bytes, void** there) {
    const int status = real_->allocate(context, bytes, there);
    if (status == 0) allocated_.emplace_back(*there, bytes);
    return status;
  }
  static int describe(int device, TrammelDeviceInfo* info) {
    const int status = real_->describe(device, info);
    if (shared_memory_ > 0) info->shared_memory = shared_memory_;
    return status;
  }
  static inline const TrammelDeviceApi* real_ = nullptr;
  static inline TrammelDeviceApi table_{};
  static inline int shared_memory_ = 0;
  static inline std::vector<std::pair<void*, std::size_t>> allocated_;
};

}  // namespace trammel::test
