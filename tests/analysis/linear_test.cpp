// Eigenvalues and state matrices of small motions against closed forms.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>
#include <set>

#include "../support/deck.h"
#include "analysis/analyses/list.h"
#include "analysis/linear/linearization.h"
#include "linearized.h"

namespace trammel::linear_test {
namespace {

using namespace test;
using Complex = std::complex<double>;

constexpr double g = 9.81;
constexpr const char* head =
    "title\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\n"
    "PART/1,GROUND\nMARKER/1,PART=1\n";

/// Eigenvalues, one of each pair, are these in their order to `tolerance` of the largest.
void expect_eigenvalues(const Modes& modes, const std::vector<Complex>& expected, double tolerance = 1e-11) {
  ASSERT_EQ(modes.modes.size(), expected.size());
  double scale = 0;
  for (const Complex& s : expected) scale = std::max(scale, std::abs(s));
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_LT(std::abs(modes.modes[k].s - expected[k]), tolerance * scale)
        << k << ": " << modes.modes[k].s << " for " << expected[k];
  EXPECT_LT(modes.error, 1e-13);  // what the QR algorithm leaves
}

/// A part that slides along x, with marker 10·id at x = `x`, and 10·id + 1 on ground.
std::string slider(int id, double mass, double x) {
  return fmt::format(
      "PART/{0},MASS={1},CM={0}0,IP=1,1,1,QG={2},0,0\nMARKER/{0}0,PART={0},REULER=90D,90D,0D\n"
      "MARKER/{0}1,PART=1,QP={2},0,0,REULER=90D,90D,0D\nJOINT/{0},TRANSLATIONAL,I={0}0,J={0}1\n",
      id, mass, x);
}
std::string spring(int id, int I, int J, double k, double c, double length) {
  return fmt::format("SPRINGDAMPER/{},TRANSLATION,I={},J={},K={},C={},LENGTH={}\n", id, I, J, k, c, length);
}

TEST(Linear, two_damped_masses) {
  const double m1 = 2, m2 = 3, k1 = 50, k2 = 80, c1 = 0.6, c2 = 0.4;
  const Linear l = linearized(std::string(head) + slider(2, m1, 1) + slider(3, m2, 2) +
                              spring(1, 20, 1, k1, c1, 1) + spring(2, 30, 20, k2, c2, 1) + "END\n");
  EXPECT_EQ(l.modes.states, 4);
  ASSERT_EQ(l.modes.modes.size(), 2u);
  for (const Mode& mode : l.modes.modes) {
    // (m₁ s² + (c₁ + c₂) s + k₁ + k₂) (m₂ s² + c₂ s + k₂) = (c₂ s + k₂)²
    const Complex s = mode.s, a = m1 * s * s + (c1 + c2) * s + k1 + k2, b = m2 * s * s + c2 * s + k2,
                  c = c2 * s + k2;
    const Complex slope = (2 * m1 * s + c1 + c2) * b + a * (2 * m2 * s + c2) - 2.0 * c * c2;
    EXPECT_LT(std::abs((a * b - c * c) / slope), 1e-12 * std::abs(s));
    // ratio of the amplitudes, of the first equation
    EXPECT_LT(std::abs(a * mode.q[0] - c * mode.q[6]), 1e-10 * std::abs(c * mode.q[6]));
    EXPECT_LT((mode.v - s * mode.q).norm(), 1e-12 * mode.v.norm());
  }
}

/// A uniform rod of length 1 hangs or stands on a pin: s² = ∓ (3/2) g.
TEST(Linear, pendulum_hangs_or_stands) {
  const auto deck = [](double y) {
    return fmt::format(
        "{}ACCGRAV/JGRAV={}\nPART/2,MASS=3,CM=20,IP=0.25,0.25,0.25,QG=0,{},0\nMARKER/20,PART=2\n"
        "MARKER/21,PART=2,QP=0,{},0\nJOINT/1,REVOLUTE,I=21,J=1\nEND\n",
        head, -g, y, -y);
  };
  const double w = std::sqrt(3 * g * 0.5 / (0.25 + 3 * 0.25));
  expect_eigenvalues(linearized(deck(-0.5)).modes, {{0, w}});
  expect_eigenvalues(linearized(deck(0.5)).modes, {-w, w});
}

/// The spinning top that stands upright: I ζ̈ − i Iₚ Ω ζ̇ − m g l ζ = 0 of its tilt ζ about both axes, and its
/// spin, which nothing holds: two zeros that form a chain.
TEST(Linear, spinning_top_precesses_and_nutates) {
  const double m = 2, l = 0.3, Ip = 0.05, It = 0.04 + m * l * l;
  for (const double W : {0.0, 5.0, 60.0, 150.0}) {
    const Modes modes =
        linearized(
            fmt::format("{}ACCGRAV/KGRAV={}\nPART/2,MASS={},CM=20,IP=0.04,0.04,{},QG=0,0,{},WZ={}\n"
                        "MARKER/20,PART=2\nMARKER/21,PART=2,QP=0,0,{}\nJOINT/1,SPHERICAL,I=21,J=1\nEND\n",
                        head, -g, m, Ip, l, W, -l))
            .modes;
    const Complex root = std::sqrt(Complex(Ip * Ip * W * W - 4 * It * m * g * l));
    const Complex i(0, 1), slow = i * (Ip * W - root) / (2 * It), fast = i * (Ip * W + root) / (2 * It);
    EXPECT_EQ(modes.states, 6);
    ASSERT_GE(modes.modes.size(), 3u);
    EXPECT_EQ(modes.modes[0].s, 0.0);  // angle and rate of the spin
    EXPECT_EQ(modes.modes[1].s, 0.0);
    EXPECT_EQ(modes.neutral.cols(), 1);
    // Differences of eighth order leave some 1e-12 of W²; a sum of roots is exact where they are close.
    for (const Complex& expected : {slow, fast, -slow, -fast}) {
      double nearest = INFINITY;
      for (const Mode& mode : modes.modes)
        nearest = std::min({nearest, std::abs(mode.s - expected), std::abs(std::conj(mode.s) - expected)});
      EXPECT_LT(nearest, 1e-9 * std::max(std::abs(fast), W)) << W << expected;
    }
  }
}

/// A mass on a spring slides in an arm that turns at the rate W: seen from the arm r̈ = (W² − k/m) r.
TEST(Linear, mass_in_a_turning_arm) {
  const double m = 2, k = 100;
  for (const double W : {3.0, 9.0}) {
    Recording r(fmt::format(
        "{}PART/2,MASS=1,CM=20,IP=1,1,1,WZ={}\nMARKER/20,PART=2\nMARKER/22,PART=2,REULER=90D,90D,0D\n"
        "JOINT/1,REVOLUTE,I=20,J=1\nMOTION/1,JOINT=1,ROTATIONAL,FUNCTION={}*TIME\\\n"
        "PART/3,MASS={},CM=30,IP=1,1,1,QG=1,0,0,WZ={},VY={}\nMARKER/30,PART=3,REULER=90D,90D,0D\n"
        "JOINT/2,TRANSLATIONAL,I=30,J=22\nSPRINGDAMPER/1,TRANSLATION,I=30,J=22,K={},LENGTH=1,FORCE={}\nEND\n",
        head, W, W, m, W, W, k, -m * W * W));
    SmallMotionOptions options;
    options.RM = marker_of(r.simulation->model(), 20);
    const Linear l = linearized(*r.simulation, options);
    const Complex s = std::sqrt(Complex(W * W - k / m));
    expect_eigenvalues(l.modes, s.real() > 0 ? std::vector<Complex>{-s, s} : std::vector<Complex>{s}, 1e-9);
    EXPECT_EQ(l.equations.states[0].name.substr(0, 6), "PART/3");
  }
}

/// Angles a, b of a double pendulum of point masses, in motion, with torques by inputs: A and B of
/// (a, b, ȧ, ḃ) against differences of its equations
///     [(m₁+m₂) l₁²  m₂ l₁ l₂ cos(a−b); sym m₂ l₂²] (ä, b̈)
///       = (−m₂ l₁ l₂ ḃ² sin(a−b) − (m₁+m₂) g l₁ sin a + T, m₂ l₁ l₂ ȧ² sin(a−b) − m₂ g l₂ sin b).
Eigen::Vector2d double_pendulum(const Eigen::Vector4d& x, double T) {
  const double m1 = 2, m2 = 1.5, l1 = 0.8, l2 = 0.5, c = std::cos(x[0] - x[1]), s = std::sin(x[0] - x[1]);
  Eigen::Matrix2d M;
  M << (m1 + m2) * l1 * l1, m2 * l1 * l2 * c, m2 * l1 * l2 * c, m2 * l2 * l2;
  return M.inverse() *
         Eigen::Vector2d(-m2 * l1 * l2 * x[3] * x[3] * s - (m1 + m2) * g * l1 * std::sin(x[0]) + T,
                         m2 * l1 * l2 * x[2] * x[2] * s - m2 * g * l2 * std::sin(x[1]));
}

/// Seen from a marker on one of two free parts, the motion of both has other parts, which are seen from
/// ground: each state has a name of its own.
TEST(Linear, states_seen_from_a_marker_and_from_ground) {
  Recording r(
      "title\nUNITS/UCF=1\nPART/1,GROUND\nPART/2,MASS=1,CM=20,IP=1,2,3\nMARKER/20,PART=2\n"
      "PART/3,MASS=2,CM=30,IP=1,1,1,QG=1,0,0\nMARKER/30,PART=3\nEND\n");
  SmallMotionOptions options;
  options.RM = marker_of(r.simulation->model(), 20);
  const Linear l = linearized(*r.simulation, options);
  std::set<std::string> names;
  int in_ground = 0;
  for (const auto& state : l.equations.states) {
    names.insert(state.name);
    in_ground += state.name.find(" in ground") != std::string::npos;
  }
  EXPECT_EQ(l.equations.states.size(), 24u);
  EXPECT_EQ(names.size(), 24u);
  EXPECT_EQ(in_ground, 12);
}

TEST(Linear, double_pendulum_in_motion) {
  const Eigen::Vector4d x(0.7, -0.4, 2.5, -4);
  const Vec3d p1 = 0.8 * Vec3d{std::sin(x[0]), -std::cos(x[0]), 0},
              p2 = p1 + 0.5 * Vec3d{std::sin(x[1]), -std::cos(x[1]), 0},
              v1 = 0.8 * x[2] * Vec3d{std::cos(x[0]), std::sin(x[0]), 0},
              v2 = v1 + 0.5 * x[3] * Vec3d{std::cos(x[1]), std::sin(x[1]), 0};
  const auto part = [](int id, double mass, const Vec3d& at, double angle, const Vec3d& v, double w,
                       double l) {
    return fmt::format(
        "PART/"
        "{0},MASS={1},CM={0}0,IP=1E-12,1E-12,1E-12,QG={2:.17g},{3:.17g},0,REULER={4:.17g},0,0,VX={5:.17g},"
        "VY={6:.17g},WZ={7}\nMARKER/{0}0,PART={0}\nMARKER/{0}1,PART={0},QP=0,{8},0\n",
        id, mass, at.x, at.y, angle, v.x, v.y, w, l);
  };
  Recording r(fmt::format("{}ACCGRAV/JGRAV={}\n", head, -g) + part(2, 2, p1, x[0], v1, x[2], 0.8) +
              part(3, 1.5, p2, x[1], v2, x[3], 0.5) +
              "JOINT/1,REVOLUTE,I=21,J=1\nJOINT/2,REVOLUTE,I=31,J=20\n"
              "VARIABLE/1,FUNCTION=AZ(20,1)\\\nVARIABLE/2,FUNCTION=AZ(30,1)\\\nVARIABLE/3,FUNCTION=0\\\n"
              "SFORCE/1,ROTATION,I=20,J=1,ACTIONONLY,FUNCTION=VARVAL(3)\\\nEND\n");
  const Model& model = r.simulation->model();
  SmallMotionOptions options;
  options.measures = {scalar_of(model, "VARIABLE/1"), scalar_of(model, "VARIABLE/2")};
  options.inputs = {scalar_of(model, "VARIABLE/3")};
  const Linear l = linearized(*r.simulation, options);
  ASSERT_EQ(l.equations.states.size(), 4u);
  const std::vector<Eigen::Index> order = {l.state("VARIABLE/1"), l.state("VARIABLE/2"),
                                           l.state("VARIABLE/1 rate"), l.state("VARIABLE/2 rate")};
  const Eigen::MatrixXd A = l.equations.A(order, order), B = l.equations.B(order, Eigen::all);
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(4, 4);
  expected(0, 2) = expected(1, 3) = 1;
  const double h = 1e-3;  // of differences of sixth order: an error of 1e-13
  const auto difference = [&](const auto& f) {
    return Eigen::Vector2d((45 * (f(h) - f(-h)) - 9 * (f(2 * h) - f(-2 * h)) + (f(3 * h) - f(-3 * h))) /
                           (60 * h));
  };
  for (int k = 0; k < 4; ++k)
    expected.block<2, 1>(2, k) = difference(
        [&](double d) -> Eigen::Vector2d { return double_pendulum(x + d * Eigen::Vector4d::Unit(k), 0); });
  const double size = expected.cwiseAbs().maxCoeff();
  EXPECT_LT((A - expected).cwiseAbs().maxCoeff(), 1e-10 * size) << A << "\n\n" << expected;
  const Eigen::Vector2d of_torque =
      difference([&](double d) -> Eigen::Vector2d { return double_pendulum(x, d); });
  EXPECT_LT((B.bottomRows(2) - of_torque).cwiseAbs().maxCoeff(), 1e-10 * of_torque.norm());
  EXPECT_LT(B.topRows(2).cwiseAbs().maxCoeff(), 1e-12);
}

/// Defective: a mass that is critically damped has s = −w twice with one vector. Repeated: two equal ones.
TEST(Linear, repeated_and_defective_eigenvalues) {
  const double m = 2, w = 3;
  const std::string critical = spring(1, 20, 1, m * w * w, 2 * m * w, 1);
  const Linear one = linearized(std::string(head) + slider(2, m, 1) + critical + "END\n");
  expect_eigenvalues(one.modes, {-w, -w}, 1e-7);  // a double root moves by the root of rounding
  EXPECT_EQ(one.modes.defective, std::vector<int>{1});
  const Linear two =
      linearized(std::string(head) + slider(2, m, 1) + slider(3, m, 2) + spring(1, 20, 1, m * w * w, 0, 1) +
                 spring(2, 30, 1, m * w * w, 0, 2) + "END\n");
  expect_eigenvalues(two.modes, {{0, w}, {0, w}});
  EXPECT_TRUE(two.modes.defective.empty());
}

/// A filter of a free body's height has its own root beside the body's twelve zeros, which come in chains:
/// what rounding leaves in their columns is no equation.
TEST(Linear, filter_beside_a_free_body) {
  Random random(5);
  for (int k = 0; k < 40; ++k) {
    const bool at_rest = k % 4 == 0;
    const auto turned = [&] { return euler(exponential(random.vector(1))); };
    const Vec3d v = random.vector(at_rest ? 0 : 1), w = random.vector(at_rest ? 0 : 1);
    const Linear l = linearized(
        fmt::format("{}MARKER/10,PART=1,REULER={}\nPART/2,MASS=1,CM=20,IP=1,2,2.5,REULER={}\n"
                    ",VX={:g},VY={:g},VZ={:g},WX={:g},WY={:g},WZ={:g}\nMARKER/20,PART=2\n"
                    "MARKER/21,PART=2,QP={}\nDIFF/1,IC=0.3,FUNCTION=-2*DIF(1)+DZ(21,10,10)\nEND\n",
                    head, turned(), turned(), v.x, v.y, v.z, w.x, w.y, w.z, list(random.vector(1))));
    double nearest = 10;
    for (const Mode& mode : l.modes.modes) nearest = std::min(nearest, std::abs(mode.s + 2.0));
    EXPECT_LT(nearest, 1e-9) << k;  // rounding of 13 states of size 1, through chains of zeros
    EXPECT_LT(l.modes.error, 1e-9) << k;
  }
}

/// At the positions of the dataset, which are an equilibrium: initial conditions need masses.
Linear at_given_positions(const std::string& deck) {
  Recording r(deck);
  Session& session = *r.simulation;
  Linear out;
  out.motions = small_motions(session.model(), session.assembler(), session.present(), {});
  out.equations = state_equations(out.motions);
  out.modes = modes_of(session.model(), out.motions, out.equations);
  return out;
}

/// A massless slider between a spring and a damper follows c ẋ + k x = 0; between two springs it has no
/// motion of its own, and the mass behind them feels both in series.
TEST(Linear, massless_parts) {
  const std::string massless = slider(2, 0, 1);
  const double k1 = 20, k2 = 30, c = 4, m = 2;
  expect_eigenvalues(
      at_given_positions(std::string(head) + massless + spring(1, 20, 1, k1, c, 1) + "END\n").modes,
      {-k1 / c});
  const Linear series =
      at_given_positions(std::string(head) + massless + slider(3, m, 2) + spring(1, 20, 1, k1, 0, 1) +
                         spring(2, 30, 20, k2, 0, 1) + "END\n");
  expect_eigenvalues(series.modes, {{0, std::sqrt(k1 * k2 / (k1 + k2) / m)}});
}

/// A part without mass between two bushings, which joints do not hold: forces alone decide where it is.
/// STATICS and LINEAR after it have the springs in series; what needs accelerations says which part has none.
TEST(Linear, massless_part_that_joints_do_not_hold) {
  const double k1 = 100, k2 = 300, m = 2, weight = 20, k = k1 * k2 / (k1 + k2);
  Recording r(std::string(head) + slider(2, m, 0) + "MARKER/22,PART=2\n" +
              "PART/3,MASS=0,QG=0.2,0,0\nMARKER/30,PART=3\nMARKER/3,PART=1\nACCGRAV/IGRAV=10\n" +
              fmt::format("BUSHING/1,I=30,J=3,K={0},{0},{0},KT=5,5,5\n", k1) +
              fmt::format("BUSHING/2,I=22,J=30,K={0},{0},{0},KT=5,5,5\nEND\n", k2));
  Session& session = *r.simulation;
  const auto failure_of = [](const auto& act) -> std::string {
    try {
      act();
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), ExitCode::solver);
      return failure.what();
    }
    return "";
  };
  const InitialReport& report = session.initialize();
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_NE(report.notes[0].find("PART/3 X"), std::string::npos) << report.notes[0];
  EXPECT_NE(failure_of([&] { linearize(session, {}); }).find("SIMULATE/STATICS before it"),
            std::string::npos);
  session.run(statics_analysis);
  // Corrections of Newton below ERROR = 1e-4 of quadratic convergence
  EXPECT_NEAR(session.motion().q[session.model().bodies[0].first], weight / k, 1e-8);
  EXPECT_NEAR(session.motion().q[session.model().bodies[1].first], weight / k1, 1e-8);
  const Linearization linear = linearize(session, {});
  expect_eigenvalues(linear.modes, {{0, std::sqrt(k / m)}});
  EXPECT_NE(failure_of([&] {
              session.run(dynamics_analysis, {1, 1});
            }).find("give the part some mass"),
            std::string::npos);
}

/// A slider's position follows a state: the equations hold its second derivative, of what is algebraic.
TEST(Linear, motion_that_follows_states) {
  const double w = 5;
  const Linear l = linearized(
      std::string(head) + slider(2, 2, 1) + "MOTION/1,JOINT=2,TRANSLATIONAL,FUNCTION=DIF(1)\\\n" +
      fmt::format("DIFF/1,IC=0,FUNCTION=DIF(2)\\\nDIFF/2,IC=0,FUNCTION=-{}*DIF(1)\\\nEND\n", w * w));
  expect_eigenvalues(l.modes, {{0, w}});
  EXPECT_NEAR(std::abs(l.modes.modes[0].q[0] / l.modes.modes[0].scalar[0]), 1, 1e-12);
}

/// A force that reads a reaction: part 3 takes up the spring's force in its joint, and its reaction acts on
/// the slider once more: m ẍ = −2 k x.
TEST(Linear, force_that_reads_a_reaction) {
  const double m = 2, k = 50;
  const Linear l =
      linearized(std::string(head) + slider(2, m, 1) +
                 "PART/3,MASS=1,CM=30,IP=1,1,1,QG=2,0,0\nMARKER/30,PART=3\nMARKER/31,PART=1,QP=2,0,0\n"
                 "JOINT/3,TRANSLATIONAL,I=30,J=31\n" +
                 spring(1, 30, 20, k, 0, 1) +
                 "SFORCE/1,TRANSLATION,I=20,J=21,ACTIONONLY,FUNCTION=JOINT(3,0,2,0)\\\nEND\n");
  expect_eigenvalues(l.modes, {0, 0, {0, std::sqrt(2 * k / m)}});  // part 3 slides along z
}

/// A knife edge may not slip sideways: three freedoms of position, two of velocity; nothing holds it.
TEST(Linear, velocity_constraints) {
  const Linear l = linearized(std::string(head) +
                              "PART/2,MASS=2,CM=20,IP=1,1,1,VX=3\nMARKER/20,PART=2\nJOINT/1,PLANAR,I=20,J=1\n"
                              "GCON/1,I=20,FUNCTION=VY(20,1,20)\\\nEND\n");
  EXPECT_EQ(l.motions.coordinates, 3);
  // x, y, angle, and two rates: sideways motion follows from the heading at the speed 3.
  EXPECT_EQ(l.modes.states, 5);
  for (const Mode& mode : l.modes.modes) EXPECT_LT(std::abs(mode.s), 1e-9);
}

/// A spatial mechanism in motion, with damping, in coordinates that VARIABLEs measure: A against differences
/// of the accelerations that the program finds at displaced states.
TEST(Linear, spatial_motion_against_differences) {
  Recording r(fmt::format(
      "{}ACCGRAV/JGRAV=-9.81\n"
      "PART/2,MASS=2,CM=20,IP=.2,.3,.1,QG=.3,-.4,.1,REULER=.3,.5,.2,WX=1.5,WY=-.7,WZ=2\nMARKER/20,PART=2\n"
      "MARKER/21,PART=2,QP=-.3,.2,.1\nMARKER/22,PART=2,QP=.4,.1,-.2,REULER=.2,.7,.1\n"
      "MARKER/23,PART=2,QP=.1,.3,.4\n"
      "PART/3,MASS=1,CM=30,IP=.1,.05,.08,QG=.8,-.5,.2,REULER=.1,.9,.4\nMARKER/30,PART=3\n"
      "MARKER/31,PART=3,QP=-.2,-.1,.1,REULER=.5,1.2,.3\nMARKER/32,PART=3,QP=.3,.2,.1\n"
      "JOINT/1,SPHERICAL,I=21,J=1\nJOINT/2,UNIVERSAL,I=31,J=22\nMARKER/2,PART=1,QP=1,0,1\n"
      "BUSHING/1,I=32,J=2,K=30,40,50,KT=1,2,3,C=1,2,1,CT=.1,.2,.1\n"
      "VARIABLE/1,FUNCTION=DX(22)\\\nVARIABLE/2,FUNCTION=DZ(22)\\\nVARIABLE/3,FUNCTION=DY(23)\\\n"
      "VARIABLE/4,FUNCTION=DX(32)\\\nVARIABLE/5,FUNCTION=DY(32)\\\nEND\n",
      head));
  Session& session = *r.simulation;
  const Model& model = session.model();
  SmallMotionOptions options;
  for (int k = 1; k <= 5; ++k) options.measures.push_back(scalar_of(model, fmt::format("VARIABLE/{}", k)));
  const Linear l = linearized(session, options);
  ASSERT_EQ(l.motions.coordinates, 5);
  ASSERT_EQ(l.equations.states.size(), 10u);
  const std::pair<int, int> measured[] = {{22, 0}, {22, 2}, {23, 1}, {32, 0}, {32, 1}};  // marker, axis
  struct Measured {
    Eigen::VectorXd x = Eigen::VectorXd(10), a = Eigen::VectorXd(5);  // (p, ṗ), p̈
  };
  const auto at = [&](State state) {
    session.initial().reconcile(state);
    Kinematics now(model);
    now.update(state);
    Measured m;
    for (int k = 0; k < 5; ++k) {
      const auto& marker = now.marker(marker_of(model, measured[k].first));
      m.x[k] = marker.r[measured[k].second];
      m.x[5 + k] = marker.v[measured[k].second];
      m.a[k] = marker.a[measured[k].second];
    }
    return m;
  };
  std::vector<Eigen::Index> order;
  for (int k = 1; k <= 5; ++k) order.push_back(l.state(fmt::format("VARIABLE/{}", k)));
  for (int k = 1; k <= 5; ++k) order.push_back(l.state(fmt::format("VARIABLE/{} rate", k)));
  const Eigen::MatrixXd A = l.equations.A(order, order);
  const double size = A.bottomRows(5).cwiseAbs().maxCoeff();
  EXPECT_GT(size, 10);
  for (int k = 0; k < 10; ++k) {
    const double h = 1e-4;
    State moved[2] = {session.motion(), session.motion()};
    for (int side = 0; side < 2; ++side) {
      const double step = side == 0 ? h : -h;
      for (int i = 0; i < model.coordinates; ++i) {
        if (k < 5) moved[side].q[i] += step * l.motions.F(i, k);
        moved[side].v[i] += step * (k < 5 ? l.motions.F1(i, k) : l.motions.F(i, k - 5));
      }
    }
    const Measured ahead = at(moved[0]), behind = at(moved[1]);
    const Eigen::VectorXd found = (ahead.a - behind.a) / (2 * h),
                          expected = A.bottomRows(5) * (ahead.x - behind.x) / (2 * h);
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-6 * size) << k;  // h² of third derivatives
  }
}

}  // namespace
}  // namespace trammel::linear_test
