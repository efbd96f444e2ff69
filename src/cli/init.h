// `trammel init`: a first deck.
#pragma once

#include <string>

namespace trammel {

/// Writes name.adm and name.acf, a commented four-bar linkage that runs at once, and tells the next steps.
/// Returns the exit code: 2 for a name that cannot be that of files, 7 where a file exists already or cannot
/// be written.
int init_command(const std::string& name);

}  // namespace trammel
