// A file that takes its place at once: readers see the old content or the new one, never a mixture.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trammel {

/// Puts `text` in place of the file at once: through a temporary file of a name of its own in the same
/// folder, fsync and rename. `reserve`: bytes of the disk that the file holds beyond its text where the file
/// system can do that, for overwrite_file(). Failure(io) naming the file, which then is as it was.
void replace_file(const std::string& path, std::string_view text, std::size_t reserve = 0);

/// Writes `text` over the content of an existing regular file, within the room that this has: for a disk on
/// which no block is free. Failure(io) naming the file.
void overwrite_file(const std::string& path, std::string_view text);

}  // namespace trammel
