// Systems whose entries differ by many orders of magnitude are solved, not called singular.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/simulate.h"

namespace trammel::scaling_test {
namespace {

using namespace test;

/// A slide of 1 kg, in kilonewtons, moved by a MOTION s = 0.1 sin t against a force of -K times its
/// acceleration, which a VARIABLE reads: the motion's force is (m/1000 + K) s̈, whatever K is.
TEST(Scaling, gains_of_any_size_beside_a_motion) {
  for (const double gain : {1e6, 1e9, 1e10, 1e12, 1e14}) {
    Recording r(fmt::format(
        "slide\nUNITS/FORCE=KNEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/10, "
        "PART=1\n"
        "PART/2, MASS=1, CM=20, IP=0.1, 0.1, 0.1\nMARKER/20, PART=2\nJOINT/1, TRANSLATIONAL, I=20, J=10\n"
        "MOTION/1, JOINT=1, TRANSLATIONAL, FUNCTION=0.1*SIN(TIME)\nVARIABLE/1, FUNCTION=ACCZ(20, 10, 10)\n"
        "SFORCE/1, TRANSLATIONAL, ACTIONONLY, I=20, J=10, FUNCTION=-{:g}*VARVAL(1)\nEND\n",
        gain));
    ASSERT_NO_THROW(r.simulation->run(dynamics_analysis, {1, 200})) << gain;
    for (std::size_t k = 0; k < r.values.size(); ++k)
      EXPECT_NEAR(std::fabs(r.at(k, "MOTION/1", "FZ")), (1e-3 + gain) * 0.1 * std::sin(r.time[k]),
                  1e-3 * gain)
          << gain << ", t = " << r.time[k];  // s̈ is of second order: at steps of 0.005 a hundredth of this
  }
}

/// What is left of EXP(-(t/T)**2) long after: numbers that have lost their digits, and end no step.
TEST(Scaling, motions_below_the_least_normal_number) {
  for (const char* method :
       {"HHT", "GSTIFF,SI2", "GSTIFF,I3", "GSTIFF,SI1", "RADAU", "ABAM", "RKF45", "NEWMARK"})
    for (const char* size : {"1E-318", "1E-310", "1E-300", "1E-280"})
      for (const int outputs : {20, 2000}) {
        Recording r(fmt::format(
            "slide\nUNITS/SYSTEM=MKS\nPART/1,GROUND\nMARKER/1,PART=1\nPART/2,MASS=1,CM=20,IP=1,1,1\n"
            "MARKER/20,PART=2\nJOINT/1,TRANSLATIONAL,I=20,J=1\nINTEGRATOR/{}\n"
            "MOTION/1,JOINT=1,TRANSLATIONAL,FUNCTION={}*SIN(10*TIME)\nEND\n",
            method, size));
        EXPECT_NO_THROW(r.simulation->run(dynamics_analysis, {2, outputs}))
            << method << " " << size << " " << outputs;
      }
}

/// A heavy pendulum hangs on a light link, 1 : 1e12 in mass: the link carries it as a massless rod would.
/// From the horizontal the heavy part begins to fall as the two of them, hinged at both ends, allow.
TEST(Scaling, masses_of_one_to_a_million_million) {
  const auto start = [](double light) {
    Recording r(fmt::format(
        "pair\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/10, PART=1\n"
        "ACCGRAV/JGRAV=-9.81\nPART/2, MASS={0:g}, CM=20, IP={1:g}, {1:g}, {1:g}, QG=1, 0, 0\nMARKER/20, "
        "PART=2\n"
        "MARKER/21, PART=2, QP=-1, 0, 0\nMARKER/22, PART=2, QP=1, 0, 0\n"
        "PART/3, MASS=1E6, CM=30, IP=1E6, 1E6, 1E6, QG=3, 0, 0\nMARKER/30, PART=3\nMARKER/31, PART=3, QP=-1, "
        "0, 0\n"
        "JOINT/1, REVOLUTE, I=21, J=10\nJOINT/2, REVOLUTE, I=31, J=22\nEND\n",
        light, 0.01 * light));
    r.simulation->run(dynamics_analysis, {0.2, 4});
    return r.at(4, "PART/3", "Y");
  };
  // With a massless link the heavy part falls freely at first; one of 1e-6 of its mass changes that by about
  // 1e-6 of the 0.2 m, and steps of 0.05 s by what ERROR = 1e-5 allows.
  EXPECT_NEAR(start(1e-6), start(1e0), 2e-5);
}

}  // namespace
}  // namespace trammel::scaling_test
