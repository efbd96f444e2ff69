// How a kernel of the program (device_api/kernel.h) is launched by CUDA.
#pragma once

#include <cstddef>
#include <cstring>

#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

#include "block_memory.h"
#include "device_api/kernel.h"
#include "linear/device/pivots.h"

namespace trammel {

inline constexpr int threads_per_block = 128;  // of kernels on items, and of kernels whose groups are warps
inline constexpr int warp = 32;

// ---- groups of threads

extern __shared__ __align__(16) unsigned char memory_of_block[];

/// Copies from global to shared memory that a thread does not wait for until finish_copies().
class CopyingGroup {
 public:
  static constexpr bool thread_per_lane = true;  // Lanes
  template <class T>
  __device__ void start_copy(T* to, const T* from) const {
    __pipeline_memcpy_async(to, from, sizeof(T));
  }
  __device__ void finish_copies() const {
    __pipeline_commit();
    __pipeline_wait_prior(0);
  }
  /// The x that thread k of the warp has.
  __device__ double of_lane(double x, int k) const { return __shfl_sync(~0u, x, k); }
};

inline constexpr unsigned all_lanes = ~0u;

#if __CUDA_ARCH__ >= 800
__device__ inline unsigned largest_of_warp(unsigned x) {
  return __reduce_max_sync(all_lanes, x);
}
__device__ inline unsigned smallest_of_warp(unsigned x) {
  return __reduce_min_sync(all_lanes, x);
}
#else
__device__ inline unsigned largest_of_warp(unsigned x) {
  for (int k = warp / 2; k > 0; k /= 2) x = max(x, __shfl_xor_sync(all_lanes, x, k));
  return x;
}
__device__ inline unsigned smallest_of_warp(unsigned x) {
  for (int k = warp / 2; k > 0; k /= 2) x = min(x, __shfl_xor_sync(all_lanes, x, k));
  return x;
}
#endif

/// The best of what the threads of a warp found. Sizes are not negative and not NaN: their order is that of
/// their bits.
__device__ inline PivotCandidate better_of_warp(const PivotCandidate& mine) {
  const unsigned high = __double2hiint(mine.size), low = __double2loint(mine.size);
  const unsigned most_high = largest_of_warp(high);
  const unsigned most_low = largest_of_warp(high == most_high ? low : 0);
  const bool is_mine = high == most_high && low == most_low;
  const unsigned row = smallest_of_warp(is_mine ? static_cast<unsigned>(mine.row) : ~0u);
  return {__hiloint2double(static_cast<int>(most_high), static_cast<int>(most_low)), static_cast<int>(row)};
}

/// The shared memory of a group is told by its offset: the compiler then knows wherever it is used that it is
/// shared.
class WarpGroup : public CopyingGroup {
 public:
  __device__ explicit WarpGroup(unsigned shared) : shared_(shared) {}
  __device__ int rank() const { return static_cast<int>(threadIdx.x) % warp; }
  __device__ int size() const { return warp; }
  __device__ void sync() const { __syncwarp(); }
  __device__ void* shared() const { return memory_of_block + shared_; }
  /// By a clock that all groups of the device have in common.
  __device__ unsigned long long nanoseconds() const {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
  }

  __device__ unsigned largest_of(unsigned x) const { return largest_of_warp(x); }
  /// The best of what the threads found.
  __device__ PivotCandidate better_of(const PivotCandidate& mine) const { return better_of_warp(mine); }

  /// The value that the thread `by` ranks further has; the last ones get their own.
  template <class T>
  __device__ T down(const T& x, int by) const {
    return words_of(x, [by](unsigned word) { return __shfl_down_sync(all_lanes, word, by); });
  }
  /// The value that the first thread has.
  template <class T>
  __device__ T of_first(const T& x) const {
    return words_of(x, [](unsigned word) { return __shfl_sync(all_lanes, word, 0); });
  }

 private:
  template <class T, class F>
  __device__ static T words_of(const T& x, F f) {
    static_assert(sizeof(T) % sizeof(unsigned) == 0);
    constexpr int words = sizeof(T) / sizeof(unsigned);
    unsigned word[words];
    memcpy(word, &x, sizeof x);
    for (int k = 0; k < words; ++k) word[k] = f(word[k]);
    T out;
    memcpy(&out, word, sizeof out);
    return out;
  }

  unsigned shared_;
};

template <int Threads>
class BlockGroup : public CopyingGroup {
 public:
  __device__ int rank() const { return static_cast<int>(threadIdx.x); }
  __device__ int size() const { return Threads; }
  __device__ void sync() const { __syncthreads(); }
  __device__ void* shared() const { return memory_of_block; }

  /// Parts are the warps of the block; see linear/device/lanes.h.
  __device__ int parts() const { return size() / warp; }
  __device__ int part() const { return rank() / warp; }
  __device__ bool is_first_of_part() const { return rank() % warp == 0; }
  __device__ unsigned largest_of_part(unsigned x) const { return largest_of_warp(x); }
  __device__ PivotCandidate better_of_part(const PivotCandidate& mine) const { return better_of_warp(mine); }
  __device__ unsigned largest_of_parts(const unsigned* x) const {
    const int lane = rank() % warp;
    return largest_of_warp(lane < parts() ? x[lane] : 0);
  }
};

template <class Kernel>
__global__ void items_of(const Kernel kernel, int items) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < items) kernel(i);
}

template <class Kernel>
__global__ void warps_of(const Kernel kernel, int items, unsigned shared) {
  const int in_block = static_cast<int>(threadIdx.x) / warp;
  const int i = static_cast<int>(blockIdx.x) * (threads_per_block / warp) + in_block;
  if (i < items) kernel(i, WarpGroup(in_block * shared));
}

template <class Kernel>
__global__ void __launch_bounds__(kernel_threads<Kernel>) blocks_of(const Kernel kernel) {
  kernel(static_cast<int>(blockIdx.x), BlockGroup<kernel_threads<Kernel>>());
}

// ---- launches

/// Groups that share the memory of a block.
template <class Kernel>
inline constexpr int groups_per_block = kernel_threads<Kernel> == warp ? threads_per_block / warp : 1;

/// The kernel's function on the device, for the runtime's questions about it.
template <class Kernel>
const void* device_function() {
  if constexpr (kernel_threads<Kernel> == 1)
    return reinterpret_cast<const void*>(&items_of<Kernel>);
  else if constexpr (kernel_threads<Kernel> == warp)
    return reinterpret_cast<const void*>(&warps_of<Kernel>);
  else
    return reinterpret_cast<const void*>(&blocks_of<Kernel>);
}

/// Runs items 0..items-1 of the kernel at `arguments`, with `shared` bytes for each group, which
/// SharedMemoryLimit has allowed.
template <class Kernel>
cudaError_t launch_kernel(const void* arguments, int items, std::size_t shared, cudaStream_t stream) {
  const Kernel& kernel = *static_cast<const Kernel*>(arguments);
  constexpr int threads = kernel_threads<Kernel>, groups = groups_per_block<Kernel>;
  const std::size_t memory = block_memory(shared, groups);
  if constexpr (threads == 1) {
    const unsigned blocks = static_cast<unsigned>((items + threads_per_block - 1) / threads_per_block);
    items_of<<<blocks, threads_per_block, 0, stream>>>(kernel, items);
  } else if constexpr (threads == warp) {
    const unsigned blocks = static_cast<unsigned>((items + groups - 1) / groups);
    warps_of<<<blocks, threads_per_block, memory, stream>>>(kernel, items,
                                                            static_cast<unsigned>(memory / groups));
  } else {
    blocks_of<<<static_cast<unsigned>(items), threads, memory, stream>>>(kernel);
  }
  return cudaGetLastError();
}

}  // namespace trammel
