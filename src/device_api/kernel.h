// How a computation is written once for the processor and for devices.
//
// A kernel is a trivially copyable struct of pointers and numbers. One kind computes each item with one
// thread:
//     struct AddCorrection {
//       static constexpr const char* name = "add_correction";
//       const double* correction;
//       double* q;
//       double factor;
//       TRAMMEL_HD void operator()(int i) const { q[i] += factor * correction[i]; }
//     };
// the other computes each item with a group of threads that run in parallel and can wait for each other:
//     struct FactorFront {
//       static constexpr const char* name = "factor_front";
//       static constexpr int threads = 32;
//       template <class Group> TRAMMEL_HD void operator()(int item, const Group& group) const {
//         for (int i = group.rank(); i < n; i += group.size()) ...
//         group.sync();
//       }
//     };
// Items are independent of each other, and within a group every number is computed by one thread in an order
// that does not depend on the number of threads: a serial loop over items gives the same bits as the device
// (with contraction to fused multiply-add off on both sides). All kernels are listed in
// backends/kernel_list.h, from which they are compiled into the back ends.
#pragma once

#include <cstddef>
#include <type_traits>

#include "base/clock.h"
#include "base/hd.h"

namespace trammel {

template <class Kernel, class = void>
struct KernelThreads {
  static constexpr int value = 1;
};
template <class Kernel>
struct KernelThreads<Kernel, std::void_t<decltype(Kernel::threads)>> {
  static constexpr int value = Kernel::threads;
};
/// Threads per item of the kernel; 1 for kernels without groups.
template <class Kernel>
inline constexpr int kernel_threads = KernelThreads<Kernel>::value;

/// Bytes of shared memory that each group of the kernel needs in every launch, its constant `memory`; 0 for
/// kernels without one, and for those that are told by each launch.
template <class Kernel>
inline constexpr std::size_t kernel_memory = [] {
  if constexpr (requires { Kernel::memory; })
    return std::size_t{Kernel::memory};
  else
    return std::size_t{0};
}();

/// A group of one thread: the processor runs kernels of groups with it. It has a clock, and as groups of a
/// device that have one the value of its first thread.
class SerialGroup {
 public:
  explicit SerialGroup(void* shared) : shared_(shared) {}
  int rank() const { return 0; }
  int size() const { return 1; }
  void sync() const {}
  /// Memory shared by the threads of the group; the launch sets its size.
  void* shared() const { return shared_; }
  unsigned long long nanoseconds() const { return nanoseconds_now(); }
  template <class T>
  T of_first(const T& x) const {
    return x;
  }

 private:
  void* shared_;
};

/// Runs one item of a kernel in the calling thread.
template <class Kernel>
void run_item(const Kernel& kernel, int item, [[maybe_unused]] void* shared) {
  if constexpr (kernel_threads < Kernel >> 1)
    kernel(item, SerialGroup(shared));
  else
    kernel(item);
}

}  // namespace trammel
