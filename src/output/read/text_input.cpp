#include "output/read/text_input.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>

#include "base/diagnostics.h"
#include "output/stream_file.h"

namespace trammel {

FileHandle open_for_reading(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
    fail(ExitCode::io, "cannot read {}: it is a folder", path);
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    fail(ExitCode::io, "cannot read {}: it is a device or a pipe, no file", path);
  FileHandle file(std::fopen(path.c_str(), "rbe"));
  if (!file && errno == ENOENT) fail(ExitCode::io, "cannot read {}: no such file", path);
  if (!file) throw Failure(ExitCode::io, io_error_text("read", path, errno));
  return file;
}

// ---- lines

LineReader::LineReader(const std::string& path) : path_(path), file_(open_for_reading(path)) {}

LineReader::~LineReader() {
  std::free(buffer_);
}

bool LineReader::next(std::string_view& line) {
  errno = 0;
  const ssize_t length = ::getline(&buffer_, &capacity_, file_.get());
  if (length < 0) {
    if (std::ferror(file_.get())) throw Failure(ExitCode::io, io_error_text("read", path_, errno));
    return false;
  }
  ++line_;
  byte_ = end_;
  end_ += static_cast<std::uint64_t>(length);
  line = std::string_view(buffer_, static_cast<std::size_t>(length));
  complete_ = line.back() == '\n';
  if (complete_) line.remove_suffix(1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return true;
}

std::string LineReader::place() const {
  return fmt::format("{}:{}", path_, line_);
}

void LineReader::fail_here(const std::string& text) const {
  fail(ExitCode::input, "{}: {}", place(), text);
}

}  // namespace trammel
