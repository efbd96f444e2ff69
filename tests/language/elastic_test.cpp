// BEAM, FIELD and NFORCE in whole runs: beams in equilibrium under loads, vibration, energy.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../support/simulate.h"

namespace trammel::elastic_test {
namespace {

using namespace test;
constexpr double pi = std::numbers::pi;

// L = 2, E = 200, G = 80, A = 0.04, IYY = 3e-4, IZZ = 2e-4, IXX = 1e-4
const double L = 2, E = 200, G = 80, A = 0.04, Iyy = 3e-4, Izz = 2e-4;
const std::string section =
    ", LENGTH = 2, AREA = 0.04, IXX = 1E-4, IYY = 3E-4, IZZ = 2E-4, EMODULUS = 200, GMODULUS = 80";

/// A body at the end of a cantilever, displaced by (0, y, z) and turned by `turn` about z or y, with a force
/// on it.
std::string cantilever(const std::string& shear, const Vec3d& tip, const Mat3d& axes,
                       const std::string& load) {
  return "title\nPART/1, GROUND\nMARKER/11, PART = 1\nMARKER/19, PART = 1, FLOATING\nPART/2, MASS = 3, CM = "
         "21, IP = "
         "0.2, 0.2, 0.2\n, QG = " +
         list(tip) + "\n, REULER = " + euler(axes) + "\nMARKER/21, PART = 2\nBEAM/1, I = 21, J = 11\n" +
         section + shear + "\nVFORCE/1, I = 21, JFLOAT = 19, " + load + "\nEND\n";
}

/// Timoshenko: tip deflection P L³/3EI + κ P L/GA and slope P L²/2EI of a cantilever under a force at its
/// end. Where the linear law says the beam balances the load, the body must not accelerate.
TEST(Beam, cantilever_under_end_load_is_in_equilibrium_at_the_textbook_deflection) {
  for (double kappa : {0.0, 1.2}) {
    const double P = 1e-3;
    const std::string shear = kappa > 0 ? fmt::format("\n, ASY = {0}, ASZ = {0}", kappa) : "";
    const double y = P * L * L * L / (3 * E * Izz) + kappa * P * L / (G * A),
                 slope_z = P * L * L / (2 * E * Izz);
    const double z = P * L * L * L / (3 * E * Iyy) + kappa * P * L / (G * A),
                 slope_y = P * L * L / (2 * E * Iyy);
    Recording in_y(cantilever(shear, {L, y, 0}, rotation_z(slope_z), "FY = 1E-3"));
    Recording in_z(cantilever(shear, {L, 0, z}, exponential({0, -slope_y, 0}), "FZ = 1E-3"));
    for (Recording* r : {&in_y, &in_z}) {
      r->simulation->run(dynamics_analysis, {1e-4, 1, 0});
      for (const char* c : {"ACCX", "ACCY", "ACCZ", "WDX", "WDY", "WDZ"})
        EXPECT_NEAR(r->at(0, "PART/2", c), 0, 1e-14) << c;  // of 1e-3/3: rounding
      EXPECT_NEAR(std::hypot(r->at(0, "BEAM/1", "FY"), r->at(0, "BEAM/1", "FZ")), P, 1e-16);
    }
  }
}

/// End moment M: deflection M L²/2EI, slope M L/EI; here the load is a torque.
TEST(Beam, cantilever_under_end_moment) {
  const double M = 1e-3, y = M * L * L / (2 * E * Izz), slope = M * L / (E * Izz);
  const std::string deck =
      "title\nPART/1, GROUND\nMARKER/11, PART = 1\nPART/2, MASS = 3, CM = 21, IP = 0.2, 0.2, 0.2\n"
      ", QG = " +
      list({L, y, 0}) + "\n, REULER = " + euler(rotation_z(slope)) +
      "\nMARKER/21, PART = 2\nBEAM/1, I = 21, J = 11\n" + section +
      "\nSFORCE/1, ROTATION, ACTIONONLY, I = 21, J = 11, FUNCTION = 1E-3\nEND\n";
  Recording r(deck);
  r.simulation->run(dynamics_analysis, {1e-4, 1, 0});
  for (const char* c : {"ACCX", "ACCY", "WDZ"}) EXPECT_NEAR(r.at(0, "PART/2", c), 0, 1e-14) << c;
}

/// Small vibration of an end mass whose rotation is locked: k = 12 E I/L³ (guided end), ω = √(k/m).
TEST(Beam, guided_end_mass_vibrates_with_the_guided_stiffness) {
  Recording r(
      "title\nPART/1, GROUND\nINTEGRATOR/HHT, ERROR = 1E-9\nMARKER/11, PART = 1\nMARKER/12, PART = 1, QP = "
      "2, 0, "
      "0\n, ZP = 2, 1, 0\nPART/2, MASS = 3, CM = 21, IP = 0.2, 0.2, 0.2, QG = 2, 0.01, 0\nMARKER/21, PART = "
      "2\n"
      "MARKER/22, PART = 2\n, ZP = 0, 1, 0\nJOINT/1, TRANSLATIONAL, I = 22, J = 12\nBEAM/1, I = 21, J = "
      "11\n" +
      section + "\nEND\n");
  const double w = std::sqrt(12 * E * Izz / (L * L * L) / 3), period = 2 * pi / w;
  r.simulation->run(dynamics_analysis, {period, 24, 0});
  // A thousandth of the amplitude: the integrator's phase error at ERROR 1E-9 is a part in several thousand,
  // while any wrong entry of the matrix shifts the frequency by far more.
  for (std::size_t k = 0; k < r.time.size(); ++k)
    EXPECT_NEAR(r.at(k, "PART/2", "Y"), 0.01 * std::cos(w * r.time[k]), 1e-5);
}

/// A chain of two parts on one NFORCE with a stiffness matrix of springs k1 (ground to 2) and k2 (2 to 3):
/// the normal modes of (k1 + k2, −k2; −k2, k2) with unit masses, k1 = 3, k2 = 2: ω² = 1, 6, shapes (1, 2) and
/// (2, −1).
TEST(Nforce, two_masses_move_in_the_modes_of_the_matrix) {
  std::string rows, columns, values;
  const auto entry = [&](int i, int j, double v) {
    rows += fmt::format("{}{}", rows.empty() ? "" : ", ", i);
    columns += fmt::format("{}{}", columns.empty() ? "" : ", ", j);
    values += fmt::format("{}{}", values.empty() ? "" : ", ", v);
  };
  entry(1, 1, 5), entry(1, 7, -2), entry(7, 1, -2), entry(7, 7, 2);
  for (const auto& [name, x2, x3, w2] :
       {std::tuple{"slow", 1.0, 2.0, 1.0}, std::tuple{"fast", 2.0, -1.0, 6.0}}) {
    Recording r(fmt::format(
        "title\nPART/1, GROUND\nINTEGRATOR/HHT, ERROR = 1E-9\nMARKER/11, PART = 1\nPART/2, MASS = 1, CM = "
        "21, IP = 1, "
        "1, 1, QG = {0}, 0, 0\nMARKER/21, PART = 2\nPART/3, MASS = 1, CM = 31, IP = 1, 1, 1, QG = {1}, 0, "
        "0\nMARKER/31, PART = 3\nMATRIX/1, SPARSE, ROWS = 12, COLUMNS = 12\n, I = {2}\n, J = {3}\n, VALUES = "
        "{4}\nARRAY/1, NUMBERS = 10, 0, 0, 0, 0, 0, 20, 0, 0, 0, 0, 0\nNFORCE/1, IMARKERS = 21, 31, J = 11, "
        "KMATRIX = "
        "1, LENGTH = 1\nREQUEST/1, F2 = NFORCE(1,31,2,0)\\F3 = NFORCE(1,11,2,0)\nEND\n",
        10 + 0.1 * x2, 20 + 0.1 * x3, rows, columns, values));
    r.simulation->run(dynamics_analysis, {6, 24, 0});
    for (std::size_t k = 0; k < r.time.size(); ++k) {
      // A thousandth of the amplitudes (0.2, times ω²), as for the beam.
      const double c = 0.1 * std::cos(std::sqrt(w2) * r.time[k]);
      EXPECT_NEAR(r.at(k, "PART/2", "X"), 10 + x2 * c, 2e-4) << name;
      EXPECT_NEAR(r.at(k, "PART/3", "X"), 20 + x3 * c, 2e-4) << name;
      EXPECT_NEAR(r.at(k, "NFORCE/1", "FX_31"), -w2 * x3 * c, 1.2e-3) << name;
      EXPECT_EQ(r.at(k, "REQUEST/1", "F2"), r.at(k, "NFORCE/1", "FX_31"));
      // what J takes balances both
      EXPECT_NEAR(r.at(k, "REQUEST/1", "F3"), -r.at(k, "NFORCE/1", "FX_21") - r.at(k, "NFORCE/1", "FX_31"),
                  1e-15);
    }
  }
}

}  // namespace
}  // namespace trammel::elastic_test
