// A linear solver with fixed pivots on the processor as a device: what cusolverRf does, in a loop.
#pragma once

#include "device_api/solver_abi.h"

namespace trammel {

/// "cusolver_rf" of back end "host": takes factors over, and with their pivots and pattern factors other
/// values. Tests run the program's side of another library with it where there is no such library.
const TrammelSolverApi& host_solver_api();

}  // namespace trammel
