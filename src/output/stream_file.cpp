#include "output/stream_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/diagnostics.h"

namespace trammel {
namespace {

struct Advice {
  int error;
  const char* text;
};

constexpr Advice advice_table[] = {
    {ENOSPC, "free space there or choose another folder for the results"},
    {EDQUOT, "the disk quota is used up: free space or choose another folder for the results"},
    {EACCES, "check the permissions of the file and its folder, or choose another folder"},
    {EROFS, "choose a folder that can be written to"},
    {ENOENT, "create the folder first"},
    {ENOTDIR, "part of the path is a file, not a folder"},
    {EISDIR, "a folder has this name"},
    {EFBIG, "the file size limit is reached (see ulimit -f)"},
};

}  // namespace

std::string io_error_text(const char* action, const std::string& path, int error) {
  std::string text = fmt::format("cannot {} {}: {}", action, path, std::strerror(error));
  for (const Advice& advice : advice_table)
    if (advice.error == error) text += fmt::format("; {}", advice.text);
  return text;
}

StreamFile::~StreamFile() {
  try {
    close();
  } catch (const Failure&) {  // a destructor cannot report; close() has closed the descriptor
  }
}

void StreamFile::fail_with(const char* action, int error) {
  buffer_.clear();  // what failed once is not tried again by the destructor
  tail_.clear();
  throw Failure(ExitCode::io, io_error_text(action, path_, error));
}

void StreamFile::open(const std::string& path, std::size_t capacity, std::uint64_t kept) {
  close();
  path_ = path;
  capacity_ = capacity;
  offset_ = kept;
  tail_.clear();
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (kept == 0 ? O_TRUNC : 0), 0666);
  if (descriptor_ < 0) fail_with("create", errno);
  if (kept > 0 && ::ftruncate(descriptor_, static_cast<off_t>(kept)) != 0) fail_with("shorten", errno);
  seekable_ = ::lseek(descriptor_, 0, SEEK_CUR) >= 0;
}

void StreamFile::write(std::string_view text) {
  if (descriptor_ < 0) fail_with("write", EBADF);
  buffer_ += text;
  if (buffer_.size() >= capacity_) flush();
}

void StreamFile::put(std::string_view text, std::uint64_t at) {
  while (!text.empty()) {
    const ssize_t written = seekable_
                                ? ::pwrite(descriptor_, text.data(), text.size(), static_cast<off_t>(at))
                                : ::write(descriptor_, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      fail_with("write", errno);
    }
    text.remove_prefix(static_cast<std::size_t>(written));
    at += static_cast<std::uint64_t>(written);
  }
}

void StreamFile::flush() {
  if (descriptor_ < 0 || (buffer_.empty() && !(tail_changed_ && seekable_))) return;
  const std::size_t content = buffer_.size();
  if (seekable_) buffer_ += tail_;  // one write for both: no moment without the tail in between
  put(buffer_, offset_);
  offset_ += content;
  tail_changed_ = false;
  buffer_.clear();
}

void StreamFile::close() {
  if (descriptor_ < 0) return;
  try {
    flush();
    if (!seekable_) put(tail_, offset_);
  } catch (...) {
    ::close(descriptor_);
    descriptor_ = -1;
    throw;
  }
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0 && errno != EINTR) fail_with("close", errno);
}

}  // namespace trammel
