// Definitions of MeshSearch (mesh_search.h).
#pragma once

#include "geometry/mesh_crossings_definitions.h"
#include "geometry/mesh_search.h"
#include "math/plain_values.h"

namespace trammel {

namespace detail {

/// An order of placed solids that does not depend on which is called I.
TRAMMEL_HD inline bool comes_first(const MeshView& a, const Pose<double>& at_a, const MeshView& b,
                                   const Pose<double>& at_b) {
  const double rank[10][2] = {{static_cast<double>(a.triangles), static_cast<double>(b.triangles)},
                              {a.radius, b.radius},
                              {a.centroid.x, b.centroid.x},
                              {a.centroid.y, b.centroid.y},
                              {a.centroid.z, b.centroid.z},
                              {at_a.r.x, at_b.r.x},
                              {at_a.r.y, at_b.r.y},
                              {at_a.r.z, at_b.r.z},
                              {at_a.A.m[0], at_b.A.m[0]},
                              {at_a.A.m[4], at_b.A.m[4]}};
  for (const auto& r : rank)
    if (r[0] != r[1]) return r[0] < r[1];
  return true;
}

/// Below this part of a component's surface its area vector is rounding: one solid is inside the other.
inline constexpr double no_direction = 1e-9;
/// Overlaps that are thinner are none, in units of the lattice.
inline constexpr double thinnest = 8;

TRAMMEL_HD inline bool same_piece(const OverlapSide& a, const OverlapSide& b) {
  return a.component == b.component && a.mesh == b.mesh && a.triangle == b.triangle;
}

}  // namespace detail

template <class T>
TRAMMEL_HD Vec3<T> MeshSearch<T>::vertex(int m, int v) const {
  return poses_[m].r + poses_[m].A * constant<T>(solids_[m]->vertex[v]);
}

template <class T>
TRAMMEL_HD Vec3<T> MeshSearch<T>::place(const MeshCrossings& crossings, const OverlapNode& node) const {
  if (node.vertex >= 0) return vertex(node.mesh, node.vertex);
  const MeshEdge& edge = solids_[node.mesh]->edge[node.edge];
  const int* face = solids_[1 - node.mesh]->triangle[node.face];
  const Vec3<T> p = vertex(node.mesh, edge.low), q = vertex(node.mesh, edge.high);
  const Vec3<T> o = vertex(1 - node.mesh, face[0]);
  const Vec3<T> n = cross(vertex(1 - node.mesh, face[1]) - o, vertex(1 - node.mesh, face[2]) - o);
  const T from = dot(n, p - o), to = dot(n, q - o);
  const double width = crossings.unit() * norm(values(n));
  T along = T(node.along);  // an edge within the face: where the lattice has it
  if (std::fabs(value_of(from) - value_of(to)) > width) along = from / (from - to);
  if (!(value_of(along) > 0)) along = T(0.0);
  if (!(value_of(along) < 1)) along = T(1.0);
  return p + along * (q - p);
}

template <class T>
TRAMMEL_HD void MeshSearch<T>::add_up() {
  const Room<OverlapSide>& sides = work_.crossings.sides;
  Vec3<T> piece;  // the area vector of the part of one triangle
  for (int k = 0, first = 0; k < sides.size; ++k) {
    if (!detail::same_piece(sides[first], sides[k])) first = k;
    if (first == k) piece = {};
    const bool last = k + 1 == sides.size || !detail::same_piece(sides[k + 1], sides[k]);
    add_side(sides[k], sides[first].from, last, piece);
  }
}

/// `first`: the node where the sides of its piece begin.
template <class T>
TRAMMEL_HD void MeshSearch<T>::add_side(const OverlapSide& side, int first, bool last, Vec3<T>& piece) {
  const Vec3<T>&u = work_.places[side.from], &v = work_.places[side.to], &o = work_.places[first];
  if (side.component == work_.sums.size)
    work_.sums.push({values(u), T(0.0), {}, {}, T(0.0), values(u), values(u)});
  OverlapSums<T>& sums = work_.sums.back();
  const Vec3<T> area = T(0.5) * cross(u - o, v - o);
  const Vec3<T> c = constant<T>(sums.origin);
  const T volume = T(1.0 / 3) * dot(area, o - c);
  sums.volume += volume;
  sums.moment += (T(0.25) * volume) * ((o - c) + (u - c) + (v - c));
  sums.area[side.mesh] += area;
  piece += area;
  if (last && norm(values(piece)) > 0) sums.surface += norm(piece);
  for (int i = 0; i < 3; ++i) {
    sums.low[i] = smaller(sums.low[i], value_of(u[i]));
    sums.high[i] = larger(sums.high[i], value_of(u[i]));
  }
}

/// A component of negative volume bounds a cavity of the one around it.
template <class T>
TRAMMEL_HD void MeshSearch<T>::join_cavities() {
  for (OverlapSums<T>& cavity : work_.sums) {
    if (!(value_of(cavity.volume) < 0)) continue;
    for (OverlapSums<T>& around : work_.sums) {
      bool holds = value_of(around.volume) > 0;
      for (int i = 0; i < 3; ++i)
        holds = holds && around.low[i] <= cavity.low[i] && around.high[i] >= cavity.high[i];
      if (!holds) continue;
      around.volume += cavity.volume;
      around.moment += cavity.moment + cavity.volume * constant<T>(cavity.origin - around.origin);
      for (int m = 0; m < 2; ++m) around.area[m] += cavity.area[m];
      break;
    }
  }
}

/// Towards the first mesh.
template <class T>
TRAMMEL_HD Vec3<T> MeshSearch<T>::normal(const OverlapSums<T>& sums) const {
  if (along_axis_) return poses_[1].A.column(2);
  const Vec3<T> area = sums.area[1] - sums.area[0];
  if (norm(values(area)) > detail::no_direction * value_of(sums.surface)) return (1.0 / norm(area)) * area;
  Vec3<T> between = poses_[0].r + poses_[0].A * constant<T>(solids_[0]->centroid) - poses_[1].r -
                    poses_[1].A * constant<T>(solids_[1]->centroid);
  if (norm(values(between)) <= detail::no_direction * norm(sums.high - sums.low))
    between = poses_[0].A.column(2);
  return (1.0 / norm(between)) * between;
}

/// How far along the direction the line leaves the mesh, at the face nearest before `from`'s point.
template <class T>
TRAMMEL_HD auto MeshSearch<T>::exit(int m, const Vec3<T>& from, const Vec3<T>& direction) const -> Exit {
  const Pose<double> pose = values(poses_[m]);
  const MeshView& mesh = *solids_[m];
  const Vec3d start = transpose_times(pose.A, values(from) - pose.r),
              along = transpose_times(pose.A, values(direction));
  const double margin = detail::thinnest * unit_;
  int best = -1;
  double nearest = 0;
  visit_along_line(mesh.tree, start, along, margin, [&](int t) {
    const Vec3d *p[3], o = mesh.vertex[mesh.triangle[t][0]];
    for (int i = 0; i < 3; ++i) p[i] = &mesh.vertex[mesh.triangle[t][i]];
    const Vec3d n = cross(*p[1] - o, *p[2] - o);
    const double size = norm(n), slope = dot(n, along);
    if (!(slope > 1e-9 * size)) return;
    const double s = dot(n, o - start) / slope;
    const Vec3d hit = start + s * along;
    for (int i = 0; i < 3; ++i) {
      const Vec3d side = *p[(i + 1) % 3] - *p[i];
      if (dot(cross(side, hit - *p[i]), n) < -margin * norm(side) * size) return;
    }
    // Ahead goes before behind, then the nearer.
    const bool ahead = s >= -margin, best_ahead = nearest >= -margin;
    if (best >= 0 && (ahead != best_ahead ? !ahead : !(std::fabs(s) < std::fabs(nearest)))) return;
    best = t;
    nearest = s;
  });
  if (best < 0) return {false, T(0.0)};
  const int* t = mesh.triangle[best];
  const Vec3<T> o = vertex(m, t[0]), n = cross(vertex(m, t[1]) - o, vertex(m, t[2]) - o);
  return {true, dot(n, o - from) / dot(n, direction)};
}

/// How far a part reaches along a direction.
template <class T>
TRAMMEL_HD T MeshSearch<T>::extent(int component, const Vec3<T>& direction) const {
  T low(HUGE_VAL), high(-HUGE_VAL);
  for (const OverlapSide& s : work_.crossings.sides) {
    if (s.component != component) continue;
    const T along = dot(direction, work_.places[s.from]);
    if (value_of(along) < value_of(low)) low = along;
    if (value_of(along) > value_of(high)) high = along;
  }
  return high - low;
}

template <class T>
TRAMMEL_HD void MeshSearch<T>::measure(int component) {
  const OverlapSums<T>& sums = work_.sums[component];
  if (!(value_of(sums.volume) > 0)) return;
  const Vec3<T> centroid = constant<T>(sums.origin) + (1.0 / sums.volume) * sums.moment;
  const Vec3<T> n = normal(sums);
  const Exit above = exit(1, centroid, n), below = exit(0, centroid, -n);
  T depth = above.distance + below.distance;
  Vec3<T> point = centroid + (T(0.5) * (above.distance - below.distance)) * n;
  if (!above.found || !below.found || !(value_of(depth) > 0)) {
    // A ring around the line, or surfaces that pass each other there: the mean thickness, as far as the part
    // reaches, for one that widens below its neck has more volume than that.
    const Vec3<T> area = sums.area[1] - sums.area[0];
    const bool one_way = norm(values(area)) > detail::no_direction * value_of(sums.surface);
    depth = sums.volume / (T(0.5) * (one_way ? norm(area) : sums.surface));
    if (const T most = extent(component, n); value_of(most) < value_of(depth)) depth = most;
    point = centroid;
  }
  if (value_of(depth) < detail::thinnest * unit_) return;
  const Vec3<T> reference = constant<T>(reference_);
  work_.overlaps.push({{depth, n, point + reference}, sums.volume, centroid + reference});
}

template <class T>
TRAMMEL_HD bool MeshSearch<T>::search(const MeshView& first, const Pose<T>& at_first, const MeshView& second,
                                      const Pose<T>& at_second) {
  solids_[0] = &first;
  solids_[1] = &second;
  work_.overlaps.clear();
  MeshCrossings crossings(work_.crossings, first, second);
  if (!crossings.find({values(at_first), values(at_second)})) return false;
  if (crossings.components() == 0) return true;
  const bool rooms = work_.places.resize(crossings.nodes().size);
  if (!work_.sums.resize(crossings.components()) || !rooms) return false;
  reference_ = crossings.reference();
  unit_ = crossings.unit();
  const Vec3<T> reference = constant<T>(reference_);
  poses_[0] = {at_first.r - reference, at_first.A};
  poses_[1] = {at_second.r - reference, at_second.A};
  for (int k = 0; k < work_.places.size; ++k) work_.places[k] = place(crossings, crossings.nodes()[k]);
  work_.sums.clear();
  add_up();
  join_cavities();
  for (int k = 0; k < work_.sums.size; ++k) measure(k);
  return !work_.overlaps.lacks();
}

template <class T>
TRAMMEL_HD bool MeshSearch<T>::find(const MeshView& I, const Pose<T>& at_I, const MeshView& J,
                                    const Pose<T>& at_J) {
  if (detail::comes_first(I, values(at_I), J, values(at_J))) return search(I, at_I, J, at_J);
  if (!search(J, at_J, I, at_I)) return false;
  for (MeshOverlap<T>& overlap : work_.overlaps) overlap.incident.normal = -overlap.incident.normal;
  return true;
}

/// Makes vertices and tree those of a block with that half edge, a power of two, by which they are exact.
template <class T>
TRAMMEL_HD bool MeshSearch<T>::take_block(const MeshView& block, double half) {
  const bool rooms = work_.block_vertices.resize(block.vertices);
  if (!work_.block_nodes.resize(block.tree.count) || !rooms) return false;
  if (work_.block_half == half) return true;
  work_.block_half = half;
  for (int v = 0; v < block.vertices; ++v) work_.block_vertices[v] = half * block.vertex[v];
  for (int n = 0; n < block.tree.count; ++n) work_.block_nodes[n] = scaled_node(block.tree.node[n], half);
  return true;
}

template <class T>
TRAMMEL_HD bool MeshSearch<T>::find_cut(const MeshView& mesh, const Pose<T>& at, const Pose<T>& plane,
                                        const MeshView& block) {
  const Pose<double> here = values(at), frame = values(plane);
  Vec3d middle = transpose_times(frame.A, here.r + here.A * mesh.middle - frame.r);
  // A block below the plane that reaches beyond the mesh everywhere, in steps of two.
  const double half = power_of_two(4 * larger(mesh.radius, -middle.z));
  if (!take_block(block, half)) return false;
  MeshView below = block;
  below.vertex = work_.block_vertices.begin();
  below.tree.node = work_.block_nodes.begin();
  below.centroid = half * block.centroid;
  below.middle = half * block.middle;
  below.radius = half * block.radius;
  along_axis_ = true;
  middle.z = -half;
  return search(mesh, at, below, {plane.r + plane.A * constant<T>(middle), plane.A});
}

}  // namespace trammel
