// FIELD and BEAM: closed forms of the stiffness, invariance under rigid motion, power.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/random.h"
#include "element/beam.h"
#include "math/rotation.h"

namespace trammel::elastic_test {
namespace {

using namespace test;
using Kin = MarkerKinematics<double>;

constexpr double no_turns[3] = {0, 0, 0};

/// Displacements of the end under a load: K⁻¹ f by elimination without pivots (K is positive definite).
std::array<double, 6> solve(const ElasticField& field, std::array<double, 6> f) {
  double k[6][6];
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 6; ++c) k[r][c] = field.k[r][c];
  for (int p = 0; p < 6; ++p)
    for (int r = p + 1; r < 6; ++r) {
      const double l = k[r][p] / k[p][p];
      for (int c = p; c < 6; ++c) k[r][c] -= l * k[p][c];
      f[r] -= l * f[p];
    }
  for (int p = 5; p >= 0; --p) {
    for (int c = p + 1; c < 6; ++c) f[p] -= k[p][c] * f[c];
    f[p] /= k[p][p];
  }
  return f;
}

/// Flexibility of a cantilever (Timoshenko beam): every textbook entry for every unit load at its end.
TEST(Beam, flexibility_is_that_of_a_cantilever) {
  for (double kappa : {0.0, 1.2}) {
    const BeamSection b{.length = 1.7,
                        .area = 0.03,
                        .ixx = 2e-4,
                        .iyy = 5e-4,
                        .izz = 3e-4,
                        .e = 210,
                        .g = 81,
                        .asy = kappa,
                        .asz = 1.5 * kappa};
    const ElasticField f = beam_field(b);
    const double l = b.length;
    const auto unit = [&](int k) {
      std::array<double, 6> load{};
      load[k] = 1;
      return solve(f, load);
    };
    const auto x = unit(0), y = unit(1), z = unit(2), rx = unit(3), ry = unit(4), rz = unit(5);
    const double bend_y = l * l * l / (3 * b.e * b.izz) + kappa * l / (b.g * b.area),
                 bend_z = l * l * l / (3 * b.e * b.iyy) + 1.5 * kappa * l / (b.g * b.area);
    const double rounding = 1e-12;  // relative: the condition number of K is below 1e4
    EXPECT_NEAR(x[0], l / (b.e * b.area), rounding * x[0]);
    EXPECT_NEAR(y[1], bend_y, rounding * bend_y);
    EXPECT_NEAR(y[5], l * l / (2 * b.e * b.izz), rounding * y[5]);
    EXPECT_NEAR(z[2], bend_z, rounding * bend_z);
    EXPECT_NEAR(z[4], -l * l / (2 * b.e * b.iyy), -rounding * z[4]);
    EXPECT_NEAR(rx[3], l / (b.g * b.ixx), rounding * rx[3]);
    EXPECT_NEAR(ry[4], l / (b.e * b.iyy), rounding * ry[4]);
    EXPECT_NEAR(ry[2], -l * l / (2 * b.e * b.iyy), -rounding * ry[2]);
    EXPECT_NEAR(rz[5], l / (b.e * b.izz), rounding * rz[5]);
    EXPECT_NEAR(rz[1], l * l / (2 * b.e * b.izz), rounding * rz[1]);
    EXPECT_EQ(f.length[0], l);
  }
}

Kin random_marker(Random& random) {
  return {random.vector(), exponential(random.vector(0.4)), random.vector(), random.vector(), {}, {}};
}

ElasticField random_field(Random& random) {
  ElasticField f;
  for (int r = 0; r < 6; ++r) {
    f.force[r] = random.uniform(-1, 1);
    f.length[r] = random.uniform(-1, 1);
    for (int c = 0; c < 6; ++c) f.k[r][c] = random.uniform(-2, 2), f.c[r][c] = random.uniform(-2, 2);
  }
  return f;
}

TEST(Field, balances_and_turns_with_a_rigid_motion_of_both_markers) {
  Random random(3);
  for (int n = 0; n < 20; ++n) {
    const ElasticField f = random_field(random);
    const Kin I = random_marker(random), J = random_marker(random);
    const WrenchPair<double> w = wrench(f, I, J, no_turns);
    const double rounding = 1e-13;  // sums of a dozen products of size up to 10
    EXPECT_LT(norm(w.fi + w.fj), rounding);
    EXPECT_LT(norm(w.ti + w.tj + cross(I.r, w.fi) + cross(J.r, w.fj)), 10 * rounding);
    const Mat3d R = random.rotation();
    const Vec3d shift = random.vector(), v = random.vector(), spin = random.vector();
    const auto moved = [&](const Kin& m) {
      const Vec3d r = R * m.r;
      return Kin{r + shift, R * m.A, R * m.v + v + cross(spin, r), R * m.w + spin, {}, {}};
    };
    const WrenchPair<double> t = wrench(f, moved(I), moved(J), no_turns);
    EXPECT_LT(norm(t.fi - R * w.fi), 10 * rounding);
    EXPECT_LT(norm(t.ti - R * w.ti), 10 * rounding);
    EXPECT_LT(norm(t.tj - R * w.tj), 10 * rounding);
  }
}

/// With J at rest in ground axes, f = f₀ − K (e − e₀) − C ė, term by term.
TEST(Field, law_in_the_axes_of_J) {
  Random random(4);
  for (int n = 0; n < 10; ++n) {
    const ElasticField f = random_field(random);
    Kin I = random_marker(random), J{};
    J.A = Mat3d::identity();
    I.A = rotation_z(0.3);
    const WrenchPair<double> w = wrench(f, I, J, no_turns);
    const double e[6] = {I.r.x, I.r.y, I.r.z, 0, 0, 0.3},
                 rate[6] = {I.v.x, I.v.y, I.v.z, I.w.x, I.w.y, I.w.z};
    for (int r = 0; r < 6; ++r) {
      double expected = f.force[r];
      for (int c = 0; c < 6; ++c) expected -= f.k[r][c] * (e[c] - f.length[c]) + f.c[r][c] * rate[c];
      EXPECT_NEAR(r < 3 ? w.fi[r] : w.ti[r - 3], expected, 1e-13);
    }
  }
}

TEST(Field, angles_are_continued) {
  ElasticField f;
  f.k[5][5] = 2;
  Kin I{}, J{};
  I.A = rotation_z(0.5);
  J.A = Mat3d::identity();
  const double turn = 2 * std::acos(-1.0), last[3] = {0, 0, 3 * turn};
  EXPECT_NEAR(wrench(f, I, J, last).ti.z, -2 * (3 * turn + 0.5), 1e-13);
}

}  // namespace
}  // namespace trammel::elastic_test
