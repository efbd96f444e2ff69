#include "geometry/mesh_polygon.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

namespace trammel {

namespace {

/// Newell's normal: twice the area vector of the polygon.
Vec3d polygon_normal(const TriangleMesh& mesh, const std::vector<int>& polygon) {
  Vec3d sum;
  const Vec3d& o = mesh.vertices[polygon[0]];
  for (std::size_t k = 1; k + 1 < polygon.size(); ++k)
    sum += cross(mesh.vertices[polygon[k]] - o, mesh.vertices[polygon[k + 1]] - o);
  return sum;
}

/// Whether the corner k may be cut off: it points outward and holds no other vertex.
bool is_ear(const TriangleMesh& mesh, const std::vector<int>& polygon, std::size_t k, const Vec3d& normal) {
  const std::size_t n = polygon.size();
  const int corner[3] = {polygon[(k + n - 1) % n], polygon[k], polygon[(k + 1) % n]};
  const Vec3d* p[3];
  for (int i = 0; i < 3; ++i) p[i] = &mesh.vertices[corner[i]];
  const auto turn = [&](const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    return dot(cross(b - a, c - a), normal);
  };
  if (turn(*p[0], *p[1], *p[2]) <= 0) return false;
  for (const int v : polygon) {
    if (v == corner[0] || v == corner[1] || v == corner[2]) continue;
    const Vec3d& q = mesh.vertices[v];
    if (turn(*p[0], *p[1], q) >= 0 && turn(*p[1], *p[2], q) >= 0 && turn(*p[2], *p[0], q) >= 0) return false;
  }
  return true;
}

using Cell = std::array<std::int64_t, 3>;

/// Vertices that stand for those near them, by cells as wide as the tolerance.
class Representatives {
 public:
  Representatives(double tolerance, const Vec3d& corner) : tolerance_(tolerance), corner_(corner) {}

  /// The vertex that stands for v; v itself if there is none yet.
  int of(const std::vector<Vec3d>& vertices, int v) {
    Cell at;
    for (int i = 0; i < 3; ++i)
      at[i] = static_cast<std::int64_t>(std::floor((vertices[v][i] - corner_[i]) / tolerance_));
    for (int k = 0; k < 27; ++k) {
      const auto found = cells_.find({at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1, at[2] + k / 9 - 1});
      if (found == cells_.end()) continue;
      for (const int other : found->second)
        if (norm(vertices[other] - vertices[v]) <= tolerance_) return other;
    }
    cells_[at].push_back(v);
    return v;
  }

 private:
  double tolerance_;
  Vec3d corner_;
  std::map<Cell, std::vector<int>> cells_;
};

}  // namespace

void cut_polygon(TriangleMesh& mesh, std::vector<int> polygon) {
  const Vec3d normal = polygon_normal(mesh, polygon);
  std::size_t at = 1;
  while (polygon.size() > 3) {
    const std::size_t n = polygon.size();
    std::size_t tried = 0;
    while (tried < n && !is_ear(mesh, polygon, (at + tried) % n, normal)) ++tried;
    at = (at + (tried < n ? tried : 0)) % n;
    mesh.triangles.push_back({polygon[(at + n - 1) % n], polygon[at], polygon[(at + 1) % n]});
    polygon.erase(polygon.begin() + static_cast<std::ptrdiff_t>(at));
  }
  mesh.triangles.push_back({polygon[0], polygon[1], polygon[2]});
}

int merge_vertices(TriangleMesh& mesh, double tolerance) {
  const int count = static_cast<int>(mesh.vertices.size());
  std::vector<int> stands(count), used(count, -1);
  Representatives representatives(std::max(tolerance, 1e-300), mesh_bounds(mesh)[0]);
  int moved = 0;
  for (int v = 0; v < count; ++v) {
    stands[v] = representatives.of(mesh.vertices, v);
    if (norm(mesh.vertices[stands[v]] - mesh.vertices[v]) > 0) ++moved;
  }
  std::vector<Vec3d> kept;
  for (auto& triangle : mesh.triangles)
    for (int& v : triangle) {
      const int s = stands[v];
      if (used[s] < 0) {
        used[s] = static_cast<int>(kept.size());
        kept.push_back(mesh.vertices[s]);
      }
      v = used[s];
    }
  mesh.vertices = std::move(kept);
  return moved;
}

std::array<Vec3d, 2> mesh_bounds(const TriangleMesh& mesh) {
  std::array<Vec3d, 2> box;
  if (!mesh.vertices.empty()) box[0] = box[1] = mesh.vertices[0];
  for (const Vec3d& p : mesh.vertices)
    for (int i = 0; i < 3; ++i) {
      box[0][i] = std::min(box[0][i], p[i]);
      box[1][i] = std::max(box[1][i], p[i]);
    }
  return box;
}

double mesh_size(const TriangleMesh& mesh) {
  const auto box = mesh_bounds(mesh);
  return norm(box[1] - box[0]);
}

}  // namespace trammel
