// Lines of CSV files (RFC 4180 without line ends in fields): fields, quotation marks, separators.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trammel {

/// The separator of a line of headers, outside of quotation marks: a TAB or semicolon where there is one,
/// else the comma.
char csv_separator(std::string_view line);

/// The fields of a line, quotation marks removed; false where one has no fellow.
bool split_csv(std::string_view line, char separator, std::vector<std::string>& fields);

/// A text as a field: quoted where it has to be.
std::string csv_field(const std::string& text);

}  // namespace trammel
