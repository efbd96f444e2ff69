// Small helpers for text: case, blanks, numbers as ADAMS writes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trammel {

std::string upper(std::string_view text);
std::string lower(std::string_view text);
std::string_view trim(std::string_view text);
bool equal_ignoring_case(std::string_view a, std::string_view b);
/// True when `text` starts with `prefix`, ignoring case.
bool has_prefix_ignoring_case(std::string_view text, std::string_view prefix);
std::vector<std::string_view> split(std::string_view text, char separator);

/// A number as ADAMS datasets write it, whole text: `12`, `1.5`, `.5`, `1E-3`, `1D-3` (exponent),
/// and with a trailing D degrees, returned in radians (`90D`, `-45.5D`). nullopt if it is no number.
std::optional<double> parse_number(std::string_view text);
/// A whole integer, leading zeros allowed (`0101` = 101); nullopt if it is none or does not fit.
std::optional<int> parse_integer(std::string_view text);
/// Shortest decimal text that reads back to the same double.
std::string shortest(double value);
void append_shortest(std::string& out, double value);

}  // namespace trammel
