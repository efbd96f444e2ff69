#include "geometry/shape.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/nearest.h"

namespace trammel::shape_test {
namespace {

// Farthest points known by name: corners, rims, poles.
TEST(Shape, ReachIsTheFarthestPoint) {
  EXPECT_DOUBLE_EQ(reach({ShapeKind::ball, {2}}), 2);
  EXPECT_DOUBLE_EQ(reach({ShapeKind::ellipsoid, {1, 3, 2}}), 3);
  EXPECT_DOUBLE_EQ(reach({ShapeKind::box, {1, 2, 2}}), 3);
  EXPECT_DOUBLE_EQ(reach({ShapeKind::frustum, {4, 1, 3}}), 5);
  EXPECT_DOUBLE_EQ(reach({ShapeKind::frustum, {1, 7, 0}}), 7);
  EXPECT_DOUBLE_EQ(reach({ShapeKind::torus, {3, 1}}), 4);
  EXPECT_TRUE(std::isinf(reach({ShapeKind::half_space, {}})));
}

// A ball of that radius is inside: about the middle of each shape nothing of its surface is nearer.
TEST(Shape, InnerRadiusIsThatOfABallInside) {
  const std::pair<Shape, Vec3d> cases[] = {{{ShapeKind::ball, {2}}, {}},
                                           {{ShapeKind::ellipsoid, {1, 3, 2}}, {}},
                                           {{ShapeKind::box, {1, 0.5, 2}}, {}},
                                           {{ShapeKind::frustum, {4, 1, 3}}, {0, 0, 2}},
                                           {{ShapeKind::frustum, {1, 7, 6}}, {0, 0, 0.5}},
                                           {{ShapeKind::torus, {3, 1}}, {3, 0, 0}}};
  for (const auto& [shape, middle] : cases) {
    EXPECT_GT(inner_radius(shape), 0);
    EXPECT_LE(inner_radius(shape), -nearest(shape, middle).distance + 1e-15);
  }
  EXPECT_TRUE(std::isinf(inner_radius({ShapeKind::half_space, {}})));
}

}  // namespace
}  // namespace trammel::shape_test
