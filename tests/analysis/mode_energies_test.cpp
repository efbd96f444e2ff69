// Energies of modes with forces that read VARIABLEs and states, against closed forms; and VARIABLEs that read
// light parts.
#include "analysis/linear/mode_energies.h"

#include <gtest/gtest.h>

#include <cmath>

#include "linearized.h"

namespace trammel::mode_energies_test {
namespace {

using namespace test;
using Complex = std::complex<double>;

/// A mass of 2 along x, and what pulls it.
std::string deck_with(const std::string& forces) {
  return "title\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1,GROUND\n"
         "MARKER/1,PART=1,REULER=90D,90D,0D\nMARKER/2,PART=1,QP=-1,0,0\n"
         "PART/2,MASS=2,CM=20,IP=1,1,1\nMARKER/20,PART=2,REULER=90D,90D,0D\n"
         "JOINT/1,TRANSLATIONAL,I=20,J=1\n" +
         forces + "END\n";
}

struct Energies {
  Mode mode;
  ModeEnergies of;
  double strain(const std::string& name) const { return find(of.of_springs, name); }
  double kinetic(const std::string& name) const { return find(of.of_parts, name); }
  double dissipated(const std::string& name) const { return find(of.of_dampers, name); }
  double size() const { return std::norm(mode.q[0]); }

 private:
  static double find(const std::vector<EnergyRow>& rows, const std::string& name) {
    for (const EnergyRow& row : rows)
      if (row.name == name) return row.sum();
    throw std::runtime_error("no " + name);
  }
};

/// Of the one mode that swings.
Energies energies_of(const std::string& forces) {
  Recording r(deck_with(forces));
  Session& session = *r.simulation;
  const Linear l = linearized(session);
  Energies out;
  for (const Mode& mode : l.modes.modes)
    if (mode.paired()) out.mode = mode;
  out.of = mode_energies(session.model(), session.assembler(), session.motion(), out.mode);
  return out;
}

// Differences of what is linear: rounding of forces of 50 |δr| at 1e-3, some 1e-13.
constexpr double tolerance = 1e-11;

/// F = −(k x + c v) by way of three VARIABLEs stores ½ k |x|² and dissipates ½ c |v|², as the spring does
/// that it is.
TEST(ModeEnergies, variables_follow_displacements_and_velocities) {
  const double k = 50, c = 4;
  const Energies e = energies_of(
      "VARIABLE/1,FUNCTION=DX(20,1)\nVARIABLE/3,FUNCTION=VX(20,1)\n"
      "VARIABLE/2,FUNCTION=-50*VARVAL(1)-4*VARVAL(3)\n"
      "SFORCE/1,TRANSLATION,I=20,J=1,ACTIONONLY,FUNCTION=VARVAL(2)\n");
  ASSERT_LT(std::abs(e.mode.s - Complex(-1, std::sqrt(24.0))), 1e-12);
  const double x2 = e.size(), v2 = x2 * std::norm(e.mode.s);
  EXPECT_NEAR(e.strain("SFORCE/1") / (k * x2 / 2), 1, tolerance);
  EXPECT_NEAR(e.dissipated("SFORCE/1") / (c * v2 / 2), 1, tolerance);
  const Energies spring = energies_of("SPRINGDAMPER/1,TRANSLATION,I=20,J=2,K=50,C=4,LENGTH=1\n");
  EXPECT_NEAR(e.strain("SFORCE/1") / x2, spring.strain("SPRINGDAMPER/1") / spring.size(), 1e-9);
}

/// An elastic force that bends within 1e-5 of the unit of length, −3e-4 sin(x/1e-5), is a stiffness of 30 at
/// rest.
TEST(ModeEnergies, of_a_force_that_bends_within_micrometres) {
  const Energies e =
      energies_of("SFORCE/1,TRANSLATION,I=20,J=1,ACTIONONLY,FUNCTION=-3E-4*SIN(DX(20,1)/1E-5)\n");
  ASSERT_LT(std::abs(e.mode.s - Complex(0, std::sqrt(15.0))), 1e-9);
  // Rounding of forces of 3e-4 at the steps of some 1e-7 that resolve the sine, 1e-9 of it, less what
  // extrapolation makes of truncation.
  EXPECT_NEAR(e.strain("SFORCE/1") / (30 * e.size() / 2), 1, 1e-8);
}

/// An elastic force that lags by τ, F = −k d, τ ḋ + d = x, is a stiffness k/(1 + s τ): its real part stores,
/// what is against the velocity dissipates.
TEST(ModeEnergies, states_have_their_phase) {
  const double k = 30, tau = 0.1;
  const Energies e = energies_of(
      "SPRINGDAMPER/1,TRANSLATION,I=20,J=2,K=50,C=4,LENGTH=1\n"
      "VARIABLE/1,FUNCTION=-30*DIF(1)\nDIFF/1,IC=0,FUNCTION=(DX(20,1)-DIF(1))/0.1\n"
      "SFORCE/1,TRANSLATION,I=20,J=1,ACTIONONLY,FUNCTION=VARVAL(1)\n");
  const Complex s = e.mode.s, stiffness = k / (1.0 + s * tau);
  ASSERT_LT(std::abs(2.0 * s * s + 4.0 * s + 50.0 + stiffness), 1e-10);
  EXPECT_NEAR(e.strain("SFORCE/1") / (stiffness.real() * e.size() / 2), 1, tolerance);
  EXPECT_NEAR(e.dissipated("SFORCE/1") / ((stiffness * std::conj(s)).real() * e.size() / 2), 1, tolerance);
}

/// F = −m ẍ, directly and by a VARIABLE, is a mass of m: it has kinetic energy and neither stores nor
/// dissipates.
TEST(ModeEnergies, a_force_by_an_acceleration_is_a_mass) {
  for (const char* force : {"SFORCE/1,TRANSLATION,I=20,J=1,ACTIONONLY,FUNCTION=VARVAL(1)\n"
                            "VARIABLE/1,FUNCTION=-3*ACCX(20,1)\n",
                            "SFORCE/1,TRANSLATION,I=20,J=1,ACTIONONLY,FUNCTION=-3*ACCX(20,1)\n"}) {
    const Energies e =
        energies_of(std::string("SPRINGDAMPER/1,TRANSLATION,I=20,J=2,K=50,C=4,LENGTH=1\n") + force);
    const Complex s = e.mode.s;
    ASSERT_LT(std::abs(5.0 * s * s + 4.0 * s + 50.0), 1e-10) << force;
    const double of_part = 0.5 * 2 * std::norm(s) * e.size();
    EXPECT_NEAR(e.kinetic("PART/2") / of_part, 1, tolerance) << force;
    EXPECT_NEAR(e.kinetic("SFORCE/1") / (1.5 * of_part), 1, tolerance) << force;
    EXPECT_NEAR(e.of.mass / (5 * e.size()), 1, tolerance) << force;
    EXPECT_NEAR(e.strain("SFORCE/1") / of_part, 0, tolerance) << force;
    EXPECT_NEAR(e.dissipated("SFORCE/1") / of_part, 0, tolerance) << force;
    // Twice the dissipated power is what kinetic and strain energy lose, −2 Re s of both.
    EXPECT_NEAR(e.dissipated("SPRINGDAMPER/1") / (-2 * s.real() * e.of.kinetic), 1, tolerance) << force;
  }
}

/// F = −c R with the reaction R = μ ẍ that a load of mass μ has at its joint: −c μ s² x by its phase, of
/// (m + μ (1 + c)) s² + d s + k = 0.
TEST(ModeEnergies, a_force_by_a_reaction_has_its_phase) {
  const double c = 0.4, load = 3;
  const std::string deck =
      "SPRINGDAMPER/1,TRANSLATION,I=20,J=2,K=50,C=4,LENGTH=1\n"
      "PART/3,MASS=3,CM=30,IP=1,1,1\nMARKER/30,PART=3,REULER=90D,90D,0D\n"
      "JOINT/2,FIXED,I=30,J=20\nVARIABLE/1,FUNCTION=-0.4*FX(30,20)\n"
      "SFORCE/1,TRANSLATION,I=20,J=1,ACTIONONLY,FUNCTION=VARVAL(1)\n";
  const Energies e = energies_of(deck);
  const Complex s = e.mode.s;
  ASSERT_LT(std::abs((2 + load * (1 + c)) * s * s + 4.0 * s + 50.0), 1e-10);
  const Complex stiffness = c * load * s * s;
  EXPECT_NEAR(e.strain("SFORCE/1") / (stiffness.real() * e.size() / 2), 1, tolerance);
  EXPECT_NEAR(e.dissipated("SFORCE/1") / ((stiffness * std::conj(s)).real() * e.size() / 2), 1, tolerance);
}

/// Sums by kind are those of their rows, and all is all.
TEST(ModeEnergies, sums_by_kind_add_up) {
  const Energies e = energies_of(
      "SPRINGDAMPER/1,TRANSLATION,I=20,J=2,K=20,C=3,LENGTH=1\nSPRINGDAMPER/"
      "2,TRANSLATION,I=20,J=2,K=10,C=1,LENGTH=1\n"
      "SFORCE/1,TRANSLATION,I=20,J=1,ACTIONONLY,FUNCTION=-20*DX(20,1)\n");
  const double x2 = e.size(), v2 = x2 * std::norm(e.mode.s);
  const std::vector<EnergyRow> strain = sums_by_kind(e.of.of_springs), power = sums_by_kind(e.of.of_dampers);
  ASSERT_EQ(strain.size(), 3u);
  EXPECT_EQ(strain[0].name + strain[1].name + strain[2].name, "SPRINGDAMPERSFORCEall");
  EXPECT_NEAR(strain[0].sum() / (15 * x2), 1, tolerance);
  EXPECT_NEAR(strain[1].sum() / (10 * x2), 1, tolerance);
  EXPECT_NEAR(strain[2].sum() / (25 * x2), 1, tolerance);
  EXPECT_NEAR(power[0].sum() / (2 * v2), 1, tolerance);
  EXPECT_NEAR(power[2].sum() / (2 * v2), 1, tolerance);
  EXPECT_NEAR(sums_by_kind(e.of.of_parts).back().sum() / (x2 * std::norm(e.mode.s)), 1, tolerance);
}

/// A part of 1e-15 behind a damper, whose force VARIABLEs read and hand on: a rate of 1e17 beside one of 5.
/// The equations determine every VARIABLE whatever its scale. The light part is free at its end: it moves
/// with its neighbour but for c ẋ + k x = 0 between them. Slow eigenvalues are known to what balancing leaves
/// of rounding, which without it would be 7e17 times 2e-16.
TEST(Linear, variables_that_read_light_parts) {
  std::string deck =
      "title\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1,GROUND\n"
      "MARKER/1,PART=1\n";
  const auto slider = [](int id, double mass, double x) {
    return fmt::format(
        "PART/{0},MASS={1},CM={0}0,IP={1},{1},{1},QG={2},0,0\nMARKER/{0}0,PART={0},REULER=90D,90D,0D\n"
        "MARKER/{0}1,PART=1,QP={2},0,0,REULER=90D,90D,0D\nJOINT/{0},TRANSLATIONAL,I={0}0,J={0}1\n",
        id, mass, x);
  };
  deck += slider(2, 2, 1) + "SPRINGDAMPER/1,TRANSLATION,I=20,J=1,K=50,C=4,LENGTH=1\n";
  constexpr int light = 1;
  for (int k = 3; k < 3 + light; ++k)
    deck += slider(k, 1e-15, k - 1) +
            fmt::format(
                "SPRINGDAMPER/{0},TRANSLATION,I={0}0,J={1}0,K=70,C=700,LENGTH=1\n"
                "VARIABLE/{0},FUNCTION=7E5*(DX({0}0,{1}0)-1)+7E6*VX({0}0,{1}0)\nVARIABLE/"
                "{0}0,FUNCTION=35*VARVAL({0})\n",
                k, k - 1);
  Recording r(deck + "END\n");
  const Linear l = linearized(*r.simulation);
  EXPECT_EQ(l.modes.states, 2 * (1 + light));
  int slow = 0, fast = 0, swinging = 0;
  for (const Mode& mode : l.modes.modes) {
    if (mode.paired()) {  // the heavy one: nothing holds the light ones back
      ++swinging;
      EXPECT_LT(std::abs(mode.s - Complex(-1, std::sqrt(24.0))), 1e-4);
    } else if (std::abs(mode.s) > 1) {
      ++fast;
      EXPECT_GT(std::abs(mode.s), 0.1 * 700 / 1e-15);
    } else {
      ++slow;
      EXPECT_NEAR(mode.s.real(), -70.0 / 700, 1e-4);
    }
    // Each VARIABLE is 35 times the one that it reads, in every mode, to rounding of the terms that cancel in
    // it.
    const double terms = 35 * (7e5 + 7e6 * std::abs(mode.s)) * mode.q.cwiseAbs().maxCoeff();
    for (int k = 3; k < 3 + light; ++k) {
      const Complex read = mode.scalar[scalar_of(r.simulation->model(), fmt::format("VARIABLE/{}", k))],
                    made = mode.scalar[scalar_of(r.simulation->model(), fmt::format("VARIABLE/{}0", k))];
      EXPECT_LT(std::abs(made - 35.0 * read), 1e-12 * terms);
    }
  }
  EXPECT_EQ(swinging, 1);
  EXPECT_EQ(fast, light);
  EXPECT_EQ(slow, light);
}

}  // namespace
}  // namespace trammel::mode_energies_test
