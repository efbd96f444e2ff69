// A cursor over one statement's text: words, separators, and where the next argument begins.
#pragma once

#include <span>
#include <string_view>

#include "dataset/lines.h"
#include "language/field.h"

namespace trammel {

bool is_letter(char c);      ///< letter or underscore
bool is_word_mark(char c);   ///< letter, digit or underscore
bool is_blank_mark(char c);  ///< blank, tab or ampersand_continuation
bool is_comma(char c);       ///< comma, or a line's comma in column 1

struct Scanner {
  std::string_view text;
  std::size_t at = 0;

  bool done() const { return at >= text.size(); }
  char peek() const { return done() ? '\0' : text[at]; }
  void skip_blanks();
  /// Steps over blanks, commas and backslashes between arguments.
  void skip_separators();
  /// A word of letters, digits and underscores that begins with a letter; "" if none stands here.
  std::string_view word();
  /// Takes the text up to the comma, backslash or end that ends a plain value.
  std::string_view value();
  /// A cursor behind the comma that stands here, and behind the blanks that follow it.
  Scanner behind_comma() const;
  /// Moves to the next place where an argument may begin; used after a mistake.
  void skip_to_next_argument();
};

/// How sure argument_starts() must be.
enum class Evidence {
  equals_sign,  ///< any word followed by =, or the name of a flag (expressions, which hold no =)
  known_name,   ///< a known name of the statement (texts, which may hold anything)
};

/// Whether an argument of a statement with these fields begins at `at` (just behind a comma).
bool argument_starts(std::string_view text, std::size_t at, std::span<const Field> fields, Evidence evidence);

}  // namespace trammel
