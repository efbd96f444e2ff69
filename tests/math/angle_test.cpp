#include "math/angle.h"

#include <gtest/gtest.h>

#include <numbers>

namespace trammel::test::angle_test {
namespace {

constexpr double pi = std::numbers::pi;

/// The angle on the same ray that is nearest to the last one, sought among all of a few turns.
TEST(ContinuedAngle, IsTheNearestOnItsRay) {
  for (double last = -30; last < 30; last += 0.37)
    for (const double principal : {-3.1, -1.0, 0.0, 0.5, 2.9}) {
      double nearest = principal;
      for (int turns = -7; turns <= 7; ++turns)
        if (std::abs(principal + 2 * pi * turns - last) < std::abs(nearest - last))
          nearest = principal + 2 * pi * turns;
      EXPECT_NEAR(continued_angle(principal, last), nearest, 1e-14);  // rounding of 44 radians: 7e-15
    }
}

/// Half a turn from the last value, where two are equally near, no turn is added: what starts at 180° stays
/// there.
TEST(ContinuedAngle, HalfATurnStays) {
  EXPECT_EQ(continued_angle(pi, 0.0), pi);
  EXPECT_EQ(continued_angle(-pi, 0.0), -pi);
}

TEST(ContinuedAngle, KeepsDerivatives) {
  Dual<double, 2> angle(-3.0);
  angle.d[0] = 2.5;
  angle.d[1] = -1;
  const Dual<double, 2> found = continued_angle(angle, 3.0);
  EXPECT_DOUBLE_EQ(found.v, -3.0 + 2 * pi);
  EXPECT_EQ(found.d[0], 2.5);
  EXPECT_EQ(found.d[1], -1);
}

}  // namespace
}  // namespace trammel::test::angle_test
