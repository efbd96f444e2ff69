// What a step tells of the motion inside of it: outputs there, and where steps begin anew at SENSORs.
#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "../support/simulate.h"

namespace trammel::inside_steps_test {
namespace {

using namespace test;

/// A mass of 1 kg that starts at z under a force along z.
std::string mass(const std::string& integrator, const std::string& force, double z) {
  return "mass\nUNITS/SYSTEM=MKS\nINTEGRATOR/" + integrator +
         "\nPART/1,GROUND\nMARKER/1,PART=1\nPART/2,MASS=1,CM=20,IP=1,1,1,QG=0,0," + std::to_string(z) +
         "\nMARKER/20,PART=2\nSFORCE/1,TRANSLATION,ACTIONONLY,I=20,J=1,FUNCTION=" + force +
         "\nREQUEST/1,F2=VZ(20,1)\nEND\n";
}

/// Under 6 t the velocity is 3 t², of which HHT makes no error at the ends of steps. The positions at these
/// err by up to ERROR = 1E-5 in a step of some 0.025 s, 4E-4 m/s.
TEST(InsideSteps, positions_of_hht_leave_no_error_in_velocities) {
  Recording r(mass("HHT,HMAX=1,INTERPOLATE=ON", "6*TIME", 0));
  r.simulation->run(dynamics_analysis, {1, 1000});
  EXPECT_LT(r.steps.size(), 100u);
  for (std::size_t k = 0; k < r.time.size(); ++k)
    EXPECT_NEAR(r.at(k, "REQUEST/1", "F2"), 3 * r.time[k] * r.time[k], 1e-12) << r.time[k];
}

/// Steps of up to 0.3 periods, of order 12: what is between the ends is as exact as these, 2E-9, and was
/// 1.6E-8 by the quintic polynomial between them.
TEST(InsideSteps, abam_has_polynomials_of_its_order) {
  Recording r(mass("ABAM,ERROR=1E-10,HMAX=1,INTERPOLATE=ON", "-DZ(20,1)", 1));
  r.simulation->run(dynamics_analysis, {10, 1000});
  EXPECT_LT(r.steps.size(), 150u);
  for (std::size_t k = 0; k < r.time.size(); ++k)
    EXPECT_NEAR(r.at(k, "REQUEST/1", "F2"), -std::sin(r.time[k]), 5e-9) << r.time[k];
}

/// A disk under −20 sin φ that starts with 12 rad/s turns with 9.50849145 rad/s after 3 s (Runge and Kutta's
/// method with steps of 1E-5 s). A sensor that acts ten times begins steps anew, from states inside of steps,
/// for a value that nothing reads; errors of the speed without it are 0.033 (HHT), 0.009, 0.010, 0.004 and
/// 0.0013 at ERROR = 1E-5. With it they were 0.028, 0.044 and 0.032 with the BDF.
TEST(InsideSteps, a_value_that_nothing_reads_makes_no_error) {
  const std::pair<const char*, double> methods[] = {
      {"HHT", 0.04}, {"GSTIFF,SI2", 0.012}, {"GSTIFF,I3", 0.012}, {"WSTIFF,SI2", 0.006}, {"ABAM", 0.002}};
  for (const auto& [method, error] : methods) {
    Recording r(
        std::string("disk\nUNITS/SYSTEM=MKS\nINTEGRATOR/") + method +
        ",ERROR=1E-5\nPART/1,GROUND\nMARKER/1,PART=1\nPART/2,MASS=1,CM=20,IP=1,1,1,WZ=12\nMARKER/20,PART=2\n"
        "JOINT/1,REVOLUTE,I=20,J=1\nSFORCE/1,ROTATION,I=20,J=1,FUNCTION=-20*SIN(AZ(20,1))\n"
        "SENSOR/1,FUNCTION=SIN(AZ(20,1)),EQ,VALUE=.5,ERROR=1E-6,EVALUATE=TIME\n"
        "REQUEST/1,F2=WZ(20,1)\\F3=SENVAL(1)\nEND\n");
    r.simulation->run(dynamics_analysis, {3, 30});
    EXPECT_NEAR(r.at(r.time.size() - 1, "REQUEST/1", "F2"), 9.50849145, error) << method;
    EXPECT_GT(r.at(r.time.size() - 1, "REQUEST/1", "F3"), 2.5) << method;  // of the last of ten
  }
}

}  // namespace
}  // namespace trammel::inside_steps_test
