#include "geometry/mesh_touch.h"

#include <vector>

#include "geometry/mesh_ball.h"
#include "geometry/mesh_overlap.h"

namespace trammel {

namespace {

/// What a thread works with.
template <class T>
struct MeshRoom {
  MeshOverlaps<T> overlaps;
  MeshBallOverlaps<T> balls;
  std::vector<Incident<T>> found;
};

}  // namespace

template <class T>
std::span<const Incident<T>> mesh_overlaps(const SolidMesh* const* solids, const PlacedShape& I,
                                           const Pose<T>& at_I, const PlacedShape& J, const Pose<T>& at_J) {
  thread_local MeshRoom<T> room;
  room.found.clear();
  const auto take = [&](const Incident<T>& incident, bool swapped) {
    room.found.push_back(incident);
    if (swapped) room.found.back().normal = -incident.normal;
  };
  const auto mesh = [&](const PlacedShape& s) -> const SolidMesh& { return *solids[s.mesh]; };
  const auto is = [](const PlacedShape& s, ShapeKind kind) { return s.shape.kind == kind && !s.inside_out; };
  const bool of_I = !is(I, ShapeKind::ball) && !is(I, ShapeKind::half_space);
  const PlacedShape &solid = of_I ? I : J, &other = of_I ? J : I;
  const Pose<T>&at = of_I ? at_I : at_J, &at_other = of_I ? at_J : at_I;
  if (is(other, ShapeKind::ball)) {  // normals towards the ball
    for (const Incident<T>& x : room.balls.find(other.shape.size[0], at_other.r, mesh(solid), at))
      take(x, of_I);
  } else if (is(other, ShapeKind::half_space)) {  // normals towards the mesh
    for (const MeshOverlap<T>& x : room.overlaps.find_cut(mesh(solid), at, at_other)) take(x.incident, !of_I);
  } else {
    for (const MeshOverlap<T>& x : room.overlaps.find(mesh(I), at_I, mesh(J), at_J)) take(x.incident, false);
  }
  return room.found;
}

template std::span<const Incident<double>> mesh_overlaps(const SolidMesh* const*, const PlacedShape&,
                                                         const Pose<double>&, const PlacedShape&,
                                                         const Pose<double>&);
template std::span<const Incident<Dual<double, 6>>> mesh_overlaps(const SolidMesh* const*, const PlacedShape&,
                                                                  const Pose<Dual<double, 6>>&,
                                                                  const PlacedShape&,
                                                                  const Pose<Dual<double, 6>>&);

}  // namespace trammel
