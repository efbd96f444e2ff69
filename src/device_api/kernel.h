// How a computation is written once for the processor and for a device.
//
// A kernel is a struct of pointers and numbers, trivially copyable. One kind works on items, each by a
// thread of its own:
//     struct AddCorrection {
//       static constexpr const char* name = "add_correction";
//       const double* correction;
//       double* q;
//       double factor;
//       TRAMMEL_HD void operator()(int i) const { q[i] += factor * correction[i]; }
//     };
// the other gives an item to a group of threads that work side by side and wait for each other:
//     struct FactorFront {
//       static constexpr const char* name = "factor_front";
//       static constexpr int threads = 32;
//       template <class Group> TRAMMEL_HD void operator()(int item, const Group& group) const {
//         for (int i = group.rank(); i < n; i += group.size()) ...
//         group.sync();
//       }
//     };
// Items never depend on each other, and within a group every number is made by one thread in an order that
// does not depend on how many threads there are: so a loop over items by one thread gives the same bits as
// the device (with contraction to fused multiply-add off on both sides). backends/kernel_list.h names all
// kernels: from that list they are compiled into the back ends.
#pragma once

#include <cstddef>
#include <type_traits>

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
/// Threads that share an item of the kernel; 1: none do.
template <class Kernel>
inline constexpr int kernel_threads = KernelThreads<Kernel>::value;

/// A group of one: how the processor runs kernels of groups.
class SerialGroup {
 public:
  explicit SerialGroup(void* shared) : shared_(shared) {}
  int rank() const { return 0; }
  int size() const { return 1; }
  void sync() const {}
  /// Memory that the threads of the group share, as many bytes as the launch gave.
  void* shared() const { return shared_; }

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
