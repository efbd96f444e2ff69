// Where a file goes on after an interruption: what a checkpoint keeps of it, and whether a file is that one.
#pragma once

#include <cstdint>
#include <string>

#include "base/archive.h"

namespace trammel {

/// The content of a file that is being written, as far as it has been handed to the operating system.
struct FilePosition {
  std::uint64_t bytes = 0;  ///< of content; what stands behind them is dropped
  std::uint64_t from = 0;   ///< bytes in front of this one may change meanwhile
  bool regular = true;      ///< false: a device or pipe, which is written on as it is
  /// What the file is known by: up to 4096 bytes from `from` on, and up to 4096 in front of the end.
  std::string first, last;

  void archive(Archive& a) { a(bytes, from, regular, first, last); }
};

/// The position behind the first `bytes` of the file. Failure(io) where they are not there.
FilePosition position_in(const std::string& path, std::uint64_t bytes, std::uint64_t from = 0);

/// Failure(io), naming the file: it is not there, shorter than the position, or another one.
void check_position(const std::string& path, const FilePosition& position);

}  // namespace trammel
