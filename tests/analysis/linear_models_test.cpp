// Linearised models against theory of beams, the nonlinear model, statics, and each other.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>

#include "../support/deck.h"
#include "analysis/linear/linearization.h"
#include "linearized.h"

namespace trammel::linear_models_test {
namespace {

using namespace test;
using Complex = std::complex<double>;

constexpr const char* head =
    "title\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\n"
    "PART/1,GROUND\nMARKER/1,PART=1\n";

/// An element of length h along x as a BEAM, or by its stiffness at I, J held, as a FIELD.
std::string beam_element(bool field, int id, int I, int J, double h, double E, double A, double I_bend) {
  const double G = E / 2.6;
  if (!field)
    return fmt::format(
        "BEAM/{0},I={1},J={2},LENGTH={3:.17g},IXX={4},IYY={5},IZZ={5},AREA={6},EMODULUS={7},GMODULUS={8},"
        "CRATIO=0\n",
        id, I, J, h, 2 * I_bend, I_bend, A, E, G);
  const double k = E * I_bend / h, b = 12 * k / (h * h), c = 6 * k / h;
  Eigen::Matrix<double, 6, 6> K = Eigen::Matrix<double, 6, 6>::Zero();
  K.diagonal() << E * A / h, b, b, G * 2 * I_bend / h, 4 * k, 4 * k;
  K(1, 5) = K(5, 1) = -c;
  K(2, 4) = K(4, 2) = c;
  std::string out = fmt::format("FIELD/{},I={},J={},LENGTH={:.17g},0,0,0,0,0\n,KMATRIX=", id, I, J, h);
  for (int column = 0; column < 6; ++column)
    for (int row = 0; row < 6; ++row)
      out += fmt::format("{}{:.17g}", row + column == 0 ? "" : "\n,", K(row, column));
  return out + "\n";
}

/// A beam of n elements along x between two pins about z, its mass at their ends; turning inertia of the
/// pieces is negligible.
std::string pinned_beam(bool field, int n, double E, double A, double I, double mass, double length) {
  std::string deck = head;
  const double h = length / n;
  for (int k = 0; k <= n; ++k) {
    deck += fmt::format(
        "PART/{0},MASS={1:.17g},CM={0}0,IP=1E-9,1E-9,1E-9,QG={2:.17g},0,0\nMARKER/{0}0,PART={0}\n", k + 2,
        mass / n, k * h);
    if (k == 0 || k == n)
      deck += fmt::format("MARKER/{0},PART=1,QP={1:.17g},0,0\nJOINT/{0},REVOLUTE,I={2}0,J={0}\n", k + 500,
                          k * h, k + 2);
    if (k > 0) deck += beam_element(field, k, 10 * (k + 2), 10 * (k + 1), h, E, A, I);
  }
  return deck + "END\n";
}

/// w = (k π / L)² √(E I / (m/L)), and with lumped masses 1 − (k π / n)⁴/1440 of it.
TEST(LinearModels, beam_bends_as_theory_says) {
  const double E = 2e11, A = 1e-4, I = 1e-9, m = 0.78, L = 1;
  constexpr int n = 24;
  for (const bool field : {false, true}) {
    const Linear l = linearized(pinned_beam(field, n, E, A, I, m, L));
    std::vector<double> bending;
    for (const Mode& mode : l.modes.modes) {
      EXPECT_TRUE(mode.paired());
      double of_axis[3] = {0, 0, 0};
      for (int part = 0; part <= n; ++part)
        for (int k = 0; k < 3; ++k) of_axis[k] += std::abs(mode.q[6 * part + k]);
      if (of_axis[1] > of_axis[0] && of_axis[1] > of_axis[2]) bending.push_back(std::abs(mode.s));
    }
    ASSERT_GE(bending.size(), 5u);
    for (int k = 1; k <= 5; ++k) {
      const double w = std::pow(k * std::numbers::pi / L, 2) * std::sqrt(E * I / (m / L));
      EXPECT_NEAR(bending[k - 1] / w, 1, 2e-4) << field << k;
    }
  }
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

/// A pair for each degree of freedom, whatever the model and its motion; a state more for each DIFF.
TEST(LinearModels, pairs_of_all_models_are_their_degrees_of_freedom) {
  int models = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TRAMMEL_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".adm") continue;
    Diagnostics diagnostics;
    Recording r(text_of(entry.path()), entry.path().string());
    Session& session = *r.simulation;
    const Model& model = session.model();
    if (model.coordinates > 600) continue;
    SCOPED_TRACE(entry.path().filename().string());
    ++models;
    const InitialReport& report = session.initialize();
    const auto& notes = report.notes;
    if (std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
          return note.find("The initial position is singular") != std::string::npos;
        })) {
      EXPECT_THROW(linearized(session), Failure);
      continue;
    }
    const Linear l = linearized(session);
    int differential = 0, driven = 0, nonholonomic = 0;
    for (const Scalar& s : model.scalars) differential += s.differential() && !s.set_by_sensor;
    for (const ConstraintElement& e : model.constraint_elements) driven += e.scalar >= 0 ? e.level : 0;
    for (const GeneralConstraint& g : model.general_constraints) nonholonomic += g.pfaffian;
    const int freedom = report.degrees_of_freedom;
    EXPECT_EQ(l.motions.coordinates, freedom + nonholonomic);
    EXPECT_EQ(l.modes.states, 2 * freedom + nonholonomic + differential - driven);
  }
  EXPECT_GT(models, 20);
}

constexpr const char* cart =
    "PART/2,MASS=2,CM=20,IP=1,1,1\nMARKER/20,PART=2,REULER=90D,90D,0D\nMARKER/21,PART=2\n"
    "MARKER/3,PART=1,REULER=90D,90D,0D\nMARKER/2,PART=1,QP=-1,0,0\n"
    "PART/3,MASS=0.5,CM=30,IP=0.01,0.01,0.01,QG=0,-0.6,0\nMARKER/30,PART=3\nMARKER/31,PART=3,QP=0,0.6,0\n"
    "JOINT/1,TRANSLATIONAL,I=20,J=3\nJOINT/2,REVOLUTE,I=31,J=21\nACCGRAV/JGRAV=-9.81\n"
    "SPRINGDAMPER/1,TRANSLATION,I=20,J=2,K=40,C=0.5,LENGTH=1\n"
    "VARIABLE/2,FUNCTION=DX(20)\\\nVARIABLE/3,FUNCTION=AZ(30,1)\\\n"
    "SFORCE/1,TRANSLATION,I=20,J=3,ACTIONONLY,FUNCTION=VARVAL(1)\\\n";

Linearization of_cart(Recording& r) {
  const Model& model = r.simulation->model();
  LinearizationOptions options;
  options.measures = {scalar_of(model, "VARIABLE/2"), scalar_of(model, "VARIABLE/3")};
  options.inputs = {scalar_of(model, "VARIABLE/1")};
  options.outputs = options.measures;
  return linearize(*r.simulation, options);
}

/// A thin disc on the free end of a massless shaft that a motion turns at the rate W about x: its Campbell
/// diagram. In z = y + i z and the slope φ = dz/dx, of the cantilever and of the disc's angular momentum,
///     m z̈ + k₁₁ z + k₁₂ φ = 0,   Jt φ̈ − i Jp W φ̇ + k₁₂ z + k₂₂ φ = 0;
/// so e^{iωt} has m Jt ω⁴ − m Jp W ω³ − (m k₂₂ + Jt k₁₁) ω² + Jp W k₁₁ ω + k₁₁ k₂₂ − k₁₂² = 0, with two
/// ω > 0 that whirl with the spin, and two ω < 0 against it.
TEST(LinearModels, whirl_of_a_disc_on_a_shaft) {
  const double m = 8, Jt = 0.04, Jp = 0.08, L = 0.5, EI = 2500, GI = 900, EA = 4e5;
  const double k11 = 12 * EI / (L * L * L), k12 = -6 * EI / (L * L), k22 = 4 * EI / L;
  for (const double W : {0.0, 20.0, 100.0, 300.0, 1000.0}) {
    const Linear l = linearized(
        fmt::format("{}PART/2, MASS=1, IP=0.1, 0.1, 0.1, CM=20, WX={W}\nMARKER/20, PART=2\n"
                    "MARKER/21, PART=2, REULER=90D, 90D, 0\nMARKER/1, PART=1, REULER=90D, 90D, 0\n"
                    "JOINT/1, REVOLUTE, I=21, J=1\nMOTION/1, JOINT=1, ROTATION, FUNCTION={W}*TIME\n"
                    "PART/3, MASS={m}, IP={Jp}, {Jt}, {Jt}, CM=30, QG={L}, 0, 0, WX={W}\nMARKER/30, PART=3\n"
                    "BEAM/1, I=30, J=20, LENGTH={L}, IXX=1, IYY=1, IZZ=1, AREA={area}, EMODULUS={EI}, "
                    "GMODULUS={GI}\nEND\n",
                    "shaft\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1,GROUND\n",
                    fmt::arg("W", W), fmt::arg("m", m), fmt::arg("Jp", Jp), fmt::arg("Jt", Jt),
                    fmt::arg("L", L), fmt::arg("area", EA / EI), fmt::arg("EI", EI), fmt::arg("GI", GI)));
    EXPECT_EQ(l.modes.states, 12);
    Eigen::Matrix4d companion = Eigen::Matrix4d::Zero();
    companion.bottomLeftCorner<3, 3>().setIdentity();
    companion.col(3) << -(k11 * k22 - k12 * k12), -Jp * W * k11, m * k22 + Jt * k11, m * Jp * W;
    companion.col(3) /= m * Jt;
    std::vector<double> expected = {std::sqrt(EA / L / m),
                                    std::sqrt(GI / L / Jp)};  // along and about the shaft
    int forward = 0;
    const Eigen::Vector4cd whirl = companion.eigenvalues();
    for (const std::complex<double>& w : whirl) {
      EXPECT_EQ(w.imag(), 0);
      expected.push_back(std::abs(w.real()));
      forward += w.real() > 0;
    }
    EXPECT_EQ(forward, 2);
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(l.modes.modes.size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const Mode& mode = l.modes.modes[k];
      // Differences along the motion leave some 1e-12 of W²; equal roots at rest are split by the root of
      // rounding.
      const double tolerance = 1e-9 * std::max(expected.back(), W);
      EXPECT_NEAR(mode.s.imag(), expected[k], tolerance) << W;
      EXPECT_NEAR(mode.s.real(), 0, tolerance) << W;
      if (W == 0) continue;
      // Its way: y + i z ~ e^{iωt} with ω of either sign has z = −i sign(ω) y in the shape of e^{i|ω|t}.
      const std::complex<double> y = mode.q[7], z = mode.q[8], i(0, 1);
      if (std::abs(y) + std::abs(z) < 1e-6 * mode.q.norm()) continue;
      double nearest = INFINITY, sign = 0;
      for (const std::complex<double>& w : whirl)
        if (const double off = std::abs(std::abs(w.real()) - mode.s.imag()); off < nearest)
          nearest = off, sign = w.real() > 0 ? 1 : -1;
      EXPECT_LT(std::abs(z + i * sign * y), 1e-6 * std::abs(y)) << W << ' ' << mode.s;
    }
  }
}

/// (M + m) ẍ + m l φ̈ + c ẋ + k x = F,  m l ẍ + (J + m l²) φ̈ + m g l φ = 0
TEST(LinearModels, cart_and_pendulum_in_state_space) {
  Recording r(std::string(head) + cart + "VARIABLE/1,FUNCTION=0\\\nEND\n");
  const Linearization l = of_cart(r);
  const double M = 2, m = 0.5, J = 0.01, h = 0.6, k = 40, c = 0.5, g = 9.81;
  Eigen::Matrix2d mass;
  mass << M + m, m * h, m * h, J + m * h * h;
  const Eigen::Matrix2d inverse = mass.inverse();
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  A.topRightCorner<2, 2>().setIdentity();
  A.bottomLeftCorner<2, 2>() = -inverse * Eigen::Vector2d(k, m * g * h).asDiagonal();
  A.bottomRightCorner<2, 2>() = -inverse * Eigen::Vector2d(c, 0).asDiagonal();
  Eigen::Vector4d B = Eigen::Vector4d::Zero();
  B.tail<2>() = inverse.col(0);
  ASSERT_EQ(l.equations.states.size(), 4u);
  EXPECT_EQ(l.equations.states[0].name, "VARIABLE/2");
  EXPECT_EQ(l.equations.states[3].name, "VARIABLE/3 rate");
  EXPECT_LT((l.equations.A - A).cwiseAbs().maxCoeff(), 1e-11);  // rounding of entries up to 40
  EXPECT_LT((l.equations.B - B).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LT((l.C - Eigen::MatrixXd::Identity(2, 4)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(l.D.cwiseAbs().maxCoeff(), 1e-12);
}

/// Statics under a small force is D − C A⁻¹ B times it, to the square of the force.
TEST(LinearModels, statics_are_the_limit_of_linear_equations) {
  Recording r(std::string(head) + cart + "VARIABLE/1,FUNCTION=0\\\nEND\n");
  const Linearization l = of_cart(r);
  const Eigen::MatrixXd gain = l.D - l.C * l.equations.A.inverse() * l.equations.B;
  const double F = 1e-3;
  Recording pushed(std::string(head) + cart + fmt::format("VARIABLE/1,FUNCTION={}\\\nEND\n", F));
  pushed.simulation->run(statics_analysis);
  EXPECT_NEAR(pushed.at(0, "VARIABLE/2", "Q") / F, gain(0, 0), 1e-9);
  EXPECT_NEAR(pushed.at(0, "VARIABLE/3", "Q") / F, gain(1, 0), 1e-9);
}

std::string matrix(int id, const Eigen::MatrixXd& m) {
  std::string out = fmt::format("MATRIX/{},FULL,RORDER,ROWS={},COLUMNS={},VALUES=", id, m.rows(), m.cols());
  for (Eigen::Index i = 0; i < m.rows(); ++i)
    for (Eigen::Index k = 0; k < m.cols(); ++k)
      out += fmt::format("{}{:.17g}", i + k == 0 ? "" : ",\n,", m(i, k));
  return out + "\n";
}

/// The matrices given back as an LSE move as the mechanism does under a small force.
TEST(LinearModels, exported_matrices_move_as_the_model) {
  constexpr double F = 1e-4;
  const std::string force = fmt::format("VARIABLE/1,FUNCTION={}*SIN(3*TIME)\\\n", F);
  Recording still(std::string(head) + cart + "VARIABLE/1,FUNCTION=0\\\nEND\n");
  const Linearization l = of_cart(still);
  const std::string tight = "INTEGRATOR/RADAU,ERROR=1E-10\n";
  Recording model(std::string(head) + cart + force + tight + "END\n");
  Recording matrices(std::string(head) + force + matrix(1, l.equations.A) + matrix(2, l.equations.B) +
                     matrix(3, l.C) + matrix(4, l.D) +
                     "ARRAY/1,X,SIZE=4\nARRAY/2,U,SIZE=1,VARIABLES=1\nARRAY/3,Y,SIZE=2\n"
                     "LSE/1,X=1,U=2,Y=3,A=1,B=2,C=3,D=4\nREQUEST/1,F2=ARYVAL(3,1)\\F3=ARYVAL(3,2)\\\n"
                     "REQUEST/2,F2=VARVAL(1)\\\n" +
                     tight + "END\n");
  for (Recording* r : {&model, &matrices}) r->simulation->run(dynamics_analysis, {5, 50});
  double largest = 0;
  for (std::size_t k = 0; k <= 50; ++k) {
    const double x = model.at(k, "VARIABLE/2", "Q"), angle = model.at(k, "VARIABLE/3", "Q");
    largest = std::max(largest, std::abs(x));
    // The motion is 1e-5 of a radian; what is neglected is of its third power, integration errors 1e-10.
    EXPECT_NEAR(matrices.at(k, "REQUEST/1", "F2"), x, 1e-9) << k;
    EXPECT_NEAR(matrices.at(k, "REQUEST/1", "F3"), angle, 1e-9) << k;
  }
  EXPECT_GT(largest, 1e-6);
}

/// Bodies hang in a row by pins; of 60 all modes are computed, and those near a frequency by themselves.
std::string hanging(int n) {
  std::string deck = std::string(head) + "ACCGRAV/JGRAV=-9.81\n";
  for (int p = 2; p < n + 2; ++p)
    deck += fmt::format(
        "PART/{0},MASS=1,CM={0}0,IP=.1,.1,.1,QG=0,{1},0\nMARKER/{0}0,PART={0}\nMARKER/"
        "{0}1,PART={0},QP=0,.5,0\n"
        "MARKER/{0}2,PART={0},QP=0,-.5,0\nJOINT/{0},REVOLUTE,I={0}1,J={2}\n"
        "SFORCE/{0},ROTATION,I={0}1,J={2},FUNCTION=-.02*WZ({0}1,{2},{2})\\\n",
        p, 1.5 - p, p == 2 ? std::string("1") : fmt::format("{}2", p - 1));
  return deck + "END\n";
}

TEST(LinearModels, few_modes_are_those_of_all) {
  Recording r(hanging(60));
  r.simulation->run(statics_analysis);
  const Linearization all = linearize(*r.simulation, {});
  ASSERT_EQ(all.modes.states, 120);
  for (const double near : {0.0, 0.9}) {
    LinearizationOptions options;
    options.modes = 10;
    options.frequency = near;
    const Linearization few = linearize(*r.simulation, options);
    ASSERT_EQ(few.modes.modes.size(), 10u);
    EXPECT_LT(few.modes.error, 1e-12);
    const Complex shift(0, 2 * std::numbers::pi * near);
    std::vector<Mode> expected = all.modes.modes;
    std::sort(expected.begin(), expected.end(),
              [&](const Mode& a, const Mode& b) { return std::abs(a.s - shift) < std::abs(b.s - shift); });
    expected.resize(10);
    sort_modes(expected);
    for (std::size_t k = 0; k < 10; ++k) {
      // Both are exact to rounding of the fastest, 12 rad/s, and its condition.
      EXPECT_LT(std::abs(few.modes.modes[k].s - expected[k].s), 1e-9) << near << " " << k;
      const double cosine = std::abs(few.modes.modes[k].q.dot(expected[k].q)) /
                            (few.modes.modes[k].q.norm() * expected[k].q.norm());
      EXPECT_NEAR(cosine, 1, 1e-8) << near << " " << k;
    }
  }
}

/// More modes than there are: all of these, and nothing that constraints make of rounding.
TEST(LinearModels, more_modes_than_there_are) {
  for (const int bodies : {1, 3}) {
    SCOPED_TRACE(bodies);
    Recording r(hanging(bodies));
    r.simulation->run(statics_analysis);
    const Linearization all = linearize(*r.simulation, {});
    for (const int asked : {bodies + 1, 30}) {
      LinearizationOptions options;
      options.modes = asked;
      const Linearization few = linearize(*r.simulation, options);
      ASSERT_EQ(few.modes.modes.size(), static_cast<std::size_t>(bodies));
      EXPECT_LT(few.modes.error, 1e-10);  // rounding of few bodies, some hundred units
      for (int k = 0; k < bodies; ++k)
        EXPECT_LT(std::abs(few.modes.modes[k].s - all.modes.modes[k].s), 1e-8) << k;
      EXPECT_EQ(doubts_about(few, *r.simulation).front(),
                fmt::format("Of the {} modes asked for there are {}.", asked, bodies));
    }
  }
}

/// A part whose spring balances its weight but for rounding of the deck's digits is at rest; one that falls
/// is not.
TEST(LinearModels, few_modes_at_rest_to_rounding) {
  constexpr double m = 0.3, k = 37, weight = 9.80665 * m;
  const auto frequency = [&](double off) {
    Recording r(
        fmt::format("{}ACCGRAV/JGRAV=-9.80665\nPART/2,MASS={:.17g},CM=20,IP=1,1,1,QG=0,{:.17g},0\n"
                    "MARKER/20,PART=2\nMARKER/29,PART=1,QP=0,1,0\n"
                    "JPRIM/1,ORIENTATION,I=20,J=29\nBUSHING/1,I=20,J=29,K=5,{:.17g},7\nEND\n",
                    head, m, 1 - weight / k * (1 + off), k));
    LinearizationOptions options;
    options.modes = 3;
    return linearize(*r.simulation, options).modes.modes.back().s.imag();
  };
  EXPECT_NEAR(frequency(1e-15), std::sqrt(k / m), 1e-9);
  EXPECT_NEAR(frequency(-1e-15), std::sqrt(k / m), 1e-9);
  EXPECT_THROW(frequency(1e-6), Failure);
}

/// A long row is a hanging chain: frequencies ½ j √(g/L) with the zeros j of the Bessel function J₀; links of
/// 1/n of its length miss these by some 1/n.
TEST(LinearModels, lowest_modes_of_a_long_chain) {
  constexpr int n = 500;
  Recording r(hanging(n));
  r.simulation->run(statics_analysis);
  LinearizationOptions options;
  options.modes = 3;
  const Linearization l = linearize(*r.simulation, options);
  constexpr double zeros[] = {2.404825557695773, 5.520078110286311, 8.653727912911013};
  ASSERT_EQ(l.modes.modes.size(), 3u);
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(l.modes.modes[k].s.imag() / (0.5 * zeros[k] * std::sqrt(9.81 / n)), 1, 2.0 / n) << k;
}

/// A free row of bodies joined by springs has rigid motions; what is asked for near them are the slow ones.
TEST(LinearModels, few_modes_of_free_bodies) {
  std::string deck = head;
  constexpr int n = 30;
  for (int p = 2; p < n + 2; ++p) {
    deck += fmt::format("POINT_MASS/{0},MASS=1,CM={0}0,QG={1},0,0\nMARKER/{0}0,POINT_MASS={0}\n", p, p);
    if (p > 2)
      deck +=
          fmt::format("SFORCE/{0},TRANSLATION,I={0}0,J={1}0,FUNCTION=-100*(DM({0}0,{1}0)-1)\\\n", p, p - 1);
  }
  Recording r(deck + "END\n");
  LinearizationOptions options;
  constexpr int zeros = 2 * (2 * n + 1);
  options.modes = zeros + 4;
  const Linearization few = linearize(*r.simulation, options);
  // Along x: w = 2 √(k/m) sin(π j / 2n); across nothing holds them.
  std::vector<double> frequencies;
  for (const Mode& mode : few.modes.modes)
    if (mode.s != 0.0) frequencies.push_back(std::abs(mode.s));
  EXPECT_EQ(few.modes.modes.size() - frequencies.size(), static_cast<std::size_t>(zeros));
  ASSERT_GE(frequencies.size(), 2u);
  for (int j = 1; j <= 2; ++j)
    EXPECT_NEAR(frequencies[j - 1], 20 * std::sin(std::numbers::pi * j / (2 * n)), 1e-6) << j;
}

/// Slow modes side by side, and overdamped ones whose roots all lie near -1/0.01, far from which the search
/// for slow modes begins: w = √1, √1.01 at the smallest stiffnesses. Eigenvalues are asked for to 1e-11.
TEST(LinearModels, slowest_modes_beside_overdamped_ones) {
  std::string deck = head;
  for (int k = 0; k < 12; ++k) {
    const double K = 1 + 0.03 * k, T = 1e6 * (1 + 0.1 * k);
    deck += fmt::format(
        "MARKER/1{0:02},PART=1,QP={0},0,0\nPART/{1},MASS=1,CM={1}00,IP=1,1,1,QG={0},0,0\nMARKER/"
        "{1}00,PART={1}\n"
        "BUSHING/{1},I={1}00,J=1{0:02},K={2},{3},{4},C={5},{6},{7},KT={8},{8},{8},CT={9},{9},{9}\n",
        k, k + 2, K, 1.01 * K, 1.02 * K, 0.01 * K, 0.0101 * K, 0.0102 * K, T, 0.01 * T);
  }
  Recording r(deck + "END\n");
  LinearizationOptions options;
  options.modes = 2;
  const Linearization l = linearize(*r.simulation, options);
  ASSERT_EQ(l.modes.modes.size(), 2u);
  EXPECT_NEAR(std::abs(l.modes.modes[0].s), 1, 1e-9);
  EXPECT_NEAR(std::abs(l.modes.modes[1].s), std::sqrt(1.01), 1e-9);
}

/// What is told of a place: nothing where a mass hangs in balance, else that it moves or begins to.
TEST(LinearModels, tells_whether_the_model_rests) {
  const auto told = [&](const std::string& gravity, const std::string& rate) {
    Recording r(head + gravity + "PART/2, MASS=1, CM=20, IP=1,1,1" + rate +
                "\nMARKER/20, PART=2\nBUSHING/1, I=20, J=1, K=1E9,2E9,3E9, KT=1,2,3, C=0,0,0, CT=0,0,0, "
                "FORCE=0,0,9.8\nEND\n");
    const Linearization linear = linearize(*r.simulation, {});
    const std::vector<std::string> doubts = doubts_about(linear, *r.simulation);
    return doubts.empty() ? "" : doubts.front().substr(0, 19);
  };
  EXPECT_EQ(told("ACCGRAV/KGRAV=-9.8\n", ""), "");
  EXPECT_EQ(told("", ""), "The model is not in");
  EXPECT_EQ(told("ACCGRAV/KGRAV=-9.8\n", ", VX=1"), "The model moves the");
  Recording free(std::string(head) + "PART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\nEND\n");
  const Linearization linear = linearize(*free.simulation, {});
  EXPECT_EQ(linear.modes.defective.size(), 6u);
  EXPECT_TRUE(doubts_about(linear, *free.simulation).empty());
}

/// Unloaded springs between markers at the same places of space, wherever parts and markers are: what they
/// pull by rounding is no motion that begins.
TEST(LinearModels, unloaded_springs_are_at_rest) {
  for (std::uint32_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    const Vec3d x = random.vector(3);
    const Mat3d A = random.rotation();
    std::string deck =
        std::string(head) +
        fmt::format("PART/2, MASS=2, CM=20, IP=0.2,0.3,0.4, QG={}, REULER={}\nMARKER/20, PART=2\n", list(x),
                    euler(A));
    for (int k = 1; k <= 4; ++k) {
      const Vec3d s = random.vector(2);
      deck += marker(100 + k, "PART=2", s, Mat3d::identity()) + marker(200 + k, "PART=1", x + A * s, A) +
              fmt::format("BUSHING/{0}, I={1}, J={2}, K={3},20,50, KT=5,{3},40\n", k, 100 + k, 200 + k,
                          random.uniform(5, 50));
    }
    Recording r(deck + "END\n");
    EXPECT_EQ(doubts_about(linearize(*r.simulation, {}), *r.simulation), std::vector<std::string>{}) << seed;
  }
}

/// A joint whose marker is at the body's centre of mass but for rounding, as that of a node of a flexible
/// body can be: its distance is no length to weigh angles by.
TEST(LinearModels, arms_of_rounding_are_none) {
  Recording r(std::string(head) +
              "PART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=1E-18,0,0\n"
              "JOINT/1, REVOLUTE, I=21, J=1\nSPRINGDAMPER/1, ROTATION, I=21, J=1, KT=4\nEND\n");
  const Linearization linear = linearize(*r.simulation, {});
  ASSERT_EQ(linear.modes.modes.size(), 1u);
  EXPECT_NEAR(linear.modes.modes[0].s.imag(), 2, 1e-9);
}

}  // namespace
}  // namespace trammel::linear_models_test
