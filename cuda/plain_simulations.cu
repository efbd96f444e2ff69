// The kernel AdvancePlainSimulations.
#include "integrate/group_simulation.h"
#include "launch.h"

namespace trammel {

template const void* device_function<AdvancePlainSimulations>();
template cudaError_t launch_kernel<AdvancePlainSimulations>(const void*, int, std::size_t, cudaStream_t);

}  // namespace trammel
