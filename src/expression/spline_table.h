// Splines through data points: construction and evaluation (AKISPL, CUBSPL, INTERP, INVPSD).
#pragma once

#include <string>
#include <vector>

#include "expression/eval_error.h"
#include "expression/functions.h"
#include "expression/tape.h"

namespace trammel {

/// Checks the data and computes the slopes of both kinds of spline.
///   x: nx >= 4 strictly increasing; z: empty (a curve) or nz strictly increasing; y: [nz][nx] row by row.
///   Cubic: C² with not-a-knot ends (third derivative continuous at the second and the last but one point).
///   Akima: slopes from weighted chords (H. Akima, J. ACM 17 (1970) 589), two chords extrapolated per end.
/// Throws Failure(ExitCode::input) with the reason, without the statement's place.
SplineTable make_spline_table(int id, std::vector<double> x, std::vector<double> z, std::vector<double> y,
                              bool linear_extrapolate);

/// The slopes dy/dx at the data points of one curve, n >= 4 (declared here for tests).
void cubic_slopes(const double* x, const double* y, int n, double* slopes);
void akima_slopes(const double* x, const double* y, int n, double* slopes);

/// The abscissas at which straight lines through the data turn a corner, and do not only stand for a bend as
/// dense data do: where a smooth curve would pass by it at a hundredth of the range of y or more, or the
/// slope changes ten times as much as at the points before and behind.
std::vector<double> corners_of(const std::vector<double>& x, const std::vector<double>& y);

/// The abscissas at which the second derivative of an Akima spline jumps, and with it the acceleration of
/// what it moves: not where a cubic through three points passes by it at 1e-5 of the range of y or less, as
/// in data that are dense beside what they follow. slopes: akima_slopes() of each row of y.
std::vector<double> bends_of(const std::vector<double>& x, const std::vector<double>& y,
                             const std::vector<double>& slopes);

/// A table as plain pointers, for host and device.
struct SplineView {
  const double *x = nullptr, *z = nullptr, *y = nullptr, *cubic = nullptr, *akima = nullptr;
  int nx = 0, nz = 0;  ///< nz = 0: a curve
  int linear = 0;      ///< extrapolate along the end tangent instead of the end parabola
  int constant = 0;    ///< outside the data the value of the end holds
  int bounded = 0;     ///< a value outside the data is an error
  int straight = 0;    ///< straight lines between the points
};
SplineView view(const SplineTable& table);

/// What goes through the points: cubics with one slope or the other, or straight lines.
enum class SplineKind { cubic, akima, straight };

namespace functions {

/// Largest k in 0 .. n-2 with grid[k] <= v (0 when v lies before the grid).
TRAMMEL_HD inline int interval_of(const double* grid, int n, double v) {
  int low = 0, high = n - 1;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (grid[middle] <= v ? low : high) = middle;
  }
  return low;
}

/// The derivative of order 0, 1 or 2 of c0 + c1 u + c2 u² + c3 u³.
template <class S>
TRAMMEL_HD S cubic_derivative(double c0, double c1, double c2, double c3, const S& u, int order) {
  if (order == 0) return c0 + u * (c1 + u * (c2 + u * c3));
  if (order == 1) return c1 + u * (2.0 * c2 + u * (3.0 * c3));
  return 2.0 * c2 + u * (6.0 * c3);
}

/// Value of one curve of a table, row in 0 .. max(nz, 1)-1: between points the cubic with the slopes of its
/// kind; outside, the parabola through the first (last) three points, the tangent at the end, or the end's
/// value.
template <class S>
TRAMMEL_HD S curve_value(const SplineView& s, int row, SplineKind kind, const S& x, int order) {
  const double* y = s.y + row * s.nx;
  const double* slope = (kind == SplineKind::akima ? s.akima : s.cubic) + row * s.nx;
  const double v = value_of(x);
  const int last = s.nx - 1;
  const bool straight = kind == SplineKind::straight;
  if (v < s.x[0] || v > s.x[last]) {
    const int p = v < s.x[0] ? 0 : last, q = p == 0 ? 1 : last - 1, r = p == 0 ? 2 : last - 2;
    const S u = x - s.x[p];
    if (s.constant) return cubic_derivative(y[p], 0.0, 0.0, 0.0, u, order);
    const double hq = s.x[q] - s.x[p], hr = s.x[r] - s.x[p];
    const double mq = (y[q] - y[p]) / hq;
    if (s.linear) return cubic_derivative(y[p], straight ? mq : slope[p], 0.0, 0.0, u, order);
    const double mr = (y[r] - y[p]) / hr;
    const double c2 = (mr - mq) / (hr - hq);
    return cubic_derivative(y[p], mq - c2 * hq, c2, 0.0, u, order);
  }
  const int k = interval_of(s.x, s.nx, v);
  const double h = s.x[k + 1] - s.x[k], chord = (y[k + 1] - y[k]) / h;
  const bool lines = straight || s.straight;
  const double m0 = lines ? chord : slope[k], m1 = lines ? chord : slope[k + 1];
  return cubic_derivative(y[k], m0, (3.0 * chord - 2.0 * m0 - m1) / h, (m0 + m1 - 2.0 * chord) / (h * h),
                          S(x - s.x[k]), order);
}

/// Value of a curve, or of a surface that is linear in z between its curves (and beyond the outer ones).
/// order: derivative with respect to x. `outside` is set when x or z lies outside the data.
template <class S>
TRAMMEL_HD S spline_value(const SplineView& s, SplineKind kind, const S& x, const S& z, int order,
                          bool& outside) {
  const double v = value_of(x), w = value_of(z);
  if (v < s.x[0] || v > s.x[s.nx - 1]) outside = true;
  if (s.nz < 2) return curve_value(s, 0, kind, x, order);
  if (w < s.z[0] || w > s.z[s.nz - 1]) outside = true;
  const int k = interval_of(s.z, s.nz, w);
  const S low = curve_value(s, k, kind, x, order), high = curve_value(s, k + 1, kind, x, order);
  return low + (high - low) * ((z - s.z[k]) * (1.0 / (s.z[k + 1] - s.z[k])));
}

/// The k-th number in [0, 1) of the random stream `seed`: SplitMix64 of seed and k (Steele, Lea, Flood 2014).
TRAMMEL_HD inline double random_unit(long long seed, int k) {
  using Word = unsigned long long;
  Word w = static_cast<Word>(seed) * 0xD1342543DE82EF95ULL + static_cast<Word>(k + 1) * 0x9E3779B97F4A7C15ULL;
  w = (w ^ (w >> 30)) * 0xBF58476D1CE4E5B9ULL;
  w = (w ^ (w >> 27)) * 0x94D049BB133111EBULL;
  w ^= w >> 31;
  return static_cast<double>(w >> 11) * (1.0 / 9007199254740992.0);
}

/// A random signal with the power spectral density S(f) >= 0 of the (Akima) spline:
///   Σ_{k<nf} A_k sin(2π f_k x + φ_k),  A_k = sqrt(2 S(f_k) Δf_k),  φ_k = 2π random_unit(seed, k).
/// [f0, f1] is divided into nf bands, equal (log_scale 0) or of equal ratio (1); f_k is the arithmetic or
/// geometric mean of band k, Δf_k its width. The mean square is then the area under S.
template <class S>
TRAMMEL_HD S invpsd(const SplineView& s, const S& x, double f0, double f1, int nf, int log_scale,
                    long long seed, bool& outside, EvalError& error) {
  using std::sin;
  if (nf < 1 || !(f0 < f1) || f0 < 0 || (log_scale != 0 && !(f0 > 0))) {
    error = EvalError::density;
    return S(0.0);
  }
  S sum = S(0.0);
  for (int k = 0; k < nf; ++k) {
    const double from = static_cast<double>(k) / nf, to = static_cast<double>(k + 1) / nf;
    const double low = log_scale ? f0 * std::pow(f1 / f0, from) : f0 + (f1 - f0) * from;
    const double high = log_scale ? f0 * std::pow(f1 / f0, to) : f0 + (f1 - f0) * to;
    const double f = log_scale ? std::sqrt(low * high) : 0.5 * (low + high);
    const double density = spline_value(s, SplineKind::akima, f, 0.0, 0, outside);
    if (!(density > 0)) continue;
    const double phase = 2.0 * pi * random_unit(seed, k);
    sum = sum + std::sqrt(2.0 * density * (high - low)) * S(sin(2.0 * pi * f * x + phase));
  }
  return sum;
}

}  // namespace functions
}  // namespace trammel
