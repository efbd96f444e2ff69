#include "geometry/mesh_edges.h"

#include <algorithm>
#include <tuple>

namespace trammel {

std::vector<TriangleSide> sorted_sides(const TriangleMesh& mesh) {
  std::vector<TriangleSide> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t)
    for (int i = 0; i < 3; ++i) {
      const int a = mesh.triangles[t][i], b = mesh.triangles[t][(i + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), t, a < b});
    }
  std::sort(sides.begin(), sides.end(), [](const TriangleSide& x, const TriangleSide& y) {
    return std::tie(x.low, x.high, x.triangle) < std::tie(y.low, y.high, y.triangle);
  });
  return sides;
}

}  // namespace trammel
