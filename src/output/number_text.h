// Numbers and text as the result formats want them.
#pragma once

#include <string>
#include <string_view>

namespace trammel {

/// Fortran 1PE edit descriptor, `width` columns, 5 decimals: "  1.00000E+00". Exponents of three
/// digits drop the E as Fortran does ("1.00000+100"); below 1E-99 the value is written as zero.
void append_fortran_e(std::string& out, double value, int width);

/// A number as result files have it, whole text: what append_fortran_e and append_digits write, D exponents,
/// NaN and Infinity included. False where it is none.
bool parse_value(std::string_view text, double& value);

/// At most `digits` significant digits; 17 and more: the shortest text that reads back to the same double.
void append_digits(std::string& out, double value, int digits);

/// "0.04", "1:02", "1:02:03": seconds with two decimals, else m:ss, else h:mm:ss.
std::string elapsed_text(double seconds);

/// Blanks for line ends and other control characters.
std::string single_line(std::string text);

/// UTF-8: text that is valid UTF-8 unchanged, anything else read as ISO 8859-1 (old decks).
std::string as_utf8(std::string_view text);

}  // namespace trammel
