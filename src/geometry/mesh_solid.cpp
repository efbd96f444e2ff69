#include "geometry/mesh_solid.h"

#include <algorithm>
#include <utility>

#include "geometry/mesh_edges.h"
#include "geometry/mesh_mass.h"
#include "geometry/mesh_polygon.h"

namespace trammel {

namespace {

void find_edges(SolidMesh& solid) {
  const TriangleMesh& mesh = solid.mesh;
  const std::vector<TriangleSide> sides = sorted_sides(mesh);
  solid.triangle_edges.resize(mesh.triangles.size());
  for (std::size_t k = 0; k + 1 < sides.size(); k += 2) {
    const TriangleSide &p = sides[k].forward ? sides[k] : sides[k + 1],
                       &q = sides[k].forward ? sides[k + 1] : sides[k];
    const int edge = static_cast<int>(solid.edges.size());
    solid.edges.push_back({p.low, p.high, p.triangle, q.triangle});
    for (const int t : {p.triangle, q.triangle})
      for (int i = 0; i < 3; ++i) {
        const auto [low, high] = std::minmax(mesh.triangles[t][i], mesh.triangles[t][(i + 1) % 3]);
        if (low == p.low && high == p.high) solid.triangle_edges[t][i] = edge;
      }
  }
  solid.first_edge.assign(mesh.vertices.size() + 1, 0);
  for (const MeshEdge& e : solid.edges)
    for (const int v : {e.low, e.high}) ++solid.first_edge[v + 1];
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) solid.first_edge[v + 1] += solid.first_edge[v];
  solid.vertex_edges.resize(2 * solid.edges.size());
  std::vector<int> next = solid.first_edge;
  for (int e = 0; e < static_cast<int>(solid.edges.size()); ++e)
    for (const int v : {solid.edges[e].low, solid.edges[e].high}) solid.vertex_edges[next[v]++] = e;
}

void find_shells(SolidMesh& solid) {
  solid.shell.assign(solid.mesh.vertices.size(), -1);
  std::vector<int> front;
  for (int first = 0; first < static_cast<int>(solid.shell.size()); ++first) {
    if (solid.shell[first] >= 0) continue;
    const int number = static_cast<int>(solid.shell_vertex.size());
    solid.shell_vertex.push_back(first);
    solid.shell[first] = number;
    front.assign(1, first);
    while (!front.empty()) {
      const int v = front.back();
      front.pop_back();
      for (int k = solid.first_edge[v]; k < solid.first_edge[v + 1]; ++k) {
        const MeshEdge& e = solid.edges[solid.vertex_edges[k]];
        const int other = e.low == v ? e.high : e.low;
        if (solid.shell[other] >= 0) continue;
        solid.shell[other] = number;
        front.push_back(other);
      }
    }
  }
}

void find_normals(SolidMesh& solid) {
  const TriangleMesh& mesh = solid.mesh;
  solid.normals.assign(mesh.vertices.size(), {});
  for (const auto& t : mesh.triangles)
    for (int i = 0; i < 3; ++i) {
      const Vec3d a = mesh.vertices[t[(i + 1) % 3]] - mesh.vertices[t[i]],
                  b = mesh.vertices[t[(i + 2) % 3]] - mesh.vertices[t[i]];
      const Vec3d n = cross(a, b);
      const double size = norm(n);
      if (size > 0) solid.normals[t[i]] += (std::atan2(size, dot(a, b)) / size) * n;
    }
  for (Vec3d& n : solid.normals) {
    const double size = norm(n);
    n = size > 0 ? (1 / size) * n : Vec3d{};
  }
}

}  // namespace

SolidMesh make_solid(TriangleMesh mesh) {
  SolidMesh solid;
  solid.mesh = std::move(mesh);
  find_edges(solid);
  find_shells(solid);
  find_normals(solid);
  solid.tree = build_bvh(solid.mesh);
  const MeshMass mass = mesh_mass(solid.mesh);
  solid.centroid = mass.centroid;
  solid.inside_out = mass.volume < 0;
  const auto box = mesh_bounds(solid.mesh);
  solid.middle = 0.5 * (box[0] + box[1]);
  solid.radius = 0.5 * norm(box[1] - box[0]);
  return solid;
}

MeshView view(const SolidMesh& solid) {
  const auto count = [](const auto& list) { return static_cast<int>(list.size()); };
  const auto threes = [](const std::vector<std::array<int, 3>>& list) {
    return reinterpret_cast<const int(*)[3]>(list.data());
  };
  const TriangleMesh& mesh = solid.mesh;
  return {count(mesh.vertices),
          count(mesh.triangles),
          count(solid.edges),
          count(solid.shell_vertex),
          mesh.vertices.data(),
          threes(mesh.triangles),
          solid.edges.data(),
          threes(solid.triangle_edges),
          solid.vertex_edges.data(),
          solid.first_edge.data(),
          solid.shell.data(),
          solid.shell_vertex.data(),
          solid.normals.data(),
          solid.tree.view(),
          solid.inside_out,
          solid.centroid,
          solid.middle,
          solid.radius};
}

}  // namespace trammel
