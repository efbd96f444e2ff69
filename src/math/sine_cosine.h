// Sine and cosine of an angle together, without a branch: the same bits on every processor and device, which
// a library's are not, and of several angles at a time.
#pragma once

#include <cmath>

#include "base/hd.h"

namespace trammel {

struct SineCosine {
  double sine, cosine;
};

namespace sine_cosine_parts {

// π/2 in three parts, of 33, 33 and 53 bits: an integer n < 2²⁰ times one of the first two is exact.
inline constexpr double half_pi[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};

/// (sin r / r − 1)/r² as a polynomial in z = r², |r| ≤ π/4: least largest error of sin r / r, 2⁻⁵⁸ (Remez).
TRAMMEL_HD inline double of_sine(double z) {
  return -0x1.5555555555549p-3 +
         z * (0x1.111111110f881p-7 +
              z * (-0x1.a01a019c126a1p-13 +
                   z * (0x1.71de357873695p-19 + z * (-0x1.ae5e66d411171p-26 + z * 0x1.5d932f074d953p-33))));
}
/// (cos r − 1 + r²/2)/r⁴, the same; the error of cos r is 2⁻⁶⁴.
TRAMMEL_HD inline double of_cosine(double z) {
  return 0x1.555555555554cp-5 +
         z * (-0x1.6c16c16c15184p-10 +
              z * (0x1.a01a019cb26dfp-16 +
                   z * (-0x1.27e4f80a759a4p-22 + z * (0x1.1ee9ec472cfe8p-29 + z * -0x1.8faecee84a0ebp-37))));
}

/// Angles beyond are left to the library.
inline constexpr double most_angle = 1e6;

/// sin x and cos x of |x| ≤ most_angle.
TRAMMEL_HD inline SineCosine reduced_sine_cosine(double x) {
  // n: the integer nearest to x/(π/2), by adding 1.5·2⁵²; m: n modulo 4, from −2 to 2
  constexpr double two_over_pi = 0x1.45f306dc9c883p-1, to_integer = 0x1.8p52;
  const double n = (x * two_over_pi + to_integer) - to_integer;
  const double m = n - 4 * ((0.25 * n + to_integer) - to_integer);
  // x − n π/2 = r + tail, to twice the digits: what a difference rounds off is subtracted later
  const double first = x - n * half_pi[0], second = n * half_pi[1];
  const double near = first - second, third = n * half_pi[2] - ((first - near) - second);
  const double r = near - third, tail = (near - r) - third;
  // sin(r + t) = sin r + t cos r,  cos(r + t) = cos r − t sin r;  1 − z/2 and what it rounds off
  const double z = r * r, half = 0.5 * z, rest = 1 - half;
  const double s = r + (r * z * of_sine(z) + tail * rest);
  const double c = rest + (((1 - rest) - half) + (z * z * of_cosine(z) - r * tail));
  // x = r + n π/2: odd n exchange the two; sin changes its sign for m = 2, 3, cos for m = 1, 2 (mod 4)
  const bool odd = m * m == 1, two = m * m == 4;
  const double sine = odd ? c : s, cosine = odd ? s : c;
  return {(two | (m == -1)) ? -sine : sine, (two | (m == 1)) ? -cosine : cosine};
}

}  // namespace sine_cosine_parts

/// sin x and cos x, x in rad, each within 1.1 units in the last place (or 1e-20). Beyond |x| = 1e6, and for
/// what is no finite number, those of the library.
TRAMMEL_HD inline SineCosine sine_cosine(double x) {
  if (!(std::fabs(x) <= sine_cosine_parts::most_angle)) return {std::sin(x), std::cos(x)};
  return sine_cosine_parts::reduced_sine_cosine(x);
}

/// A number of angles that every processor takes in whole registers is a multiple of this.
inline constexpr int angles_at_once = 8;

/// The same of n angles x [rad], the same bits, into n numbers each of `sine` and `cosine`; four at a time
/// where the processor has AVX2, eight with AVX-512.
void sines_and_cosines(const double* x, int n, double* sine, double* cosine);

}  // namespace trammel
