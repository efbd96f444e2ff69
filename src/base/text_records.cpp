#include "base/text_records.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "base/text.h"

namespace trammel {

std::string beside(const std::string& dataset, std::string_view file) {
  const std::filesystem::path path(file);
  return (path.is_relative() ? std::filesystem::path(dataset).parent_path() / path : path).string();
}

std::ifstream open_file(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status kind = std::filesystem::status(path, error);
  if (error) fail(ExitCode::io, "{} cannot be read: {}", path, error.message());
  std::ifstream in;
  errno = 0;
  if (std::filesystem::is_regular_file(kind)) in.open(path, std::ios::binary);
  if (!in.is_open())
    fail(ExitCode::io, "{} cannot be read{}", path, errno ? fmt::format(": {}", std::strerror(errno)) : "");
  return in;
}

bool TextRecords::next(std::string& line) {
  if (!std::getline(in_, line)) return false;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  for (char& c : line)
    if (c < ' ' || c > '~') c = c == '\t' ? ' ' : '?';
  ++number_;
  return true;
}

std::string TextRecords::word(std::string_view what) {
  while (at_ >= words_.size()) {
    std::string line;
    if (!next(line)) wrong("the file ends where {} is expected", what);
    std::istringstream in(line);
    words_.clear();
    at_ = 0;
    for (std::string w; in >> w;) words_.push_back(w);
  }
  return words_[at_++];
}

int TextRecords::integer(std::string_view what) {
  const std::string w = word(what);
  const auto value = parse_integer(w);
  if (!value || *value < 1) wrong("{} must be a positive integer, found '{}'", what, w);
  return *value;
}

}  // namespace trammel
