// Finds back ends: the one that is always there and those that are loaded at run time.
#pragma once

#include <string>
#include <vector>

#include "device/abi.h"

namespace trammel {

/// Names of the back ends that a command line may name, in the order in which they are listed: "cuda",
/// "host".
const std::vector<std::string>& backend_names();

/// The table of a back end; stays loaded. The library libtrammel_<name>.so is looked for in the folders of
/// the environment variable TRAMMEL_PLUGINS, then beside the program and in ../lib/trammel from there. Throws
/// Failure: usage for a name that does not exist, backend when the library is not there or does not load,
/// with the loader's own words.
const TrammelDeviceApi& load_backend(const std::string& name);

}  // namespace trammel
