// Version and build of the program, as results record them.
#pragma once

#include <string>

#include "output/run_info.h"

namespace trammel {

std::string program_version();
/// Compiler and revision.
std::string program_build();
/// Fills version, build, backend ("cpu"), and the fields of describe_process().
void describe_run(RunInfo& info);

}  // namespace trammel
