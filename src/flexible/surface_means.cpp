#include "flexible/surface_means.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <span>

namespace trammel {

namespace {

/// Places in an element of the nodes of a face: corners, then those between them.
std::vector<int> nodes_of_face(const SolidKind& kind, const SolidTopology& t,
                               const SolidTopology::Face& face) {
  const int n = face[3] < 0 ? 3 : 4;
  std::vector<int> out(face.begin(), face.begin() + n);
  for (int k = 0; k < n && kind.nodes > t.corners; ++k) {
    const SolidTopology::Edge ends{face[k], face[(k + 1) % n]}, turned{ends[1], ends[0]};
    const auto at =
        std::find_if(t.edges.begin(), t.edges.end(), [&](const auto& e) { return e == ends || e == turned; });
    out.push_back(t.corners + static_cast<int>(at - t.edges.begin()));
  }
  return out;
}

/// A point of a face with shape functions of its nodes, their derivatives by both coordinates, and its
/// weight.
struct FacePoint {
  std::vector<double> N, by_r, by_s;
  double weight;
};

FacePoint quadrilateral_point(double r, double s, double weight, bool quadratic) {
  constexpr double at[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  FacePoint p{{}, {}, {}, weight};
  for (const auto& [a, b] : at) {
    const double R = 1 + a * r, S = 1 + b * s, more = quadratic ? a * r + b * s - 1 : 1;
    p.N.push_back(0.25 * R * S * more);
    p.by_r.push_back(0.25 * a * S * (more + (quadratic ? R : 0)));
    p.by_s.push_back(0.25 * b * R * (more + (quadratic ? S : 0)));
  }
  for (int k = 0; quadratic && k < 4; ++k) {
    const bool along_r = k % 2 == 0;  // between corners of the same s
    const double sign = along_r ? at[k][1] : at[k][0];
    const double x = along_r ? r : s, across = 1 + sign * (along_r ? s : r);
    p.N.push_back(0.5 * (1 - x * x) * across);
    (along_r ? p.by_r : p.by_s).push_back(-x * across);
    (along_r ? p.by_s : p.by_r).push_back(0.5 * sign * (1 - x * x));
  }
  return p;
}

FacePoint triangle_point(double r, double s, double weight, bool quadratic) {
  const double L[3] = {1 - r - s, r, s}, dr[3] = {-1, 1, 0}, ds[3] = {-1, 0, 1};
  FacePoint p{{}, {}, {}, weight};
  for (int k = 0; k < 3; ++k) {
    const double slope = quadratic ? 4 * L[k] - 1 : 1;
    p.N.push_back(quadratic ? L[k] * (2 * L[k] - 1) : L[k]);
    p.by_r.push_back(slope * dr[k]);
    p.by_s.push_back(slope * ds[k]);
  }
  for (int k = 0; quadratic && k < 3; ++k) {
    const int m = (k + 1) % 3;
    p.N.push_back(4 * L[k] * L[m]);
    p.by_r.push_back(4 * (dr[k] * L[m] + L[k] * dr[m]));
    p.by_s.push_back(4 * (ds[k] * L[m] + L[k] * ds[m]));
  }
  return p;
}

/// Points of integration, exact for N_a N_b on flat faces with straight sides: 3 × 3 points of Gauss; six
/// points of degree four on triangles (Strang and Fix).
std::vector<FacePoint> points_of_face(bool triangle, bool quadratic) {
  std::vector<FacePoint> out;
  if (!triangle) {
    const double x[3] = {-std::sqrt(0.6), 0, std::sqrt(0.6)}, w[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) out.push_back(quadrilateral_point(x[i], x[j], w[i] * w[j], quadratic));
    return out;
  }
  constexpr double a[2] = {0.445948490915965, 0.091576213509771},
                   w[2] = {0.223381589678011, 0.109951743655322};
  for (int k = 0; k < 2; ++k)
    for (const auto& [r, s] : {std::array{a[k], a[k]}, {1 - 2 * a[k], a[k]}, {a[k], 1 - 2 * a[k]}})
      out.push_back(triangle_point(r, s, 0.5 * w[k], quadratic));
  return out;
}

}  // namespace

std::vector<SurfaceEntry> surface_entries(const InputMesh& mesh, const std::vector<int>& nodes) {
  std::map<std::array<int, 2>, double> sum;
  std::set<std::vector<int>> seen;
  const auto place = [&](int id) {
    const auto at = std::lower_bound(nodes.begin(), nodes.end(), id);
    return at != nodes.end() && *at == id ? static_cast<int>(at - nodes.begin()) : -1;
  };
  for (const InputElements& group : mesh.elements) {
    if (!group.kind) continue;
    const SolidTopology t = solid_topology(group.kind->family);
    for (const SolidTopology::Face& corners : t.faces) {
      const std::vector<int> local = nodes_of_face(*group.kind, t, corners);
      const std::vector<FacePoint> points = points_of_face(corners[3] < 0, (group.kind->nodes > t.corners));
      for (std::size_t e = 0; e < group.id.size(); ++e) {
        std::vector<int> at;
        for (const int k : local) at.push_back(place(group.node[e * group.kind->nodes + k]));
        std::vector<int> sorted = at;
        std::sort(sorted.begin(), sorted.end());
        if (sorted[0] < 0 || !seen.insert(sorted).second) continue;
        for (const FacePoint& p : points) {
          Vec3d by_r{}, by_s{};
          for (std::size_t k = 0; k < at.size(); ++k) {
            const Vec3d& x = mesh.node.at(nodes[at[k]]);
            by_r += p.by_r[k] * x;
            by_s += p.by_s[k] * x;
          }
          const double area = p.weight * norm(cross(by_r, by_s));
          for (std::size_t k = 0; k < at.size(); ++k)
            for (std::size_t m = 0; m < at.size(); ++m)
              if (at[k] <= at[m]) sum[{at[k], at[m]}] += area * p.N[k] * p.N[m];
        }
      }
    }
  }
  std::vector<SurfaceEntry> out;
  for (const auto& [pair, value] : sum) out.push_back({pair[0], pair[1], value});
  return out;
}

}  // namespace trammel
