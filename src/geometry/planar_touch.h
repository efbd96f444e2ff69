// Where two solids in a common plane overlap, on the processor and on a device; definitions:
// planar_touch_definitions.h.
#pragma once

#include <type_traits>

#include "geometry/planar_search.h"
#include "geometry/touch.h"

namespace trammel {

/// What a search looks at: the curves that PlacedShape::curve counts, and a square from (-1, -2) to (1, 0),
/// which stands for a half-space.
struct PlanarTables {
  const PlanarView *curve, *block;
};

/// The scalar of the plane for one of space: what happens there depends on three numbers.
template <class T>
using InPlane = std::conditional_t<std::is_same_v<T, double>, double, Dual<double, 3>>;

/// What it works in (owned_rooms.h).
template <class T>
struct PlanarTouchWork {
  PlanarWork<InPlane<T>> overlaps;
  Room<Incident<T>> found;

  TRAMMEL_HD void renew() { overlaps.renew(); }
  template <class F>
  void for_rooms(F&& f) {
    overlaps.for_rooms(f);
    f(found);
  }
};

/// All overlaps of a pair of which at least one is a curve and the other a curve, a point or a half-space;
/// at_I, at_J: their frames in ground axes, of which the x-y planes are taken as one. Normals, in that plane,
/// towards I. At least one: where there is none, with depth ≤ 0, the negative distance; 0 between two curves
/// of which none is a circle. They are left in work.found. False: a list of the work space had no room for
/// all. T: double, or Dual<double, 6>, with as many overlaps in the same order.
template <class T>
TRAMMEL_CALLED bool find_planar_overlaps(PlanarTouchWork<T>& work, const PlanarTables& tables,
                                         const PlacedShape& I, const Pose<T>& at_I, const PlacedShape& J,
                                         const Pose<T>& at_J);

/// Tables of curves on the processor.
PlanarTables planar_tables(const PlanarView* curves);

/// These overlaps on the processor, in a work space of the thread: valid until its next call.
template <class T>
Incidents<T> planar_overlaps(const PlanarTables& tables, const PlacedShape& I, const Pose<T>& at_I,
                             const PlacedShape& J, const Pose<T>& at_J);

#if !defined(__CUDACC__)
extern template bool find_planar_overlaps(PlanarTouchWork<double>&, const PlanarTables&, const PlacedShape&,
                                          const Pose<double>&, const PlacedShape&, const Pose<double>&);
extern template bool find_planar_overlaps(PlanarTouchWork<Dual<double, 6>>&, const PlanarTables&,
                                          const PlacedShape&, const Pose<Dual<double, 6>>&,
                                          const PlacedShape&, const Pose<Dual<double, 6>>&);
extern template Incidents<double> planar_overlaps(const PlanarTables&, const PlacedShape&,
                                                  const Pose<double>&, const PlacedShape&,
                                                  const Pose<double>&);
extern template Incidents<Dual<double, 6>> planar_overlaps(const PlanarTables&, const PlacedShape&,
                                                           const Pose<Dual<double, 6>>&, const PlacedShape&,
                                                           const Pose<Dual<double, 6>>&);
#endif

}  // namespace trammel
