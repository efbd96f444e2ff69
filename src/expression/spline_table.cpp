#include "expression/spline_table.h"

#include <algorithm>
#include <cmath>

#include "base/diagnostics.h"
#include "base/text.h"

namespace trammel {

namespace {

void check_increasing(int id, const char* name, const std::vector<double>& v) {
  for (std::size_t k = 0; k < v.size(); ++k) {
    if (!std::isfinite(v[k]))
      fail(ExitCode::input, "SPLINE/{}: {} value {} is not a number", id, name, k + 1);
    if (k > 0 && !(v[k] > v[k - 1]))
      fail(ExitCode::input, "SPLINE/{}: {} must increase strictly, but value {} ({}) follows {}", id, name,
           k + 1, shortest(v[k]), shortest(v[k - 1]));
  }
}

}  // namespace

// Continuity of the second derivative at point i, with h_i = x_{i+1}-x_i and chords Δ_i:
//   h_i m_{i-1} + 2 (h_{i-1}+h_i) m_i + h_{i-1} m_{i+1} = 3 (h_i Δ_{i-1} + h_{i-1} Δ_i),
// not-a-knot at the ends:
//   h_1 m_0 + (h_0+h_1) m_1 = ((3 h_0 + 2 h_1) h_1 Δ_0 + h_0² Δ_1) / (h_0+h_1),  mirrored at the other end.
void cubic_slopes(const double* x, const double* y, int n, double* slopes) {
  std::vector<double> h(n - 1), chord(n - 1), upper(n), right(n);
  for (int i = 0; i + 1 < n; ++i) {
    h[i] = x[i + 1] - x[i];
    chord[i] = (y[i + 1] - y[i]) / h[i];
  }
  const auto end = [](double h0, double h1, double d0, double d1) {
    return ((3 * h0 + 2 * h1) * h1 * d0 + h0 * h0 * d1) / (h0 + h1);
  };
  upper[0] = (h[0] + h[1]) / h[1];
  right[0] = end(h[0], h[1], chord[0], chord[1]) / h[1];
  for (int i = 1; i < n; ++i) {
    const bool inner = i + 1 < n;
    const double below = inner ? h[i] : h[n - 2] + h[n - 3];
    const double diagonal = inner ? 2 * (h[i - 1] + h[i]) : h[n - 3];
    const double b = inner ? 3 * (h[i] * chord[i - 1] + h[i - 1] * chord[i])
                           : end(h[n - 2], h[n - 3], chord[n - 2], chord[n - 3]);
    const double pivot = diagonal - below * upper[i - 1];
    upper[i] = inner ? h[i - 1] / pivot : 0.0;
    right[i] = (b - below * right[i - 1]) / pivot;
  }
  slopes[n - 1] = right[n - 1];
  for (int i = n - 2; i >= 0; --i) slopes[i] = right[i] - upper[i] * slopes[i + 1];
}

std::vector<double> corners_of(const std::vector<double>& x, const std::vector<double>& y) {
  constexpr double passed_by = 0.01, more_than_beside = 10;
  const std::size_t n = x.size();
  std::vector<double> turn(n, 0.0), corners;  // change of slope at a point
  for (std::size_t k = 1; k + 1 < n; ++k)
    turn[k] = std::fabs((y[k + 1] - y[k]) / (x[k + 1] - x[k]) - (y[k] - y[k - 1]) / (x[k] - x[k - 1]));
  const auto [least, most] = std::minmax_element(y.begin(), y.end());
  for (std::size_t k = 1; k + 1 < n; ++k) {
    const double sagitta = turn[k] * (x[k + 1] - x[k - 1]) / 16;  // of the parabola over both intervals
    if (sagitta > passed_by * (*most - *least) ||
        (turn[k] > more_than_beside * std::max(turn[k - 1], turn[k + 1]) &&
         sagitta > 1e-12 * (*most - *least)))
      corners.push_back(x[k]);
  }
  return corners;
}

// t_i = (|m_{i+1}-m_i| m_{i-1} + |m_{i-1}-m_{i-2}| m_i) / (sum of the weights), m_i the chord right of point
// i; the mean of m_{i-1} and m_i if both weights are 0, or
// rounding of chords. m is stored with an offset of 2.
void akima_slopes(const double* x, const double* y, int n, double* slopes) {
  std::vector<double> m(n + 3);
  for (int i = 0; i + 1 < n; ++i) m[i + 2] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
  m[1] = 2 * m[2] - m[3];
  m[0] = 2 * m[1] - m[2];
  m[n + 1] = 2 * m[n] - m[n - 1];
  m[n + 2] = 2 * m[n + 1] - m[n];
  double largest = 0;
  for (int i = 0; i + 1 < n + 3; ++i) largest = std::max(largest, std::abs(m[i + 1] - m[i]));
  constexpr double rounding = 1e-9;  // of chords
  for (int i = 0; i < n; ++i) {
    const double before = std::abs(m[i + 3] - m[i + 2]), after = std::abs(m[i + 1] - m[i]);
    slopes[i] = before + after > rounding * largest
                    ? (before * m[i + 1] + after * m[i + 2]) / (before + after)
                    : 0.5 * (m[i + 1] + m[i + 2]);
  }
}

std::vector<double> bends_of(const std::vector<double>& x, const std::vector<double>& y,
                             const std::vector<double>& slopes) {
  constexpr double passed_by = 1e-5;
  const std::size_t n = x.size();
  std::vector<double> jump(n, 0.0), bends;
  for (std::size_t row = 0; row < y.size(); row += n) {
    double before = 0;  // second derivative at the end of the interval before
    for (std::size_t k = 0; k + 1 < n; ++k) {
      const double h = x[k + 1] - x[k], chord = (y[row + k + 1] - y[row + k]) / h, m0 = slopes[row + k],
                   m1 = slopes[row + k + 1];
      if (k > 0) jump[k] = std::max(jump[k], std::fabs(2 * (3 * chord - 2 * m0 - m1) / h - before));
      before = 2 * (m0 + 2 * m1 - 3 * chord) / h;
    }
  }
  const auto [least, most] = std::minmax_element(y.begin(), y.end());
  for (std::size_t k = 1; k + 1 < n; ++k) {
    const double half = 0.5 * (x[k + 1] - x[k - 1]);
    if (jump[k] * half * half / 16 > passed_by * (*most - *least)) bends.push_back(x[k]);
  }
  return bends;
}

SplineTable make_spline_table(int id, std::vector<double> x, std::vector<double> z, std::vector<double> y,
                              bool linear_extrapolate) {
  const std::size_t nx = x.size(), rows = z.empty() ? 1 : z.size();
  if (nx < 4) fail(ExitCode::input, "SPLINE/{}: needs at least 4 x values, has {}", id, nx);
  check_increasing(id, "X", x);
  check_increasing(id, "Z", z);
  if (y.size() != nx * rows)
    fail(ExitCode::input, "SPLINE/{}: {} curve(s) of {} x values need {} y values, there are {}", id, rows,
         nx, nx * rows, y.size());
  for (const double v : y)
    if (!std::isfinite(v)) fail(ExitCode::input, "SPLINE/{}: a y value is not a number", id);
  SplineTable table;
  table.id = id;
  table.linear_extrapolate = linear_extrapolate;
  table.cubic_slopes.resize(y.size());
  table.akima_slopes.resize(y.size());
  for (std::size_t row = 0; row < rows; ++row) {
    cubic_slopes(x.data(), &y[row * nx], static_cast<int>(nx), &table.cubic_slopes[row * nx]);
    akima_slopes(x.data(), &y[row * nx], static_cast<int>(nx), &table.akima_slopes[row * nx]);
  }
  table.bends = bends_of(x, y, table.akima_slopes);
  table.x = std::move(x);
  table.y = std::move(y);
  table.z = std::move(z);
  return table;
}

SplineView view(const SplineTable& t) {
  return {t.x.data(),
          t.z.data(),
          t.y.data(),
          t.cubic_slopes.data(),
          t.akima_slopes.data(),
          static_cast<int>(t.x.size()),
          static_cast<int>(t.z.size()),
          t.linear_extrapolate ? 1 : 0,
          t.history && !t.linear_extrapolate ? 1 : 0,
          t.bounded ? 1 : 0,
          t.straight ? 1 : 0};
}

}  // namespace trammel
