// A file that is written front to back through a buffer, with errors that name the file.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "output/file_position.h"
#include "output/io_error.h"

namespace trammel {

/// True once per `seconds`: decides when buffered results go to the disk.
class FlushClock {
 public:
  explicit FlushClock(double seconds = 2.0) : interval_(seconds), last_(Clock::now()) {}
  bool due() const { return std::chrono::duration<double>(Clock::now() - last_).count() >= interval_; }
  void reset() { last_ = Clock::now(); }

 private:
  using Clock = std::chrono::steady_clock;
  double interval_;
  Clock::time_point last_;
};

/// Text or bytes, appended. Every failure of the operating system throws Failure(ExitCode::io) that
/// names the file and the reason. The buffer never exceeds `capacity` by more than one write().
///
/// What one write() appends is a unit, such as a record. A write that fails (a full disk, a size limit)
/// leaves the file closed behind its last whole unit for which there is room, with the tail that was set when
/// that unit was written; a file in which no unit fits is removed.
class StreamFile {
 public:
  StreamFile() = default;
  ~StreamFile();  ///< writes what is buffered; errors are lost here, so call close() first
  StreamFile(const StreamFile&) = delete;
  StreamFile& operator=(const StreamFile&) = delete;

  /// Creates the file or empties an existing one. `kept`: goes on behind the first bytes of an existing file,
  /// and removes the rest.
  void open(const std::string& path, std::size_t capacity = std::size_t{1} << 20, std::uint64_t kept = 0);
  /// Goes on where position() was; what stands behind it is cut off. Failure(io) where the file is not that
  /// one.
  void open(const std::string& path, const FilePosition& position);
  /// Creates the file with `head`, handed to the operating system; with a position goes on there instead.
  void begin(const std::string& path, std::string_view head, const FilePosition* position);
  void write(std::string_view text);
  /// Hands everything to the operating system: it survives the death of this process.
  void flush();
  /// Where the file can go on: behind all that was written so far, which is flushed. Failure(io) where its
  /// name no longer leads to it.
  FilePosition position();
  void close();

  /// Text that stands after the content at every flush and is overwritten by what follows, so that a
  /// format with closing tags is complete whenever the process dies. close() leaves it in place.
  void set_tail(std::string tail) {
    tail_changed_ = tail_changed_ || tail != tail_;
    tail_ = std::move(tail);
  }

  bool is_open() const { return descriptor_ >= 0; }
  const std::string& path() const { return path_; }
  /// Bytes of content so far, buffered ones included, the tail not.
  std::uint64_t size() const { return offset_ + buffer_.size(); }

 private:
  /// The end of a unit that is still in the buffer, and the tail that belongs behind it.
  struct UnitEnd {
    std::uint64_t at = 0;
    std::size_t tail = 0;  ///< in tails_
  };
  bool put(std::string_view text, std::uint64_t at);
  bool shorten_to_whole_units();
  [[noreturn]] void fail_with(const char* action, int error);

  std::string path_, buffer_, tail_;
  std::vector<UnitEnd> units_;
  std::vector<std::string> tails_;  ///< the first: behind what has been handed over
  std::size_t capacity_ = 0;
  std::uint64_t offset_ = 0;  ///< content bytes handed over
  int descriptor_ = -1;
  bool seekable_ = true, tail_changed_ = false;
};

/// Removes a file that is open, or empties it where `path` is a link to it. False, with errno, where that is
/// refused.
bool remove_or_empty(const std::string& path, int descriptor);

}  // namespace trammel
