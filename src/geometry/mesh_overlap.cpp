#include "geometry/mesh_overlap.h"

#include "geometry/mesh_search_definitions.h"
#include "geometry/mesh_shapes.h"

namespace trammel {

const MeshView& unit_block() {
  static const SolidMesh solid = make_solid(tessellate({ShapeKind::box, {1, 1, 1}}, 3));
  static const MeshView block = view(solid);
  return block;
}

template <class T>
std::span<const MeshOverlap<T>> MeshOverlaps<T>::find(const SolidMesh& I, const Pose<T>& at_I,
                                                      const SolidMesh& J, const Pose<T>& at_J) {
  const MeshView first = view(I), second = view(J);
  const auto& found =
      rooms_.run([&](MeshWork<T>& work) { return MeshSearch<T>(work).find(first, at_I, second, at_J); });
  return {found.overlaps.begin(), found.overlaps.end()};
}

template <class T>
std::span<const MeshOverlap<T>> MeshOverlaps<T>::find_cut(const SolidMesh& mesh, const Pose<T>& at,
                                                          const Pose<T>& plane) {
  const MeshView solid = view(mesh);
  const auto& found = rooms_.run(
      [&](MeshWork<T>& work) { return MeshSearch<T>(work).find_cut(solid, at, plane, unit_block()); });
  return {found.overlaps.begin(), found.overlaps.end()};
}

template class MeshOverlaps<double>;
template class MeshOverlaps<Dual<double, 6>>;

}  // namespace trammel
