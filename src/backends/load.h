// Finds back ends and their linear solvers, built in or loaded at run time.
#pragma once

#include <string>
#include <vector>

#include "device_api/abi.h"
#include "device_api/solver_abi.h"

namespace trammel {

/// Names of the back ends for the command line, in the order in which they are listed: "cuda", "host".
const std::vector<std::string>& backend_names();

/// The table of a back end, which stays loaded. The library libtrammel_<name>.so is searched in the folders
/// of the environment variable TRAMMEL_PLUGINS; of libtrammel.so beside it, in trammel/ and ../trammel from
/// there; then beside the program and in ../lib/trammel from there. Throws Failure: usage for an unknown
/// name, backend (with the loader's message) when the library is missing or cannot be loaded.
const TrammelDeviceApi& load_backend(const std::string& name);

/// Names of the linear solvers for devices from other libraries: "cusolver_rf", "cudss".
const std::vector<std::string>& device_solver_names();

/// The table of a linear solver for a back end's devices; search and failures as load_backend().
const TrammelSolverApi& load_solver(const std::string& backend, const std::string& name);

}  // namespace trammel
