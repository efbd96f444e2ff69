// How far two boxes are apart at least, and along which line.
#pragma once

#include "geometry/bvh_walk.h"
#include "math/pose.h"

namespace trammel {

/// 0 or negative: they overlap. `along`: unit, from either to the other.
struct BoxGap {
  double width = -HUGE_VAL;
  Vec3d along;
};

/// The widest gap between boxes a and b, in frames at_a and at_b, along the normals of their faces and of
/// pairs of their edges. S. Gottschalk, M. Lin, D. Manocha, OBBTree, SIGGRAPH 1996.
TRAMMEL_HD inline BoxGap box_gap(const MiddleBox& a, const Pose<double>& at_a, const MiddleBox& b,
                                 const Pose<double>& at_b) {
  constexpr double nearly_parallel = 1e-6;  // sine between edges: faces tell the same
  const Vec3d between = at_b.r + at_b.A * b.middle - at_a.r - at_a.A * a.middle;
  BoxGap widest;
  // n of any length: what is between the shadows of both on a line along it
  const auto try_along = [&](const Vec3d& n, double length) {
    double gap = std::fabs(dot(between, n));
    for (int k = 0; k < 3; ++k)
      gap -=
          a.half[k] * std::fabs(dot(at_a.A.column(k), n)) + b.half[k] * std::fabs(dot(at_b.A.column(k), n));
    if (gap / length > widest.width) widest = {gap / length, (1 / length) * n};
  };
  for (int k = 0; k < 3; ++k) {
    try_along(at_a.A.column(k), 1);
    try_along(at_b.A.column(k), 1);
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Vec3d n = cross(at_a.A.column(i), at_b.A.column(j));
      if (const double sine = norm(n); sine > nearly_parallel) try_along(n, sine);
    }
  return widest;
}

}  // namespace trammel
