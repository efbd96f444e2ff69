#include "terminal/print.h"

#include <atomic>
#include <cerrno>

#include "session/failure.h"

namespace trammel {

namespace {

std::atomic<int> output_error{0};

}  // namespace

void print_line(std::FILE* stream, std::string_view text) {
  errno = 0;
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fputc('\n', stream);
  std::fflush(stream);
  if (stream == stdout && std::ferror(stdout) && output_error == 0) output_error = errno != 0 ? errno : EIO;
}

int lost_output() {
  return output_error;
}

void print_notices(const std::vector<std::string>& notices) {
  for (const std::string& text : notices) print_line(stdout, "note: " + text);
}

int exit_code_of_failure() {
  const Failure failure = present_failure();
  print_line(stderr, failure.what());
  return static_cast<int>(failure.code());
}

}  // namespace trammel
