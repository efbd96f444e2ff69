// A file written from front to back through a buffer, with errors that name the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "output/file_position.h"
#include "output/io_error.h"

namespace trammel {

/// True once per `seconds`: decides when buffered results are written to disk.
class FlushClock {
 public:
  explicit FlushClock(double seconds = 2.0) : interval_(seconds) {}
  bool due() const { return since_last_.seconds() >= interval_; }
  void reset() { since_last_ = {}; }

 private:
  double interval_;
  Stopwatch since_last_;
};

/// Appends text or bytes. Every error of the operating system throws Failure(ExitCode::io) that names the
/// file and the reason. The buffer never exceeds twice `capacity`; longer
/// text is not copied.
///
/// The bytes of one write(), or of all add() up to end_unit(), are a unit, such as a record. When writing
/// fails (full disk, size limit), the file is closed after the last complete unit that fits, with the tail
/// that was set when that unit was written; a file in which no unit fits is removed.
class StreamFile {
 public:
  StreamFile() = default;
  ~StreamFile();  ///< writes the buffer; ignores errors, so call close() first
  StreamFile(const StreamFile&) = delete;
  StreamFile& operator=(const StreamFile&) = delete;

  /// Creates the file or truncates an existing one to its first `kept` bytes, and continues there.
  void open(const std::string& path, std::size_t capacity = std::size_t{1} << 20, std::uint64_t kept = 0);
  /// Continues the file at `position`; bytes beyond it are cut off. Failure(io) when it is another file.
  void open(const std::string& path, const FilePosition& position);
  /// Creates the file with `head`, handed to the operating system; with a position, continues there instead.
  void begin(const std::string& path, std::string_view head, const FilePosition* position);
  void write(std::string_view text);
  /// A part of a unit: what is long is handed over part by part, and never stands in memory as a whole.
  void add(std::string_view part);
  void end_unit();
  /// Overwrites bytes that have been handed over.
  void overwrite(std::uint64_t at, std::string_view bytes);
  /// Hands everything to the operating system: it survives the death of this process.
  void flush();
  /// Flushes, and returns the position at which the file can be continued. Failure(io) when the name no
  /// longer refers to it.
  FilePosition position();
  void close();

  /// Sets text that follows the contents at every flush and is overwritten by later contents, so that a
  /// format with closing tags is complete whenever the process dies. close() leaves it in place.
  void set_tail(std::string tail) {
    tail_changed_ = tail_changed_ || tail != tail_;
    tail_ = std::move(tail);
  }

  bool is_open() const { return descriptor_ >= 0; }
  const std::string& path() const { return path_; }
  /// Size of the contents in bytes, buffered ones included, without the tail.
  std::uint64_t size() const { return offset_ + buffer_.size(); }

 private:
  /// End of a unit in the buffer, and the tail that belongs after it.
  struct UnitEnd {
    std::uint64_t at = 0;
    std::size_t tail = 0;  ///< index in tails_
  };
  bool put(std::string_view text, std::uint64_t at);
  /// The end of the last whole unit, buffered ones included.
  std::uint64_t whole_end() const { return units_.empty() ? whole_ : units_.back().at; }
  void note_unit(std::uint64_t at);
  void make_room();
  void hand_over(std::string_view text);
  bool shorten_to_whole_units();
  [[noreturn]] void fail_with(const char* action, int error);

  std::string path_, buffer_, tail_;
  std::vector<UnitEnd> units_;
  std::vector<std::string> tails_;  ///< the first one follows what has been handed over
  std::size_t capacity_ = 0;
  std::uint64_t offset_ = 0;  ///< bytes of contents handed over
  std::uint64_t whole_ = 0;   ///< of these, the ones up to the end of a unit
  int descriptor_ = -1;
  bool seekable_ = true, tail_changed_ = false;
};

/// Removes an open file, or empties it if `path` is a link to it. False, with errno, on failure.
bool remove_or_empty(const std::string& path, int descriptor);

}  // namespace trammel
