// Files that hold a saved system or run: written whole or not at all, and read only by what wrote them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/archive.h"
#include "dataset/description.h"

namespace trammel {

/// FNV-1a of the bytes: tells a damaged file, and one that was changed.
std::uint64_t checksum(std::string_view bytes);

/// Writes the bytes to the disk under another name first, which then takes the place of `path`: whenever the
/// process or the machine stops, one whole file is there. Throws Failure(io).
void write_saved(const std::string& path, const std::string& bytes);
/// That other name; a process that is killed leaves a file there.
std::string unfinished_path(const std::string& path);
/// The bytes. Throws Failure: io when the file cannot be read, input when it is none of these, damaged, or of
/// another version of the program.
std::string read_saved(const std::string& path);

/// The model: its dataset, and what of it is not in force.
void archive(Archive& a, Description& description);

}  // namespace trammel
