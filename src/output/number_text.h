// Numbers and text in the formats of result files.
#pragma once

#include <string>
#include <string_view>

namespace trammel {

/// Fortran 1PE edit descriptor, `width` columns, 5 decimals: "  1.00000E+00". Exponents of three digits have
/// no E, as in Fortran ("1.00000+100"); values below 1E-99 are written as zero.
void append_fortran_e(std::string& out, double value, int width);

/// A number of a result file, whole text: as written by append_fortran_e() and append_digits(), D exponents,
/// NaN and Infinity included. False if the text is no number.
bool parse_value(std::string_view text, double& value);

/// At most `digits` significant digits; 17 and more: the shortest text that reads back to the same double.
void append_digits(std::string& out, double value, int digits);

/// "0.04", "1:02", "1:02:03": seconds with two decimals, else m:ss, else h:mm:ss.
std::string elapsed_text(double seconds);

/// The text with line ends and other control characters replaced by blanks.
std::string single_line(std::string text);

/// The text as UTF-8: unchanged if it is valid UTF-8, else converted from ISO 8859-1 (old decks).
std::string as_utf8(std::string_view text);

}  // namespace trammel
