#include "output/replacement.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/diagnostics.h"
#include "output/stream_file.h"

namespace trammel {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return number_; }
  /// False, with errno, on failure.
  bool close() {
    const int number = number_;
    number_ = -1;
    return ::close(number) == 0;
  }

 private:
  int number_;
};

/// Removes its file, if it has one, at the end of the scope.
struct Temporary {
  std::string path;
  ~Temporary() {
    if (!path.empty()) ::unlink(path.c_str());
  }
};

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

[[noreturn]] void fail_with(const char* action, const std::string& path, int error) {
  throw Failure(ExitCode::io, io_error_text(action, path, error));
}

void stop_unless_regular(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return;
    fail_with("replace", path, errno);
  }
  if (!S_ISREG(status.st_mode)) fail(ExitCode::io, "cannot replace {}: it is not a regular file", path);
}

/// Creates a file beside `path` with a unique name; −1, with errno, on failure.
int open_beside(const std::string& path, std::string& name) {
  constexpr int most_tries = 1000;
  for (int k = 0; k < most_tries; ++k) {
    name = fmt::format("{}.{}.{}", path, ::getpid(), k);
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) return descriptor;
    if (errno != EEXIST) break;
  }
  name.clear();
  return -1;
}

}  // namespace

void replace_file(const std::string& path, std::string_view text, std::size_t reserve, Durable durable) {
  stop_unless_regular(path);
  Temporary temporary;
  Descriptor file(open_beside(path, temporary.path));
  if (file < 0) fail_with("write", path, errno);
  if (reserve > 0)  // not every file system can; not required
    (void)!::fallocate(file, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(text.size() + reserve));
  if (!write_all(file, text) || (durable == Durable::yes && ::fsync(file) != 0) || !file.close())
    fail_with("write", path, errno);
  if (::rename(temporary.path.c_str(), path.c_str()) != 0) fail_with("replace", path, errno);
  temporary.path.clear();
}

void overwrite_file(const std::string& path, std::string_view text) {
  stop_unless_regular(path);
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file < 0 || !write_all(file, text) || ::ftruncate(file, static_cast<off_t>(text.size())) != 0 ||
      ::fsync(file) != 0 || !file.close())
    fail_with("write", path, errno);
}

}  // namespace trammel
