// Where edges of one mesh go through faces of another, and which vertices are inside (mesh_crossings.h).
#pragma once

#include "geometry/mesh_components_definitions.h"

namespace trammel {

namespace detail {

/// How far the first mesh is drawn in along its normals, in units of the lattice: more than what rounding to
/// the lattice does to a face, so that faces in one plane are told apart in the same way all over.
inline constexpr double drawn_in = 6;
/// By how much boxes are widened in the search, in units of the lattice.
inline constexpr double wider = 32;

TRAMMEL_HD inline std::uint64_t key_of(int m, int edge, int face) {
  return static_cast<std::uint64_t>(m) << 62 | static_cast<std::uint64_t>(edge) << 31 |
         static_cast<std::uint64_t>(face);
}

/// The pose of b in the frame of a.
TRAMMEL_HD inline Pose<double> relative(const Pose<double>& a, const Pose<double>& b) {
  return {transpose_times(a.A, b.r - a.r), transpose_times(a.A, b.A)};
}

}  // namespace detail

TRAMMEL_HD inline const LatticePoint& MeshCrossings::point(int m, int vertex) {
  CrossingWork::PerMesh& mine = work_.per_mesh[m];
  LatticePoint& p = mine.points[vertex];
  if (mine.on_lattice[vertex] == work_.call) return p;
  mine.on_lattice[vertex] = work_.call;
  const MeshView& solid = *solids_[m];
  const Vec3d x = poses_[m].r + poses_[m].A * solid.vertex[vertex];
  const Vec3d inward = m == 0 ? poses_[m].A * solid.normal[vertex] : Vec3d{};
  for (int i = 0; i < 3; ++i) p.at[i] = std::llround(x[i] / unit_ - detail::drawn_in * inward[i]);
  p.name = 2 * static_cast<std::uint32_t>(vertex) + static_cast<std::uint32_t>(m);
  return p;
}

/// What is told of vertices, edges and shells has its places.
TRAMMEL_HD inline bool MeshCrossings::take_tables() {
  bool all = true;
  for (int m = 0; m < 2; ++m) {
    const MeshView& solid = *solids_[m];
    CrossingWork::PerMesh& mine = work_.per_mesh[m];
    for (Room<int>* list : {&mine.on_lattice, &mine.inside, &mine.node, &mine.front})
      all = list->resize(solid.vertices) && all;
    all = mine.points.resize(solid.vertices) && all;
    all = mine.crossed.resize(solid.edges) && all;
    all = mine.shell_seeded.resize(solid.shells) && all;
  }
  return all;
}

TRAMMEL_HD inline bool MeshCrossings::find(const Pose<double> (&poses)[2]) {
  ++work_.call;
  work_.crossings.clear();
  work_.cuts.clear();
  work_.nodes.clear();
  work_.sides.clear();
  const MeshView &first = *solids_[0], &second = *solids_[1];
  Vec3d middle[2];
  for (int m = 0; m < 2; ++m) middle[m] = poses[m].r + poses[m].A * solids_[m]->middle;
  const double between = norm(middle[1] - middle[0]);
  if (!(between < HUGE_VAL)) return true;
  const bool hole = first.inside_out || second.inside_out;
  if (between > first.radius + second.radius && !hole) return true;
  reference_ = middle[0];
  unit_ = std::ldexp(larger(first.radius + 2 * second.radius, between + second.radius), -39);
  for (int m = 0; m < 2; ++m) poses_[m] = {poses[m].r - reference_, poses[m].A};
  if (!take_tables()) return false;
  visit_near_pairs(first.tree, second.tree, detail::relative(poses_[0], poses_[1]), detail::wider * unit_,
                   [&](int a, int b) { cross_triangles(a, b); });
  if (work_.crossings.lacks() || work_.cuts.lacks()) return false;
  number_crossings();
  if (work_.nodes.lacks()) return false;
  seed_inside();
  if (work_.nodes.lacks() || !find_sides()) return false;
  join_holes();
  number_components();
  return true;
}

TRAMMEL_HD inline void MeshCrossings::add_crossing(int m, int triangle, int side, bool enters, int face,
                                                   TriangleCut& cut) {
  const MeshView& solid = *solids_[m];
  const int edge = solid.triangle_edge[triangle][side];
  const bool along = solid.triangle[triangle][side] == solid.edge[edge].low;
  const std::uint64_t key = detail::key_of(m, edge, face);
  work_.crossings.push({key, along ? enters : !enters});
  // The part of a triangle inside goes along its side from where this enters: there the cut ends.
  (enters == (m == 0) ? cut.end : cut.start) = key;
}

TRAMMEL_HD inline void MeshCrossings::cross_triangles(int first, int second) {
  const int triangle[2] = {first, second};
  const LatticePoint* p[2][3];
  for (int m = 0; m < 2; ++m)
    for (int i = 0; i < 3; ++i) p[m][i] = &point(m, solids_[m]->triangle[triangle[m]][i]);
  int above[2][3];  // of the corners of m over the plane of the other
  for (int m = 0; m < 2; ++m) {
    const auto& o = p[1 - m];
    int sum = 0;
    for (int i = 0; i < 3; ++i) sum += above[m][i] = orientation(*o[0], *o[1], *o[2], *p[m][i]);
    if (sum == 3 || sum == -3) return;
  }
  int turn[3][3];  // of side i of the first about side j of the second
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      turn[i][j] = orientation(*p[0][i], *p[0][(i + 1) % 3], *p[1][j], *p[1][(j + 1) % 3]);
  TriangleCut cut{{first, second}, 0, 0};
  int found = 0;
  for (int i = 0; i < 3; ++i) {
    if (above[0][i] != above[0][(i + 1) % 3] && turn[i][0] == turn[i][1] && turn[i][1] == turn[i][2]) {
      add_crossing(0, first, i, above[0][i] > 0, second, cut);
      ++found;
    }
    if (above[1][i] != above[1][(i + 1) % 3] && turn[0][i] == turn[1][i] && turn[1][i] == turn[2][i]) {
      add_crossing(1, second, i, above[1][i] > 0, first, cut);
      ++found;
    }
  }
  if (found == 2) work_.cuts.push(cut);
}

/// Where on its edge an edge goes through a face, by places on the lattice.
TRAMMEL_HD inline double MeshCrossings::place_on_edge(const OverlapNode& node) {
  const int* face = solids_[1 - node.mesh]->triangle[node.face];
  const MeshEdge& edge = solids_[node.mesh]->edge[node.edge];
  const int vertices[5] = {face[0], face[1], face[2], edge.low, edge.high};
  Vec3d x[5];
  for (int k = 0; k < 5; ++k) {
    const LatticePoint& p = point(k < 3 ? 1 - node.mesh : node.mesh, vertices[k]);
    for (int i = 0; i < 3; ++i) x[k][i] = static_cast<double>(p.at[i]);
  }
  const Vec3d normal = cross(x[1] - x[0], x[2] - x[0]);
  const double from = dot(normal, x[3] - x[0]), to = dot(normal, x[4] - x[0]);
  return from == to ? 0.5 : smaller(larger(from / (from - to), 0.0), 1.0);
}

/// Each edge through a face once, by mesh, edge and face, with its node.
TRAMMEL_HD inline void MeshCrossings::number_crossings() {
  Room<EdgeThroughFace>& found = work_.crossings;
  sort(found.begin(), found.size,
       [](const EdgeThroughFace& a, const EdgeThroughFace& b) { return a.key < b.key; });
  int count = 0;
  for (const EdgeThroughFace& c : found)
    if (count == 0 || found[count - 1].key != c.key) found[count++] = c;
  found.resize(count);
  constexpr std::uint64_t mask = (std::uint64_t{1} << 31) - 1;
  for (const EdgeThroughFace& c : found) {
    OverlapNode node{static_cast<int>(c.key >> 62),  -1,       static_cast<int>(c.key >> 31 & mask),
                     static_cast<int>(c.key & mask), c.enters, 0};
    work_.per_mesh[node.mesh].crossed[node.edge] = work_.call;
    node.along = place_on_edge(node);
    work_.nodes.push(node);
  }
  crossing_count_ = count;
}

/// The first crossing whose key is not less.
TRAMMEL_HD inline int MeshCrossings::node_of(std::uint64_t key) const {
  int low = 0, high = crossing_count_;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (work_.crossings[middle].key < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// How many more crossings of the edge leave the other mesh than enter it, from low to high.
TRAMMEL_HD inline int MeshCrossings::balance(int m, int edge) const {
  if (work_.per_mesh[m].crossed[edge] != work_.call) return 0;
  const Room<OverlapNode>& nodes = work_.nodes;
  int sum = 0;
  for (int k = node_of(detail::key_of(m, edge, 0));
       k < crossing_count_ && nodes[k].mesh == m && nodes[k].edge == edge; ++k)
    sum += nodes[k].enters ? -1 : 1;
  return sum;
}

TRAMMEL_HD inline void MeshCrossings::mark_inside(int m, int vertex) {
  CrossingWork::PerMesh& mine = work_.per_mesh[m];
  if (mine.inside[vertex] == work_.call) return;
  mine.inside[vertex] = work_.call;
  mine.node[vertex] = work_.nodes.size;
  mine.front.push(vertex);
  work_.nodes.push({m, vertex, -1, -1, false, 0});
}

/// Vertices inside: the ends of edges that have more crossings one way; of shells without such edges one
/// vertex says it for all; and from these on along edges.
TRAMMEL_HD inline void MeshCrossings::seed_inside() {
  const Room<OverlapNode>& nodes = work_.nodes;
  for (int m = 0; m < 2; ++m) {
    const MeshView& solid = *solids_[m];
    CrossingWork::PerMesh& mine = work_.per_mesh[m];
    mine.front.clear();
    for (int k = 0; k < crossing_count_; ++k) {
      if (nodes[k].mesh != m || (k > 0 && nodes[k - 1].mesh == m && nodes[k - 1].edge == nodes[k].edge))
        continue;
      const int sum = balance(m, nodes[k].edge);
      if (sum == 0) continue;
      const MeshEdge& e = solid.edge[nodes[k].edge];
      mine.shell_seeded[solid.shell[e.low]] = work_.call;
      mark_inside(m, sum > 0 ? e.low : e.high);
    }
    for (int s = 0; s < solid.shells; ++s)
      if (mine.shell_seeded[s] != work_.call && is_inside(m, solid.shell_vertex[s]))
        mark_inside(m, solid.shell_vertex[s]);
    flood(m);
  }
}

TRAMMEL_HD inline void MeshCrossings::flood(int m) {
  const MeshView& solid = *solids_[m];
  Room<int>& front = work_.per_mesh[m].front;
  while (front.size > 0) {
    const int v = front[--front.size];
    for (int k = solid.first_edge[v]; k < solid.first_edge[v + 1]; ++k) {
      const MeshEdge& e = solid.edge[solid.vertex_edge[k]];
      if (balance(m, solid.vertex_edge[k]) == 0) mark_inside(m, e.low == v ? e.high : e.low);
    }
  }
}

/// By the faces of the other mesh between the vertex and a point far off.
TRAMMEL_HD inline bool MeshCrossings::is_inside(int m, int vertex) {
  const MeshView& other = *solids_[1 - m];
  const Pose<double>& pose = poses_[1 - m];
  const LatticePoint& p = point(m, vertex);
  const LatticePoint far{{(std::int64_t{1} << 40) - 5, 123456789, 98765432}, 0xffffffffU};
  Vec3d from, to;
  for (int i = 0; i < 3; ++i) {
    from[i] = unit_ * static_cast<double>(p.at[i]);
    to[i] = unit_ * static_cast<double>(far.at[i]);
  }
  const MiddleBox& box = other.tree.node[0].box;
  const Vec3d here = transpose_times(pose.A, from - pose.r);
  const double margin = detail::wider * unit_;
  for (int i = 0; i < 3; ++i)
    if (std::fabs(here[i] - box.middle[i]) > box.half[i] + margin) return other.inside_out;
  bool inside = other.inside_out;
  visit_along_line(other.tree, here, transpose_times(pose.A, to - from), margin, [&](int t) {
    const LatticePoint* q[3];
    for (int i = 0; i < 3; ++i) q[i] = &point(1 - m, other.triangle[t][i]);
    if (orientation(*q[0], *q[1], *q[2], p) == orientation(*q[0], *q[1], *q[2], far)) return;
    const int turn = orientation(p, far, *q[0], *q[1]);
    if (turn == orientation(p, far, *q[1], *q[2]) && turn == orientation(p, far, *q[2], *q[0]))
      inside = !inside;
  });
  return inside;
}

}  // namespace trammel
