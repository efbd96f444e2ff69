// Result files in text form, read front to back with the place in the file at hand.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace trammel {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FileHandle = std::unique_ptr<std::FILE, CloseFile>;

/// Opens a file for reading. Failure(io) naming the file and the reason; folders are refused.
FileHandle open_for_reading(const std::string& path);

/// Line by line; holds one line.
class LineReader {
 public:
  explicit LineReader(const std::string& path);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// False at the end of the file. `line`: without its end, valid until the next call.
  bool next(std::string_view& line);
  /// False when the last line that next() gave had no line end: the file may be cut in it.
  bool complete() const { return complete_; }
  int line() const { return line_; }                 ///< number of the last line given, from 1
  std::uint64_t byte() const { return byte_; }       ///< offset of its first byte
  std::uint64_t bytes_read() const { return end_; }  ///< offset behind it
  const std::string& path() const { return path_; }
  /// "a.req:17"
  std::string place() const;

 private:
  std::string path_;
  FileHandle file_;
  char* buffer_ = nullptr;
  std::size_t capacity_ = 0;
  int line_ = 0;
  std::uint64_t byte_ = 0, end_ = 0;
  bool complete_ = true;
};

/// The elements of an XML file, one after the other; holds one tag or one text at a time. No entities but
/// the five of XML and numbers, no DTD: what result files need.
class XmlReader {
 public:
  enum class Event {
    open,   ///< <name ...> or <name ... />, which gives a close as well
    close,  ///< </name>
    text,   ///< not blank
    end,    ///< the file is read
    cut,    ///< the file ends inside a tag, or in the text of an open element
  };
  explicit XmlReader(const std::string& path);

  Event next();
  /// Of the tag of the last open or close, without a name space prefix.
  std::string_view name() const { return name_; }
  /// Value of an attribute of the last open, markup resolved; "" where it has none.
  std::string attribute(std::string_view key) const;
  bool has_attribute(std::string_view key) const;
  /// The last text, as it stands in the file.
  std::string_view text() const { return event_; }
  /// Elements that are open.
  int depth() const { return depth_; }
  int line() const { return line_; }            ///< where the last event begins, from 1
  std::uint64_t byte() const { return byte_; }  ///< offset of it
  const std::string& path() const { return path_; }
  std::string place() const;

 private:
  bool refill();
  std::size_t find(std::string_view what, std::size_t from);
  void consume(std::size_t length);
  Event tag();
  bool skip_past(std::string_view end);
  std::string_view attribute_text(std::string_view key) const;
  [[noreturn]] void fail_here(const std::string& text) const;

  std::string path_;
  FileHandle file_;
  std::string buffer_;
  std::size_t at_ = 0;  ///< first byte of the buffer that is not consumed
  std::string_view event_, name_;
  int depth_ = 0, line_ = 1, next_line_ = 1;
  std::uint64_t byte_ = 0, next_byte_ = 0;
  bool close_due_ = false;
};

}  // namespace trammel
