// The back end that runs every kernel on the processor through the interface of a device, so that everything
// but the launch itself can be tested without a device.
#pragma once

#include "device_api/abi.h"

namespace trammel {

/// Device 0 runs items and groups one after the other in the calling thread. Device 1 runs each group with
/// four threads that wait for each other in sync(); slow, for tests and for tools that find races. New memory
/// is filled with NaN.
const TrammelDeviceApi& host_device_api();

}  // namespace trammel
