// How much dynamic shared memory the blocks of a kernel may have.
#pragma once

#include <cstddef>

#include <cuda_runtime.h>

#include "errors.h"

namespace trammel {

/// The limit of one kernel on one device. A launch above what every kernel may have raises it, once, to all
/// that the device gives. It is never set to the size of a launch: a smaller one would lower it under those
/// that are recorded in graphs.
class SharedMemoryLimit {
 public:
  /// What a block may have without any limit raised.
  static constexpr std::size_t of_every_kernel = 48 * 1024;

  /// Before a launch of blocks with so many bytes; the kernel's device is current. 0 on success.
  int allow(const void* function, int device, std::size_t bytes) {
    if (bytes <= of_every_kernel) return 0;
    if (limit_ == 0 && raise(function, device)) return 1;
    if (bytes <= limit_) return 0;
    return failed("a block asks for %zu bytes of shared memory, the device gives this kernel %zu", bytes,
                  limit_);
  }

 private:
  int raise(const void* function, int device) {
    int most = 0;
    cudaFuncAttributes kernel{};
    if (checked(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device)) ||
        checked(cudaFuncGetAttributes(&kernel, function)))
      return 1;
    const int dynamic = most - static_cast<int>(kernel.sharedSizeBytes);
    const cudaError_t status =
        cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, dynamic);
    if (status != cudaSuccess) {
      cudaGetLastError();  // told here
      return failed("raising the limit of its shared memory to %d bytes: %s (%s)", dynamic,
                    cudaGetErrorString(status), cudaGetErrorName(status));
    }
    limit_ = static_cast<std::size_t>(dynamic);
    return 0;
  }

  std::size_t limit_ = 0;  ///< 0: not raised
};

}  // namespace trammel
