// Where two solids overlap that have no closed form together: as meshes. On the processor and on a device;
// definitions: mesh_touch_definitions.h.
#pragma once

#include "geometry/mesh_ball_search.h"
#include "geometry/mesh_search.h"
#include "geometry/touch.h"

namespace trammel {

/// What a search looks at: the solids that PlacedShape::mesh counts, and a box with half edges of 1, which
/// stands for a half-space.
struct MeshTables {
  const MeshView *solid, *block;
};

/// What it works in (owned_rooms.h).
template <class T>
struct MeshTouchWork {
  MeshWork<T> meshes;
  MeshBallWork<T> ball;
  Room<Incident<T>> found;

  TRAMMEL_HD void renew() {
    meshes.renew();
    ball.renew();
  }
  template <class F>
  void for_rooms(F&& f) {
    meshes.for_rooms(f);
    ball.for_rooms(f);
    f(found);
  }
};

/// All overlaps of a pair of which at least one is a mesh and the other a mesh, a ball or a half-space; at_I,
/// at_J: their frames in ground axes. Normals towards I. They are left in work.found. False: a list of the
/// work space had no room for all. T: double, or Dual<double, 6>, with as many overlaps in the same order.
template <class T>
TRAMMEL_CALLED bool find_mesh_overlaps(MeshTouchWork<T>& work, const MeshTables& tables, const PlacedShape& I,
                                       const Pose<T>& at_I, const PlacedShape& J, const Pose<T>& at_J);

/// Tables of solids on the processor.
MeshTables mesh_tables(const MeshView* solids);

/// These overlaps on the processor, in a work space of the thread: valid until its next call.
template <class T>
Incidents<T> mesh_overlaps(const MeshTables& tables, const PlacedShape& I, const Pose<T>& at_I,
                           const PlacedShape& J, const Pose<T>& at_J);

#if !defined(__CUDACC__)
extern template bool find_mesh_overlaps(MeshTouchWork<double>&, const MeshTables&, const PlacedShape&,
                                        const Pose<double>&, const PlacedShape&, const Pose<double>&);
extern template bool find_mesh_overlaps(MeshTouchWork<Dual<double, 6>>&, const MeshTables&,
                                        const PlacedShape&, const Pose<Dual<double, 6>>&, const PlacedShape&,
                                        const Pose<Dual<double, 6>>&);
extern template Incidents<double> mesh_overlaps(const MeshTables&, const PlacedShape&, const Pose<double>&,
                                                const PlacedShape&, const Pose<double>&);
extern template Incidents<Dual<double, 6>> mesh_overlaps(const MeshTables&, const PlacedShape&,
                                                         const Pose<Dual<double, 6>>&, const PlacedShape&,
                                                         const Pose<Dual<double, 6>>&);
#endif

}  // namespace trammel
