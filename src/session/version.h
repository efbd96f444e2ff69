// Version and build of the program, as results name them.
#pragma once

#include <string>

#include "output/run_info.h"

namespace trammel {

std::string program_version();
/// Compiler, build type and revision.
std::string program_build();
/// Fills version, build, integrator and backend, and all that describe_process() does.
void describe_run(RunInfo& info);

}  // namespace trammel
