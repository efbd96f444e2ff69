// Two devices of a CUDA runtime that is stricter than the real one: what belongs to a device is refused where
// another one is current in the calling thread, and a launch, or a graph when it is made ready, that asks for
// more shared memory than its kernel's present limit there.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <utility>

#include <cuda_runtime.h>

namespace trammel::test {

struct FakeRuntime {
  static constexpr int devices = 2;
  static constexpr int most_shared = 232448;      ///< of a block of compute capability 9.0
  static constexpr int usual_shared = 48 * 1024;  ///< without a limit raised
  static constexpr std::size_t own_shared = 1024, own_memory = 13456;  ///< of every kernel

  int elsewhere = 0;      ///< calls where another device was current
  int architecture = 90;  ///< of both devices
  int limits_set = 0;     ///< calls that set a limit
  int locked = 0;         ///< blocks of page-locked memory
  int long_ways = 0;      ///< copies to the program by memory that is not page-locked
  bool refuses_limits = false;
  bool lost = false;                                 ///< every call fails, as after a fault of a kernel
  std::map<std::pair<int, const void*>, int> limit;  ///< of dynamic shared memory, by device and kernel

  int driver = 13000;                                   ///< for this version of CUDA
  int graphs = 0;                                       ///< that there are, with those of conditional nodes
  int streams = 0;                                      ///< that there are
  int waits = 0;                                        ///< for a stream
  std::map<cudaGraphConditionalHandle, int> condition;  ///< of nodes, as set last

  static FakeRuntime& now();
  static int current();  ///< device of the calling thread
  /// A kernel does `action` when it runs.
  cudaError_t launch(
      const void* function, std::size_t shared, cudaStream_t stream, std::function<void()> action = [] {});
  bool fits(const void* function, std::size_t shared, int device) const;
};

}  // namespace trammel::test
