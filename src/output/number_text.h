// Numbers and names as the result formats want them.
#pragma once

#include <string>
#include <string_view>

#include "output/channels.h"

namespace trammel {

/// Fortran 1PE edit descriptor, `width` columns, 5 decimals: "  1.00000E+00". Exponents of three
/// digits drop the E as Fortran does ("1.00000+100"); below 1E-99 the value is written as zero.
void append_fortran_e(std::string& out, double value, int width);

/// Shortest text that reads back to the same double (at most 17 digits).
void append_shortest(std::string& out, double value);

/// "0.04", "1:02", "1:02:03": seconds with two decimals, else m:ss, else h:mm:ss.
std::string elapsed_text(double seconds);

/// The unit of a quantity as result files spell it: "meter/sec**2", "newton-meter", "" without unit.
std::string unit_of(Quantity quantity, const UnitNames& units);
/// As result files spell a time unit: "second" is "sec", others as they are.
std::string time_unit(const UnitNames& units);
/// The 12 characters of .req and .gra headers, two per quantity: length, mass, time, force, angle and
/// coordinates, e.g. "M_KGS_N_RACA".
std::string unit_code(const UnitNames& units);

/// UTF-8: text that is valid UTF-8 unchanged, anything else read as ISO 8859-1 (old decks).
std::string as_utf8(std::string_view text);

}  // namespace trammel
