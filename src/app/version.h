// Version and build of the program, as results name them.
#pragma once

#include <string>

namespace trammel {

std::string program_version();
/// Compiler, build type and revision.
std::string program_build();

}  // namespace trammel
