#include "base/text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numbers>

#include "base/decimal.h"

namespace trammel {

namespace {

/// In capitals, of letters without accents; the program runs in the C locale, where there are no others.
constexpr unsigned char capital(unsigned char c) {
  return c >= 'a' && c <= 'z' ? static_cast<unsigned char>(c - 'a' + 'A') : c;
}

}  // namespace

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(capital(static_cast<unsigned char>(c)));
  return out;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string_view trim(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };  // as std::isspace
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && has_prefix_ignoring_case(a, b);
}

bool has_prefix_ignoring_case(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(),
                    [](unsigned char a, unsigned char b) { return capital(a) == capital(b); });
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::optional<double> parse_number(std::string_view text) {
  text = trim(text);
  constexpr std::size_t longest = 400;
  if (text.empty() || text.size() > longest) return std::nullopt;
  char digits[longest];
  char* last = digits;
  bool degrees = false, seen_digit = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == 'd' || c == 'D') {
      const bool exponent = k + 1 < text.size();
      if (!exponent) {
        degrees = true;
        break;
      }
      *last++ = 'e';
    } else {
      const bool digit = c >= '0' && c <= '9';
      if (digit) seen_digit = true;
      if (c == '+' && k == 0 && text.size() > 1 && text[1] != '-') continue;
      if (!digit && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E') return std::nullopt;
      *last++ = c;
    }
  }
  if (!seen_digit) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(digits, last, value);
  if (error != std::errc() || end != last) return std::nullopt;
  return degrees ? value * (std::numbers::pi / 180.0) : value;
}

std::optional<int> parse_integer(std::string_view text) {
  text = trim(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

void append_shortest(std::string& out, double value) {
  char buffer[decimal_room];
  out.append(buffer, put_shortest(buffer, value));
}

std::string shortest(double value) {
  std::string out;
  append_shortest(out, value);
  return out;
}

}  // namespace trammel
