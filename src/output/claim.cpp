#include "output/claim.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <sstream>

#include "base/diagnostics.h"
#include "output/run_info.h"
#include "output/stream_file.h"

namespace trammel {
namespace {

constexpr const char* mark = "trammel lock:";

struct Holder {
  int process = 0;
  std::string host, text;  ///< as "process 4711 on node7 since ..."
};

std::string content_of(int descriptor) {
  std::string text(1000, '\0');
  const ssize_t length = ::pread(descriptor, text.data(), text.size(), 0);
  text.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
  return text;
}

/// Reads the process that a lock file names (0: none). False for a file that is no lock file.
bool read_holder(int descriptor, Holder& holder) {
  const std::string text = content_of(descriptor);
  if (text.empty()) return true;
  if (!text.starts_with(mark)) return false;
  holder.text = text.substr(std::string_view(mark).size() + 1);
  holder.text.resize(std::min(holder.text.size(), holder.text.find('\n')));
  std::istringstream words(holder.text);
  std::string process, on;
  words >> process >> holder.process >> on >> holder.host;
  return true;
}

bool write_holder(int descriptor, const RunInfo& here) {
  const std::string text =
      fmt::format("{} process {} on {} since {}\n", mark, here.process_id, here.host, iso_time_now());
  return ::ftruncate(descriptor, 0) == 0 &&
         ::pwrite(descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
}

bool is_alive(int process) {
  return ::kill(process, 0) == 0 || errno == EPERM;
}

/// Whether the open file is the one with this name.
bool has_name(int descriptor, const std::string& path) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

[[noreturn]] void refuse(const std::string& what, const std::string& path, const std::string& holder,
                         const char* advice) {
  fail(ExitCode::io, "{} is being written by {} (says {}); {}", what,
       holder.empty() ? std::string("another process") : holder, path, advice);
}

}  // namespace

Claim::Claim(const std::string& path, const std::string& what) : path_(path) {
  constexpr int most_tries = 1000;  // each fails because a process releases its claim at that moment
  try {
    for (int k = 0; k < most_tries; ++k)
      if (try_to_take(what)) return;
    refuse(what, path_, "", "others take and leave it all the time");
  } catch (...) {
    if (descriptor_ >= 0) ::close(descriptor_);
    throw;
  }
}

/// False when the lock file was removed meanwhile.
bool Claim::try_to_take(const std::string& what) {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw Failure(ExitCode::io, io_error_text("create", path_, errno));
  const bool taken = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
  const bool by_other = !taken && errno == EWOULDBLOCK;  // else the file system has no locks
  Holder holder;
  if (!read_holder(descriptor_, holder))
    fail(ExitCode::io, "{} is no lock of this program, which would need that name; choose another prefix",
         path_);
  constexpr const char* wait = "wait until it has ended, or choose another prefix (-o)";
  if (by_other) refuse(what, path_, holder.text, wait);
  if (!has_name(descriptor_, path_)) return false;
  RunInfo here;
  describe_process(here);
  if (holder.process != 0) {
    if (holder.host != here.host)
      refuse(what, path_, holder.text,
             "if that process is gone, remove the file, else choose another prefix (-o)");
    if (!taken && holder.process != here.process_id && is_alive(holder.process))
      refuse(what, path_, holder.text, wait);
    left_by_ = holder.text;
  }
  if (!write_holder(descriptor_, here)) {
    const int error = errno;
    ::unlink(path_.c_str());
    throw Failure(ExitCode::io, io_error_text("write", path_, error));
  }
  return true;
}

Claim::~Claim() {
  if (has_name(descriptor_, path_)) ::unlink(path_.c_str());
  ::close(descriptor_);
}

}  // namespace trammel
