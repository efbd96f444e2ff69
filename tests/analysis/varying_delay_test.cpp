// DELAYs whose delay is no constant limit the steps as constants do, and what is shown of them is right,
// although nothing integrates it.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "../support/simulate.h"

namespace trammel::varying_delay_test {
namespace {

using namespace test;

std::string deck(const std::string& statements) {
  return "free part\nUNITS/SYSTEM=MKS\nPART/1,GROUND\nMARKER/1,PART=1\nPART/2,MASS=1,CM=20,IP=1,1,1\n"
         "MARKER/20,PART=2\n" +
         statements + "END\n";
}

/// Largest error of VARIABLE/1 at 10 outputs in 5 s, half a second and 0.8 periods of the argument apart.
double worst(const std::string& statements, const AnalysisRow& analysis,
             const std::function<double(double)>& exact) {
  Recording r(deck(statements));
  r.simulation->run(analysis, {5, 10});
  EXPECT_EQ(r.warnings, std::vector<std::string>{});
  double error = 0;
  for (std::size_t n = 0; n < r.time.size(); ++n)
    error = std::max(error, std::fabs(r.at(n, "VARIABLE/1", "Q") - exact(r.time[n])));
  return error;
}

/// Such a value errs by what the cubic through the points of its history does, ERROR, times some for one that
/// is looked back at between them.
constexpr double some = 10;

TEST(VaryingDelay, of_functions_of_time) {
  const auto exact = [](double t) { return std::sin(10 * (t - 0.05 - 0.02 * std::sin(t))); };
  for (const char* method : {"HHT", "GSTIFF,SI2", "GSTIFF", "WSTIFF,SI2", "RADAU", "ABAM", "RKF45"})
    EXPECT_LT(worst("VARIABLE/1,FUNCTION=DELAY(SIN(10*TIME),0.05+0.02*SIN(TIME),SIN(10*TIME))\nINTEGRATOR/" +
                        std::string(method) + ",ERROR=1E-6\n",
                    dynamics_analysis, exact),
              some * 1e-6)
        << method;
}

TEST(VaryingDelay, that_is_a_variable) {
  const auto exact = [](double t) { return std::sin(10 * (t - 0.05)); };
  EXPECT_LT(worst("VARIABLE/1,FUNCTION=DELAY(SIN(10*TIME),VARVAL(2),SIN(10*TIME))\nVARIABLE/2,FUNCTION=0.05\n"
                  "INTEGRATOR/GSTIFF,SI2,ERROR=1E-6\n",
                  dynamics_analysis, exact),
            some * 1e-6);
}

// What a step looks back at lies half the delay before its end, as the delay halves within 0.05 s.
TEST(VaryingDelay, that_becomes_shorter_fast) {
  const auto exact = [](double t) { return std::sin(10 * (t - 0.05 - 0.025 * std::sin(30 * t))); };
  EXPECT_LT(worst("VARIABLE/1,FUNCTION=DELAY(SIN(10*TIME),0.05+0.025*SIN(30*TIME),SIN(10*TIME))\n"
                  "INTEGRATOR/GSTIFF,SI2,ERROR=1E-6\n",
                  dynamics_analysis, exact),
            some * 1e-6);
}

TEST(VaryingDelay, in_kinematics) {
  const auto exact = [](double t) { return std::sin(10 * (t - 0.05 - 0.02 * std::sin(t))); };
  EXPECT_LT(worst("JOINT/1,REVOLUTE,I=20,J=1\nMOTION/1,JOINT=1,FUNCTION=10*TIME\nMARKER/21,PART=2,QP=1,0,0\n"
                  "VARIABLE/1,FUNCTION=DELAY(DY(21,1),0.05+0.02*SIN(TIME),SIN(10*TIME))\n"
                  "INTEGRATOR/GSTIFF,ERROR=1E-6\n",
                  kinematics_analysis, exact),
            some * 1e-6);
}

// A delay that limits no step is read from the coarse present: that is told, with how long it is.
TEST(VaryingDelay, far_below_the_steps_is_told) {
  const auto warnings = [](const std::string& delay) {
    Recording r(
        deck("VARIABLE/1,FUNCTION=DELAY(SIN(100*TIME)," + delay + ",0)\nINTEGRATOR/GSTIFF,SI2,ERROR=1E-6\n"));
    r.simulation->run(dynamics_analysis, {5, 10});
    return r.warnings;
  };
  for (const char* delay : {"0.0004", "0.0004+0*TIME"}) {
    ASSERT_EQ(warnings(delay).size(), 1u) << delay;
    EXPECT_NE(warnings(delay)[0].find("VARIABLE/1"), std::string::npos) << warnings(delay)[0];
    EXPECT_NE(warnings(delay)[0].find("its delay of 0.0004 is shorter than the step"), std::string::npos)
        << warnings(delay)[0];
  }
  EXPECT_EQ(warnings("0.01").size(), 0u);
  EXPECT_EQ(warnings("0").size(), 0u);
}

}  // namespace
}  // namespace trammel::varying_delay_test
