// Modes in a native result file that is complete but for them. Layout: docs/file_formats.md.
#pragma once

#include <span>
#include <string>

#include "output/mode_set.h"

namespace trammel {

/// Puts modes into the native file at `path`, which nobody writes any more: into a copy beside it, which then
/// takes its place, so that the file is whole at any time. Failure(io) naming the file, which stays as it
/// was.
void add_modes_to_native(const std::string& path, std::span<const ModeSet> sets);

}  // namespace trammel
