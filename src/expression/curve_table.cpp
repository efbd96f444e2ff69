#include "expression/curve_table.h"

#include <algorithm>
#include <cmath>

#include "base/diagnostics.h"

namespace trammel {

// The equations of cubic_slopes() at every point; the first point's neighbours are the second and the last
// but one. The corners of the matrix are a product γ e gᵀ: two tridiagonal solves and the Sherman-Morrison
// formula (Press et al., Numerical Recipes, "Cyclic Tridiagonal Systems").
void periodic_slopes(const double* x, const double* y, int n, double* slopes) {
  const int m = n - 1;  // unknowns
  std::vector<double> low(m), middle(m), high(m), right(m), corner(m);
  const auto h = [&](int i) { return x[(i + m) % m + 1] - x[(i + m) % m]; };
  const auto chord = [&](int i) { return (y[(i + m) % m + 1] - y[(i + m) % m]) / h(i); };
  for (int i = 0; i < m; ++i) {
    low[i] = h(i);
    middle[i] = 2 * (h(i - 1) + h(i));
    high[i] = h(i - 1);
    right[i] = 3 * (h(i) * chord(i - 1) + h(i - 1) * chord(i));
  }
  const double gamma = -middle[0], above = low[0], below = high[m - 1];
  middle[0] -= gamma;
  middle[m - 1] -= above * below / gamma;
  corner[0] = gamma;
  corner[m - 1] = below;
  const auto solve = [&](std::vector<double>& b) {
    std::vector<double> upper(m);
    double pivot = middle[0];
    b[0] /= pivot;
    for (int i = 1; i < m; ++i) {
      upper[i] = high[i - 1] / pivot;
      pivot = middle[i] - low[i] * upper[i];
      b[i] = (b[i] - low[i] * b[i - 1]) / pivot;
    }
    for (int i = m - 2; i >= 0; --i) b[i] -= upper[i + 1] * b[i + 1];
  };
  solve(right);
  solve(corner);
  const double factor =
      (right[0] + above * right[m - 1] / gamma) / (1 + corner[0] + above * corner[m - 1] / gamma);
  for (int i = 0; i < m; ++i) slopes[i] = right[i] - factor * corner[i];
  slopes[m] = slopes[0];
}

namespace {

std::vector<Vec3d> slopes_of(const CurveTable& curve, const std::vector<Vec3d>& value) {
  const int n = static_cast<int>(value.size());
  std::vector<double> y(n), m(n);
  std::vector<Vec3d> slope(n);
  for (int c = 0; c < 3; ++c) {
    for (int k = 0; k < n; ++k) y[k] = value[k][c];
    (curve.closed ? periodic_slopes : cubic_slopes)(curve.alpha.data(), y.data(), n, m.data());
    for (int k = 0; k < n; ++k) slope[k][c] = m[k];
  }
  return slope;
}

/// Slopes of straight lines: at the ends that of the line, between two lines the mean.
std::vector<Vec3d> mean_slopes(const CurveTable& curve) {
  const int last = curve.segments();
  const auto line = [&](int k) {
    return (1 / (curve.alpha[k + 1] - curve.alpha[k])) * (curve.point[k + 1] - curve.point[k]);
  };
  std::vector<Vec3d> slope(curve.point.size());
  for (int k = 0; k <= last; ++k) slope[k] = 0.5 * (line(std::max(k - 1, 0)) + line(std::min(k, last - 1)));
  if (curve.closed) slope[0] = slope[last] = 0.5 * (slope[0] + slope[last]);
  return slope;
}

Vec3d unit(const Vec3d& v) {
  return (1 / norm(v)) * v;
}

Vec3d reflected(const Vec3d& v, const Vec3d& mirror) {
  const double square = dot(mirror, mirror);
  return square > 0 ? v - (2 * dot(mirror, v) / square) * mirror : v;
}

/// The rotation-minimizing frame at the points; for a closed curve with a uniform twist that closes it.
std::vector<Vec3d> transported_normals(const CurveTable& curve) {
  const std::size_t n = curve.point.size();
  std::vector<Vec3d> t(n), normal(n);
  for (std::size_t k = 0; k < n; ++k) t[k] = unit(curve.slope[k]);
  const Vec3d z{0, 0, 1}, x{1, 0, 0};
  const Vec3d start = std::abs(t[0].z) < 0.9 ? z : x;
  normal[0] = unit(start - dot(start, t[0]) * t[0]);
  for (std::size_t k = 0; k + 1 < n; ++k) {
    const Vec3d chord = curve.point[k + 1] - curve.point[k];
    normal[k + 1] = reflected(reflected(normal[k], chord), t[k + 1] - reflected(t[k], chord));
  }
  if (!curve.closed) return normal;
  const double twist = std::atan2(dot(cross(normal[n - 1], normal[0]), t[0]), dot(normal[n - 1], normal[0]));
  for (std::size_t k = 0; k < n; ++k) {
    const double turn = twist * 0.5 * (curve.alpha[k] + 1);
    normal[k] = std::cos(turn) * normal[k] + std::sin(turn) * cross(t[k], normal[k]);
  }
  normal[n - 1] = normal[0];
  return normal;
}

}  // namespace

CurveTable make_curve_table(int id, const std::vector<Vec3d>& points, bool closed, bool straight) {
  const std::size_t n = points.size(), least = !straight ? 4 : closed ? 3 : 2;
  if (n < least) fail(ExitCode::input, "a curve needs at least {} points, there are {}", least, n);
  CurveTable curve;
  curve.id = id;
  curve.closed = closed;
  curve.straight = straight;
  curve.point = points;
  curve.alpha.assign(n, 0.0);
  for (std::size_t k = 1; k < n; ++k) {
    const double length = norm(points[k] - points[k - 1]);
    if (!std::isfinite(length)) fail(ExitCode::input, "point {} has a coordinate that is no number", k + 1);
    if (!(length > 0)) fail(ExitCode::input, "points {} and {} are the same", k, k + 1);
    curve.alpha[k] = curve.alpha[k - 1] + length;
  }
  const double length = curve.alpha[n - 1];
  // Published points are rounded: points closer than 1e-6 of the curve's length count as equal.
  if (closed && norm(points[n - 1] - points[0]) > 1e-6 * length)
    fail(ExitCode::input,
         "the first and the last point of a CLOSED curve must be the same; the first is "
         "({}, {}, {}), the last ({}, {}, {})",
         points[0].x, points[0].y, points[0].z, points[n - 1].x, points[n - 1].y, points[n - 1].z);
  if (closed) curve.point[n - 1] = points[0];
  for (double& a : curve.alpha) a = 2 * a / length - 1;
  curve.alpha[n - 1] = 1;
  curve.slope = straight ? mean_slopes(curve) : slopes_of(curve, curve.point);
  for (std::size_t k = 0; k < n; ++k)
    if (!(norm(curve.slope[k]) > 1e-9 * length))
      fail(ExitCode::input, "the curve has no direction at point {}; it turns back there", k + 1);
  curve.normal = transported_normals(curve);
  if (straight)
    curve.normal_slope.resize(n);  // zero slope at the points
  else
    curve.normal_slope = slopes_of(curve, curve.normal);
  return curve;
}

SplineTable coordinate_spline(const CurveTable& curve, int coordinate) {
  SplineTable table;
  table.id = curve.id;
  table.bounded = true;
  table.linear_extrapolate = true;
  table.straight = curve.straight;
  table.x = curve.alpha;
  for (std::size_t k = 0; k < curve.point.size(); ++k) {
    table.y.push_back(curve.point[k][coordinate]);
    table.cubic_slopes.push_back(curve.slope[k][coordinate]);
  }
  table.akima_slopes = table.cubic_slopes;
  return table;
}

double nearest_parameter(const CurveView& curve, const Vec3d& r) {
  constexpr int per_segment = 16;  // a coordinate of a cubic has at most two extrema
  double best = 0, least = -1;
  const auto consider = [&](double alpha) {
    const Vec3d d = r - curve_point(curve, alpha).c;
    if (least < 0 || dot(d, d) < least) {
      least = dot(d, d);
      best = alpha;
    }
  };
  for (int k = 0; k < curve.segments(); ++k)
    for (int i = 0; i < per_segment; ++i)
      consider(curve.alpha[k] + (curve.alpha[k + 1] - curve.alpha[k]) * i / per_segment);
  consider(1);
  const double foot = foot_parameter(curve, r, best);
  return curve.closed || std::abs(foot) <= 1 ? foot : best;
}

}  // namespace trammel
