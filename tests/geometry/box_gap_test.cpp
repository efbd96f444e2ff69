// The gap between boxes.
#include "geometry/box_gap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace trammel::box_gap_test {
namespace {

Mat3d turned(const Vec3d& axis, double angle) {
  const Vec3d n = (1 / norm(axis)) * axis;
  Mat3d A;
  for (int k = 0; k < 3; ++k) {
    Vec3d e;
    e[k] = 1;
    const Vec3d x = std::cos(angle) * e + std::sin(angle) * cross(n, e) + (1 - std::cos(angle)) * n[k] * n;
    for (int i = 0; i < 3; ++i) A(i, k) = x[i];
  }
  return A;
}

/// Faces, an edge on a face, and two edges that cross: what plane geometry gives.
TEST(BoxGap, is_known_for_faces_and_edges) {
  const MiddleBox a{{0.5, 0, 0}, {1, 2, 3}}, b{{}, {0.5, 0.5, 0.5}};
  const Pose<double> origin{{}, Mat3d::identity()};
  const double eighth = std::acos(-1.0) / 4;
  EXPECT_NEAR(box_gap(a, origin, b, {{3, 0, 0}, Mat3d::identity()}).width, 3 - 0.5 - 1.5, 1e-15);
  EXPECT_NEAR(box_gap(a, origin, b, {{3, 0, 0}, turned({0, 0, 1}, eighth)}).width, 3 - std::sqrt(0.5) - 1.5,
              1e-15);
  // Edges along z and along y, both seen end on from x.
  const MiddleBox cube{{}, {0.5, 0.5, 0.5}};
  const Pose<double> of_z{{}, turned({0, 0, 1}, eighth)}, of_y{{2, 0, 0}, turned({0, 1, 0}, eighth)};
  EXPECT_NEAR(box_gap(cube, of_z, cube, of_y).width, 2 - 2 * std::sqrt(0.5), 1e-15);
  EXPECT_LT(box_gap(a, origin, b, {{1.9, 0, 0}, Mat3d::identity()}).width, 0);
}

/// A gap is no more than the distance of any two points of the boxes, which it keeps to where one of them is
/// moved along a line: boxes with a common point have none.
TEST(BoxGap, is_below_all_distances) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit(-1, 1);
  const auto vector = [&] { return Vec3d{unit(random), unit(random), unit(random)}; };
  int apart = 0;
  for (int n = 0; n < 500; ++n) {
    MiddleBox box[2];
    Pose<double> at[2];
    Vec3d point[2];
    for (int k = 0; k < 2; ++k) {
      box[k] = {vector(), {1 + unit(random), 1 + unit(random), 1 + unit(random)}};
      at[k] = {2.0 * vector(), turned(vector(), 3 * unit(random))};
    }
    const auto [gap, along] = box_gap(box[0], at[0], box[1], at[1]);
    EXPECT_NEAR(norm(along), 1, 1e-14);
    apart += gap > 0;
    double least = HUGE_VAL;
    for (int m = 0; m < 400; ++m) {
      for (int k = 0; k < 2; ++k) {
        Vec3d x = vector();
        for (int i = 0; i < 3; ++i)
          x[i] = box[k].middle[i] + box[k].half[i] * std::clamp(1.5 * x[i], -1.0, 1.0);
        point[k] = at[k].r + at[k].A * x;
      }
      least = std::min(least, norm(point[0] - point[1]));
    }
    EXPECT_LE(gap, least);
    EXPECT_GE(std::fabs(dot(point[0] - point[1], along)), gap - 1e-14);
    at[1].r += point[0] - point[1];  // both points are the same
    EXPECT_LE(box_gap(box[0], at[0], box[1], at[1]).width, 1e-14);
  }
  EXPECT_GT(apart, 100);
  EXPECT_LT(apart, 400);
}

}  // namespace
}  // namespace trammel::box_gap_test
