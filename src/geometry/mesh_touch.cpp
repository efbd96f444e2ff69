#include "geometry/mesh_touch.h"

#include "geometry/mesh_overlap.h"
#include "geometry/mesh_touch_definitions.h"

namespace trammel {

MeshTables mesh_tables(const MeshView* solids) {
  return {solids, solids ? &unit_block() : nullptr};
}

template <class T>
Incidents<T> mesh_overlaps(const MeshTables& tables, const PlacedShape& I, const Pose<T>& at_I,
                           const PlacedShape& J, const Pose<T>& at_J) {
  thread_local OwnedRooms<MeshTouchWork<T>> rooms;
  const auto& found =
      rooms.run([&](MeshTouchWork<T>& work) { return find_mesh_overlaps(work, tables, I, at_I, J, at_J); });
  return {found.found.begin(), found.found.size};
}

template bool find_mesh_overlaps(MeshTouchWork<double>&, const MeshTables&, const PlacedShape&,
                                 const Pose<double>&, const PlacedShape&, const Pose<double>&);
template bool find_mesh_overlaps(MeshTouchWork<Dual<double, 6>>&, const MeshTables&, const PlacedShape&,
                                 const Pose<Dual<double, 6>>&, const PlacedShape&,
                                 const Pose<Dual<double, 6>>&);
template Incidents<double> mesh_overlaps(const MeshTables&, const PlacedShape&, const Pose<double>&,
                                         const PlacedShape&, const Pose<double>&);
template Incidents<Dual<double, 6>> mesh_overlaps(const MeshTables&, const PlacedShape&,
                                                  const Pose<Dual<double, 6>>&, const PlacedShape&,
                                                  const Pose<Dual<double, 6>>&);

}  // namespace trammel
