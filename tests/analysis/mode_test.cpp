// Forces that read MODE: in dynamics the accelerations of every record, and those that steps begin with, are
// those of MODE = 4.
#include <gtest/gtest.h>

#include "../support/simulate.h"

namespace trammel::mode_test {
namespace {

using namespace test;

constexpr double mass = 2, force = 40, before = -400;

std::string deck(const std::string& integrator) {
  return fmt::format(
      "mode\nUNITS/SYSTEM=MKS\nPART/1,GROUND\nMARKER/1,PART=1\nPART/2,MASS={},CM=20,IP=1,1,1\n"
      "MARKER/20,PART=2\nSFORCE/1,TRANSLATION,ACTIONONLY,I=20,J=1,FUNCTION=IF(MODE-4:{},{},{})\n"
      "VARIABLE/1,FUNCTION=MODE\nVARIABLE/2,FUNCTION=ACCZ(20)\nINTEGRATOR/{}\nEND\n",
      mass, before, force, before, integrator);
}

class ModeInDynamics : public testing::TestWithParam<const char*> {};

/// v = (F/m) t: of constant forces every method makes rounding alone.
TEST_P(ModeInDynamics, is_4_from_the_first_record_on) {
  for (const bool interpolate : {false, true}) {
    Recording r(deck(GetParam() + std::string(interpolate ? ",INTERPOLATE=ON" : "")));
    r.simulation->run(dynamics_analysis, {0.1, 10});
    for (std::size_t k = 0; k < r.time.size(); ++k) {
      SCOPED_TRACE(fmt::format("{} at {}", interpolate, r.time[k]));
      EXPECT_NEAR(r.at(k, "PART/2", "ACCZ"), force / mass, 1e-9);
      EXPECT_NEAR(r.at(k, "PART/2", "VZ"), force / mass * r.time[k], 1e-9);
      EXPECT_NEAR(r.at(k, "VARIABLE/1", "Q"), 4, 1e-12);
      EXPECT_NEAR(r.at(k, "VARIABLE/2", "Q"), force / mass, 1e-9);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, ModeInDynamics,
                         testing::Values("HHT", "GSTIFF", "GSTIFF,SI2", "GSTIFF,SI1", "WSTIFF", "RADAU",
                                         "ABAM", "RKF45"));

/// A force of kinematics, MODE = 1, in the reaction of what is driven.
TEST(Mode, is_1_in_the_first_record_of_kinematics) {
  Recording r(fmt::format(
      "mode\nUNITS/SYSTEM=MKS\nPART/1,GROUND\nMARKER/1,PART=1\nPART/2,MASS={},CM=20,IP=1,1,1\n"
      "MARKER/20,PART=2\nJOINT/1,TRANSLATIONAL,I=20,J=1\nMOTION/1,JOINT=1,TRANSLATION,FUNCTION=TIME**2\n"
      "SFORCE/1,TRANSLATION,ACTIONONLY,I=20,J=1,FUNCTION=IF(MODE-1:0,{},0)\nEND\n",
      mass, force));
  r.simulation->run(kinematics_analysis, {1, 2});
  for (std::size_t k = 0; k < r.time.size(); ++k)
    EXPECT_NEAR(r.at(k, "MOTION/1", "FZ"), mass * 2 - force, 1e-9) << r.time[k];
}

}  // namespace
}  // namespace trammel::mode_test
