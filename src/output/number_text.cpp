#include "output/number_text.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"

namespace trammel {

void append_fortran_e(std::string& out, double value, int width) {
  if (std::abs(value) < 1e-99) value = 0.0;  // also -0: "-0.00000E+00" is not what readers expect
  if (!std::isfinite(value)) {
    out += fmt::format("{:>{}}", std::isnan(value) ? "NaN" : (value > 0 ? "Infinity" : "-Infinity"), width);
    return;
  }
  char digits[40];
  auto end = fmt::format_to(digits, "{:.5E}", value);
  std::string_view text(digits, static_cast<std::size_t>(end - digits));
  const std::size_t e = text.find('E');
  std::string three_digits;
  if (text.size() - e == 5) {  // E+100
    three_digits.assign(text.substr(0, e)).append(text.substr(e + 1));
    text = three_digits;
  }
  if (text.size() < static_cast<std::size_t>(width))
    out.append(static_cast<std::size_t>(width) - text.size(), ' ');
  out += text;
}

void append_shortest(std::string& out, double value) {
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  out.append(buffer, result.ptr);
}

std::string elapsed_text(double seconds) {
  if (!(seconds > 0)) seconds = 0;
  if (seconds < 59.995) return fmt::format("{:.2f}", seconds);
  const auto whole = static_cast<long long>(std::llround(seconds));
  const long long hours = whole / 3600, minutes = whole / 60 % 60, rest = whole % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, rest);
  return fmt::format("{}:{:02}", minutes, rest);
}

std::string time_unit(const UnitNames& units) {
  return units.time == "second" ? "sec" : units.time;
}

std::string unit_of(Quantity quantity, const UnitNames& units) {
  const std::string time = time_unit(units);
  // A dataset without units has empty names; a unit made of missing parts is none.
  const auto joined = [](const std::string& a, const char* between, const std::string& b) {
    return a.empty() || b.empty() ? std::string() : a + between + b;
  };
  switch (quantity) {
    case Quantity::none:
      return "";
    case Quantity::time:
      return time;
    case Quantity::length:
      return units.length;
    case Quantity::angle:
      return "rad";
    case Quantity::velocity:
      return joined(units.length, "/", time);
    case Quantity::angular_velocity:
      return joined("rad", "/", time);
    case Quantity::acceleration:
      return joined(units.length, "/", time.empty() ? "" : time + "**2");
    case Quantity::angular_acceleration:
      return joined("rad", "/", time.empty() ? "" : time + "**2");
    case Quantity::force:
      return units.force;
    case Quantity::torque:
      return joined(units.force, "-", units.length);
  }
  return "";
}

namespace {

struct UnitCode {
  const char* name;
  const char* code;
};

// Seen in files: M_ KG S_ N_ IN LB PF. The others follow the pattern of two letters.
constexpr UnitCode codes[] = {
    {"meter", "M_"},       {"millimeter", "MM"},  {"centimeter", "CM"},     {"kilometer", "KM"},
    {"inch", "IN"},        {"foot", "FT"},        {"mile", "MI"},           {"mm", "MM"},
    {"kg", "KG"},          {"kilogram", "KG"},    {"gram", "G_"},           {"megagram", "MG"},
    {"tonne", "TO"},       {"pound_mass", "LB"},  {"ounce_mass", "OZ"},     {"slug", "SL"},
    {"second", "S_"},      {"sec", "S_"},         {"millisecond", "MS"},    {"minute", "MN"},
    {"hour", "HR"},        {"newton", "N_"},      {"kilonewton", "KN"},     {"dyne", "DY"},
    {"pound_force", "PF"}, {"ounce_force", "OF"}, {"kilogram_force", "KF"}, {"", "__"},
};

std::string two_letters(const std::string& name) {
  for (const UnitCode& entry : codes)
    if (equal_ignoring_case(entry.name, name)) return entry.code;
  return upper((name + "__").substr(0, 2));
}

/// Length of the UTF-8 sequence at the start of `text`, 0 if there is none.
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
  // Overlong forms, surrogates and values above U+10FFFF.
  if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F) ||
      (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F))
    return 0;
  return length;
}

}  // namespace

std::string unit_code(const UnitNames& units) {
  return two_letters(units.length) + two_letters(units.mass) + two_letters(units.time) +
         two_letters(units.force) + "RACA";
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
