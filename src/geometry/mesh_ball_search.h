// Where a ball touches a mesh, on the processor and on a device.
#pragma once

#include "geometry/mesh_view.h"
#include "geometry/room.h"
#include "geometry/shape.h"
#include "math/plain_values.h"

namespace trammel {

/// The place of a triangle that is nearest to a point.
struct NearOnMesh {
  enum Feature : int { vertex, edge, face };
  Feature feature;
  int number, triangle;
  Vec3d point;  ///< mesh's axes
  double distance;
  bool outside;  ///< the centre is on the outer side there
};

/// What the search works in (owned_rooms.h).
template <class T>
struct MeshBallWork {
  Room<NearOnMesh> near;
  Room<Incident<T>> incidents;

  TRAMMEL_HD void renew() {}
  template <class F>
  void for_rooms(F&& f) {
    f(near), f(incidents);
  }
};

namespace detail {

/// Nearest points closer to each other than this part of the radius are one.
inline constexpr double same_point = 1e-9;

TRAMMEL_HD inline Vec3d face_normal(const MeshView& solid, int triangle) {
  const int* t = solid.triangle[triangle];
  const Vec3d& o = solid.vertex[t[0]];
  const Vec3d n = cross(solid.vertex[t[1]] - o, solid.vertex[t[2]] - o);
  const double size = norm(n);
  return size > 0 ? (1 / size) * n : n;
}

/// The mean normal of the triangles that meet there, by angle: its sign tells inside from outside (J. A.
/// Bærentzen, H. Aanæs, IEEE Trans. Visualization Comput. Graphics 11 (2005)).
TRAMMEL_HD inline Vec3d outward(const MeshView& solid, const NearOnMesh& near) {
  if (near.feature == NearOnMesh::face) return face_normal(solid, near.number);
  if (near.feature == NearOnMesh::vertex) return solid.normal[near.number];
  const MeshEdge& e = solid.edge[near.number];
  const Vec3d sum = face_normal(solid, e.along) + face_normal(solid, e.back);
  const double size = norm(sum);
  return size > 0 ? (1 / size) * sum : face_normal(solid, e.along);
}

TRAMMEL_CALLED inline NearOnMesh nearest_on_mesh(const MeshView& solid, int triangle, const Vec3d& p) {
  const int* t = solid.triangle[triangle];
  const Vec3d n = face_normal(solid, triangle);
  const Vec3d& o = solid.vertex[t[0]];
  NearOnMesh near{NearOnMesh::face,         triangle, triangle, p - dot(n, p - o) * n,
                  std::fabs(dot(n, p - o)), false};
  bool beside = norm(n) == 0;
  for (int i = 0; i < 3 && !beside; ++i) {
    const Vec3d &a = solid.vertex[t[i]], &b = solid.vertex[t[(i + 1) % 3]];
    beside = dot(cross(b - a, p - a), n) <= 0;
  }
  if (beside) near.distance = HUGE_VAL;
  for (int i = 0; i < 3 && beside; ++i) {
    const Vec3d &a = solid.vertex[t[i]], &b = solid.vertex[t[(i + 1) % 3]];
    const double s = dot(p - a, b - a) / dot(b - a, b - a);
    const Vec3d x = s <= 0 ? a : (s >= 1 ? b : a + s * (b - a));
    if (norm(p - x) >= near.distance) continue;
    const bool inner = s > 0 && s < 1;
    near = {inner ? NearOnMesh::edge : NearOnMesh::vertex,
            inner ? solid.triangle_edge[triangle][i] : t[s <= 0 ? i : (i + 1) % 3],
            triangle,
            x,
            norm(p - x),
            false};
  }
  near.outside = dot(p - near.point, outward(solid, near)) >= 0;
  return near;
}

/// Whether no triangle that shares the edge or vertex comes nearer.
TRAMMEL_HD inline bool is_least_around(const MeshView& solid, const NearOnMesh& near, const Vec3d& p) {
  const auto least = [&](const MeshEdge& e) {
    const double limit = near.distance * (1 - 1e-12);  // rounding
    return nearest_on_mesh(solid, e.along, p).distance >= limit &&
           nearest_on_mesh(solid, e.back, p).distance >= limit;
  };
  if (near.feature == NearOnMesh::face) return true;
  if (near.feature == NearOnMesh::edge) return least(solid.edge[near.number]);
  for (int k = solid.first_edge[near.number]; k < solid.first_edge[near.number + 1]; ++k)
    if (!least(solid.edge[solid.vertex_edge[k]])) return false;
  return true;
}

/// From the surface to the centre, outward, and the signed distance.
template <class T>
TRAMMEL_HD Vec3<T> from_surface(const MeshView& solid, const Pose<T>& at, const NearOnMesh& near,
                                const Vec3<T>& centre, T& distance) {
  const auto vertex_at = [&](int v) { return at.r + at.A * constant<T>(solid.vertex[v]); };
  const T sign = near.outside ? T(1.0) : T(-1.0);
  Vec3<T> from;
  if (near.feature == NearOnMesh::face) {
    const Vec3<T> n = at.A * constant<T>(face_normal(solid, near.number));
    distance = dot(n, centre - vertex_at(solid.triangle[near.number][0]));
    return n;
  }
  if (near.feature == NearOnMesh::vertex) {
    from = centre - vertex_at(near.number);
  } else {
    const MeshEdge& e = solid.edge[near.number];
    const Vec3<T> o = vertex_at(e.low), along = vertex_at(e.high) - o;
    from = centre - o - (dot(centre - o, along) / dot(along, along)) * along;
  }
  if (!(near.distance > 0)) {  // the centre on the edge: the mean of its normals
    const Vec3<T> n = at.A * constant<T>(outward(solid, near));
    distance = dot(n, from);
    return n;
  }
  distance = sign * norm(from);
  return (1.0 / distance) * from;
}

/// Fills work.near.
template <class T>
TRAMMEL_HD void find_near(MeshBallWork<T>& work, double radius, const Vec3d& p, const MeshView& solid) {
  NearOnMesh least{NearOnMesh::face, -1, -1, {}, HUGE_VAL, false};
  double within = HUGE_VAL;
  visit_within(solid.tree, p, within, [&](int t) {
    const NearOnMesh here = nearest_on_mesh(solid, t, p);
    if (here.distance < within) {
      least = here;
      within = here.distance;
    }
  });
  if (least.triangle < 0 || (least.outside && least.distance >= radius)) return;
  Room<NearOnMesh>& near = work.near;
  near.push(least);
  visit_within(solid.tree, p, radius, [&](int t) {
    const NearOnMesh here = nearest_on_mesh(solid, t, p);
    if (!here.outside || here.distance >= radius || !is_least_around(solid, here, p)) return;
    for (int k = 0; k < smaller(near.size, near.capacity); ++k)
      if (norm(near[k].point - here.point) <= same_point * radius) return;
    near.push(here);
  });
}

}  // namespace detail

/// Finds the overlaps of a ball and a mesh: one for each surface point that is nearest to the centre among
/// those around it, with the centre on the outer side there; so a ball in a corner has one for each wall. If
/// the centre is inside, the nearest point of all is one, too. Of a ball with this radius and centre [length,
/// ground] and a mesh with a pose in ground: normals point towards the ball; depth = radius − signed distance
/// of the centre; points lie midway between the surfaces. They are left in work.incidents. False: a list of
/// the work space had no room for all.
template <class T>
TRAMMEL_HD bool find_ball_overlaps(MeshBallWork<T>& work, double radius, const Vec3<T>& centre,
                                   const MeshView& solid, const Pose<T>& at) {
  work.near.clear();
  work.incidents.clear();
  const Pose<double> pose = values(at);
  const Vec3d p = transpose_times(pose.A, values(centre) - pose.r);
  if (!solid.inside_out && norm(p - solid.middle) > solid.radius + radius) return true;
  detail::find_near(work, radius, p, solid);
  if (work.near.lacks() || !work.incidents.resize(work.near.size)) return false;
  for (int k = 0; k < work.near.size; ++k) {
    T distance;
    const Vec3<T> n = detail::from_surface(solid, at, work.near[k], centre, distance);
    work.incidents[k] = {radius - distance, n, centre - (T(0.5) * (radius + distance)) * n};
  }
  return true;
}

}  // namespace trammel
