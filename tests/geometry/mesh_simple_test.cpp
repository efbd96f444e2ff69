// Balls and half-spaces against meshes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "geometry/mesh_ball.h"
#include "geometry/mesh_overlap.h"
#include "geometry/mesh_shapes.h"
#include "placements.h"

namespace trammel::mesh_simple_test {
namespace {

SolidMesh box_solid(double a, double b, double c) {
  return make_solid(tessellate({ShapeKind::box, {a, b, c}}, 3));
}

// The distance from a box by its coordinates alone.
TEST(MeshBall, BoxByClamping) {
  Placements random;
  MeshBallOverlaps<double> balls;
  const Vec3d half{1, 0.7, 0.5};
  const SolidMesh box = box_solid(half.x, half.y, half.z);
  int met = 0, inside = 0;
  for (int k = 0; k < 10000; ++k) {
    const Pose<double> at{random.vector(1), random.turn()};
    const Vec3d p = random.vector(1.5);
    Vec3d out, n;
    double most = -HUGE_VAL;
    for (int i = 0; i < 3; ++i) {
      const double d = std::fabs(p[i]) - half[i];
      out[i] = std::copysign(std::max(0.0, d), p[i]);
      if (d > most) {
        most = d;
        n = {};
        n[i] = std::copysign(1.0, p[i]);
      }
    }
    const double distance = most > 0 ? norm(out) : most;
    if (most > 0) n = (1 / distance) * out;
    const auto found = balls.find(0.4, at.r + at.A * p, box, at);
    ASSERT_EQ(found.size(), distance < 0.4 ? 1u : 0u) << k;
    met += !found.empty();
    inside += most < 0;
    if (found.empty()) continue;
    EXPECT_NEAR(found[0].depth, 0.4 - distance, 1e-14);  // rounding
    EXPECT_NEAR(norm(found[0].normal - at.A * n), 0, 1e-12 / std::max(0.01, std::fabs(distance)));
    EXPECT_NEAR(norm(found[0].point - (at.r + at.A * (p - (0.5 * (0.4 + distance)) * n))), 0, 1e-13);
  }
  EXPECT_GT(met, 3000);
  EXPECT_GT(inside, 500);
}

TEST(MeshBall, CornersHaveOneForEachWall) {
  // An L with its corner inward at (1, 1), standing between z = 0 and 4.
  const SolidMesh l = make_solid(extrude({{0, 0}, {4, 0}, {4, 1}, {1, 1}, {1, 4}, {0, 4}}, 4));
  MeshBallOverlaps<double> balls;
  const Pose<double> at{{}, Mat3d::identity()};
  auto found = balls.find(0.5, {1.4, 1.3, 2}, l, at);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(found[0].depth, 0.2, 1e-14);  // the nearest first: y = 1
  EXPECT_NEAR(found[0].normal.y, 1, 1e-14);
  EXPECT_NEAR(found[1].depth, 0.1, 1e-14);
  EXPECT_NEAR(found[1].normal.x, 1, 1e-14);
  // The centre within one wall, and beside the other, which ends at the corner.
  found = balls.find(0.5, {1.4, 0.9, 2}, l, at);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].depth, 0.6, 1e-14);
  // On the edge, on the face, on the corner: one, of the radius.
  for (const Vec3d& p : {Vec3d{4, 1, 2}, Vec3d{3, 1, 2}, Vec3d{4, 1, 4}}) {
    found = balls.find(0.25, p, l, at);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].depth, 0.25, 1e-14);
    EXPECT_NEAR(norm(found[0].normal), 1, 1e-14);
  }
}

TEST(MeshBall, DerivativesByDualNumbers) {
  using Six = Dual<double, 6>;
  Placements random;
  MeshBallOverlaps<double> plain;
  MeshBallOverlaps<Six> dual;
  const SolidMesh mesh = make_solid(tessellate({ShapeKind::frustum, {1, 1, 0.6}}, 9));
  int compared = 0, off = 0;
  for (int k = 0; k < 500; ++k) {
    const Pose<double> at{random.vector(1), random.turn()};
    const Vec3d p = random.vector(1.5);
    Six by[6];
    for (int d = 0; d < 6; ++d) by[d] = Six::variable(0, d);
    const auto exact = dual.find(0.5, {Six(p.x), Six(p.y), Six(p.z)}, mesh, moved(at, by));
    if (exact.size() != 1 || value_of(exact[0].depth) < 0.01) continue;
    for (int d = 0; d < 6; ++d) {
      constexpr double h = 1e-5;
      double up[6] = {}, down[6] = {};
      up[d] = h;
      down[d] = -h;
      const Incident<double> high = plain.find(0.5, p, mesh, moved(at, up))[0],
                             low = plain.find(0.5, p, mesh, moved(at, down))[0];
      const auto compare = [&](double a, double b, const Six& of) {
        ++compared;
        if (std::fabs((a - b) / (2 * h) - of.d[d]) > 1e-6 * (1 + std::fabs(of.d[d]))) ++off;
      };
      compare(high.depth, low.depth, exact[0].depth);
      for (int i = 0; i < 3; ++i) {
        compare(high.normal[i], low.normal[i], exact[0].normal[i]);
        compare(high.point[i], low.point[i], exact[0].point[i]);
      }
    }
  }
  EXPECT_GT(compared, 5000);
  EXPECT_LT(off, compared / 200);  // where the nearest feature changes, and near it, differences are poor
}

// A corner of a cube down: the part below is a tetrahedron of three right angles, V = √3/2 h³.
TEST(MeshCut, CornerDown) {
  MeshOverlaps<double> overlaps;
  const SolidMesh cube = box_solid(1, 1, 1);
  Placements random;
  for (const double h : {1e-6, 0.01, 0.5}) {
    const Mat3d turn = random.turn();
    // The plane through the corner (1, 1, 1), moved in by h along its diagonal.
    const double s = 1 / std::sqrt(3.0), q = 1 / std::sqrt(2.0);
    const Vec3d down = {s, s, s}, u = {q, -q, 0}, v = cross(-down, u);
    const Pose<double> plane{turn * ((std::sqrt(3.0) - h) * down), turn * Mat3d::from_columns(u, v, -down)};
    const auto found = overlaps.find_cut(cube, {{}, turn}, plane);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].volume / (std::sqrt(3.0) / 2 * h * h * h), 1, 1e-13 / h);
    EXPECT_NEAR(found[0].incident.depth, h, 1e-14);
    EXPECT_NEAR(norm(found[0].incident.normal + turn * down), 0, 1e-14);
    EXPECT_NEAR(norm(found[0].centroid - turn * ((std::sqrt(3.0) - 0.75 * h) * down)), 0, 1e-9);
  }
}

TEST(MeshCut, DerivativesByDualNumbers) {
  using Six = Dual<double, 6>;
  Placements random;
  MeshOverlaps<double> plain;
  MeshOverlaps<Six> dual;
  const SolidMesh box = box_solid(1, 0.7, 0.5);
  int compared = 0, off = 0;
  for (int k = 0; k < 200; ++k) {
    const Pose<double> at{random.vector(1), random.turn()}, plane{random.vector(0.1), random.turn()};
    Six by[6], still[6];
    for (int d = 0; d < 6; ++d) by[d] = Six::variable(0, d);
    // Half of them move the plane.
    const auto exact = dual.find_cut(box, k % 2 ? moved(at, by) : moved(at, still),
                                     k % 2 ? moved(plane, still) : moved(plane, by));
    if (exact.size() != 1 || value_of(exact[0].volume) < 0.01) continue;
    for (int d = 0; d < 6; ++d) {
      constexpr double h = 1e-5;
      MeshOverlap<double> ends[2];
      for (int side = 0; side < 2; ++side) {
        double by_h[6] = {};
        by_h[d] = side ? h : -h;
        const auto found =
            k % 2 ? plain.find_cut(box, moved(at, by_h), plane) : plain.find_cut(box, at, moved(plane, by_h));
        ASSERT_EQ(found.size(), 1u);
        ends[side] = found[0];
      }
      const auto compare = [&](double a, double b, const Six& of) {
        ++compared;
        if (std::fabs((a - b) / (2 * h) - of.d[d]) > 1e-6 * (1 + std::fabs(of.d[d]))) ++off;
      };
      compare(ends[1].volume, ends[0].volume, exact[0].volume);
      compare(ends[1].incident.depth, ends[0].incident.depth, exact[0].incident.depth);
      for (int i = 0; i < 3; ++i) {
        compare(ends[1].centroid[i], ends[0].centroid[i], exact[0].centroid[i]);
        compare(ends[1].incident.point[i], ends[0].incident.point[i], exact[0].incident.point[i]);
        compare(ends[1].incident.normal[i], ends[0].incident.normal[i], exact[0].incident.normal[i]);
      }
    }
  }
  EXPECT_GT(compared, 2000);
  EXPECT_LT(off, compared / 500);  // where a corner passes the plane between the two ends
}

TEST(MeshCut, PartsAndDepths) {
  MeshOverlaps<double> overlaps;
  const SolidMesh fork =
      make_solid(extrude({{0, 0}, {5, 0}, {5, 4}, {4, 4}, {4, 1}, {1, 1}, {1, 4}, {0, 4}}, 1));
  // The prongs point to −z of the plane's frame, which lies at y = 3.5.
  const Pose<double> plane{{7, 3.5, -2}, Mat3d::from_columns({0, 0, 1}, {-1, 0, 0}, {0, -1, 0})};
  const auto found = overlaps.find_cut(fork, {{}, Mat3d::identity()}, plane);
  ASSERT_EQ(found.size(), 2u);
  for (const auto& part : found) {
    EXPECT_NEAR(part.volume, 0.5, 1e-13);
    EXPECT_NEAR(part.incident.depth, 0.5, 1e-13);
    EXPECT_NEAR(part.incident.point.y, 3.75, 1e-13);
    EXPECT_NEAR(part.incident.normal.y, -1, 1e-15);
  }
  const SolidMesh cube = box_solid(1, 1, 1);
  for (const double height : {2.0, 1.0, 0.5, -0.5, -1.0, -5.0, -100.0}) {
    const auto cut = overlaps.find_cut(cube, {{0, 0, height}, Mat3d::identity()}, {{}, Mat3d::identity()});
    const double deep = std::max(0.0, 1 - height);
    ASSERT_EQ(cut.size(), deep > 0 ? 1u : 0u) << height;
    if (cut.empty()) continue;
    EXPECT_NEAR(cut[0].volume, 4 * std::min(2.0, deep), 1e-12) << height;
    EXPECT_NEAR(cut[0].incident.depth, deep, 1e-13) << height;
    EXPECT_NEAR(cut[0].incident.normal.z, 1, 1e-15);
  }
}

}  // namespace
}  // namespace trammel::mesh_simple_test
