// Sums and maxima on a device, with the same bits on every device.
#pragma once

#include <cstddef>

#include "device_api/device.h"
#include "device_api/vector_kernels.h"

namespace trammel {

/// Number of scratch values for a reduction of n values.
std::size_t reduction_scratch(int n);
/// Launches Σ x_i over n device values; returns the address on the device where the sum will be.
double* launch_sum(Device& device, const double* x, int n, double* scratch);
/// Launches the largest |x_i| and its index; returns their address on the device: `result`, unless null.
Place* launch_largest(Device& device, const double* x, int n, Place* scratch, Place* result = nullptr);

}  // namespace trammel
