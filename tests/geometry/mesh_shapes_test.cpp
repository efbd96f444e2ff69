// Meshes of shapes and profiles, and the tree over their triangles.
#include "geometry/mesh_shapes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include "geometry/bvh.h"
#include "geometry/mesh_check.h"
#include "geometry/mesh_mass.h"
#include "geometry/mesh_solid.h"

namespace trammel::mesh_shapes_test {
namespace {

constexpr double pi = std::numbers::pi;

/// The volume, after the check has found nothing to mend.
double sound_volume(TriangleMesh mesh) {
  Diagnostics diagnostics;
  check_mesh(mesh, "shape", diagnostics);
  EXPECT_TRUE(diagnostics.list().empty()) << diagnostics.list()[0].text;
  return mesh_mass(mesh).volume;
}

TEST(MeshShapes, BoxIsExact) {
  const TriangleMesh box = tessellate({ShapeKind::box, {1, 2, 3}}, 3);
  EXPECT_NEAR(sound_volume(box), 48, 1e-13);
  EXPECT_NEAR(mesh_mass(box).inertia(0, 0), 48 * (4. + 9) / 3, 1e-11);
  EXPECT_NEAR(norm(mesh_mass(box).centroid), 0, 1e-15);
}

// Volumes of inscribed meshes come near those of the solids with the square of the sides' length.
TEST(MeshShapes, RoundShapesConverge) {
  const struct {
    Shape shape;
    double volume;
  } cases[] = {{{ShapeKind::ball, {2}}, 32 * pi / 3},     {{ShapeKind::ellipsoid, {1, 2, 3}}, 8 * pi},
               {{ShapeKind::frustum, {3, 1, 2}}, 7 * pi}, {{ShapeKind::frustum, {3, 1, 0}}, pi},
               {{ShapeKind::frustum, {3, 0, 1}}, pi},     {{ShapeKind::torus, {3, 1}}, 6 * pi * pi}};
  for (const auto& c : cases) {
    const double coarse = c.volume - sound_volume(tessellate(c.shape, 32));
    const double fine = c.volume - sound_volume(tessellate(c.shape, 64));
    EXPECT_GT(fine, 0);
    EXPECT_NEAR(coarse / fine, 4, 0.05);  // the next term is of fourth order
  }
}

// A part of a turn has the same share of the sides of the whole, and so of the volume.
TEST(MeshShapes, PartsOfATurn) {
  const std::vector<ProfilePoint> ring = {{2, 0}, {3, 0}, {3, 1}, {2, 1}},
                                  line = {{0, 0}, {2, 0}, {1, 3}, {0, 3}}, cone = {{0, 0}, {2, 0}, {0, 3}};
  for (const auto& profile : {ring, line, cone}) {
    const double whole = sound_volume(revolve(profile, 24));
    for (const int sides : {1, 5, 6, 12, 18, 23})
      EXPECT_NEAR(sound_volume(revolve(profile, 24, 2 * pi * sides / 24)), whole * sides / 24, 1e-12 * whole)
          << sides;
  }
  // Half a turn of a half disc of radius 1 is a quarter of a ball; its centroid is 3/8 of the radius off.
  std::vector<ProfilePoint> half;
  for (int k = 0; k <= 200; ++k) half.push_back({std::sin(pi * k / 200), -std::cos(pi * k / 200)});
  half.front()[0] = half.back()[0] = 0;
  const MeshMass quarter = mesh_mass(revolve(half, 400, pi));
  // Sides of an angle a, 1/64 here, take about a²/6 of an area, along the meridian and about the axis.
  EXPECT_NEAR(quarter.volume, 2 * pi / 3, 3e-4);
  EXPECT_NEAR(quarter.centroid.y, 3.0 / 8, 1e-4);
  EXPECT_NEAR(quarter.centroid.x, 0, 1e-12);
  EXPECT_THROW(revolve(ring, 24, 0), Failure);
  EXPECT_THROW(revolve(ring, 24, 7), Failure);
}

TEST(MeshShapes, FaultsOfProfiles) {
  EXPECT_EQ(fault_of_profile({{0, 0}, {1, 0}, {1, 1}, {0, 1}}), "");
  EXPECT_EQ(fault_of_profile({{0, 0}, {1, 0}, {2, 0}, {2, 1}}), "");
  EXPECT_EQ(fault_of_profile({{0, 0}, {1, 0}}), "a profile of 2 points; from 3 to 1000 are supported");
  EXPECT_EQ(fault_of_profile({{0, 0}, {1, 0}, {1, 0}, {0, 1}}), "points 2 and 3 of its profile are one");
  EXPECT_EQ(fault_of_profile({{0, 0}, {1, 0}, {0, 1}, {0, 0}}), "points 4 and 1 of its profile are one");
  EXPECT_EQ(fault_of_profile({{0, 0}, {2, 0}, {1, 0}, {1, 1}}),
            "its profile turns back on itself at point 2");
  EXPECT_EQ(fault_of_profile({{0, 0}, {1, 1}, {1, 0}, {0, 1}}),
            "its profile meets itself: the side after point 1 and the one after point 3");
  // Touches itself in a corner.
  EXPECT_EQ(fault_of_profile({{0, 0}, {2, 0}, {2, 2}, {1, 0}, {0, 2}}),
            "its profile meets itself: the side after point 1 and the one after point 3");
}

TEST(MeshShapes, ProfilesOfEitherSense) {
  std::vector<ProfilePoint> l = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  EXPECT_NEAR(sound_volume(extrude(l, 2)), 6, 1e-14);
  std::reverse(l.begin(), l.end());
  EXPECT_NEAR(sound_volume(extrude(l, 2)), 6, 1e-14);
  // A square ring of a square: Pappus with the area of the polygon, 4 sides.
  EXPECT_NEAR(sound_volume(revolve({{2, 0}, {3, 0}, {3, 1}, {2, 1}}, 4)), 2 * 9 - 2 * 4, 1e-13);
  EXPECT_THROW(extrude({{0, 0}, {1, 0}}, 1), Failure);
  EXPECT_THROW(revolve(l, 2), Failure);
  EXPECT_THROW(tessellate({ShapeKind::half_space, {}}, 8), Failure);
}

TEST(Bvh, FindsEveryPairWhoseBoxesMeet) {
  const TriangleMesh mesh = tessellate({ShapeKind::torus, {3, 1}}, 12);
  const Bvh tree = build_bvh(mesh);
  EXPECT_EQ(tree.nodes.size(), 2 * mesh.triangles.size() - 1);
  std::set<std::array<int, 2>> found;
  const Pose<double> at{{2.5, 0.3, 0.2}, Mat3d::identity()};
  visit_near_pairs(tree.view(), tree.view(), at, 0, [&](int a, int b) {
    EXPECT_TRUE(found.insert({a, b}).second);
  });
  const auto range = [&](int t, int i) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const int v : mesh.triangles[t]) {
      low = std::min(low, mesh.vertices[v][i]);
      high = std::max(high, mesh.vertices[v][i]);
    }
    return std::pair(low, high);
  };
  std::size_t expected = 0;
  for (int a = 0; a < static_cast<int>(mesh.triangles.size()); ++a)
    for (int b = 0; b < static_cast<int>(mesh.triangles.size()); ++b) {
      bool meet = true;
      for (int i = 0; i < 3; ++i) {
        const auto [p, q] = range(a, i);
        const auto [r, s] = range(b, i);
        meet = meet && p <= s + at.r[i] && r + at.r[i] <= q;
      }
      expected += meet;
      if (meet) {
        EXPECT_TRUE(found.count({a, b}));
      }
    }
  EXPECT_GT(expected, 100u);
  EXPECT_EQ(found.size(), expected);
}

}  // namespace
}  // namespace trammel::mesh_shapes_test
