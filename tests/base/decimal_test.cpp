// Decimal text against what the C++ and C libraries write: std::to_chars() and printf are the definition.
#include "base/decimal.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace trammel::decimal_test {
namespace {

/// The text that `write` makes; what lies behind its room must be as it was.
template <class Write>
std::string text_of(Write write) {
  char text[decimal_room + 8];
  for (char& c : text) c = '#';
  const char* end = write(text);
  EXPECT_LE(end, text + decimal_room);
  EXPECT_EQ(std::string(text + decimal_room, 8), "########");
  return std::string(text, static_cast<std::size_t>(end - text));
}

std::string printed(const char* format, int digits, double value) {
  char text[64];
  return {text, static_cast<std::size_t>(std::snprintf(text, sizeof text, format, digits, value))};
}

/// Numbers where forms change or rounding is close, and their neighbours.
std::vector<double> special_values() {
  std::vector<double> out = {0.0,
                             0.3,
                             1.0 / 3,
                             9007199254740993.0,
                             123456789012345678.0,
                             5e-324,
                             std::numeric_limits<double>::max(),
                             std::numeric_limits<double>::min()};
  for (int k = -1074; k < 1024; ++k) out.push_back(std::ldexp(1.0, k));
  for (int k = -323; k < 309; ++k)
    for (const char* digits :
         {"1", "9.999995", "9.9999949999", "1.000005", "1.25", "3.14159265358979", "9.5"})
      out.push_back(std::strtod((std::string(digits) + "e" + std::to_string(k)).c_str(), nullptr));
  // Exactly in the middle between two numbers of six digits (and of fewer, times powers of two).
  for (int k = 100'000; k < 1'000'000; k += 997)
    for (const double scale : {1.0, 0.5, 0.25, 8.0, 1e5}) out.push_back((k + 0.5) * scale);
  for (int k = 0; k < 2000; ++k) out.insert(out.end(), {k / 1000.0, k * 0.5, k * 1e3, k * 1e13, k * 1e-7});
  const std::size_t count = out.size();
  for (std::size_t k = 0; k < count; ++k)
    for (const double towards : {-1.0, std::numeric_limits<double>::infinity()})
      out.push_back(std::nextafter(out[k], towards));
  return out;
}

/// Any bits, and any size with a mantissa of any length.
std::vector<double> random_values(std::size_t count) {
  std::mt19937_64 random(7);
  std::vector<double> out;
  while (out.size() < count) {
    const std::uint64_t bits = random();
    const double any = std::bit_cast<double>(bits);
    if (std::isfinite(any)) out.push_back(any);
    out.push_back(
        std::ldexp(static_cast<double>(bits >> (bits & 63)), static_cast<int>(random() % 120) - 90));
  }
  return out;
}

/// All of these, of both signs.
template <class Check>
void for_values(std::size_t random_count, Check check) {
  for (const auto& values : {special_values(), random_values(random_count)})
    for (const double value : values) {
      if (!std::isfinite(value)) continue;
      check(value);
      check(-value);
    }
}

TEST(Decimal, ShortestIsThatOfToChars) {
  const auto check = [](double value) {
    char text[64];
    const std::string expected(text, std::to_chars(text, text + sizeof text, value).ptr);
    ASSERT_EQ(text_of([&](char* at) { return put_shortest(at, value); }), expected);
  };
  for_values(400'000, [&](double value) { check(value); });
  for (const double value : {HUGE_VAL, -HUGE_VAL, std::nan("")}) check(value);
}

TEST(Decimal, SixDigitsAreThoseOfPrintf) {
  for_values(200'000, [](double value) {
    ASSERT_EQ(text_of([&](char* at) { return put_six_digits(at, value); }), printed("%.*E", 5, value));
  });
}

TEST(Decimal, SignificantDigitsAreThoseOfPrintf) {
  for (int digits = 1; digits <= 17; ++digits)
    for_values(5'000, [&](double value) {
      ASSERT_EQ(text_of([&](char* at) { return put_general(at, value, digits); }),
                printed("%.*g", digits, value))
          << digits;
    });
}

}  // namespace
}  // namespace trammel::decimal_test
