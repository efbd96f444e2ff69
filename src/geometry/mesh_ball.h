// Where a ball touches a mesh, on the processor.
#pragma once

#include <span>

#include "geometry/mesh_ball_search.h"
#include "geometry/mesh_solid.h"
#include "geometry/owned_rooms.h"

namespace trammel {

/// find_ball_overlaps() with a work space of its own: once warm it allocates nothing. Results are valid until
/// the next call.
template <class T>
class MeshBallOverlaps {
 public:
  std::span<const Incident<T>> find(double radius, const Vec3<T>& centre, const SolidMesh& mesh,
                                    const Pose<T>& at);

 private:
  OwnedRooms<MeshBallWork<T>> rooms_;
};

extern template class MeshBallOverlaps<double>;
extern template class MeshBallOverlaps<Dual<double, 6>>;

}  // namespace trammel
