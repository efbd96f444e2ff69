// Sums and maxima on a device, with the same bits wherever they are computed.
#pragma once

#include <cstddef>

#include "device_api/device.h"
#include "device_api/vector_kernels.h"

namespace trammel {

/// Values of scratch that a reduction of n values needs.
std::size_t reduction_scratch(int n);
/// Launches Σ x_i over n values of the device; gives the place on the device where the sum will be.
double* launch_sum(Device& device, const double* x, int n, double* scratch);
/// The same for the largest |x_i| and its index.
Place* launch_largest(Device& device, const double* x, int n, Place* scratch);

}  // namespace trammel
