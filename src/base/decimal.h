// Numbers as decimal text: what result files and files of matrices are made of. They are written where a
// pointer says: every such function returns the end of its text and writes decimal_room characters at most.
#pragma once

#include <cstddef>
#include <string_view>

namespace trammel {

inline constexpr std::size_t decimal_room = 40;

/// The shortest text that reads back to the same double, as std::to_chars() writes it.
char* put_shortest(char* at, double value);

/// At most `digits` significant digits, 1 to 17, as printf writes them by %.{digits}g.
char* put_general(char* at, double value, int digits);

/// One digit, a point, five decimals and the exponent, as printf writes them by %.5E; finite numbers alone.
char* put_six_digits(char* at, double value);

/// A number, whole text: as these write it, as Fortran does, with D in place of E or without it before an
/// exponent of three digits (0.12-101), NaN and Infinity included. False if the text is no number.
bool parse_value(std::string_view text, double& value);

}  // namespace trammel
