// Entries of the table of kernels, for the files that compile kernels.
#pragma once

#include "kernels.h"
#include "launch.h"

namespace trammel {

struct MakeEntry {
  template <class Kernel>
  constexpr KernelEntry operator()() const {
    return {Kernel::name, sizeof(Kernel), groups_per_block<Kernel>, device_function<Kernel>,
            launch_kernel<Kernel>};
  }
};

}  // namespace trammel
