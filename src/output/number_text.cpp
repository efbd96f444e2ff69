#include "output/number_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include <fmt/format.h>

namespace trammel {

char* put_fortran_e(char* at, double value, int width) {
  if (std::abs(value) < 1e-99) value = 0.0;  // also -0, whose "-0.00000E+00" readers do not expect
  if (!std::isfinite(value))
    return fmt::format_to(at, "{:>{}}", std::isnan(value) ? "NaN" : (value > 0 ? "Infinity" : "-Infinity"),
                          width);
  char text[decimal_room];
  char* end = put_six_digits(text, value);
  if (end[-4] != 'E') {  // E+100
    std::memmove(end - 5, end - 4, 4);
    --end;
  }
  const auto size = static_cast<std::size_t>(end - text),
             blanks = std::max(static_cast<std::size_t>(width), size) - size;
  std::memset(at, ' ', blanks);
  std::memcpy(at + blanks, text, size);
  return at + blanks + size;
}

void append_fortran_e(std::string& out, double value, int width) {
  char text[fortran_room];
  out.append(text, put_fortran_e(text, value, width));
}

char* put_digits(char* at, double value, int digits) {
  if (digits >= 17 || !std::isfinite(value)) return put_shortest(at, value);
  return put_general(at, value, std::max(digits, 1));
}

std::string elapsed_text(double seconds) {
  if (!(seconds > 0)) seconds = 0;
  if (seconds < 59.995) return fmt::format("{:.2f}", seconds);
  const auto whole = static_cast<long long>(std::llround(seconds));
  const long long hours = whole / 3600, minutes = whole / 60 % 60, rest = whole % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, rest);
  return fmt::format("{}:{:02}", minutes, rest);
}

namespace {

/// Length of the UTF-8 sequence at the start of `text`, 0 if it is invalid.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned lead = byte(0);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(k) & 0xC0) != 0x80) return 0;
  // Overlong forms, surrogates and values above U+10FFFF are invalid.
  if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F) ||
      (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F))
    return 0;
  return length;
}

}  // namespace

std::string single_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return text;
}

std::string as_utf8(std::string_view text) {
  bool valid = true;
  for (std::string_view rest = text; valid && !rest.empty();) {
    const std::size_t length = utf8_length(rest);
    valid = length > 0;
    if (valid) rest.remove_prefix(length);
  }
  if (valid) return std::string(text);
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xC0 | (byte >> 6));
      out += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return out;
}

}  // namespace trammel
