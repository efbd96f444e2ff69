// Integrals over what a curve in a plane goes around, by parts of the curve.
#pragma once

#include "geometry/planar_piece.h"
#include "geometry/planar_pose.h"

namespace trammel {

/// Over a region with the boundary dx, about the origin (theory.md, contact in a plane):
///   A = ½ ∮ x × dx,   A s = ⅓ ∮ x (x × dx)
template <class T>
struct PlanarSums {
  Vec2<T> chord;  ///< ∫ dx
  T area{};
  Vec2<T> moment;
};

/// Adds the part of a piece between two parameters, seen in a frame in which its curve has the pose `at`. A
/// line exactly, others by Gauss's rule of 6 points: a cubic exactly, an arc of 30° to 1e-14.
template <class T>
TRAMMEL_HD void add_part(const PlanarPiece& piece, const T& from, const T& to, const PlanarPose<T>& at,
                         PlanarSums<T>& sums) {
  const Vec2<T> a = at.place(piece.at(from)), b = at.place(piece.at(to));
  sums.chord += b - a;
  if (piece.kind == PlanarPiece::Kind::line) {
    const T twice = cross(a, b);
    sums.area += 0.5 * twice;
    sums.moment += T((1.0 / 6) * twice) * (a + b);
    return;
  }
  static constexpr double node[3] = {0.2386191860831969, 0.6612093864662645, 0.9324695142031521},
                          weight[3] = {0.4679139345726910, 0.3607615730481386, 0.1713244923791704};
  const T half = 0.5 * (to - from), middle = 0.5 * (to + from);
  for (int k = 0; k < 6; ++k) {
    const T t = middle + (k < 3 ? -node[k] : node[k - 3]) * half;
    const Vec2<T> x = at.place(piece.at(t));
    const T twice = (weight[k % 3] * half) * cross(x, at.turn(piece.slope(t)));
    sums.area += 0.5 * twice;
    sums.moment += T((1.0 / 3) * twice) * x;
  }
}

}  // namespace trammel
