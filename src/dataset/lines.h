// Physical lines -> statements as text: title, comments, names of objects, separators, continuation.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trammel {

/// Marks in a statement's text where a continuation line begins.
inline constexpr char comma_continuation = '\x01';      ///< the line began with a comma in column 1 (removed)
inline constexpr char ampersand_continuation = '\x02';  ///< the line before ended in &

/// One statement as text: comments removed, physical lines separated by the marks above.
struct RawStatement {
  std::string text;
  std::string view_name;                             ///< from the comment adams_view_name='...' above it
  std::string echo;                                  ///< its physical lines as written, separated by newlines
  int line = 0;                                      ///< of its first character
  std::vector<std::pair<std::size_t, int>> line_at;  ///< (offset in text, line) for each physical line

  /// Line number of an offset in text.
  int line_of(std::size_t offset) const;
};

/// Text in UTF-8: valid UTF-8 stays, anything else is taken as Latin-1. NUL bytes become blanks, a byte
/// order mark and carriage returns go.
std::string clean_text(std::string bytes);

/// Collects statements line by line. Works on one physical line at a time, so memory is that of the text.
class StatementLines {
 public:
  /// `first_line`: number of the first line in `text` (a dataset's title stands above).
  StatementLines(std::string_view text, int first_line) : rest_(text), line_(first_line) {}
  /// The next statement; false at the end of the text.
  bool next(RawStatement& statement);

 private:
  struct Line {
    std::string_view whole;  ///< as written
    std::string_view code;   ///< comment removed
    int number = 0;
  };
  bool fetch(Line& line);
  void note_view_name(std::string_view comment);
  void append(RawStatement& statement, std::string_view piece, int number, bool first);

  std::string_view rest_;
  int line_ = 1;
  std::string pending_name_;
  Line held_;  ///< rest of a line after a semicolon, or a line read ahead
  bool has_held_ = false;
};

}  // namespace trammel
