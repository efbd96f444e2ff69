// Kernels of elements, compiled for the device.
#include "backends/kernel_list.h"
#include "make_entry.h"

namespace trammel {

std::span<const KernelEntry> element_kernels() {
  static constexpr auto kernels = ElementKernels::entries(MakeEntry());
  return kernels;
}

}  // namespace trammel
