// Where two solids in a common plane overlap.
#pragma once

#include "geometry/planar_curve.h"
#include "geometry/touch.h"

namespace trammel {

/// All overlaps of a pair of which at least one is a curve and the other a curve, a point or a half-space;
/// at_I, at_J: their frames in ground axes, of which the x-y planes are taken as one. Normals, in that plane,
/// towards I. At least one: where there is none, with depth ≤ 0, the negative distance; 0 between two curves
/// of which none is a circle. Valid until the next call of the same thread. `curves`: what PlacedShape::curve
/// counts. T: double, or Dual<double, 6>, with as many overlaps in the same order.
template <class T>
Incidents<T> planar_overlaps(const PlanarCurve* const* curves, const PlacedShape& I, const Pose<T>& at_I,
                             const PlacedShape& J, const Pose<T>& at_J);

extern template Incidents<double> planar_overlaps(const PlanarCurve* const*, const PlacedShape&,
                                                  const Pose<double>&, const PlacedShape&,
                                                  const Pose<double>&);
extern template Incidents<Dual<double, 6>> planar_overlaps(const PlanarCurve* const*, const PlacedShape&,
                                                           const Pose<Dual<double, 6>>&, const PlacedShape&,
                                                           const Pose<Dual<double, 6>>&);

}  // namespace trammel
