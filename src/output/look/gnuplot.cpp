#include "output/look/gnuplot.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/number_text.h"
#include "output/stream_file.h"

extern char** environ;

namespace trammel {
namespace {

/// A file in memory for gnuplot's input and output: nothing is left on the disk.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("trammel_plot", MFD_CLOEXEC)) {
    if (descriptor_ < 0) fail(ExitCode::io, "cannot make a file in memory for gnuplot");
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  int descriptor() const { return descriptor_; }

  void put(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw Failure(ExitCode::io, io_error_text("write", "the data for gnuplot", errno));
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void rewind() { ::lseek(descriptor_, 0, SEEK_SET); }
  std::string content() {
    rewind();
    std::string text, part(std::size_t{1} << 16, '\0');
    for (ssize_t length; (length = ::read(descriptor_, part.data(), part.size())) != 0;) {
      if (length < 0 && errno == EINTR) continue;
      if (length < 0) throw Failure(ExitCode::io, io_error_text("read", "what gnuplot drew", errno));
      text.append(part, 0, static_cast<std::size_t>(length));
    }
    return text;
  }

 private:
  int descriptor_;
};

/// Whether a picture is complete: gnuplot does not check that all of it was written.
bool is_whole(std::string_view picture) {
  using namespace std::string_view_literals;
  return trim(picture).ends_with("</svg>") || picture.ends_with("IEND\xAE\x42\x60\x82"sv);
}

}  // namespace

std::string run_gnuplot(const std::string& program, const std::string& script, const std::string& output) {
  MemoryFile input, said, picture;
  input.put(script);
  input.rewind();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, said.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, said.descriptor(), STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, picture.descriptor(), picture_descriptor);
  std::string name = "gnuplot", settings = "--default-settings";
  char* arguments[] = {name.data(), settings.data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw Failure(ExitCode::io, io_error_text("start", program, error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::string drawn = picture.content();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && is_whole(drawn)) return drawn;
  fail(ExitCode::io, "{}: gnuplot failed: {}", output, std::string(trim(said.content())));
}

std::string gnuplot_quoted(const std::string& text) {
  std::string out = "'";
  if (!text.empty() && text.front() == '\'') out += ' ';  // some versions end a literal at a leading ''
  for (const char c : as_utf8(text)) {
    if (c == '\'')
      out += "''";  // the only character that would end the literal
    else
      out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
  }
  return out + "'";
}

std::string find_gnuplot() {
  const char* path = std::getenv("PATH");
  for (const std::string_view folder : split(path ? path : "", ':')) {
    if (folder.empty()) continue;
    const std::string candidate = std::string(folder) + "/gnuplot";
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return "";
}

}  // namespace trammel
