#include "geometry/mesh_ball.h"

#include <algorithm>
#include <cmath>

#include "geometry/mesh_values.h"

namespace trammel {

namespace {

/// Nearest points closer to each other than this part of the radius are one.
constexpr double same_point = 1e-9;

Vec3d face_normal(const SolidMesh& solid, int triangle) {
  const auto& t = solid.mesh.triangles[triangle];
  const Vec3d& o = solid.mesh.vertices[t[0]];
  const Vec3d n = cross(solid.mesh.vertices[t[1]] - o, solid.mesh.vertices[t[2]] - o);
  const double size = norm(n);
  return size > 0 ? (1 / size) * n : n;
}

}  // namespace

template <class T>
auto MeshBallOverlaps<T>::nearest(const SolidMesh& solid, int triangle, const Vec3d& p) -> Near {
  const auto& t = solid.mesh.triangles[triangle];
  const Vec3d n = face_normal(solid, triangle);
  const Vec3d& o = solid.mesh.vertices[t[0]];
  Near near{face, triangle, triangle, p - dot(n, p - o) * n, std::fabs(dot(n, p - o)), false};
  bool beside = norm(n) == 0;
  for (int i = 0; i < 3 && !beside; ++i) {
    const Vec3d &a = solid.mesh.vertices[t[i]], &b = solid.mesh.vertices[t[(i + 1) % 3]];
    beside = dot(cross(b - a, p - a), n) <= 0;
  }
  if (beside) near.distance = HUGE_VAL;
  for (int i = 0; i < 3 && beside; ++i) {
    const Vec3d &a = solid.mesh.vertices[t[i]], &b = solid.mesh.vertices[t[(i + 1) % 3]];
    const double s = dot(p - a, b - a) / dot(b - a, b - a);
    const Vec3d x = s <= 0 ? a : (s >= 1 ? b : a + s * (b - a));
    if (norm(p - x) >= near.distance) continue;
    const bool inner = s > 0 && s < 1;
    near = {inner ? edge : vertex,
            inner ? solid.triangle_edges[triangle][i] : t[s <= 0 ? i : (i + 1) % 3],
            triangle,
            x,
            norm(p - x),
            false};
  }
  near.outside = dot(p - near.point, outward(solid, near)) >= 0;
  return near;
}

/// The mean normal of the triangles that meet there, by angle: its sign tells inside from outside (J. A.
/// Bærentzen, H. Aanæs, IEEE Trans. Visualization Comput. Graphics 11 (2005)).
template <class T>
Vec3d MeshBallOverlaps<T>::outward(const SolidMesh& solid, const Near& near) {
  if (near.feature == face) return face_normal(solid, near.number);
  if (near.feature == vertex) return solid.normals[near.number];
  const MeshEdge& e = solid.edges[near.number];
  const Vec3d sum = face_normal(solid, e.along) + face_normal(solid, e.back);
  const double size = norm(sum);
  return size > 0 ? (1 / size) * sum : face_normal(solid, e.along);
}

/// Whether no triangle that shares the edge or vertex comes nearer.
template <class T>
bool MeshBallOverlaps<T>::is_least_around(const SolidMesh& solid, const Near& near, const Vec3d& p) const {
  const auto least = [&](const MeshEdge& e) {
    const double limit = near.distance * (1 - 1e-12);  // rounding
    return nearest(solid, e.along, p).distance >= limit && nearest(solid, e.back, p).distance >= limit;
  };
  if (near.feature == face) return true;
  if (near.feature == edge) return least(solid.edges[near.number]);
  for (int k = solid.first_edge[near.number]; k < solid.first_edge[near.number + 1]; ++k)
    if (!least(solid.edges[solid.vertex_edges[k]])) return false;
  return true;
}

/// From the surface to the centre, outward, and the signed distance.
template <class T>
Vec3<T> MeshBallOverlaps<T>::direction(const SolidMesh& solid, const Pose<T>& at, const Near& near,
                                       const Vec3<T>& centre, T& distance) {
  const auto vertex_at = [&](int v) { return at.r + at.A * constant<T>(solid.mesh.vertices[v]); };
  const T sign = near.outside ? T(1.0) : T(-1.0);
  Vec3<T> from;
  if (near.feature == face) {
    const Vec3<T> n = at.A * constant<T>(face_normal(solid, near.number));
    distance = dot(n, centre - vertex_at(solid.mesh.triangles[near.number][0]));
    return n;
  }
  if (near.feature == vertex) {
    from = centre - vertex_at(near.number);
  } else {
    const MeshEdge& e = solid.edges[near.number];
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

template <class T>
std::span<const Incident<T>> MeshBallOverlaps<T>::find(double radius, const Vec3<T>& centre,
                                                       const SolidMesh& solid, const Pose<T>& at) {
  near_.clear();
  incidents_.clear();
  const Pose<double> pose = values(at);
  const Vec3d p = transpose_times(pose.A, values(centre) - pose.r);
  if (!solid.inside_out && norm(p - solid.middle) > solid.radius + radius) return incidents_;
  Near least{face, -1, -1, {}, HUGE_VAL, false};
  double within = HUGE_VAL;
  visit_within(solid.tree, p, within, stack_, [&](int t) {
    const Near here = nearest(solid, t, p);
    if (here.distance < within) {
      least = here;
      within = here.distance;
    }
  });
  if (least.triangle < 0 || (least.outside && least.distance >= radius)) return incidents_;
  near_.push_back(least);
  visit_within(solid.tree, p, radius, stack_, [&](int t) {
    const Near here = nearest(solid, t, p);
    if (!here.outside || here.distance >= radius || !is_least_around(solid, here, p)) return;
    const bool known = std::any_of(near_.begin(), near_.end(), [&](const Near& n) {
      return norm(n.point - here.point) <= same_point * radius;
    });
    if (!known) near_.push_back(here);
  });
  for (const Near& near : near_) {
    T distance;
    const Vec3<T> n = direction(solid, at, near, centre, distance);
    incidents_.push_back({radius - distance, n, centre - (T(0.5) * (radius + distance)) * n});
  }
  return incidents_;
}

template class MeshBallOverlaps<double>;
template class MeshBallOverlaps<Dual<double, 6>>;

}  // namespace trammel
