// The kernel AdvanceSimulations, by far the largest.
#include "integrate/group_simulation.h"
#include "launch.h"

namespace trammel {

template const void* device_function<AdvanceSimulations>();
template cudaError_t launch_kernel<AdvanceSimulations>(const void*, int, std::size_t, cudaStream_t);

}  // namespace trammel
