// How a kernel of the program (device_api/kernel.h) is launched by CUDA.
#pragma once

#include <cstddef>

#include <cuda_runtime.h>

#include "device_api/kernel.h"

namespace trammel {

inline constexpr int threads_per_block = 128;  // of kernels on items, and of kernels whose groups are warps
inline constexpr int warp = 32;

// ---- groups of threads

class WarpGroup {
 public:
  __device__ explicit WarpGroup(void* shared) : shared_(shared) {}
  __device__ int rank() const { return static_cast<int>(threadIdx.x) % warp; }
  __device__ int size() const { return warp; }
  __device__ void sync() const { __syncwarp(); }
  __device__ void* shared() const { return shared_; }

 private:
  void* shared_;
};

class BlockGroup {
 public:
  __device__ explicit BlockGroup(void* shared) : shared_(shared) {}
  __device__ int rank() const { return static_cast<int>(threadIdx.x); }
  __device__ int size() const { return static_cast<int>(blockDim.x); }
  __device__ void sync() const { __syncthreads(); }
  __device__ void* shared() const { return shared_; }

 private:
  void* shared_;
};

extern __shared__ __align__(16) unsigned char memory_of_block[];

template <class Kernel>
__global__ void items_of(const Kernel kernel, int items) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < items) kernel(i);
}

template <class Kernel>
__global__ void warps_of(const Kernel kernel, int items, unsigned shared) {
  const int in_block = static_cast<int>(threadIdx.x) / warp;
  const int i = static_cast<int>(blockIdx.x) * (threads_per_block / warp) + in_block;
  if (i < items) kernel(i, WarpGroup(memory_of_block + in_block * shared));
}

template <class Kernel>
__global__ void blocks_of(const Kernel kernel) {
  kernel(static_cast<int>(blockIdx.x), BlockGroup(memory_of_block));
}

/// Runs items 0..items-1 of the kernel at `arguments`, with `shared` bytes for each group.
template <class Kernel>
cudaError_t launch_kernel(const void* arguments, int items, std::size_t shared, cudaStream_t stream) {
  const Kernel& kernel = *static_cast<const Kernel*>(arguments);
  constexpr int threads = kernel_threads<Kernel>;
  if constexpr (threads == 1) {
    const unsigned blocks = static_cast<unsigned>((items + threads_per_block - 1) / threads_per_block);
    items_of<<<blocks, threads_per_block, 0, stream>>>(kernel, items);
  } else if constexpr (threads == warp) {
    constexpr int warps = threads_per_block / warp;
    const std::size_t aligned = (shared + 15) / 16 * 16;
    if (aligned * warps > 48 * 1024)
      cudaFuncSetAttribute(warps_of<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           static_cast<int>(aligned * warps));
    warps_of<<<static_cast<unsigned>((items + warps - 1) / warps), threads_per_block, aligned * warps,
               stream>>>(kernel, items, static_cast<unsigned>(aligned));
  } else {
    if (shared > 48 * 1024)
      cudaFuncSetAttribute(blocks_of<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           static_cast<int>(shared));
    blocks_of<<<static_cast<unsigned>(items), threads, shared, stream>>>(kernel);
  }
  return cudaGetLastError();
}

}  // namespace trammel
