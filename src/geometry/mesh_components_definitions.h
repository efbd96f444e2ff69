// Sides of the polygons that bound what two meshes have in common, and what they connect (mesh_crossings.h).
// Included by mesh_crossings_definitions.h.
#pragma once

#include "geometry/mesh_crossings.h"

namespace trammel {

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
