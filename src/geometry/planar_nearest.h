// How deep a point is in a solid in a plane.
#pragma once

#include <vector>

#include "geometry/planar_curve.h"

namespace trammel {

/// Of a point, in the axes of the solid: its distance from the boundary, positive inside, and the outward
/// unit normal where that is nearest.
template <class T>
struct PlanarNearest {
  T depth;
  Vec2<T> normal;
};

/// T: double or Dual<double, 3>. Where several places are as near one of them is taken.
template <class T>
PlanarNearest<T> nearest(const PlanarCurve& curve, const Vec2<T>& p);

}  // namespace trammel
