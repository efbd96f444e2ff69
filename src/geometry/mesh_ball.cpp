#include "geometry/mesh_ball.h"

namespace trammel {

template <class T>
std::span<const Incident<T>> MeshBallOverlaps<T>::find(double radius, const Vec3<T>& centre,
                                                       const SolidMesh& mesh, const Pose<T>& at) {
  const MeshView solid = view(mesh);
  const auto& found =
      rooms_.run([&](MeshBallWork<T>& work) { return find_ball_overlaps(work, radius, centre, solid, at); });
  return {found.incidents.begin(), found.incidents.end()};
}

template class MeshBallOverlaps<double>;
template class MeshBallOverlaps<Dual<double, 6>>;

}  // namespace trammel
