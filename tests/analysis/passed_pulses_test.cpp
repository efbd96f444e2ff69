// Pulses that a body meets on its way, shorter than the steps that its motion takes: steps end in them.
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../support/simulate.h"
#include "analysis/over_data.h"
#include "expression/spline_table.h"

namespace trammel::passed_pulses_test {
namespace {

using namespace test;

/// A slider that nothing brakes passes x = 5 m at 10 m/s; a force of its place pushes a mass of 1 kg.
std::string cleat(const std::string& integrator, const std::string& force) {
  return fmt::format(
      "cleat\nUNITS/SYSTEM=MKS\nINTEGRATOR/{}\nPART/1,GROUND\nMARKER/10,PART=1\n"
      "MARKER/11,PART=1,REULER=90D,90D,0\nPART/2,MASS=1,CM=20,IP=1,1,1,VX=10\nMARKER/20,PART=2\n"
      "MARKER/21,PART=2,REULER=90D,90D,0\nJOINT/1,TRANSLATIONAL,I=21,J=11\nPART/3,MASS=1,CM=30,IP=1,1,1\n"
      "MARKER/30,PART=3\nJOINT/2,TRANSLATIONAL,I=30,J=10\n"
      "SPLINE/1,X=-100,0,5,5.05,5.15,5.2,10,100,Y=0,0,0,20,20,0,0,0\n"
      "VARIABLE/1,FUNCTION=DX(20,10)\n"
      "SFORCE/1,TRANSLATION,ACTIONONLY,I=30,J=10,FUNCTION={}\nREQUEST/1,F2=VZ(30,10)\nEND\n",
      integrator, force);
}

/// A force, and its integral over the way divided by 10 m/s.
struct Pulse {
  const char* force;
  double speed;
};
const Pulse pulses[] = {
    {"AKISPL(DX(20,10),0,1)", 0.325},
    {"STEP(DX(20,10),5,0,5.05,20)*STEP(DX(20,10),5.15,1,5.2,0)", 0.3},
    {"STEP(VARVAL(1),5,0,5.05,20)*STEP(VARVAL(1),5.15,1,5.2,0)", 0.3},
    {"STEP(VARVAL(1),.5,0,.55,20)*STEP(VARVAL(1),.65,1,.7,0)", 0.3},  // in the first step
    {"HAVSIN(DX(20,10),5,0,5.05,20)*STEP5(DX(20,10),5.15,1,5.2,0)", 0.3},
    {"IF(DX(20,10)-5:0,0,20)*IF(DX(20,10)-5.15:1,1,0)", 0.3},
    {"IF(DX(20,10)-5:0,0,20)*STEP(DX(20,10),5.1,1,5.2,0)", 0.3},
    {"20*MAX(0,1-100*(DX(20,10)-5.1)**2)", 20 * 0.4 / 3 / 10},
    {"20*DIM(1-100*(DX(20,10)-5.1)**2,0)", 20 * 0.4 / 3 / 10},
};

/// `tolerance`, of the speed: of methods that hold places to ERROR, and not speeds, more.
struct Method {
  const char* integrator;
  double tolerance;
};
const Method methods[] = {{"HHT,ERROR=1E-6", 0.06},        {"RADAU,ERROR=1E-6", 0.005},
                          {"GSTIFF,SI2,ERROR=1E-6", 1e-3}, {"WSTIFF,SI2,ERROR=1E-6", 2e-3},
                          {"ABAM,ERROR=1E-6", 1e-3},       {"RKF45,ERROR=1E-6", 0.015},
                          {"GSTIFF,I3,ERROR=1E-7", 0.02}};

TEST(PassedPulses, are_met_however_far_apart_outputs_are) {
  for (const Pulse& p : pulses)
    for (const Method& m : methods)
      for (const int outputs : {1, 3, 10}) {
        Recording r(cleat(m.integrator, p.force));
        r.simulation->run(dynamics_analysis, {1, outputs});
        EXPECT_NEAR(r.at(r.values.size() - 1, "REQUEST/1", "F2"), p.speed, m.tolerance * p.speed)
            << p.force << ", " << m.integrator << ", " << outputs << " outputs";
        EXPECT_LT(r.steps.size(), 250u) << p.force << ", " << m.integrator;
      }
}

/// Where data turn back on the way: at the farthest of them; a hundredth of the range, 1e-5 of all of it.
TEST(PassedPulses, data_turn_back_at_the_farthest_of_them) {
  const SplineTable bump =
      make_spline_table(1, {0, 5, 5.05, 5.15, 5.2, 10, 20}, {}, {0, 0, 2, 2.1, 0, 0, 1000}, false);
  EXPECT_EQ(first_turn(bump, 1, 4), 4);
  EXPECT_EQ(first_turn(bump, 1, 5.1), 5.1);  // up alone
  EXPECT_EQ(first_turn(bump, 1, 7), 5.15);
  EXPECT_EQ(first_turn(bump, 7, 1), 5.15);
  EXPECT_EQ(first_turn(bump, 5.1, 7), 5.15);
  EXPECT_EQ(first_turn(bump, 5.15, 7), 7);     // down alone
  EXPECT_EQ(first_turn(bump, 1, 10.1), 5.15);  // up again to 10
  EXPECT_EQ(first_turn(bump, 1, 19), 5.15);
  EXPECT_EQ(first_turn(bump, -3, 30), 30);
  const SplineTable surface = make_spline_table(1, {0, 1, 2, 3}, {0, 1}, {0, 0, 0, 0, 0, 1, 3, 0}, false);
  EXPECT_EQ(first_turn(surface, 0, 3), 2);
}

}  // namespace
}  // namespace trammel::passed_pulses_test
