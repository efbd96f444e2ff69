// Solids that are not convex in random places: what they have in common, with each other and with the ground,
// against sums over convex parts, and their distance from balls.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "convex_overlap.h"
#include "geometry/mesh_ball.h"
#include "geometry/mesh_overlap.h"
#include "geometry/mesh_shapes.h"
#include "placements.h"

namespace trammel::hollow_pairs_test {
namespace {

constexpr int placements = 10000;

/// An L and a ring of six straight pieces as convex parts without common volume; the mesh of each part knows
/// nothing of the others.
struct InParts {
  TriangleMesh whole;
  std::vector<TriangleMesh> part;
};
TriangleMesh shifted(TriangleMesh mesh, const Vec3d& by) {
  for (Vec3d& v : mesh.vertices) v = v + by;
  return mesh;
}
InParts l_in_parts() {
  const auto bar = [](double x, double y) { return tessellate({ShapeKind::box, {x / 2, y / 2, 0.25}}, 3); };
  return {extrude({{0, 0}, {1, 0}, {1, 0.4}, {0.4, 0.4}, {0.4, 1}, {0, 1}}, 0.5),
          {shifted(bar(1, 0.4), {0.5, 0.2, 0.25}), shifted(bar(0.4, 0.6), {0.2, 0.7, 0.25})}};
}
/// Its section is a square, so that a part of it is between two planes through the axis.
InParts ring_in_parts() {
  const std::vector<ProfilePoint> section{{0.5, -0.2}, {0.9, -0.2}, {0.9, 0.2}, {0.5, 0.2}};
  InParts ring{revolve(section, 6), {}};
  for (int k = 0; k < 6; ++k) {
    const auto place = [&](const ProfilePoint& p, int side) {
      const double angle = (k + side) * M_PI / 3;
      return Vec3d{p[0] * std::cos(angle), p[0] * std::sin(angle), p[1]};
    };
    TriangleMesh part;
    for (int side = 0; side < 2; ++side)
      for (const ProfilePoint& p : section) part.vertices.push_back(place(p, side));
    for (const auto& [a, b, c, d] :
         {std::array{0, 1, 2, 3}, std::array{7, 6, 5, 4}, std::array{0, 4, 5, 1}, std::array{1, 5, 6, 2},
          std::array{2, 6, 7, 3}, std::array{3, 7, 4, 0}}) {
      part.triangles.push_back({a, b, c});
      part.triangles.push_back({a, c, d});
    }
    ring.part.push_back(std::move(part));
  }
  return ring;
}
/// Volume and first moment that the parts have in common with others, each two by their planes.
struct Common {
  double volume = 0;
  Vec3d moment;
  void add(const std::vector<HalfSpace>& planes) {
    const ConvexOverlap both = convex_overlap(planes);
    if (!(both.volume > 0)) return;
    volume += both.volume;
    moment += both.volume * both.centroid;
  }
};
/// A convex part in its place: its planes and corners.
struct PlacedPart {
  std::vector<HalfSpace> planes;
  std::vector<Vec3d> corners;
};
std::vector<PlacedPart> placed(const InParts& solid, const Pose<double>& at, int owner) {
  std::vector<PlacedPart> parts;
  for (const TriangleMesh& mesh : solid.part) {
    PlacedPart& part = parts.emplace_back();
    add_planes(part.planes, mesh, at, owner);
    for (const Vec3d& v : mesh.vertices) part.corners.push_back(at.r + at.A * v);
  }
  return parts;
}
/// Whether all corners of one are beyond a plane of the other: nothing is common then.
bool beyond_a_plane(const PlacedPart& of, const PlacedPart& corners) {
  return std::any_of(of.planes.begin(), of.planes.end(), [&](const HalfSpace& h) {
    return std::all_of(corners.corners.begin(), corners.corners.end(),
                       [&](const Vec3d& x) { return dot(h.n, x) > h.d; });
  });
}
Common common_of(const InParts& a, const Pose<double>& at_a, const InParts& b, const Pose<double>& at_b) {
  Common sum;
  const std::vector<PlacedPart> first = placed(a, at_a, 0), second = placed(b, at_b, 1);
  for (const PlacedPart& p : first)
    for (const PlacedPart& q : second) {
      if (beyond_a_plane(p, q) || beyond_a_plane(q, p)) continue;
      std::vector<HalfSpace> planes = p.planes;
      planes.insert(planes.end(), q.planes.begin(), q.planes.end());
      sum.add(planes);
    }
  return sum;
}
/// 1e-9 of sizes of 1. `thin`: less volume than that may be left out, and makes no part.
template <class Found>
void expect_common(const Found& found, const Common& expected, int n) {
  constexpr double thin = 1e-9;
  Common sum;
  for (const auto& x : found) {
    sum.volume += x.volume;
    sum.moment += x.volume * x.centroid;
    EXPECT_GT(x.incident.depth, 0) << n;
    EXPECT_NEAR(norm(x.incident.normal), 1, 1e-12) << n;
  }
  EXPECT_NEAR(sum.volume, expected.volume, thin) << n;
  EXPECT_LT(norm(sum.moment - expected.moment), thin) << n;
  EXPECT_TRUE(!found.empty() || expected.volume <= thin) << n;
}

/// Solids that are not convex, against sums over convex parts.
TEST(HollowPairs, by_their_parts) {
  Placements random;
  const InParts l = l_in_parts(), ring = ring_in_parts();
  const struct {
    const char* name;
    const InParts &a, &b;
  } rows[] = {{"l_l", l, l}, {"ring_l", ring, l}, {"ring_ring", ring, ring}};
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const SolidMesh I = make_solid(row.a.whole), J = make_solid(row.b.whole);
    static MeshOverlaps<double> overlaps;
    int met = 0;
    for (int n = 0; n < placements && !HasFailure(); ++n) {
      const Pose<double> at_I{random.vector(0.7), random.turn()}, at_J{random.vector(0.2), random.turn()};
      const Common expected = common_of(row.a, at_I, row.b, at_J);
      met += expected.volume > 1e-6;
      expect_common(overlaps.find(I, at_I, J, at_J), expected, n);
    }
    EXPECT_GT(met, placements / 4);
  }
}

/// The same on the ground: the half-space is one more plane of each part.
TEST(HollowPairs, on_ground_by_their_parts) {
  Placements random;
  for (const InParts& solid : {l_in_parts(), ring_in_parts()}) {
    const SolidMesh I = make_solid(solid.whole);
    static MeshOverlaps<double> overlaps;
    for (int n = 0; n < placements && !HasFailure(); ++n) {
      const Pose<double> at{random.vector(0.6), random.turn()}, ground{random.vector(0.3), random.turn()};
      const Vec3d up = ground.A.column(2);
      Common expected;
      double low = HUGE_VAL;
      for (const TriangleMesh& p : solid.part) {
        std::vector<HalfSpace> planes;
        add_planes(planes, p, at, 0);
        planes.push_back({up, dot(up, ground.r), 1});
        expected.add(planes);
        for (const Vec3d& v : p.vertices) low = std::min(low, dot(up, at.r + at.A * v - ground.r));
      }
      const auto found = overlaps.find_cut(I, at, ground);
      expect_common(found, expected, n);
      double deepest = 0;
      for (const auto& x : found) {
        EXPECT_LT(norm(x.incident.normal - up), 1e-12) << n;
        deepest = std::max(deepest, x.incident.depth);
      }
      EXPECT_LE(deepest, std::max(0.0, -low) + 1e-12) << n;
      EXPECT_EQ(deepest > 0, low < 0) << n << " " << low;
    }
  }
}

/// A ball outside of an L is as far from it as from the nearer of its two bars.
TEST(HollowPairs, balls_by_distance) {
  Placements random;
  const SolidMesh solid = make_solid(l_in_parts().whole);
  MeshBallOverlaps<double> balls;
  int met = 0;
  for (int n = 0; n < placements; ++n) {
    const Pose<double> at_J{random.vector(0.2), random.turn()};
    const Vec3d p = Vec3d{0.5, 0.5, 0.25} + random.vector(1);
    const auto from_bar = [&](const Vec3d& low, const Vec3d& high) {
      Vec3d nearest;
      for (int c = 0; c < 3; ++c) nearest[c] = std::clamp(p[c], low[c], high[c]);
      return norm(p - nearest);
    };
    const double distance = std::min(from_bar({0, 0, 0}, {1, 0.4, 0.5}), from_bar({0, 0, 0}, {0.4, 1, 0.5}));
    if (distance == 0) continue;  // the middle is inside
    const auto got = balls.find(0.3, at_J.r + at_J.A * p, solid, at_J);
    EXPECT_EQ(got.empty(), distance >= 0.3) << n;
    met += !got.empty();
    double deepest = -HUGE_VAL;
    for (const auto& x : got) deepest = std::max(deepest, x.depth);
    if (got.empty()) continue;
    EXPECT_NEAR(deepest, 0.3 - distance, 1e-12) << n;
  }
  EXPECT_GT(met, 1000);
}

}  // namespace
}  // namespace trammel::hollow_pairs_test
