// The back end that runs every kernel on the processor, through the same table of functions as a device's: so
// that all but the launch itself is tested where there is no device.
#pragma once

#include "device_api/abi.h"

namespace trammel {

/// Device 0 runs items and groups one after the other in the calling thread. Device 1 runs each group by four
/// threads that wait for each other where the kernel says so, slowly: for tests, and for tools that find
/// races. New memory is filled with NaN.
const TrammelDeviceApi& host_device_api();

}  // namespace trammel
