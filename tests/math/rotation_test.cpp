// 3-1-3 angles, the angular-velocity map and its derivatives, rotation vectors, small matrices.
#include "math/rotation.h"

#include <gtest/gtest.h>

#include <numbers>

#include "../support/random.h"

namespace trammel::rotation_test {
namespace {

using test::derivative;
using test::largest;
constexpr double pi = std::numbers::pi;
/// Products of a few numbers of size 1: some units of rounding (2e-16).
constexpr double rounding = 2e-15;
/// Fourth-order differences, h = 1e-3, of sums of sines: h^4/30 = 3e-14, rounding 2e-13.
constexpr double difference = 2e-12;

TEST(Rotation, rotation_313_is_the_product_of_three_elementary_rotations) {
  test::Random random(1);
  for (int n = 0; n < 100; ++n) {
    const Vec3d e = random.vector(4);
    const Mat3d product =
        test::exponential({0, 0, e.x}) * test::exponential({e.y, 0, 0}) * test::exponential({0, 0, e.z});
    EXPECT_LT(largest(rotation_313(e) - product), 1e-12);  // three series squared ten times: 3 * 2^10 u
    EXPECT_LT(largest(rotation_313(e) - rotation_z(e.x) * rotation_x(e.y) * rotation_z(e.z)), rounding);
  }
}

TEST(Rotation, angles_313_round_trip) {
  test::Random random(2);
  for (int n = 0; n < 200; ++n) {
    const Mat3d A = random.rotation();
    const Vec3d e = angles_313(A);
    EXPECT_LT(largest(rotation_313(e) - A), 1e-14);
    EXPECT_GE(e.y, 0);
    EXPECT_LE(e.y, pi);
    EXPECT_LE(std::fabs(e.x), pi);
    EXPECT_LE(std::fabs(e.z), pi);
  }
}

TEST(Rotation, angles_313_at_and_near_the_singular_positions) {
  test::Random random(3);
  for (double theta : {0.0, 1e-16, 1e-15, 1e-13, 1e-9, 1e-5})
    for (bool flipped : {false, true})
      for (int n = 0; n < 20; ++n) {
        const Vec3d given{random.uniform(-pi, pi), flipped ? pi - theta : theta, random.uniform(-pi, pi)};
        const Mat3d A = rotation_313(given);
        const Vec3d e = angles_313(A);
        // Below sin theta = 1e-14 the tilt is taken as none.
        EXPECT_LT(largest(rotation_313(e) - A), 2e-14) << theta;
        if (theta < 1e-15 && !flipped) {
          EXPECT_EQ(e.z, 0.0);
          EXPECT_NEAR(std::remainder(e.x - given.x - given.z, 2 * pi), 0, 1e-15);
        }
      }
  // Exactly pi: psi - phi is left.
  const Mat3d turned{{std::cos(0.7), std::sin(0.7), 0, std::sin(0.7), -std::cos(0.7), 0, 0, 0, -1}};
  const Vec3d e = angles_313(turned);
  EXPECT_NEAR(e.x, 0.7, 1e-15);
  EXPECT_NEAR(e.y, pi, 1e-15);
  EXPECT_EQ(e.z, 0);
}

/// Of a motion in a plane results show one angle: what is left of θ is rounding, and ψ and φ its direction.
TEST(Rotation, angles_313_of_results_in_a_plane) {
  test::Random random(5);
  for (double theta : {1e-16, 1e-14, 1e-12, 9e-11}) {
    const Vec3d given{random.uniform(-pi, pi), theta, random.uniform(-pi, pi)};
    const Vec3d e = angles_313(rotation_313(given), parallel_sine);
    EXPECT_NEAR(std::remainder(e.x - given.x - given.z, 2 * pi), 0, 1e-15);
    EXPECT_EQ(e.y, 0.0);
    EXPECT_EQ(e.z, 0.0);
  }
}

TEST(Rotation, angular_velocity_map_is_the_derivative_of_the_rotation) {
  test::Random random(4);
  for (int n = 0; n < 50; ++n) {
    const Vec3d e = random.vector(3), ed = random.vector(2);
    const auto A = [&](double t) { return rotation_313(e + t * ed); };
    // [w]x = A' A^T
    const Vec3d w = test::axial(derivative(A) * transpose(A(0)));
    EXPECT_LT(norm(AngularVelocityMap(e).E * ed - w), 2e-10);  // |A'''''| ~ |ed|^5 ~ 3e2: h^4/30 3e2 = 1e-11
  }
}

TEST(Rotation, derivatives_of_the_angular_velocity_map) {
  test::Random random(5);
  for (int n = 0; n < 50; ++n) {
    const Vec3d e = random.vector(3), ed = random.vector(1), edd = random.vector(1),
                moment = random.vector(1);
    const AngularVelocityMap map(e);
    const auto shifted = [&](int k, double h) {
      Vec3d x = e;
      x[k] += h;
      return AngularVelocityMap(x);
    };
    EXPECT_LT(largest(derivative([&](double h) { return shifted(0, h).E; }) - map.E_psi), difference);
    EXPECT_LT(largest(derivative([&](double h) { return shifted(1, h).E; }) - map.E_theta), difference);
    EXPECT_LT(largest(derivative([&](double h) { return shifted(2, h).E; })), difference);  // no phi in E
    EXPECT_LT(largest(derivative([&](double h) { return shifted(0, h).E_psi; }) - map.E_psi_psi), difference);
    EXPECT_LT(largest(derivative([&](double h) { return shifted(1, h).E_psi; }) - map.E_psi_theta),
              difference);
    EXPECT_LT(largest(derivative([&](double h) { return shifted(0, h).E_theta; }) - map.E_psi_theta),
              difference);
    EXPECT_LT(largest(derivative([&](double h) { return shifted(1, h).E_theta; }) - map.E_theta_theta),
              difference);
    const auto along = [&](double h) { return AngularVelocityMap(e + h * ed).E; };
    EXPECT_LT(largest(derivative(along) - map.rate(ed)), difference);
    for (int k = 0; k < 3; ++k) {
      const auto velocity = [&](double h) { return shifted(k, h).E * ed; };
      const auto acceleration = [&](double h) {
        const AngularVelocityMap m = shifted(k, h);
        return m.E * edd + m.rate(ed) * ed;
      };
      const auto generalized = [&](double h) { return transpose(shifted(k, h).E) * moment; };
      EXPECT_LT(norm(derivative(velocity) - map.velocity_gradient(ed).column(k)), difference);
      EXPECT_LT(norm(derivative(acceleration) - map.acceleration_gradient(ed, edd).column(k)), difference);
      EXPECT_LT(norm(derivative(generalized) - map.moment_gradient(moment).column(k)), difference);
    }
  }
}

TEST(Rotation, rotation_vector_is_the_exponential) {
  test::Random random(6);
  for (double size : {0.0, 1e-12, 1e-9, 0.99e-8, 1.01e-8, 1e-7, 1e-5, 1e-2, 1.0, 3.0, 10.0})
    for (int n = 0; n < 10; ++n) {
      const Vec3d v = random.vector(size);
      const Mat3d A = rotation_vector(v);
      EXPECT_LT(largest(A - test::exponential(v)), 2e-13) << size;  // squared ten times: 2^10 u
      EXPECT_LT(largest(A * transpose(A) - Mat3d::identity()), rounding) << size;
      EXPECT_LT(norm(A * v - v), rounding * (1 + size)) << size;
    }
}

TEST(Rotation, orthonormalized_repairs_rounding_and_keeps_a_rotation) {
  test::Random random(7);
  for (int n = 0; n < 50; ++n) {
    const Mat3d A = random.rotation();
    EXPECT_LT(largest(orthonormalized(A) - A), rounding);
    Mat3d bad = A;
    for (double& x : bad.m) x += random.uniform(-1e-6, 1e-6);
    const Mat3d good = orthonormalized(bad);
    EXPECT_LT(largest(good * transpose(good) - Mat3d::identity()), rounding);
    EXPECT_NEAR(determinant(good), 1, rounding);
    EXPECT_LT(largest(good - A), 1e-5);
  }
}

TEST(SmallMatrices, products_inverse_and_skew) {
  test::Random random(8);
  for (int n = 0; n < 50; ++n) {
    const Mat3d A = Mat3d::from_columns(random.vector(), random.vector(), random.vector());
    const Mat3d B = Mat3d::from_columns(random.vector(), random.vector(), random.vector());
    const Vec3d u = random.vector(), v = random.vector();
    EXPECT_LT(norm(skew(u) * v - cross(u, v)), rounding);
    EXPECT_NEAR(dot(u, cross(u, v)), 0, rounding);
    EXPECT_LT(norm(transpose_times(A, u) - transpose(A) * u), rounding);
    EXPECT_LT(largest(transpose_times(A, B) - transpose(A) * B), rounding);
    EXPECT_LT(norm(outer(u, v) * v - dot(v, v) * u), rounding);
    EXPECT_NEAR(determinant(A * B), determinant(A) * determinant(B), rounding);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(A.row(k)[1], A.column(1)[k]);
    if (std::fabs(determinant(A)) < 0.1) continue;
    EXPECT_LT(largest(A * inverse(A) - Mat3d::identity()), 1e-13);  // condition number below ~1e2
  }
}

}  // namespace
}  // namespace trammel::rotation_test
