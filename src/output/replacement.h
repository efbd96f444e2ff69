// Atomic replacement of a file: readers see the old or the new contents, never a mixture.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trammel {

/// Whether a file is on the disk when it is said to be written, for what must outlast a loss of power.
enum class Durable { yes, no };

/// Atomically replaces the file by `text`, through a temporary file with a unique name in the same directory,
/// fsync (where it is to be durable) and rename. `reserve`: bytes of disk space to allocate beyond the text,
/// where the file system can, for overwrite_file(). Failure(io) naming the file, which is then unchanged.
void replace_file(const std::string& path, std::string_view text, std::size_t reserve = 0,
                  Durable durable = Durable::yes);

/// Writes `text` over the contents of an existing regular file, within the space it occupies: for a full
/// disk. Failure(io) naming the file.
void overwrite_file(const std::string& path, std::string_view text);

}  // namespace trammel
