// Curves in a plane for tests of their overlaps.
#pragma once

#include <cmath>
#include <vector>

#include "geometry/planar_overlap.h"

namespace trammel {

inline PlanarCurve circle(double radius, bool outside = false) {
  PlanarPath path;
  path.add_arc({0, 0}, radius, 0, 2 * M_PI);
  return make_planar_curve(path, outside);  // `circle` stays 0: by the general search
}

inline std::vector<Vec2d> star_points(int count, double low, double high) {
  std::vector<Vec2d> out;
  for (int k = 0; k < count; ++k) {
    const double phi = 2 * M_PI * k / count, r = k % 2 ? low : high;
    out.push_back({r * std::cos(phi), r * std::sin(phi)});
  }
  return out;
}

inline PlanarCurve polygon(const std::vector<Vec2d>& points) {
  PlanarPath path;
  for (std::size_t k = 0; k < points.size(); ++k) path.add_line(points[k], points[(k + 1) % points.size()]);
  return make_planar_curve(path);
}

/// Through r = 1 + a cos(n φ) at `count` places, with the curve's own slopes there.
inline PlanarCurve lobes(int count, double a, int n) {
  PlanarPath path;
  const auto at = [&](double phi) {
    return (1 + a * std::cos(n * phi)) * Vec2d{std::cos(phi), std::sin(phi)};
  };
  const auto slope = [&](double phi) {
    const double r = 1 + a * std::cos(n * phi), d = -a * n * std::sin(n * phi);
    return Vec2d{d * std::cos(phi) - r * std::sin(phi), d * std::sin(phi) + r * std::cos(phi)};
  };
  const double h = 2 * M_PI / count;
  for (int k = 0; k < count; ++k)
    path.add_cubic(at(h * k), at(h * (k + 1)), h * slope(h * k), h * slope(h * (k + 1)));
  return make_planar_curve(path);
}

/// Places on the curve, `fine` on each piece that is no line.
inline std::vector<Vec2d> corners(const PlanarCurve& curve, int fine) {
  std::vector<Vec2d> out;
  for (const PlanarPiece& p : curve.pieces) {
    const int count = p.kind == PlanarPiece::Kind::line ? 1 : fine;
    for (int k = 0; k < count; ++k) out.push_back(p.at(double(k) / count));
  }
  return out;
}

inline PlanarPose<double> pose_at(double x, double y, double angle, double mirror = 1) {
  return {{x, y}, std::cos(angle), std::sin(angle), mirror};
}

}  // namespace trammel
