// Files that a dataset names: their places and their lines.
#pragma once

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "base/diagnostics.h"

namespace trammel {

/// The path of a file whose name is relative to the folder of the dataset.
std::string beside(const std::string& dataset, std::string_view file);

/// A file for reading. Throws Failure(io) with the reason; no device or pipe is opened: those may never end.
std::ifstream open_file(const std::string& path);

/// Lines and words of a file with the place, for messages.
class TextRecords {
 public:
  /// Throws Failure(io).
  explicit TextRecords(const std::string& path) : path_(path), in_(open_file(path)) {}
  /// The next line without its end, what is not printable as ?; false at the end of the file.
  bool next(std::string& line);
  /// Throws Failure(input) with file and line.
  template <class... Args>
  [[noreturn]] void wrong(fmt::format_string<Args...> format, Args&&... args) const {
    fail(ExitCode::input, "{}:{}: {}", path_, number_, fmt::format(format, std::forward<Args>(args)...));
  }
  /// The next word, over line ends. Throws Failure(input) at the end of the file, as integer() does.
  std::string word(std::string_view what);
  /// The next word as a positive integer.
  int integer(std::string_view what);
  /// Of the last record read, from 1.
  int line() const { return number_; }
  bool end_of_line() const { return at_ >= words_.size(); }

 private:
  std::string path_;
  std::ifstream in_;
  int number_ = 0;
  std::vector<std::string> words_;
  std::size_t at_ = 0;
};

}  // namespace trammel
