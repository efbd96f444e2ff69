// Numbers and text in the formats of result files.
#pragma once

#include <string>
#include <string_view>

#include "base/decimal.h"

namespace trammel {

/// Fortran 1PE edit descriptor, `width` columns, 5 decimals: "  1.00000E+00". Exponents of three digits have
/// no E, as in Fortran ("1.00000+100"); values below 1E-99 are written as zero.
void append_fortran_e(std::string& out, double value, int width);
/// The same where a pointer says, of fortran_room characters at most; returns the end. Widths up to 31.
char* put_fortran_e(char* at, double value, int width);
inline constexpr std::size_t fortran_room = decimal_room;

/// At most `digits` significant digits; 17 and more: the shortest text that reads back to the same double.
char* put_digits(char* at, double value, int digits);

/// A text that is written anew for every record, without a look at its length for every number.
class RecordText {
 public:
  /// Begins anew, with room for `numbers` numbers and their separators, and for other text.
  char* begin(std::size_t numbers, std::size_t others = 0) {
    const std::size_t room = numbers * (decimal_room + 2) + others;
    if (text_.size() < room) text_.resize(room);
    return text_.data();
  }
  std::string_view until(const char* end) const {
    return {text_.data(), static_cast<std::size_t>(end - text_.data())};
  }

 private:
  std::string text_;
};

/// "0.04", "1:02", "1:02:03": seconds with two decimals, else m:ss, else h:mm:ss.
std::string elapsed_text(double seconds);

/// The text with line ends and other control characters replaced by blanks.
std::string single_line(std::string text);

/// The text as UTF-8: unchanged if it is valid UTF-8, else converted from ISO 8859-1 (old decks).
std::string as_utf8(std::string_view text);

}  // namespace trammel
