// Force laws: objectivity, action and reaction, and values against formulas written out here.
#include <gtest/gtest.h>

#include <numbers>

#include "../support/random.h"
#include "element/applied_force.h"
#include "element/bushing.h"
#include "element/springdamper.h"
#include "math/rotation.h"

namespace trammel::force_test {
namespace {

constexpr double pi = std::numbers::pi;
/// Sums of a few products of numbers of size up to 10.
constexpr double rounding = 1e-13;

using Kin = MarkerKinematics<double>;

Kin random_marker(test::Random& random) {
  return {random.vector(), random.rotation(), random.vector(),
          random.vector(), random.vector(),   random.vector()};
}

/// The marker as seen after the motion x -> c + R x that moves on with velocity u + W × (x − c).
Kin carried(const Kin& m, const Mat3d& R, const Vec3d& c, const Vec3d& u, const Vec3d& W) {
  const Vec3d r = c + R * m.r;
  return {r, R * m.A, R * m.v + u + cross(W, r - c), R * m.w + W, m.a, m.alpha};
}

Vec3d moment_about_origin(const WrenchPair<double>& w, const Vec3d& ri, const Vec3d& rj) {
  return w.ti + cross(ri, w.fi) + w.tj + cross(rj, w.fj);
}

template <class Law>
void expect_objective(const Law& law, std::uint32_t seed) {
  test::Random random(seed);
  for (int n = 0; n < 50; ++n) {
    const Kin I = random_marker(random), J = random_marker(random);
    const Mat3d R = random.rotation();
    const Vec3d c = random.vector(3), u = random.vector(), W = random.vector();
    const WrenchPair<double> w = law(I, J), moved = law(carried(I, R, c, u, W), carried(J, R, c, u, W));
    EXPECT_LT(norm(moved.fi - R * w.fi), rounding);
    EXPECT_LT(norm(moved.ti - R * w.ti), rounding);
    EXPECT_LT(norm(moved.fj - R * w.fj), rounding);
    EXPECT_LT(norm(moved.tj - R * w.tj), rounding);
  }
}

template <class Law>
void expect_equilibrium(const Law& law, std::uint32_t seed) {
  test::Random random(seed);
  for (int n = 0; n < 50; ++n) {
    const Kin I = random_marker(random), J = random_marker(random);
    const WrenchPair<double> w = law(I, J);
    EXPECT_LT(norm(w.fi + w.fj), rounding);
    EXPECT_LT(norm(moment_about_origin(w, I.r, J.r)), rounding);
  }
}

const SpringDamper translational{false, 3.0, 0.7, 1.2, 0.5}, rotational{true, 2.0, 0.3, 0.4, -0.6};
const Bushing bushing{{1, 2, 3},       {0.1, 0.2, 0.3},  {4, 5, 6},
                      {0.4, 0.5, 0.6}, {0.7, -0.8, 0.9}, {-0.3, 0.2, 0.1}};
const double no_turns[3] = {0, 0, 0};

TEST(SpringDamper, is_objective_and_in_equilibrium) {
  for (const SpringDamper& p : {translational, rotational}) {
    const auto law = [&](const Kin& I, const Kin& J) { return wrench(p, I, J, no_turns); };
    expect_objective(law, 31);
    expect_equilibrium(law, 32);
  }
}

TEST(SpringDamper, translational_values) {
  test::Random random(33);
  for (int n = 0; n < 20; ++n) {
    const Kin I = random_marker(random), J = random_marker(random);
    // length and its rate by components
    const double dx = I.r.x - J.r.x, dy = I.r.y - J.r.y, dz = I.r.z - J.r.z;
    const double length = std::sqrt(dx * dx + dy * dy + dz * dz);
    const double rate = (dx * (I.v.x - J.v.x) + dy * (I.v.y - J.v.y) + dz * (I.v.z - J.v.z)) / length;
    const double f = 0.5 - 3.0 * (length - 1.2) - 0.7 * rate;
    const WrenchPair<double> w = wrench(translational, I, J, nullptr);
    EXPECT_NEAR(w.fi.x, f * dx / length, rounding);
    EXPECT_NEAR(w.fi.y, f * dy / length, rounding);
    EXPECT_NEAR(w.fi.z, f * dz / length, rounding);
    EXPECT_EQ(norm(w.ti) + norm(w.tj), 0);
  }
  // Stretched by 0.3 along x and at rest: pulled back.
  Kin I{}, J{};
  I.A = J.A = Mat3d::identity();
  I.r = {1.5, 0, 0};
  EXPECT_NEAR(wrench(translational, I, J, nullptr).fi.x, 0.5 - 3 * 0.3, rounding);
  I.r = J.r;  // no direction
  EXPECT_FALSE(std::isfinite(wrench(translational, I, J, nullptr).fi.x));
}

TEST(SpringDamper, rotational_values_and_revolutions) {
  for (double angle : {-2.5, 0.3, 1.9, 8.0, -20.0}) {
    Kin I{}, J{};
    J.A = rotation_x(0.8);
    I.A = J.A * rotation_z(angle);
    I.w = 0.9 * J.A.column(2) + 5.0 * J.A.column(0);  // only the part about z counts
    const double last = angle - 0.4;
    const WrenchPair<double> w = wrench(rotational, I, J, &last);
    const double torque = -0.6 - 2.0 * (angle - 0.4) - 0.3 * 0.9;
    EXPECT_LT(norm(w.ti - torque * J.A.column(2)), 1e-12);
    EXPECT_LT(norm(w.ti + w.tj), 1e-15);
    EXPECT_EQ(norm(w.fi) + norm(w.fj), 0);
  }
}

TEST(BushingLaw, is_objective_and_in_equilibrium) {
  const auto law = [&](const Kin& I, const Kin& J) { return wrench(bushing, I, J, no_turns); };
  expect_objective(law, 34);
  expect_equilibrium(law, 35);
}

TEST(BushingLaw, values_in_the_axes_of_j) {
  test::Random random(36);
  for (int n = 0; n < 20; ++n) {
    const Kin I = random_marker(random), J = random_marker(random);
    const WrenchPair<double> w = wrench(bushing, I, J, no_turns);
    for (int k = 0; k < 3; ++k) {
      const Vec3d axis = J.A.column(k);
      // displacement along a moving axis, and its rate d/dt (d·axis) = ḋ·axis + d·(ω_J × axis)
      const Vec3d d = I.r - J.r;
      const double x = dot(d, axis), v = dot(I.v - J.v, axis) + dot(d, cross(J.w, axis));
      EXPECT_NEAR(dot(w.fi, axis), bushing.force[k] - bushing.k[k] * x - bushing.c[k] * v, rounding);
    }
    const Mat3d r = transpose(J.A) * I.A;
    const double angle[3] = {std::atan2(-r(1, 2), r(2, 2)), std::atan2(r(0, 2), r(2, 2)),
                             std::atan2(r(1, 0), r(0, 0))};
    for (int k = 0; k < 3; ++k) {
      const Vec3d axis = J.A.column(k);
      const double spin = dot(I.w - J.w, axis);
      EXPECT_NEAR(dot(w.ti, axis), bushing.torque[k] - bushing.kt[k] * angle[k] - bushing.ct[k] * spin,
                  1e-12);
    }
  }
}

TEST(BushingLaw, turns_about_one_axis_are_that_angle) {
  for (int axis = 0; axis < 3; ++axis)
    for (double angle : {-1.4, 0.3, 1.5}) {
      Kin I{}, J{};
      Vec3d u{};
      u[axis] = angle;
      I.A = test::exponential(u);
      J.A = Mat3d::identity();
      const WrenchPair<double> w = wrench(Bushing{{}, {}, {4, 5, 6}, {}, {}, {}}, I, J, no_turns);
      EXPECT_NEAR(w.ti[axis], -(4.0 + axis) * angle, 1e-12);
    }
}

Pose<double> pose(const Kin& m) {
  return {m.r, m.A};
}

TEST(AppliedForces, single_forces) {
  test::Random random(37);
  for (int n = 0; n < 20; ++n) {
    const Kin I = random_marker(random), J = random_marker(random);
    const Vec3d d = I.r - J.r;
    const WrenchPair<double> along =
        unit_wrench({AppliedKind::translation, false}, 0, pose(I), pose(J), pose(J));
    EXPECT_NEAR(dot(along.fi, d), norm(d), rounding);  // positive repels
    EXPECT_NEAR(norm(along.fi), 1, rounding);
    EXPECT_LT(norm(along.fi + along.fj), rounding);
    EXPECT_EQ(norm(along.ti) + norm(along.tj), 0);
    const WrenchPair<double> only =
        unit_wrench({AppliedKind::translation, true}, 0, pose(I), pose(J), pose(J));
    EXPECT_LT(norm(only.fi - J.A.column(2)), rounding);
    EXPECT_EQ(norm(only.fj) + norm(only.ti) + norm(only.tj), 0);
    const WrenchPair<double> torque =
        unit_wrench({AppliedKind::rotation, false}, 0, pose(I), pose(J), pose(J));
    EXPECT_LT(norm(torque.ti - J.A.column(2)), rounding);
    EXPECT_LT(norm(torque.ti + torque.tj), rounding);
    EXPECT_EQ(norm(torque.fi) + norm(torque.fj), 0);
    const WrenchPair<double> alone = unit_wrench({AppliedKind::rotation, true}, 0, pose(I), pose(J), pose(J));
    EXPECT_LT(norm(alone.ti - J.A.column(2)), rounding);
    EXPECT_EQ(norm(alone.tj) + norm(alone.fi) + norm(alone.fj), 0);
  }
}

TEST(AppliedForces, vector_forces_act_at_one_point) {
  test::Random random(38);
  for (int n = 0; n < 20; ++n) {
    const Kin I = random_marker(random), J = random_marker(random), RM = random_marker(random);
    for (int k = 0; k < 6; ++k) {
      const WrenchPair<double> w = unit_wrench({AppliedKind::vector, false}, k, pose(I), pose(J), pose(RM));
      EXPECT_LT(norm((k < 3 ? w.fi : w.ti) - RM.A.column(k % 3)), rounding);
      EXPECT_EQ(norm(k < 3 ? w.ti : w.fi), 0);
      EXPECT_LT(norm(w.fi + w.fj), rounding);
      // The reaction has the same line of action: no moment about the point of I.
      EXPECT_LT(norm(w.ti + w.tj + cross(J.r - I.r, w.fj)), rounding);
    }
  }
}

TEST(AppliedForces, are_objective) {
  for (AppliedKind kind : {AppliedKind::translation, AppliedKind::rotation, AppliedKind::vector})
    for (bool action_only : {false, true})
      for (int k = 0; k < (kind == AppliedKind::vector ? 6 : 1); ++k)
        expect_objective(
            [&](const Kin& I, const Kin& J) {
              return unit_wrench({kind, action_only}, k, pose(I), pose(J), pose(J));
            },
            39);
}

TEST(Angles, continued_angle_is_nearest_to_the_last_value) {
  for (double angle : {-3.0, 0.1, 3.0})
    for (double last : {-40.0, -3.2, 0.0, 3.2, 100.0}) {
      const double c = continued_angle(angle, last);
      EXPECT_NEAR(std::remainder(c - angle, 2 * pi), 0, 1e-13);
      EXPECT_LE(std::fabs(c - last), pi * (1 + 1e-12));
    }
}

}  // namespace
}  // namespace trammel::force_test
