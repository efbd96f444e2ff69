#include "output/file_position.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/diagnostics.h"
#include "output/io_error.h"

namespace trammel {
namespace {

constexpr std::uint64_t most_known_bytes = 4096;

[[noreturn]] void refuse_to_go_on(const std::string& path, const std::string& reason) {
  fail(ExitCode::io,
       "cannot go on with {}: {}; put the file of the interrupted run back, or begin the run anew", path,
       reason);
}

struct stat status_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return status;
  if (errno == ENOENT) refuse_to_go_on(path, "it is not there");
  throw Failure(ExitCode::io, io_error_text("go on with", path, errno));
}

class FileBytes {
 public:
  explicit FileBytes(const std::string& path)
      : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) stop(errno);
  }
  ~FileBytes() { ::close(descriptor_); }
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  /// The n bytes from `at` on, fewer at the end of the file.
  std::string read(std::uint64_t at, std::uint64_t n) const {
    std::string text(n, '\0');
    std::size_t got = 0;
    while (got < n) {
      const ssize_t more = ::pread(descriptor_, text.data() + got, n - got, static_cast<off_t>(at + got));
      if (more < 0 && errno == EINTR) continue;
      if (more < 0) stop(errno);
      if (more == 0) break;
      got += static_cast<std::size_t>(more);
    }
    text.resize(got);
    return text;
  }

 private:
  [[noreturn]] void stop(int error) const {
    throw Failure(ExitCode::io, io_error_text("go on with", path_, error));
  }
  std::string path_;
  int descriptor_;
};

void require_bytes(const std::string& path, const struct stat& status, std::uint64_t bytes) {
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size < bytes)
    refuse_to_go_on(path, fmt::format("it has {} bytes, fewer than the {} that were written", size, bytes));
}

}  // namespace

FilePosition position_in(const std::string& path, std::uint64_t bytes, std::uint64_t from) {
  FilePosition position;
  position.bytes = bytes;
  position.from = std::min(from, bytes);
  const struct stat status = status_of(path);
  position.regular = S_ISREG(status.st_mode);
  if (!position.regular) return position;
  require_bytes(path, status, bytes);
  const FileBytes file(path);
  const std::uint64_t known = std::min(most_known_bytes, bytes - position.from);
  position.first = file.read(position.from, known);
  position.last = file.read(bytes - known, known);
  return position;
}

void check_position(const std::string& path, const FilePosition& position) {
  const struct stat status = status_of(path);
  if (position.regular != bool(S_ISREG(status.st_mode)))
    refuse_to_go_on(path, position.regular ? "it is not a regular file" : "it was no regular file before");
  if (!position.regular) return;
  require_bytes(path, status, position.bytes);
  const FileBytes file(path);
  if (file.read(position.from, position.first.size()) != position.first ||
      file.read(position.bytes - position.last.size(), position.last.size()) != position.last)
    refuse_to_go_on(path, "it is not the file that was written before the checkpoint");
}

}  // namespace trammel
