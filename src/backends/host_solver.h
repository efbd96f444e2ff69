// A linear solver with fixed pivots on the host back end: a serial counterpart of cusolverRf.
#pragma once

#include "device_api/solver_abi.h"

namespace trammel {

/// "cusolver_rf" of back end "host": takes factors of the processor and factors other values with their
/// pivots and pattern. With it the program's side of cusolverRf is tested without that library.
const TrammelSolverApi& host_solver_api();

}  // namespace trammel
