#include "geometry/planar_touch.h"

#include "geometry/owned_rooms.h"
#include "geometry/planar_overlap.h"
#include "geometry/planar_touch_definitions.h"

namespace trammel {

PlanarTables planar_tables(const PlanarView* curves) {
  return {curves, curves ? &unit_square() : nullptr};
}

template <class T>
Incidents<T> planar_overlaps(const PlanarTables& tables, const PlacedShape& I, const Pose<T>& at_I,
                             const PlacedShape& J, const Pose<T>& at_J) {
  thread_local OwnedRooms<PlanarTouchWork<T>> rooms;
  const auto& found = rooms.run(
      [&](PlanarTouchWork<T>& work) { return find_planar_overlaps(work, tables, I, at_I, J, at_J); });
  return {found.found.begin(), found.found.size};
}

template bool find_planar_overlaps(PlanarTouchWork<double>&, const PlanarTables&, const PlacedShape&,
                                   const Pose<double>&, const PlacedShape&, const Pose<double>&);
template bool find_planar_overlaps(PlanarTouchWork<Dual<double, 6>>&, const PlanarTables&, const PlacedShape&,
                                   const Pose<Dual<double, 6>>&, const PlacedShape&,
                                   const Pose<Dual<double, 6>>&);
template Incidents<double> planar_overlaps(const PlanarTables&, const PlacedShape&, const Pose<double>&,
                                           const PlacedShape&, const Pose<double>&);
template Incidents<Dual<double, 6>> planar_overlaps(const PlanarTables&, const PlacedShape&,
                                                    const Pose<Dual<double, 6>>&, const PlacedShape&,
                                                    const Pose<Dual<double, 6>>&);

}  // namespace trammel
