// Definition of find_mesh_overlaps() (mesh_touch.h).
#pragma once

#include "geometry/mesh_search_definitions.h"
#include "geometry/mesh_touch.h"

namespace trammel {

template <class T>
TRAMMEL_CALLED bool find_mesh_overlaps(MeshTouchWork<T>& work, const MeshTables& tables, const PlacedShape& I,
                                       const Pose<T>& at_I, const PlacedShape& J, const Pose<T>& at_J) {
  work.found.clear();
  const auto take = [&](const Incident<T>& incident, bool swapped) {
    work.found.push(swapped ? detail::swapped(incident) : incident);
  };
  const auto is = [](const PlacedShape& s, ShapeKind kind) { return s.shape.kind == kind && !s.inside_out; };
  const bool of_I = !is(I, ShapeKind::ball) && !is(I, ShapeKind::half_space);
  const PlacedShape &solid = of_I ? I : J, &other = of_I ? J : I;
  const Pose<T>&at = of_I ? at_I : at_J, &at_other = of_I ? at_J : at_I;
  const MeshView& mesh = tables.solid[solid.mesh];
  if (is(other, ShapeKind::ball)) {  // normals towards the ball
    if (!find_ball_overlaps(work.ball, other.shape.size[0], at_other.r, mesh, at)) return false;
    for (const Incident<T>& x : work.ball.incidents) take(x, of_I);
    return !work.found.lacks();
  }
  MeshSearch<T> search(work.meshes);
  const bool ground = is(other, ShapeKind::half_space);  // normals towards the mesh
  const bool all = ground ? search.find_cut(mesh, at, at_other, *tables.block)
                          : search.find(tables.solid[I.mesh], at_I, tables.solid[J.mesh], at_J);
  if (!all) return false;
  for (const MeshOverlap<T>& x : work.meshes.overlaps) take(x.incident, ground && !of_I);
  return !work.found.lacks();
}

}  // namespace trammel
