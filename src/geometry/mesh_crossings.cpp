#include "geometry/mesh_crossings.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace trammel {

namespace {

/// How far the first mesh is drawn in along its normals, in units of the lattice: more than what rounding to
/// the lattice does to a face, so that faces in one plane are told apart in the same way all over.
constexpr double drawn_in = 6;
/// By how much boxes are widened in the search, in units of the lattice.
constexpr double wider = 32;

std::uint64_t key_of(int m, int edge, int face) {
  return static_cast<std::uint64_t>(m) << 62 | static_cast<std::uint64_t>(edge) << 31 |
         static_cast<std::uint64_t>(face);
}

/// The pose of b in the frame of a.
Pose<double> relative(const Pose<double>& a, const Pose<double>& b) {
  return {transpose_times(a.A, b.r - a.r), transpose_times(a.A, b.A)};
}

template <class Element>
void stamp_size(std::vector<Element>& list, std::size_t size) {
  if (list.size() < size) list.resize(size);
}

}  // namespace

const LatticePoint& MeshCrossings::point(int m, int vertex) {
  PerMesh& mine = per_mesh_[m];
  LatticePoint& p = mine.points[vertex];
  if (mine.on_lattice[vertex] == call_) return p;
  mine.on_lattice[vertex] = call_;
  const SolidMesh& solid = *solids_[m];
  const Vec3d x = poses_[m].r + poses_[m].A * solid.mesh.vertices[vertex];
  const Vec3d inward = m == 0 ? poses_[m].A * solid.normals[vertex] : Vec3d{};
  for (int i = 0; i < 3; ++i) p.at[i] = std::llround(x[i] / unit_ - drawn_in * inward[i]);
  p.name = 2 * static_cast<std::uint32_t>(vertex) + static_cast<std::uint32_t>(m);
  return p;
}

void MeshCrossings::find(const SolidMesh* const (&solids)[2], const Pose<double> (&poses)[2]) {
  ++call_;
  raw_.clear();
  cuts_.clear();
  nodes_.clear();
  sides_.clear();
  components_ = 0;
  for (int m = 0; m < 2; ++m) solids_[m] = solids[m];
  Vec3d middle[2];
  for (int m = 0; m < 2; ++m) middle[m] = poses[m].r + poses[m].A * solids[m]->middle;
  const double between = norm(middle[1] - middle[0]);
  const bool hole = solids[0]->inside_out || solids[1]->inside_out;
  if (between > solids[0]->radius + solids[1]->radius && !hole) return;
  reference_ = middle[0];
  unit_ = std::ldexp(std::max(solids[0]->radius + 2 * solids[1]->radius, between + solids[1]->radius), -39);
  for (int m = 0; m < 2; ++m) {
    poses_[m] = {poses[m].r - reference_, poses[m].A};
    PerMesh& mine = per_mesh_[m];
    const std::size_t vertices = solids[m]->mesh.vertices.size();
    for (auto* list : {&mine.on_lattice, &mine.inside, &mine.node}) stamp_size(*list, vertices);
    stamp_size(mine.points, vertices);
    stamp_size(mine.crossed, solids[m]->edges.size());
    stamp_size(mine.shell_seeded, solids[m]->shell_vertex.size());
  }
  visit_near_pairs(solids[0]->tree, solids[1]->tree, relative(poses_[0], poses_[1]), wider * unit_,
                   pair_stack_, [&](int a, int b) { cross_triangles(a, b); });
  number_crossings();
  seed_inside();
  add_edge_sides();
  for (const Cut& cut : cuts_) {
    const int from = node_of(cut.start), to = node_of(cut.end);
    add_side(0, cut.triangle[0], from, to);
    add_side(1, cut.triangle[1], to, from);
  }
  std::sort(sides_.begin(), sides_.end(), [](const OverlapSide& a, const OverlapSide& b) {
    return std::tie(a.mesh, a.triangle, a.from, a.to) < std::tie(b.mesh, b.triangle, b.from, b.to);
  });
  join_holes();
  number_components();
}

void MeshCrossings::add_crossing(int m, int triangle, int side, bool enters, int face, Cut& cut) {
  const SolidMesh& solid = *solids_[m];
  const int edge = solid.triangle_edges[triangle][side];
  const bool along = solid.mesh.triangles[triangle][side] == solid.edges[edge].low;
  const std::uint64_t key = key_of(m, edge, face);
  raw_.push_back({key, along ? enters : !enters});
  // The part of a triangle inside goes along its side from where this enters: there the cut ends.
  (enters == (m == 0) ? cut.end : cut.start) = key;
}

void MeshCrossings::cross_triangles(int first, int second) {
  const int triangle[2] = {first, second};
  const LatticePoint* p[2][3];
  for (int m = 0; m < 2; ++m)
    for (int i = 0; i < 3; ++i) p[m][i] = &point(m, solids_[m]->mesh.triangles[triangle[m]][i]);
  int above[2][3];  // of the corners of m over the plane of the other
  for (int m = 0; m < 2; ++m) {
    const auto& o = p[1 - m];
    int sum = 0;
    for (int i = 0; i < 3; ++i) sum += above[m][i] = orientation(*o[0], *o[1], *o[2], *p[m][i]);
    if (std::abs(sum) == 3) return;
  }
  int turn[3][3];  // of side i of the first about side j of the second
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      turn[i][j] = orientation(*p[0][i], *p[0][(i + 1) % 3], *p[1][j], *p[1][(j + 1) % 3]);
  Cut cut{{first, second}, 0, 0};
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
  if (found == 2) cuts_.push_back(cut);
}

void MeshCrossings::number_crossings() {
  std::sort(raw_.begin(), raw_.end(), [](const Raw& a, const Raw& b) { return a.key < b.key; });
  raw_.erase(std::unique(raw_.begin(), raw_.end(), [](const Raw& a, const Raw& b) { return a.key == b.key; }),
             raw_.end());
  keys_.clear();
  constexpr std::uint64_t mask = (std::uint64_t{1} << 31) - 1;
  for (const Raw& r : raw_) {
    OverlapNode n{static_cast<int>(r.key >> 62),  -1,       static_cast<int>(r.key >> 31 & mask),
                  static_cast<int>(r.key & mask), r.enters, 0};
    const SolidMesh &mine = *solids_[n.mesh], &other = *solids_[1 - n.mesh];
    per_mesh_[n.mesh].crossed[n.edge] = call_;
    const auto& t = other.mesh.triangles[n.face];
    Vec3d x[5];
    const int vertices[5] = {t[0], t[1], t[2], mine.edges[n.edge].low, mine.edges[n.edge].high};
    for (int k = 0; k < 5; ++k) {
      const LatticePoint& p = point(k < 3 ? 1 - n.mesh : n.mesh, vertices[k]);
      for (int i = 0; i < 3; ++i) x[k][i] = static_cast<double>(p.at[i]);
    }
    const Vec3d normal = cross(x[1] - x[0], x[2] - x[0]);
    const double from = dot(normal, x[3] - x[0]), to = dot(normal, x[4] - x[0]);
    n.along = from == to ? 0.5 : std::clamp(from / (from - to), 0.0, 1.0);
    keys_.push_back(r.key);
    nodes_.push_back(n);
  }
  crossing_count_ = static_cast<int>(nodes_.size());
}

int MeshCrossings::node_of(std::uint64_t key) const {
  return static_cast<int>(std::lower_bound(keys_.begin(), keys_.end(), key) - keys_.begin());
}

/// How many more crossings of the edge leave the other mesh than enter it, from low to high.
int MeshCrossings::balance(int m, int edge) const {
  if (per_mesh_[m].crossed[edge] != call_) return 0;
  int sum = 0;
  for (int k = node_of(key_of(m, edge, 0));
       k < crossing_count_ && nodes_[k].mesh == m && nodes_[k].edge == edge; ++k)
    sum += nodes_[k].enters ? -1 : 1;
  return sum;
}

void MeshCrossings::mark_inside(int m, int vertex) {
  PerMesh& mine = per_mesh_[m];
  if (mine.inside[vertex] == call_) return;
  mine.inside[vertex] = call_;
  mine.node[vertex] = static_cast<int>(nodes_.size());
  mine.front.push_back(vertex);
  nodes_.push_back({m, vertex, -1, -1, false, 0});
}

/// Vertices inside: the ends of edges that have more crossings one way; of shells without such edges one
/// vertex says it for all; and from these on along edges.
void MeshCrossings::seed_inside() {
  for (int m = 0; m < 2; ++m) {
    const SolidMesh& solid = *solids_[m];
    PerMesh& mine = per_mesh_[m];
    mine.front.clear();
    for (int k = 0; k < crossing_count_; ++k) {
      if (nodes_[k].mesh != m || (k > 0 && nodes_[k - 1].mesh == m && nodes_[k - 1].edge == nodes_[k].edge))
        continue;
      const int sum = balance(m, nodes_[k].edge);
      if (sum == 0) continue;
      const MeshEdge& e = solid.edges[nodes_[k].edge];
      mine.shell_seeded[solid.shell[e.low]] = call_;
      mark_inside(m, sum > 0 ? e.low : e.high);
    }
    for (std::size_t s = 0; s < solid.shell_vertex.size(); ++s)
      if (mine.shell_seeded[s] != call_ && is_inside(m, solid.shell_vertex[s]))
        mark_inside(m, solid.shell_vertex[s]);
    flood(m);
  }
}

void MeshCrossings::flood(int m) {
  const SolidMesh& solid = *solids_[m];
  PerMesh& mine = per_mesh_[m];
  while (!mine.front.empty()) {
    const int v = mine.front.back();
    mine.front.pop_back();
    for (int k = solid.first_edge[v]; k < solid.first_edge[v + 1]; ++k) {
      const MeshEdge& e = solid.edges[solid.vertex_edges[k]];
      if (balance(m, solid.vertex_edges[k]) == 0) mark_inside(m, e.low == v ? e.high : e.low);
    }
  }
}

/// By the faces of the other mesh between the vertex and a point far off.
bool MeshCrossings::is_inside(int m, int vertex) {
  const SolidMesh& other = *solids_[1 - m];
  const Pose<double>& pose = poses_[1 - m];
  const LatticePoint& p = point(m, vertex);
  const LatticePoint far{{(std::int64_t{1} << 40) - 5, 123456789, 98765432}, 0xffffffffU};
  Vec3d from, to;
  for (int i = 0; i < 3; ++i) {
    from[i] = unit_ * static_cast<double>(p.at[i]);
    to[i] = unit_ * static_cast<double>(far.at[i]);
  }
  const MiddleBox& box = other.tree.nodes[0].box;
  const Vec3d here = transpose_times(pose.A, from - pose.r);
  for (int i = 0; i < 3; ++i)
    if (std::fabs(here[i] - box.middle[i]) > box.half[i] + wider * unit_) return other.inside_out;
  bool inside = other.inside_out;
  visit_along_line(other.tree, here, transpose_times(pose.A, to - from), wider * unit_, stack_, [&](int t) {
    const auto& v = other.mesh.triangles[t];
    const LatticePoint* q[3];
    for (int i = 0; i < 3; ++i) q[i] = &point(1 - m, v[i]);
    if (orientation(*q[0], *q[1], *q[2], p) == orientation(*q[0], *q[1], *q[2], far)) return;
    const int turn = orientation(p, far, *q[0], *q[1]);
    if (turn == orientation(p, far, *q[1], *q[2]) && turn == orientation(p, far, *q[2], *q[0]))
      inside = !inside;
  });
  return inside;
}

void MeshCrossings::add_side(int m, int triangle, int from, int to) {
  sides_.push_back({0, m, triangle, from, to});
}

void MeshCrossings::add_edge_side(int m, int edge, int from, int to) {
  const MeshEdge& e = solids_[m]->edges[edge];
  add_side(m, e.along, from, to);
  add_side(m, e.back, to, from);
}

void MeshCrossings::add_edge_sides() {
  for (int begin = 0, end = 0; begin < crossing_count_; begin = end) {
    const int m = nodes_[begin].mesh, edge = nodes_[begin].edge;
    for (end = begin; end < crossing_count_ && nodes_[end].mesh == m && nodes_[end].edge == edge;) ++end;
    add_crossed_edge(m, edge, begin, end);
  }
  for (int k = crossing_count_; k < static_cast<int>(nodes_.size()); ++k) {
    const auto [m, v] = std::pair(nodes_[k].mesh, nodes_[k].vertex);
    const SolidMesh& solid = *solids_[m];
    for (int i = solid.first_edge[v]; i < solid.first_edge[v + 1]; ++i) {
      const int edge = solid.vertex_edges[i];
      if (solid.edges[edge].low == v && per_mesh_[m].crossed[edge] != call_)
        add_edge_side(m, edge, k, per_mesh_[m].node[solid.edges[edge].high]);
    }
  }
}

/// The parts inside lie between crossings that enter and that leave, by turns.
void MeshCrossings::add_crossed_edge(int m, int edge, int begin, int end) {
  entering_.clear();
  leaving_.clear();
  for (int k = begin; k < end; ++k) (nodes_[k].enters ? entering_ : leaving_).push_back(k);
  const auto earlier = [&](int a, int b) {
    return std::tie(nodes_[a].along, a) < std::tie(nodes_[b].along, b);
  };
  std::sort(entering_.begin(), entering_.end(), earlier);
  std::sort(leaving_.begin(), leaving_.end(), earlier);
  const PerMesh& mine = per_mesh_[m];
  const MeshEdge& e = solids_[m]->edges[edge];
  if (mine.inside[e.low] == call_) entering_.insert(entering_.begin(), mine.node[e.low]);
  if (mine.inside[e.high] == call_) leaving_.push_back(mine.node[e.high]);
  for (std::size_t k = 0; k < std::min(entering_.size(), leaving_.size()); ++k)
    add_edge_side(m, edge, entering_[k], leaving_[k]);
}

int MeshCrossings::root(int node) {
  while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
  return node;
}

Vec3d MeshCrossings::place(int node) const {
  const OverlapNode& n = nodes_[node];
  const SolidMesh& solid = *solids_[n.mesh];
  const auto at = [&](int v) { return poses_[n.mesh].r + poses_[n.mesh].A * solid.mesh.vertices[v]; };
  if (n.vertex >= 0) return at(n.vertex);
  const MeshEdge& e = solid.edges[n.edge];
  return (1 - n.along) * at(e.low) + n.along * at(e.high);
}

/// Whether the sides begin … end of the component `which` go round p, seen against the normal of their
/// triangle.
bool MeshCrossings::encloses(std::size_t begin, std::size_t end, int which, const Vec3d& p,
                             const Vec3d& normal) {
  const int k = std::fabs(normal.x) > std::fabs(normal.y) && std::fabs(normal.x) > std::fabs(normal.z)
                    ? 0
                    : (std::fabs(normal.y) > std::fabs(normal.z) ? 1 : 2);
  const int u = (k + 1) % 3, v = (k + 2) % 3;
  bool inside = false;
  for (std::size_t s = begin; s < end; ++s) {
    if (root(sides_[s].from) != which) continue;
    const Vec3d a = place(sides_[s].from), b = place(sides_[s].to);
    if ((a[v] > p[v]) != (b[v] > p[v]) && p[u] < a[u] + (b[u] - a[u]) * (p[v] - a[v]) / (b[v] - a[v]))
      inside = !inside;
  }
  return inside;
}

/// Unites what sides connect; then, in each triangle, a hole with the outline around it.
void MeshCrossings::join_holes() {
  parent_.resize(nodes_.size());
  for (std::size_t k = 0; k < nodes_.size(); ++k) parent_[k] = static_cast<int>(k);
  for (const OverlapSide& s : sides_)
    parent_[std::max(root(s.from), root(s.to))] = std::min(root(s.from), root(s.to));
  for (std::size_t begin = 0, end = 0; begin < sides_.size(); begin = end) {
    const OverlapSide& first = sides_[begin];
    roots_.clear();
    for (end = begin;
         end < sides_.size() && sides_[end].mesh == first.mesh && sides_[end].triangle == first.triangle;
         ++end)
      roots_.push_back(root(sides_[end].from));
    std::sort(roots_.begin(), roots_.end());
    roots_.erase(std::unique(roots_.begin(), roots_.end()), roots_.end());
    if (roots_.size() < 2) continue;
    const SolidMesh& solid = *solids_[first.mesh];
    const auto& t = solid.mesh.triangles[first.triangle];
    const Vec3d& o = solid.mesh.vertices[t[0]];
    const Vec3d normal =
        poses_[first.mesh].A * cross(solid.mesh.vertices[t[1]] - o, solid.mesh.vertices[t[2]] - o);
    for (const int hole : roots_) {
      Vec3d area, start;
      bool any = false;
      for (std::size_t s = begin; s < end; ++s) {
        if (root(sides_[s].from) != hole) continue;
        if (!any) start = place(sides_[s].from);
        any = true;
        area += cross(place(sides_[s].from) - start, place(sides_[s].to) - start);
      }
      if (!any || dot(area, normal) >= 0) continue;
      for (const int outline : roots_)
        if (outline != hole && root(outline) == outline && encloses(begin, end, outline, start, normal)) {
          parent_[std::max(root(hole), outline)] = std::min(root(hole), outline);
          break;
        }
    }
  }
}

void MeshCrossings::number_components() {
  number_.assign(nodes_.size(), -1);
  for (OverlapSide& s : sides_) {
    int& number = number_[root(s.from)];
    if (number < 0) number = components_++;
    s.component = number;
  }
  std::sort(sides_.begin(), sides_.end(), [](const OverlapSide& a, const OverlapSide& b) {
    return std::tie(a.component, a.mesh, a.triangle, a.from, a.to) <
           std::tie(b.component, b.mesh, b.triangle, b.from, b.to);
  });
}

}  // namespace trammel
