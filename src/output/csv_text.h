// Lines of CSV files (RFC 4180 without line ends in fields): fields, quotes, separators.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trammel {

/// The separator of a header line: a TAB or semicolon if it has one outside quotes, else the comma.
char csv_separator(std::string_view line);

/// The fields of a line, without quotes; false if a quote is not closed.
bool split_csv(std::string_view line, char separator, std::vector<std::string>& fields);

/// A text as a CSV field: quoted if necessary.
std::string csv_field(const std::string& text);

}  // namespace trammel
