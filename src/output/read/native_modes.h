// Modes in a native result file.
#pragma once

#include <string>
#include <vector>

#include "output/mode_set.h"

namespace trammel {

/// Of all LINEAR/EIGENSOL, by their numbers; none in a file without. Failure(io) for a file that cannot be
/// read, Failure(input) where the file ends before its modes do or what it has of them does not fit together.
std::vector<ModeSet> read_native_modes(const std::string& path);

}  // namespace trammel
