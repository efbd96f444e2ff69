// All kernels of the program, compiled for the device. Those of whole simulations are in files of their own,
// so that several compilers work in parallel.
#include "backends/kernel_list.h"
#include "kernels.h"
#include "launch.h"

namespace trammel {

extern template const void* device_function<AdvanceSimulations>();
extern template cudaError_t launch_kernel<AdvanceSimulations>(const void*, int, std::size_t, cudaStream_t);
extern template const void* device_function<AdvancePlainSimulations>();
extern template cudaError_t launch_kernel<AdvancePlainSimulations>(const void*, int, std::size_t,
                                                                   cudaStream_t);

namespace {

struct MakeEntry {
  template <class Kernel>
  constexpr KernelEntry operator()() const {
    return {Kernel::name, sizeof(Kernel), groups_per_block<Kernel>, device_function<Kernel>,
            launch_kernel<Kernel>};
  }
};
constexpr auto kernels = Kernels::entries(MakeEntry());

}  // namespace

std::span<const KernelEntry> kernel_table() {
  return kernels;
}

int find_kernel(const char* name, std::size_t size) {
  return find_kernel_in(kernels, name, size);
}

}  // namespace trammel
