// BEAM with FORMULATION=NONLINEAR and STRING: the gradient of the energy of theory.md, (10b) to (10d),
// balance, rigid motion, both ends alike, the linear law for small deformations, damping.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../support/random.h"
#include "element/beam.h"
#include "math/rotation.h"

namespace trammel::beam_test {
namespace {

using namespace test;
using Kin = MarkerKinematics<double>;

constexpr double no_turns[3] = {0, 0, 0};
const BeamSection section{.length = 1.3, .area = 0.9, .ixx = 0.4, .iyy = 0.7, .izz = 0.2, .e = 2.1, .g = 0.8};

NonlinearBeam random_beam(Random& random) {
  NonlinearBeam p = nonlinear_beam(section, beam_field(section));
  for (auto& row : p.c)
    for (double& c : row) c = random.uniform(-0.5, 0.5);
  return p;
}

/// J anywhere, I near the end of the beam, both turned by up to `bend` in each axis; at rest.
std::pair<Kin, Kin> random_ends(Random& random, double bend = 0.8) {
  const Mat3d R = random.rotation();
  const Vec3d at = random.vector();
  const auto axes = [&] { return orthonormalized(R * exponential(random.vector(bend))); };
  Kin J{{at, axes()}, {}, {}, {}, {}}, I = J;
  I.r = at + R * (Vec3d{section.length, 0, 0} + random.vector(0.5 * bend));
  I.A = axes();
  return {I, J};
}

/// Θ, Γ, ε and κL of (10b), (10c), with g_x given.
struct Deformation {
  Vec3d turn, gamma, bent;
  double strain;
};
Deformation deformation(const Kin& I, const Kin& J, double gx) {
  Deformation d;
  d.turn = rotation_vector_of(transpose_times(J.A, I.A));
  const Vec3d chord = transpose_times(J.A * exponential(0.5 * d.turn), I.r - J.r);
  d.gamma = (1 / section.length) * (inverse(mean_turn(d.turn)) * chord);
  const Vec3d& c = d.gamma;
  d.strain = c.x - 1 + 0.6 * (c.y * c.y + c.z * c.z);
  d.bent = d.turn - cross(d.turn, Vec3d{gx, c.z, -c.y});
  return d;
}

/// U of (10d): the least over g_x, of which it is a parabola, by three of its values.
double energy(const Kin& I, const Kin& J) {
  const BeamSection& s = section;
  const double L = s.length;
  const auto with = [&](double gx) {
    const Deformation d = deformation(I, J, gx);
    const Vec3d &c = d.gamma, &k = d.bent;
    return L / 2 *
               (s.e * s.area * d.strain * d.strain +
                12 / (L * L) * s.e * (s.izz * c.y * c.y + s.iyy * c.z * c.z)) +
           (s.g * s.ixx * k.x * k.x + s.e * s.iyy * k.y * k.y + s.e * s.izz * k.z * k.z +
            12 * s.g * s.ixx * gx * gx) /
               (2 * L);
  };
  const double low = with(-1), middle = with(0), high = with(1), curve = high - 2 * middle + low;
  return middle - (high - low) * (high - low) / (8 * curve);
}

Kin moved(const Kin& m, const Vec3d& way, const Vec3d& turn) {
  Kin out = m;
  out.r = m.r + way;
  out.A = exponential(turn) * m.A;
  return out;
}

TEST(NonlinearBeam, force_is_the_gradient_of_its_energy) {
  Random random(1);
  for (int n = 0; n < 20; ++n) {
    const auto [I, J] = random_ends(random, n < 3 ? 1e-3 : 0.8);
    const WrenchPair<double> w = wrench(nonlinear_beam(section, ElasticField{}), I, J, no_turns);
    for (int k = 0; k < 12; ++k) {
      const auto at = [&](double h) {
        const int axis = k % 3;
        const Vec3d step{axis == 0 ? h : 0, axis == 1 ? h : 0, axis == 2 ? h : 0};
        const Vec3d way = k % 6 < 3 ? step : Vec3d{}, turn = k % 6 < 3 ? Vec3d{} : step;
        return k < 6 ? energy(moved(I, way, turn), J) : energy(I, moved(J, way, turn));
      };
      const Vec3d* parts[4] = {&w.fi, &w.ti, &w.fj, &w.tj};
      // differences: h⁴ times a fifth derivative of the size of 100, and rounding 1e-15/h of an energy of
      // size 1
      EXPECT_NEAR((*parts[k / 3])[k % 3], -derivative(at), 2e-9) << n << ' ' << k;
    }
  }
}

/// No torsion stiffness: the twist inside the beam is left out, U is that of g_x = 0.
TEST(NonlinearBeam, without_torsion_stiffness_has_finite_forces) {
  BeamSection s = section;
  s.ixx = 0;
  const Kin J{{{}, Mat3d::identity()}, {}, {}, {}, {}}, I{{{1.3, 0, 0}, Mat3d::identity()}, {}, {}, {}, {}};
  const WrenchPair<double> w = wrench(nonlinear_beam(s, ElasticField{}), I, J, no_turns);
  EXPECT_LT(norm(w.fi) + norm(w.ti), 1e-15);
}

TEST(NonlinearBeam, balances_and_turns_with_a_rigid_motion_of_both_markers) {
  Random random(2);
  for (int n = 0; n < 20; ++n) {
    const NonlinearBeam p = random_beam(random);
    auto [I, J] = random_ends(random);
    I.v = random.vector(), I.w = random.vector(), J.v = random.vector(), J.w = random.vector();
    const WrenchPair<double> w = wrench(p, I, J, no_turns);
    const double rounding = 1e-13;  // sums of some dozens of products of size up to 10
    EXPECT_LT(norm(w.fi + w.fj), rounding);
    EXPECT_LT(norm(w.ti + w.tj + cross(I.r - J.r, w.fi)), rounding);
    const Mat3d R = random.rotation();
    const Vec3d shift = random.vector(), v = random.vector(), spin = random.vector();
    const auto carried = [&](const Kin& m) {
      const Vec3d r = R * m.r;
      return Kin{{r + shift, R * m.A}, R * m.v + v + cross(spin, r), R * m.w + spin, {}, {}};
    };
    const WrenchPair<double> t = wrench(p, carried(I), carried(J), no_turns);
    EXPECT_LT(norm(t.fi - R * w.fi), 10 * rounding);
    EXPECT_LT(norm(t.ti - R * w.ti), 10 * rounding);
    EXPECT_LT(norm(t.tj - R * w.tj), 10 * rounding);
  }
}

/// The same beam told from its other end: x and y of both markers turned round, I and J exchanged.
TEST(NonlinearBeam, treats_both_ends_alike) {
  Random random(3);
  const NonlinearBeam p = nonlinear_beam(section, ElasticField{});
  for (int n = 0; n < 20; ++n) {
    const auto [I, J] = random_ends(random);
    const Mat3d about_z = Mat3d::diagonal(-1, -1, 1);
    Kin root = I, end = J;
    root.A = I.A * about_z;
    end.A = J.A * about_z;
    const WrenchPair<double> w = wrench(p, I, J, no_turns), back = wrench(p, end, root, no_turns);
    EXPECT_LT(norm(w.fi - back.fj) + norm(w.ti - back.tj) + norm(w.tj - back.ti), 1e-13);
  }
}

/// A tenth of the deformation: a hundredth of the difference from the linear law (which is of second order),
/// for the damping of velocities that do not shrink a tenth.
TEST(NonlinearBeam, is_the_linear_law_for_small_deformations) {
  Random random(4);
  ElasticField linear = beam_field(section);
  double symmetric[6][6];
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c <= r; ++c) symmetric[r][c] = symmetric[c][r] = random.uniform(-1, 1);
  for (const bool damped : {false, true}) {
    for (int r = 0; r < 6; ++r)
      for (int c = 0; c < 6; ++c) linear.c[r][c] = damped ? symmetric[r][c] : 0;
    for (int n = 0; n < 10; ++n) {
      const Mat3d R = random.rotation();
      const Vec3d d = random.vector(), turn = random.vector(), v = random.vector(), w = random.vector();
      double difference[2], size = 0;
      for (int k = 0; k < 2; ++k) {
        const double small = k == 0 ? 1e-3 : 1e-4;
        const Kin J{{{}, R}, {}, {}, {}, {}};
        Kin I = J;
        I.r = R * (Vec3d{section.length, 0, 0} + small * d);
        I.A = R * exponential(small * turn);
        if (damped) I.v = R * v, I.w = R * w;
        const WrenchPair<double> a = wrench(nonlinear_beam(section, linear), I, J, no_turns),
                                 b = wrench(linear, I, J, no_turns);
        difference[k] = norm(a.fi - b.fi) + norm(a.ti - b.ti) + norm(a.tj - b.tj);
        size = norm(b.fi) + norm(b.ti);
        EXPECT_LT(difference[k], (damped ? 20 : 20 * small) * small) << n;
      }
      EXPECT_GT(size, damped ? 1e-2 : 1e-5);
      EXPECT_NEAR(std::log10(difference[0] / difference[1]), damped ? 1 : 2, 0.1) << n;
    }
  }
}

/// Shape of constant strains: twist, bending and stretch without shear, on a helix. U is that of these
/// strains, and the moment is the same all along: M = D κ (in the axes of the section), however far one end
/// is turned.
TEST(NonlinearBeam, is_exact_on_a_helix_and_a_circle) {
  const BeamSection& s = section;
  for (const Vec3d& turn : {Vec3d{0, 0, 2.9}, Vec3d{0, -2, 0}, Vec3d{2.5, 0, 0}, Vec3d{1.2, 0, 0}}) {
    const double angle = norm(turn);
    const bool bent = turn.x == 0;
    const Kin J{{{}, Mat3d::identity()}, {}, {}, {}, {}};
    Kin I = J;
    I.A = exponential(turn);
    I.r = bent ? (s.length / angle) * (std::sin(angle) * Vec3d{1, 0, 0} +
                                       (1 - std::cos(angle)) / angle * cross(turn, Vec3d{1, 0, 0}))
               : Vec3d{s.length, 0, 0};
    const WrenchPair<double> w = wrench(nonlinear_beam(s, ElasticField{}), I, J, no_turns);
    const Vec3d moment =
        (1 / s.length) * Vec3d{s.g * s.ixx * turn.x, s.e * s.iyy * turn.y, s.e * s.izz * turn.z};
    EXPECT_LT(norm(w.fi), 1e-13);
    EXPECT_LT(norm(w.ti + moment), 1e-13);
    EXPECT_LT(norm(w.tj - moment), 1e-13);
  }
}

/// The power of the damping is −ẋᵀ C ẋ with ẋ by differences of x of (10e).
TEST(NonlinearBeam, damping_takes_out_what_the_rates_of_deformation_say) {
  Random random(5);
  for (int n = 0; n < 10; ++n) {
    const NonlinearBeam p = random_beam(random);
    auto [I, J] = random_ends(random);
    const WrenchPair<double> rest = wrench(p, I, J, no_turns);
    I.v = random.vector(), I.w = random.vector(), J.v = random.vector(), J.w = random.vector();
    const WrenchPair<double> w = wrench(p, I, J, no_turns);
    double rate[6];
    for (int k = 0; k < 6; ++k)
      rate[k] = derivative([&](double h) {
        const Deformation d = deformation(moved(I, h * I.v, h * I.w), moved(J, h * J.v, h * J.w), 0);
        const double L = section.length;
        const double x[6] = {
            L * d.strain, L * (d.gamma.y + d.turn.z / 2), L * (d.gamma.z - d.turn.y / 2), d.turn.x, d.turn.y,
            d.turn.z};
        return x[k];
      });
    double expected = 0;
    for (int r = 0; r < 6; ++r)
      for (int c = 0; c < 6; ++c) expected -= rate[r] * p.c[r][c] * rate[c];
    const double power = dot(w.fi - rest.fi, I.v) + dot(w.ti - rest.ti, I.w) + dot(w.fj - rest.fj, J.v) +
                         dot(w.tj - rest.tj, J.w);
    EXPECT_NEAR(power, expected, 1e-8) << n;  // differences, as above
  }
}

TEST(NonlinearBeam, has_no_value_beyond_its_reach) {
  const Kin J{{{}, Mat3d::identity()}, {}, {}, {}, {}};
  for (double angle : {most_turn_of_beam - 1e-3, most_turn_of_beam + 1e-3}) {
    Kin I = J;
    I.r = {1, 0, 0};
    I.A = rotation_z(angle);
    const double f = wrench(nonlinear_beam(section, ElasticField{}), I, J, no_turns).fi.x;
    EXPECT_EQ(std::isfinite(f), angle < most_turn_of_beam);
  }
}

/// K₁₁ along the chord, the rest as in the linear law; where I is on the x axis of J both laws agree.
TEST(StringBeam, pulls_along_its_chord) {
  ElasticField f = beam_field(section);
  scale_damping(0.3, f);
  const Kin J{{{}, Mat3d::identity()}, {}, {}, {}, {}};
  Kin I{{{1.1, 0.6, -0.3}, Mat3d::identity()}, {0.2, -0.5, 0.4}, {}, {}, {}};
  const WrenchPair<double> w = wrench(StringBeam{f}, I, J, no_turns);
  const double l = norm(I.r), stretch = l - section.length, rate = dot(I.v, I.r) / l,
               pull = section.e * section.area / section.length * (stretch + 0.3 * rate);
  const Vec3d across = w.fi + (pull / l) * I.r;
  EXPECT_NEAR(across.x, 0, 1e-15);
  EXPECT_NEAR(across.y, -f.k[1][1] * (0.6 + 0.3 * -0.5), 1e-14);
  EXPECT_NEAR(across.z, -f.k[2][2] * (-0.3 + 0.3 * 0.4), 1e-14);
  EXPECT_LT(norm(w.tj + w.ti + cross(I.r, w.fi)) + norm(w.fi + w.fj), 1e-14);
  I.r = {1.5, 0, 0};
  const WrenchPair<double> s = wrench(StringBeam{f}, I, J, no_turns), straight = wrench(f, I, J, no_turns);
  EXPECT_LT(norm(s.fi - straight.fi) + norm(s.ti - straight.ti) + norm(s.tj - straight.tj), 1e-14);
}

}  // namespace
}  // namespace trammel::beam_test
