// What two closed meshes have in common, on the processor.
#pragma once

#include <span>

#include "geometry/mesh_search.h"
#include "geometry/mesh_solid.h"
#include "geometry/owned_rooms.h"

namespace trammel {

/// Finds the overlaps of two meshes: a MeshSearch with a work space of its own. Once it has seen the largest
/// case it allocates nothing. Results are valid until the next call.
template <class T>
class MeshOverlaps {
 public:
  std::span<const MeshOverlap<T>> find(const SolidMesh& I, const Pose<T>& at_I, const SolidMesh& J,
                                       const Pose<T>& at_J);
  std::span<const MeshOverlap<T>> find_cut(const SolidMesh& mesh, const Pose<T>& at, const Pose<T>& plane);

 private:
  OwnedRooms<MeshWork<T>> rooms_;
};

/// A box with half edges of 1, which stands for a half-space.
const MeshView& unit_block();

extern template class MeshOverlaps<double>;
extern template class MeshOverlaps<Dual<double, 6>>;

}  // namespace trammel
