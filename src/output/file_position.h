// The position at which an output file is continued after an interruption, as stored in checkpoints.
#pragma once

#include <cstdint>
#include <string>

#include "base/archive.h"

namespace trammel {

/// The contents of a file in progress, as far as handed to the operating system.
struct FilePosition {
  std::uint64_t bytes = 0;  ///< size of the contents; bytes beyond it are dropped
  std::uint64_t from = 0;   ///< bytes before this one may change later
  bool regular = true;      ///< false: a device or pipe, which is written on as it is
  /// To recognise the file: up to 4096 bytes from `from` on, and up to 4096 before the end.
  std::string first, last;

  void archive(Archive& a) { a(bytes, from, regular, first, last); }
};

/// The position after the first `bytes` bytes of the file. Failure(io) when the file is shorter.
FilePosition position_in(const std::string& path, std::uint64_t bytes, std::uint64_t from = 0);

/// Failure(io), naming the file, when it is missing, shorter than the position, or another file.
void check_position(const std::string& path, const FilePosition& position);

}  // namespace trammel
