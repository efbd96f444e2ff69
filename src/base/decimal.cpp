#include "base/decimal.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

// Dragonbox with its table of powers of ten in full, 10 kB, instead of one from which it computes them anew
// for every number: only as part of this file.
#define FMT_HEADER_ONLY
#define FMT_USE_FULL_CACHE_DRAGONBOX 1
#include <fmt/format.h>

namespace trammel {
namespace {

constexpr auto pairs = [] {
  std::array<char, 200> text{};
  for (int k = 0; k < 100; ++k) {
    text[static_cast<std::size_t>(2 * k)] = static_cast<char>('0' + k / 10);
    text[static_cast<std::size_t>(2 * k + 1)] = static_cast<char>('0' + k % 10);
  }
  return text;
}();

void put_pair(char* at, unsigned number) {
  std::memcpy(at, &pairs[2 * number], 2);
}

constexpr auto tens = [] {
  std::array<std::uint64_t, 20> out{};
  std::uint64_t power = 1;
  for (std::uint64_t& t : out) {
    t = power;
    power *= 10;
  }
  return out;
}();

/// How many digits a number has, 1 to 19.
int count_digits(std::uint64_t number) {
  const int guess = std::bit_width(number | 1) * 1233 >> 12;  // bits · log10(2): this or one too many
  return guess + (number >= tens[static_cast<std::size_t>(guess)] ? 1 : 0);
}

/// Eight characters, the first in the lowest byte, of a number below 10^8: halves of it side by side in one
/// word, then their halves, then single digits.
std::uint64_t eight_digits(std::uint64_t number) {
  const std::uint64_t four = number / 10'000 | number % 10'000 << 32;
  const std::uint64_t hundreds = four * 10'486 >> 20 & 0x7F'0000'007F;
  const std::uint64_t two = hundreds | (four - 100 * hundreds) << 16;
  const std::uint64_t high = two * 103 >> 10 & 0x0F'000F'000F'000F;
  return (high | (two - 10 * high) << 8) | 0x3030'3030'3030'3030;
}

/// Eight characters of a word, that in its lowest byte first.
void put_word(char* at, std::uint64_t word) {
  if constexpr (std::endian::native == std::endian::big) {
    for (int k = 0; k < 8; ++k) at[k] = static_cast<char>(word >> 8 * k);
  } else {
    std::memcpy(at, &word, sizeof word);
  }
}

/// Sixteen characters of a number below 10^16: its halves side by side, and on as eight_digits() does.
void put_sixteen(char* at, std::uint64_t number) {
#ifdef __SSE2__
  const auto both = [](long long x) { return _mm_set1_epi64x(x); };
  const auto each = [](short x) { return _mm_set1_epi16(x); };
  const auto lower = static_cast<long long>(number % tens[8]),
             upper = static_cast<long long>(number / tens[8]);
  const __m128i halves = _mm_set_epi64x(lower, upper);
  // ⌊x/10⁴⌋ = ⌊x ⌈2⁴⁵/10⁴⌉/2⁴⁵⌋,  ⌊x/100⌋ = ⌊x ⌈2¹⁹/100⌉/2¹⁹⌋,  ⌊x/10⌋ = ⌊x ⌈2¹⁶/10⌉/2¹⁶⌋
  const __m128i fours = _mm_srli_epi64(_mm_mul_epu32(halves, both(3'518'437'209)), 45);
  const __m128i four = fours | _mm_slli_epi64(halves - _mm_mul_epu32(fours, both(10'000)), 32);
  const __m128i twos = _mm_srli_epi16(_mm_mulhi_epu16(four, each(5243)), 3);
  const __m128i two = twos | _mm_slli_epi32(_mm_sub_epi16(four, _mm_mullo_epi16(twos, each(100))), 16);
  const __m128i ones = _mm_mulhi_epu16(two, each(6554));
  const __m128i one = ones | _mm_slli_epi16(_mm_sub_epi16(two, _mm_mullo_epi16(ones, each(10))), 8);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(at), one | _mm_set1_epi8('0'));
#else
  put_word(at, eight_digits(number / tens[8]));
  put_word(at + 8, eight_digits(number % tens[8]));
#endif
}

/// A number of `count` digits, 17 at most. Writes up to seventeen characters whatever the count: sixteen or
/// seventeen digits, which take turns at random, are one path.
char* put_digits(char* at, std::uint64_t number, int count) {
  if (count <= 8) {
    put_word(at, eight_digits(number) >> 8 * (8 - count));
    return at + count;
  }
  const std::uint64_t all = number * tens[static_cast<std::size_t>(17 - count)];
  at[0] = static_cast<char>('0' + all / tens[16]);
  put_sixteen(at + 1, all % tens[16]);
  return at + count;
}

/// A letter, the sign and two digits at least: e-05.
char* put_exponent(char* at, char letter, int exponent) {
  *at++ = letter;
  *at++ = exponent < 0 ? '-' : '+';
  unsigned size = static_cast<unsigned>(std::abs(exponent));
  if (size >= 100) {
    *at++ = static_cast<char>('0' + size / 100);
    size %= 100;
  }
  put_pair(at, size);
  return at + 2;
}

char* put(char* at, std::string_view text) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

/// `digits`, of which there are `count` and the last is not 0, with the first at 10^exponent: 1.25e-07.
char* put_as_power(char* at, std::uint64_t digits, int count, int exponent) {
  char* end = put_digits(at + 1, digits, count);
  at[0] = at[1];
  at[1] = '.';
  if (count == 1) --end;  // no point without decimals
  return put_exponent(end, 'e', exponent);
}

/// The same with the point in its place: 0.00125, 12.5, 1250.
char* put_in_place(char* at, std::uint64_t digits, int count, int exponent) {
  if (exponent < 0) {
    put_word(at, 0x3030'3030'3030'2E30);  // 0.000000
    return put_digits(at + 1 - exponent, digits, count);
  }
  const int whole = exponent + 1;
  if (whole >= count) {
    at = put_digits(at, digits, count);
    put_word(at, 0x3030'3030'3030'3030);
    return at + (whole - count);
  }
  char* const end = put_digits(at + 1, digits, count);
  for (int k = 0; k < whole; ++k) at[k] = at[k + 1];
  at[whole] = '.';
  return end;
}

constexpr int most_power = 300;
/// 10^k for k of −300 to 300, relative errors of 2^−52 at most.
constexpr auto powers = [] {
  std::array<double, 2 * most_power + 1> out{};
  long double power = 1;
  for (std::size_t k = 0; k <= most_power; ++k, power *= 10) {
    out[most_power + k] = static_cast<double>(power);
    out[most_power - k] = static_cast<double>(1 / power);
  }
  return out;
}();

struct Rounded {
  std::uint64_t digits = 0;
  int exponent = 0;  ///< of the first digit; value = digits · 10^(exponent − count + 1)
};

/// The nearest number of `count` digits, 9 at most, to a value > 0. False where it is not certain: near the
/// middle between two of them, and beyond the table.
///
///   y = value · 10^(count − 1 − e),  10^(count − 1) ≤ y < 10^count,  digits = ⌊y + ½⌋
bool round_to(int count, double value, Rounded& out) {
  if (!(value > 1e-280 && value < 1e280)) return false;
  const auto bound = static_cast<double>(tens[static_cast<std::size_t>(count)]);
  // ⌊log10(value)⌋, or one less: 2^b ≤ value < 2^(b+1) and 10^e ≤ 2^b.
  const int b = static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52) - 1023;
  int e = b * 315'653 >> 20;
  double y = value * powers[static_cast<std::size_t>(most_power + count - 1 - e)];
  if (y >= bound) y = value * powers[static_cast<std::size_t>(most_power + count - 1 - ++e)];
  const auto below = static_cast<std::int64_t>(y);
  const double rest = y - static_cast<double>(below);
  // of the power 2^−52, of the product 2^−53
  constexpr double error = 2 * std::numeric_limits<double>::epsilon();
  if (std::abs(rest - 0.5) <= error * bound) return false;
  out.digits = static_cast<std::uint64_t>(below) + (rest > 0.5 ? 1 : 0);
  out.exponent = e;
  // y near a power of ten: its digits are those of the power on either side
  if (out.digits >= tens[static_cast<std::size_t>(count)])
    out = {tens[static_cast<std::size_t>(count - 1)], e + 1};
  return out.digits >= tens[static_cast<std::size_t>(count - 1)];
}

}  // namespace

char* put_shortest(char* at, double value) {
  const auto standard = [&] { return std::to_chars(at, at + decimal_room, value).ptr; };
  if (!std::isfinite(value)) return standard();
  if (std::signbit(value)) {
    *at++ = '-';
    value = -value;
  }
  if (value == 0) {
    *at++ = '0';
    return at;
  }
  // Digits and exponent by Dragonbox; tests/base/decimal_test.cpp holds them to std::to_chars().
  const auto decimal = fmt::detail::dragonbox::to_decimal(value);
  const int count = count_digits(decimal.significand), exponent = decimal.exponent + count - 1;
  // The shorter one of both forms, in doubt that without an exponent.
  const int single = count == 1 ? 1 : 0;  // it has no point
  if (decimal.exponent < -(count + 3) + single || decimal.exponent > 5 - single)
    return put_as_power(at, decimal.significand, count, exponent);
  if (decimal.exponent > 0 && exponent >= 15) return standard();  // all digits of a whole number, not zeros
  return put_in_place(at, decimal.significand, count, exponent);
}

char* put_general(char* at, double value, int digits) {
  if (value == 0) return put(at, std::signbit(value) ? "-0" : "0");
  Rounded rounded;
  if (digits > 9 || !round_to(digits, std::abs(value), rounded))
    return fmt::format_to(at, "{:.{}g}", value, digits);
  if (value < 0) *at++ = '-';
  int count = digits;
  for (; rounded.digits % 10 == 0; --count) rounded.digits /= 10;
  const bool power = rounded.exponent < -4 || rounded.exponent >= digits;
  return power ? put_as_power(at, rounded.digits, count, rounded.exponent)
               : put_in_place(at, rounded.digits, count, rounded.exponent);
}

char* put_six_digits(char* at, double value) {
  if (value == 0) return put(at, std::signbit(value) ? "-0.00000E+00" : "0.00000E+00");
  Rounded rounded;
  if (!round_to(6, std::abs(value), rounded)) return fmt::format_to(at, "{:.5E}", value);
  if (value < 0) *at++ = '-';
  put_digits(at + 1, rounded.digits, 6);
  at[0] = at[1];
  at[1] = '.';
  return put_exponent(at + 7, 'E', rounded.exponent);
}

bool parse_value(std::string_view text, double& value) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const char *begin = text.data(), *end = begin + text.size();
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (stop == end && error == std::errc()) return true;
  if (stop == begin) return false;
  // A sign or D in place of E, or an exponent out of range: parse the text again with an E.
  std::string plain(begin, end);
  const std::size_t at = static_cast<std::size_t>(stop - begin);
  if (error == std::errc() && (*stop == '+' || *stop == '-')) plain.insert(at, "E");
  if (error == std::errc() && (*stop == 'D' || *stop == 'd')) plain[at] = 'E';
  if (plain.find_first_of("xX") != std::string::npos) return false;
  char* last = nullptr;
  value = std::strtod(plain.c_str(), &last);
  return last == plain.c_str() + plain.size();
}

}  // namespace trammel
