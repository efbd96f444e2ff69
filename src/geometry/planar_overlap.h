// What two solids in a plane have in common, on the processor.
#pragma once

#include <span>

#include "geometry/owned_rooms.h"
#include "geometry/planar_curve.h"
#include "geometry/planar_search.h"

namespace trammel {

/// Finds the overlaps of two solids: a PlanarSearch with a work space of its own. Results are valid until the
/// next call.
template <class T>
class PlanarOverlaps {
 public:
  std::span<const PlanarOverlap<T>> find(const PlanarCurve& first, const PlanarPose<T>& pose,
                                         const PlanarCurve& second);
  std::span<const PlanarOverlap<T>> find_cut(const PlanarCurve& curve, const PlanarPose<T>& pose);

 private:
  OwnedRooms<PlanarWork<T>> rooms_;
};

/// A square from (-1, -2) to (1, 0), which stands for a half-space.
const PlanarView& unit_square();

/// Whether the solid holds a point; in its axes.
bool holds(const PlanarCurve& curve, const Vec2d& p);

extern template class PlanarOverlaps<double>;
extern template class PlanarOverlaps<Dual<double, 3>>;

}  // namespace trammel
