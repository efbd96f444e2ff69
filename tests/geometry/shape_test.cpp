#include "geometry/shape.h"

#include <gtest/gtest.h>

#include <cmath>

namespace trammel {
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

}  // namespace
}  // namespace trammel
