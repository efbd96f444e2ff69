// Files of a saved system or run, which are written completely or not at all, and read only by the program
// version that wrote them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/archive.h"
#include "dataset/description.h"

namespace trammel {

/// FNV-1a of the bytes, to detect a damaged or changed file.
std::uint64_t checksum(std::string_view bytes);

/// Writes the bytes to the disk under another name (unfinished_path()) first, which then replaces `path`:
/// whenever the process or the machine stops, there is one complete file. Throws Failure(io).
void write_saved(const std::string& path, const std::string& bytes);
/// The name of the file while it is being written; a killed process leaves it.
std::string unfinished_path(const std::string& path);
/// Reads the bytes. Throws Failure: io where the file cannot be read, input where it is no saved file,
/// damaged, or of another version of the program.
std::string read_saved(const std::string& path);

/// Saves or restores the model: its dataset, and which statements are inactive.
void archive(Archive& a, Description& description);

}  // namespace trammel
