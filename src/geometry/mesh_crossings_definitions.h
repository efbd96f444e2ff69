// Definitions of MeshCrossings (mesh_crossings.h): where edges of one mesh go through faces of another, which
// vertices are inside, the sides of polygons that follow from these, and what they connect.
#pragma once

#include <initializer_list>

#include "geometry/mesh_crossings.h"

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

// ---- sides

TRAMMEL_HD inline void MeshCrossings::add_side(int m, int triangle, int from, int to) {
  work_.sides.push({0, m, triangle, from, to});
}

TRAMMEL_HD inline void MeshCrossings::add_edge_side(int m, int edge, int from, int to) {
  const MeshEdge& e = solids_[m]->edge[edge];
  add_side(m, e.along, from, to);
  add_side(m, e.back, to, from);
}

/// All sides, by mesh and triangle. False: some list has no room for all.
TRAMMEL_HD inline bool MeshCrossings::find_sides() {
  const bool rooms = work_.entering.resize(crossing_count_ + 1);
  if (!work_.leaving.resize(crossing_count_ + 1) || !rooms) return false;
  add_edge_sides();
  for (const TriangleCut& cut : work_.cuts) {
    const int from = node_of(cut.start), to = node_of(cut.end);
    add_side(0, cut.triangle[0], from, to);
    add_side(1, cut.triangle[1], to, from);
  }
  Room<OverlapSide>& sides = work_.sides;
  bool all = !sides.lacks();
  all = work_.roots.resize(sides.size) && all;
  for (Room<int>* list : {&work_.parent, &work_.number}) all = list->resize(work_.nodes.size) && all;
  if (!all) return false;
  sort(sides.begin(), sides.size, [](const OverlapSide& a, const OverlapSide& b) {
    if (a.mesh != b.mesh) return a.mesh < b.mesh;
    if (a.triangle != b.triangle) return a.triangle < b.triangle;
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  });
  return true;
}

TRAMMEL_HD inline void MeshCrossings::add_edge_sides() {
  const Room<OverlapNode>& nodes = work_.nodes;
  for (int begin = 0, end = 0; begin < crossing_count_; begin = end) {
    const int m = nodes[begin].mesh, edge = nodes[begin].edge;
    for (end = begin; end < crossing_count_ && nodes[end].mesh == m && nodes[end].edge == edge;) ++end;
    add_crossed_edge(m, edge, begin, end);
  }
  for (int k = crossing_count_; k < nodes.size; ++k) {
    const int m = nodes[k].mesh, v = nodes[k].vertex;
    const MeshView& solid = *solids_[m];
    const CrossingWork::PerMesh& mine = work_.per_mesh[m];
    for (int i = solid.first_edge[v]; i < solid.first_edge[v + 1]; ++i) {
      const int edge = solid.vertex_edge[i];
      if (solid.edge[edge].low == v && mine.crossed[edge] != work_.call)
        add_edge_side(m, edge, k, mine.node[solid.edge[edge].high]);
    }
  }
}

/// The parts inside lie between crossings that enter and that leave, by turns.
TRAMMEL_HD inline void MeshCrossings::add_crossed_edge(int m, int edge, int begin, int end) {
  const Room<OverlapNode>& nodes = work_.nodes;
  const CrossingWork::PerMesh& mine = work_.per_mesh[m];
  const MeshEdge& e = solids_[m]->edge[edge];
  const auto earlier = [&](int a, int b) {
    return nodes[a].along != nodes[b].along ? nodes[a].along < nodes[b].along : a < b;
  };
  Room<int>&entering = work_.entering, &leaving = work_.leaving;
  entering.clear();
  leaving.clear();
  const bool from_inside = mine.inside[e.low] == work_.call;
  if (from_inside) entering.push(mine.node[e.low]);
  for (int k = begin; k < end; ++k) (nodes[k].enters ? entering : leaving).push(k);
  const int first = from_inside ? 1 : 0;
  sort(entering.begin() + first, entering.size - first, earlier);
  sort(leaving.begin(), leaving.size, earlier);
  if (mine.inside[e.high] == work_.call) leaving.push(mine.node[e.high]);
  for (int k = 0; k < smaller(entering.size, leaving.size); ++k)
    add_edge_side(m, edge, entering[k], leaving[k]);
}

TRAMMEL_HD inline int MeshCrossings::root(int node) {
  const Room<int>& parent = work_.parent;
  while (parent[node] != node) node = parent[node] = parent[parent[node]];
  return node;
}

TRAMMEL_HD inline void MeshCrossings::unite(int a, int b) {
  work_.parent[larger(a, b)] = smaller(a, b);
}

TRAMMEL_HD inline Vec3d MeshCrossings::place(int node) const {
  const OverlapNode& n = work_.nodes[node];
  const MeshView& solid = *solids_[n.mesh];
  const auto at = [&](int v) { return poses_[n.mesh].r + poses_[n.mesh].A * solid.vertex[v]; };
  if (n.vertex >= 0) return at(n.vertex);
  const MeshEdge& e = solid.edge[n.edge];
  return (1 - n.along) * at(e.low) + n.along * at(e.high);
}

/// Whether the sides begin … end of the component `which` go round p, seen against the normal of their
/// triangle.
TRAMMEL_HD inline bool MeshCrossings::encloses(int begin, int end, int which, const Vec3d& p,
                                               const Vec3d& normal) {
  const int k = std::fabs(normal.x) > std::fabs(normal.y) && std::fabs(normal.x) > std::fabs(normal.z)
                    ? 0
                    : (std::fabs(normal.y) > std::fabs(normal.z) ? 1 : 2);
  const int u = (k + 1) % 3, v = (k + 2) % 3;
  bool inside = false;
  for (int s = begin; s < end; ++s) {
    if (root(work_.sides[s].from) != which) continue;
    const Vec3d a = place(work_.sides[s].from), b = place(work_.sides[s].to);
    if ((a[v] > p[v]) != (b[v] > p[v]) && p[u] < a[u] + (b[u] - a[u]) * (p[v] - a[v]) / (b[v] - a[v]))
      inside = !inside;
  }
  return inside;
}

/// Unites what sides connect; then, in each triangle, a hole with the outline around it.
TRAMMEL_HD inline void MeshCrossings::join_holes() {
  const Room<OverlapSide>& sides = work_.sides;
  for (int k = 0; k < work_.nodes.size; ++k) work_.parent[k] = k;
  for (const OverlapSide& s : sides) unite(root(s.from), root(s.to));
  for (int begin = 0, end = 0; begin < sides.size; begin = end) {
    const OverlapSide& first = sides[begin];
    for (end = begin;
         end < sides.size && sides[end].mesh == first.mesh && sides[end].triangle == first.triangle;)
      ++end;
    join_holes_of_triangle(begin, end);
  }
}

TRAMMEL_HD inline void MeshCrossings::join_holes_of_triangle(int begin, int end) {
  const Room<OverlapSide>& sides = work_.sides;
  Room<int>& roots = work_.roots;
  roots.clear();
  for (int s = begin; s < end; ++s) roots.push(root(sides[s].from));
  sort(roots.begin(), roots.size, [](int a, int b) { return a < b; });
  int count = 0;
  for (const int r : roots)
    if (count == 0 || roots[count - 1] != r) roots[count++] = r;
  roots.resize(count);
  if (count < 2) return;
  const int m = sides[begin].mesh;
  const MeshView& solid = *solids_[m];
  const int* t = solid.triangle[sides[begin].triangle];
  const Vec3d& o = solid.vertex[t[0]];
  const Vec3d normal = poses_[m].A * cross(solid.vertex[t[1]] - o, solid.vertex[t[2]] - o);
  for (const int hole : roots) {
    Vec3d area, start;
    bool any = false;
    for (int s = begin; s < end; ++s) {
      if (root(sides[s].from) != hole) continue;
      if (!any) start = place(sides[s].from);
      any = true;
      area += cross(place(sides[s].from) - start, place(sides[s].to) - start);
    }
    if (!any || dot(area, normal) >= 0) continue;
    for (const int outline : roots)
      if (outline != hole && root(outline) == outline && encloses(begin, end, outline, start, normal)) {
        unite(root(hole), outline);
        break;
      }
  }
}

TRAMMEL_HD inline void MeshCrossings::number_components() {
  Room<OverlapSide>& sides = work_.sides;
  for (int& number : work_.number) number = -1;
  for (OverlapSide& s : sides) {
    int& number = work_.number[root(s.from)];
    if (number < 0) number = components_++;
    s.component = number;
  }
  sort(sides.begin(), sides.size, [](const OverlapSide& a, const OverlapSide& b) {
    if (a.component != b.component) return a.component < b.component;
    if (a.mesh != b.mesh) return a.mesh < b.mesh;
    if (a.triangle != b.triangle) return a.triangle < b.triangle;
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  });
}

}  // namespace trammel
