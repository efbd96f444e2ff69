// Rotation vectors: inverse of the exponential, and the map B of rates seen from half way.
#include <gtest/gtest.h>

#include <numbers>

#include "../support/random.h"
#include "math/rotation_vector.h"

namespace trammel::rotation_vector_test {
namespace {

using namespace test;
constexpr double pi = std::numbers::pi;

/// A vector of that length in a random direction.
Vec3d of_length(Random& random, double length) {
  const Vec3d v = random.vector();
  return (length / norm(v)) * v;
}

TEST(RotationVector, is_the_inverse_of_the_exponential) {
  Random random(1);
  for (double angle : {0.0, 1e-9, 1e-4, 0.1, 0.39, 0.41, 1.0, 2.0, 2.5, 3.0, pi - 1e-3, pi - 1e-6})
    for (int n = 0; n < 30; ++n) {
      Vec3d turn = of_length(random, angle);
      if (n < 6) turn = {n % 3 == 0 ? angle : 0, n % 3 == 1 ? angle : 0, n % 3 == 2 ? angle : 0};
      if (n % 2 == 1) turn = -turn;
      // rounding of exponential(), doubled ten times
      EXPECT_LT(norm(rotation_vector_of(exponential(turn)) - turn), 3e-13) << angle;
    }
}

/// δR = δφ̃ R with T(−ϑ) δϑ = Rᵀδφ: derivatives by dual numbers against those of rates.
TEST(RotationVector, has_the_derivatives_of_the_exponential) {
  Random random(2);
  for (double angle : {0.0, 1e-6, 0.2, 0.4, 1.0, 2.2, 3.0}) {
    const Vec3d turn = of_length(random, angle), rate = random.vector();
    const Vec3d spin = spin_of(turn, rate);
    const Mat3d R = rotation_by(turn), change = skew(spin) * R;
    using D = Dual<double, 1>;
    Mat3<D> moving;
    for (int k = 0; k < 9; ++k) moving.m[k].v = R.m[k], moving.m[k].d[0] = change.m[k];
    const Vec3<D> found = rotation_vector_of(moving);
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(found[k].d[0], rate[k], 1e-12) << angle;  // rounding over sin(angle)
  }
}

TEST(RotationVector, map_of_rates_from_half_way) {
  Random random(3);
  for (double angle : {1e-3, 0.5, 1.9, 2.1, 3.0, 5.0}) {
    const Vec3d turn = of_length(random, angle), v = random.vector();
    const HalfTurnSeries<double> s(dot(turn, turn));
    const Mat3d B = mean_turn(turn);
    const Vec3d back = v - s.e * cross(turn, cross(turn, v));
    EXPECT_LT(norm(B * back - v), 1e-13 * norm(back)) << angle;
    // exp(−ϑ̃/2) T(ϑ) = B
    EXPECT_LT(norm(transpose_times(rotation_by(0.5 * turn), spin_of(turn, v)) - B * v), 1e-13) << angle;
    EXPECT_NEAR(s.c, (1 - std::cos(angle / 2)) * 4 / (angle * angle), 1e-9) << angle;
  }
}

/// Below, at and above the change from series to closed form, at x = ϑ² = 4.
TEST(RotationVector, derivative_of_the_map) {
  for (double x : {0.0, 0.5, 3.9, 4.1, 9.0, 20.0}) {
    const auto e = [&](double h) { return HalfTurnSeries<double>(x + h).e; };
    const double d = x == 0 ? (e(1e-3) - e(0)) / 1e-3 : derivative(e);
    EXPECT_NEAR(HalfTurnSeries<double>(x).de, d, x == 0 ? 1e-6 : 1e-10 * (1 + std::fabs(d))) << x;
  }
  EXPECT_NEAR(HalfTurnSeries<double>(0).e, 1.0 / 24, 1e-16);
  EXPECT_NEAR(HalfTurnSeries<double>(0).de, 7.0 / 5760,
              1e-16);  // (ϑ/2)/sin(ϑ/2) = 1 + ϑ²/24 + 7ϑ⁴/5760 + ...
}

}  // namespace
}  // namespace trammel::rotation_vector_test
