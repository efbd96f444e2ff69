// Forces of time that last for a part of a step, with a law that no table of breaks knows: all of them are
// met.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "../support/simulate.h"

namespace trammel::force_pulses_test {
namespace {

using namespace test;

/// Velocity of 1 kg after 5 s with outputs half a second apart.
double last_velocity(const std::string& force, const std::string& integrator) {
  Recording r(
      "pulses\nUNITS/SYSTEM=MKS\nPART/1,GROUND\nMARKER/1,PART=1\nPART/2,MASS=1,CM=20,IP=1,1,1\n"
      "MARKER/20,PART=2\nJOINT/1,TRANSLATIONAL,I=20,J=1\nSFORCE/1,TRANSLATION,ACTIONONLY,I=20,J=1,FUNCTION=" +
      force + "\nINTEGRATOR/" + integrator + ",ERROR=1E-6\nEND\n");
  r.simulation->run(dynamics_analysis, {5, 10});
  return r.at(r.time.size() - 1, "PART/2", "VZ");
}

constexpr const char* methods[] = {"HHT", "GSTIFF,SI2", "GSTIFF", "WSTIFF,SI2", "RADAU", "ABAM", "RKF45"};

/// The time up to 5 s for which sin(10 t + 2.1) is above 0.9.
double time_above() {
  const double rise = std::asin(0.9), fall = std::numbers::pi - rise;
  double sum = 0;
  for (int turn = 0; turn < 10; ++turn) {
    const auto time = [&](double angle) {
      return std::clamp((angle + 2 * std::numbers::pi * turn - 2.1) / 10, 0.0, 5.0);
    };
    sum += time(fall) - time(rise);
  }
  return sum;
}

// Between its corners the force is constant, and every method exact: what is left is ERROR where it begins
// anew.
TEST(ForcePulses, of_a_switch) {
  for (const char* method : methods)
    EXPECT_NEAR(last_velocity("IF(SIN(2.1+10*TIME)-0.9:0,0,1)", method), time_above(), 1e-5) << method;
}

// ∫ max(0, sin 10 t) dt is 0.2 for each half wave, and 5 s, 15.9 π, end behind the eighth. HHT and GSTIFF
// (I3) hold positions to ERROR, and velocities to ERROR^{2/3}, 1e-4, for each of some thirty changes of the
// step at corners.
TEST(ForcePulses, of_half_waves) {
  for (const std::string method : methods)
    EXPECT_NEAR(last_velocity("MAX(0,SIN(10*TIME))", method), 8 * 0.2,
                method == "HHT" || method == "GSTIFF" ? 1e-2 : 3e-4)
        << method;
}

}  // namespace
}  // namespace trammel::force_pulses_test
