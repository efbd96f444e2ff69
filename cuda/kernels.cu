// The table of all kernels, and those but kernels of elements and of whole simulations: these are in files of
// their own, so that several compilers work in parallel.
#include <vector>

#include "backends/kernel_list.h"
#include "make_entry.h"

namespace trammel {

extern template const void* device_function<AdvanceSimulations>();
extern template cudaError_t launch_kernel<AdvanceSimulations>(const void*, int, std::size_t, cudaStream_t);
extern template const void* device_function<AdvancePlainSimulations>();
extern template cudaError_t launch_kernel<AdvancePlainSimulations>(const void*, int, std::size_t,
                                                                   cudaStream_t);

namespace {

constexpr auto others = OtherKernels::entries(MakeEntry());

std::vector<KernelEntry> all_kernels() {
  const std::span<const KernelEntry> of_elements = element_kernels();
  std::vector<KernelEntry> all(of_elements.begin(), of_elements.end());
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

}  // namespace

std::span<const KernelEntry> kernel_table() {
  static const std::vector<KernelEntry> kernels = all_kernels();
  return kernels;
}

int find_kernel(const char* name, std::size_t size) {
  return find_kernel_in(kernel_table(), name, size);
}

}  // namespace trammel
