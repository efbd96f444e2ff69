// The table of all kernels of the program, compiled for the device.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <cuda_runtime.h>

namespace trammel {

struct KernelEntry {
  const char* name;
  std::size_t size;           ///< of its struct
  int groups;                 ///< that share the memory of a block
  const void* (*function)();  ///< on the device
  cudaError_t (*launch)(const void* arguments, int items, std::size_t shared, cudaStream_t stream);
};

std::span<const KernelEntry> kernel_table();
/// The part of it that is in element_kernels.cu.
std::span<const KernelEntry> element_kernels();
/// Implements TrammelDeviceApi::find_kernel.
int find_kernel(const char* name, std::size_t size);

}  // namespace trammel
