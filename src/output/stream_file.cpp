#include "output/stream_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/diagnostics.h"

namespace trammel {
bool remove_or_empty(const std::string& path, int descriptor) {
  struct stat opened {
  }, named{};
  const bool same = ::fstat(descriptor, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
                    opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
  return same ? ::unlink(path.c_str()) == 0 : ::ftruncate(descriptor, 0) == 0;
}

StreamFile::~StreamFile() {
  try {
    close();
  } catch (const Failure&) {  // a destructor cannot report errors; close() has closed the descriptor
  }
}

void StreamFile::fail_with(const char* action, int error) {
  const bool whole = descriptor_ < 0 || !seekable_ || shorten_to_whole_units();
  buffer_.clear();  // the destructor must not repeat a failed write
  tail_.clear();
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  std::string text = io_error_text(action, path_, error);
  if (!whole) text += "; its last record may be cut";
  throw Failure(ExitCode::io, text);
}

/// After a failed write: cuts the file after the last unit whose tail lies within the file's present size, so
/// that no further space is needed. False when the file system refuses that, too.
bool StreamFile::shorten_to_whole_units() {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) return true;  // a device
  const auto room = static_cast<std::uint64_t>(status.st_size);
  units_.insert(units_.begin(), UnitEnd{whole_, 0});
  const auto fits = [&](const UnitEnd& unit) { return unit.at + tails_[unit.tail].size() <= room; };
  const auto last = std::find_if(units_.rbegin(), units_.rend(), fits);
  const UnitEnd end = last == units_.rend() ? UnitEnd{} : *last;
  if (end.at == 0) return remove_or_empty(path_, descriptor_);
  const std::string& tail = tails_[end.tail];
  return put(tail, end.at) && ::ftruncate(descriptor_, static_cast<off_t>(end.at + tail.size())) == 0;
}

void StreamFile::open(const std::string& path, std::size_t capacity, std::uint64_t kept) {
  close();
  path_ = path;
  capacity_ = capacity;
  buffer_.reserve(capacity + capacity / 16);  // grown step by step it would be copied twice over
  offset_ = whole_ = kept;
  tail_.clear();
  units_.clear();
  tails_ = {""};
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (kept == 0 ? O_TRUNC : 0), 0666);
  if (descriptor_ < 0) fail_with("create", errno);
  if (kept > 0 && ::ftruncate(descriptor_, static_cast<off_t>(kept)) != 0) fail_with("shorten", errno);
  seekable_ = ::lseek(descriptor_, 0, SEEK_CUR) >= 0;
}

void StreamFile::open(const std::string& path, const FilePosition& position) {
  check_position(path, position);
  open(path, std::size_t{1} << 20, position.regular ? position.bytes : 0);
  offset_ = whole_ = position.bytes;
}

void StreamFile::begin(const std::string& path, std::string_view head, const FilePosition* position) {
  if (position) return open(path, *position);
  open(path);
  write(head);
  flush();
}

FilePosition StreamFile::position() {
  if (descriptor_ < 0) fail(ExitCode::internal, "the position of a file that is not open: {}", path_);
  flush();
  return position_in(path_, offset_);
}

void StreamFile::add(std::string_view part) {
  if (descriptor_ < 0) fail_with("write", EBADF);
  if (buffer_.size() + part.size() > capacity_) make_room();
  buffer_ += part;
}

void StreamFile::end_unit() {
  if (descriptor_ < 0) fail_with("write", EBADF);
  const bool begun = offset_ > whole_end();
  note_unit(size());
  if (begun || buffer_.size() >= capacity_) hand_over({});
}

void StreamFile::write(std::string_view text) {
  if (descriptor_ < 0) fail_with("write", EBADF);
  if (text.size() < capacity_) {
    buffer_ += text;
    return end_unit();
  }
  note_unit(size() + text.size());
  hand_over(text);
}

void StreamFile::overwrite(std::uint64_t at, std::string_view bytes) {
  if (descriptor_ < 0) fail_with("write", EBADF);
  if (!put(bytes, at)) fail_with("write", errno);
}

/// A unit ends at `at`, with the tail that is set.
void StreamFile::note_unit(std::uint64_t at) {
  if (tails_.size() == 1 || tails_.back() != tail_) tails_.push_back(tail_);
  units_.push_back({at, tails_.size() - 1});
}

/// Room for further parts of a unit: hands over the whole units before it, with their tail, or, where there
/// are none, what there is of it.
void StreamFile::make_room() {
  const std::uint64_t whole = whole_end() - std::min(offset_, whole_end());
  const std::string rest = whole > 0 ? buffer_.substr(whole) : std::string();
  if (whole > 0) buffer_.resize(whole);
  const std::size_t content = buffer_.size();
  if (whole > 0 && seekable_) buffer_ += tails_.back();
  if (!put(buffer_, offset_)) fail_with("write", errno);
  offset_ += content;
  if (whole > 0) {
    whole_ = offset_;
    units_.clear();
    tails_ = {tails_.back()};
  }
  buffer_ = rest;
}

/// False, with errno, when not everything could be written.
bool StreamFile::put(std::string_view text, std::uint64_t at) {
  while (!text.empty()) {
    const ssize_t written = seekable_
                                ? ::pwrite(descriptor_, text.data(), text.size(), static_cast<off_t>(at))
                                : ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
    at += static_cast<std::uint64_t>(written);
  }
  return true;
}

void StreamFile::flush() {
  if (descriptor_ < 0 || (buffer_.empty() && !(tail_changed_ && seekable_))) return;
  hand_over({});
}

/// The buffer and text behind it. The tail goes with the buffer in one write, so that the file always has it;
/// behind long text, which the operating system takes page by page, it is written alone.
void StreamFile::hand_over(std::string_view text) {
  const std::size_t content = buffer_.size() + text.size();
  const bool alone = seekable_ && !text.empty();
  if (seekable_ && !alone) buffer_ += tail_;
  const bool written = put(buffer_, offset_) && put(text, offset_ + buffer_.size()) &&
                       (!alone || put(tail_, offset_ + content));
  if (!written) fail_with("write", errno);
  offset_ += content;
  whole_ = offset_;
  tail_changed_ = false;
  buffer_.clear();
  units_.clear();
  tails_ = {tail_};
}

void StreamFile::close() {
  if (descriptor_ < 0) return;
  flush();
  if (!seekable_ && !put(tail_, offset_)) fail_with("write", errno);
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0 && errno != EINTR) fail_with("close", errno);
}

}  // namespace trammel
