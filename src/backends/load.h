// Finds back ends and their linear solvers: those that are always there and those that are loaded at run
// time.
#pragma once

#include <string>
#include <vector>

#include "device_api/abi.h"
#include "device_api/solver_abi.h"

namespace trammel {

/// Names of the back ends that a command line may name, in the order in which they are listed: "cuda",
/// "host".
const std::vector<std::string>& backend_names();

/// The table of a back end; stays loaded. The library libtrammel_<name>.so is looked for in the folders of
/// the environment variable TRAMMEL_PLUGINS; of libtrammel.so beside it, in trammel/ and ../trammel from
/// there; then beside the program and in ../lib/trammel from there. Throws Failure: usage for a name that
/// does not exist, backend when the library is not there or does not load, with the loader's own words.
const TrammelDeviceApi& load_backend(const std::string& name);

/// Names of the linear solvers of devices that other libraries bring: "cusolver_rf", "cudss".
const std::vector<std::string>& device_solver_names();

/// The table of a linear solver for the devices of a back end; found, and failing, as load_backend().
const TrammelSolverApi& load_solver(const std::string& backend, const std::string& name);

}  // namespace trammel
