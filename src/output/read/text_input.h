// Reading text files from front to back, with the position for messages.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace trammel {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FileHandle = std::unique_ptr<std::FILE, CloseFile>;

/// Opens a file for reading. Failure(io) naming the file and the reason; directories are refused.
FileHandle open_for_reading(const std::string& path);

/// Reads line by line; holds one line.
class LineReader {
 public:
  explicit LineReader(const std::string& path);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// Reads a line, without its end; valid until the next call. False at the end of the file.
  bool next(std::string_view& line);
  /// False when the last line read had no line end: the file may be truncated in it.
  bool complete() const { return complete_; }
  int line() const { return line_; }                 ///< number of the last line read, from 1
  std::uint64_t byte() const { return byte_; }       ///< offset of its first byte
  std::uint64_t bytes_read() const { return end_; }  ///< offset of its end
  const std::string& path() const { return path_; }
  /// "a.req:17"
  std::string place() const;
  /// Throws Failure(input): the error in the last line read.
  [[noreturn]] void fail_here(const std::string& text) const;

 private:
  std::string path_;
  FileHandle file_;
  char* buffer_ = nullptr;
  std::size_t capacity_ = 0;
  int line_ = 0;
  std::uint64_t byte_ = 0, end_ = 0;
  bool complete_ = true;
};

}  // namespace trammel
