// The laws of friction alone: bounds, ends of the regimes, smoothness.
#include "element/friction.h"

#include <gtest/gtest.h>

#include "../support/random.h"

namespace trammel::friction_test {
namespace {

using test::Random;

/// c by v and z of n components.
template <int n>
void multiple(const StickSlip& law, const double (&v)[n], const double (&z)[n], double (&c)[n]) {
  double u[n], d[n];
  for (int k = 0; k < n; ++k) u[k] = v[k] / law.velocity, d[k] = z[k] / law.deformation;
  const auto parts = law.parts(times(u, u, n), times(d, d, n));
  for (int k = 0; k < n; ++k) c[k] = parts.a * u[k] + parts.b * d[k];
}
double multiple(const StickSlip& law, double v, double z) {
  double c[1];
  multiple<1>(law, {v}, {z}, c);
  return c[0];
}

TEST(FrictionLaw, without_creep_it_is_step_between_the_velocities) {
  const StickSlip law{0.2, 1.5, 0.6, 0.01};
  const auto step = [](double x, double x0, double h0, double x1, double h1) {
    const double d = (x - x0) / (x1 - x0);
    return h0 + (h1 - h0) * d * d * (3 - 2 * d);
  };
  for (double v = -0.199; v < 0.2; v += 0.01)
    EXPECT_NEAR(multiple(law, v, 0), step(v, -0.2, -1, 0.2, 1), 1e-14);
  for (double v = 0.201; v < 0.3; v += 0.01)
    EXPECT_NEAR(multiple(law, v, 0.005), step(v, 0.2, 1, 0.3, 0.6), 1e-14);
  EXPECT_EQ(multiple(law, 7, 0.005), 0.6);
  EXPECT_EQ(multiple(law, -7, 0.005), -0.6);
}

TEST(FrictionLaw, at_rest_it_is_step_of_the_creep) {
  const StickSlip law{0.2, 1.5, 0.6, 0.01};
  for (double z = -0.0099; z < 0.01; z += 0.001) {
    const double d = (z + 0.01) / 0.02;
    EXPECT_NEAR(multiple(law, 0, z), -1 + 2 * d * d * (3 - 2 * d), 1e-14);
  }
  EXPECT_NEAR(multiple(law, 0, 0.02), 1, 1e-15);  // never more than the limit
}

/// |c| ≤ 1 in one, two and three components; in one it grows with v, so friction never feeds a motion at
/// rest.
TEST(FrictionLaw, stays_below_its_limit_and_grows_with_velocity) {
  Random random(5);
  const StickSlip law{0.2, 1.5, 1, 0.01};
  for (int trial = 0; trial < 20000; ++trial) {
    double v[3], z[3], c[3];
    for (int k = 0; k < 3; ++k) v[k] = random.uniform(-0.3, 0.3), z[k] = random.uniform(-0.01, 0.01);
    multiple<3>(law, v, z, c);
    EXPECT_LE(times(c, c, 3), 1 + 1e-12);
    EXPECT_GE(multiple(law, v[0] + 1e-3, z[0]) - multiple(law, v[0], z[0]), -1e-15);
  }
}

/// Value and slope agree from both sides where branches meet. Slopes are of size 1/V = 5, differences of 1e-7
/// err by their second derivatives, 1e2 × 1e-7.
TEST(FrictionLaw, is_smooth_at_rest_and_between_regimes) {
  const StickSlip law{0.2, 1.5, 0.6, 0.01};
  const double h = 1e-7;
  for (const double z : {0.0, 0.004, -0.009, 0.01})
    for (const double v : {0.0, 0.2, -0.2, 0.3, -0.3}) {
      const double left = (multiple(law, v, z) - multiple(law, v - h, z)) / h,
                   right = (multiple(law, v + h, z) - multiple(law, v, z)) / h;
      EXPECT_NEAR(left, right, 2e-4) << v << " " << z;
    }
}

/// The creep ends at Δ: outward it stops there, back it is free.
TEST(FrictionLaw, creep_does_not_grow_beyond_its_limit) {
  const StickSlip law{0.2, 1.5, 0.6, 0.01};
  const auto rate = [&](double v, double z) {
    const double d = z / law.deformation;
    return v - law.hold(v * d, d * d) * d;
  };
  EXPECT_EQ(rate(0.1, 0.0089), 0.1);
  EXPECT_NEAR(rate(0.1, 0.01), 0, 1e-16);
  EXPECT_NEAR(rate(0.1, 0.012), 0, 1e-16);
  EXPECT_EQ(rate(-0.1, 0.01), -0.1);
  EXPECT_NEAR(rate(0.1, 0.01 * std::sqrt(0.905)), 0.05, 1e-12);  // half-way between 0.81 and 1
}

TEST(FrictionLaw, bristles_rest_without_slip_and_settle_at_the_stribeck_curve) {
  const Bristles law{1000, 0, 0, 0.5, 0.3, 0.04, 1.5};
  EXPECT_EQ(law.release(0.0), 0);
  const double v = 0.05, z = v / law.release(v * v);
  EXPECT_NEAR(law.stiffness * z, 0.3 + 0.2 * std::exp(-std::pow(v / 0.04, 1.5)), 1e-14);
}

}  // namespace
}  // namespace trammel::friction_test
