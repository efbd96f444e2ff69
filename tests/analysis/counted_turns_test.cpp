// AX, AY, AZ count whole turns: steps end before half a turn, whoever reads the angle.
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../support/simulate.h"

namespace trammel {
namespace {

using namespace test;

/// A part that a torque turns about z of ground.
std::string spun(const std::string& torque, const std::string& more, const std::string& integrator) {
  return fmt::format(
      "spun\nUNITS/SYSTEM=MKS\nPART/1,GROUND\nMARKER/1,PART=1\nPART/2,MASS=1,CM=2,IP=1,1,1\nMARKER/2,PART=2\n"
      "JOINT/1,REVOLUTE,I=2,J=1\nSFORCE/1,ROTATION,I=2,J=1,FUNCTION={}\n{}REQUEST/1,F2=AZ(2,1)\n{}\nEND\n",
      torque, more, integrator);
}

const char* const integrators[] = {"",
                                   "INTEGRATOR/GSTIFF",
                                   "INTEGRATOR/GSTIFF, ERROR=1E-5",
                                   "INTEGRATOR/WSTIFF",
                                   "INTEGRATOR/SI2",
                                   "INTEGRATOR/HHT",
                                   "INTEGRATOR/RADAU",
                                   "INTEGRATOR/ABAM"};

// A constant torque T on a moment of inertia of 1: T t² / 2, exact in every method up to its ERROR.
TEST(CountedTurns, are_all_counted_where_only_a_request_reads_the_angle) {
  for (const char* integrator : integrators) {
    Recording r(spun("40", "", integrator));
    r.simulation->run(dynamics_analysis, {5, 5});
    for (std::size_t k = 0; k < r.values.size(); ++k) {
      const double t = r.time[k];
      EXPECT_NEAR(r.at(k, "REQUEST/1", "F2"), 20 * t * t, 0.1) << integrator << ", t = " << t;
    }
  }
}

// θ″ = 40 − θ/1000: θ = 40000 (1 − cos(t √0.001)). A turn that is lost is 6.3, and changes the torque.
TEST(CountedTurns, are_all_counted_where_a_force_reads_the_angle) {
  for (const char* integrator : integrators) {
    Recording r(spun("40-0.001*AZ(2,1)", "", integrator));
    r.simulation->run(dynamics_analysis, {5, 5});
    const double exact = 40000 * (1 - std::cos(5 * std::sqrt(0.001)));
    EXPECT_NEAR(r.at(r.values.size() - 1, "REQUEST/1", "F2"), exact, 0.1) << integrator;
  }
}

// Fixed steps that are too long are not shortened, but told.
TEST(CountedTurns, steps_that_are_too_long_for_them_are_told) {
  Recording r(spun("40", "", "INTEGRATOR/NEWMARK"));
  r.simulation->run(dynamics_analysis, {5, 5});
  ASSERT_FALSE(r.warnings.empty());
  EXPECT_NE(r.warnings[0].find("parts turn so fast"), std::string::npos) << r.warnings[0];
}

// Angles of two parts against each other, neither marker of a force or of a constraint.
TEST(CountedTurns, of_two_parts_that_turn_against_each_other) {
  Recording r(spun("40",
                   "PART/3,MASS=1,CM=30,IP=1,1,1\nMARKER/30,PART=3\nJOINT/2,REVOLUTE,I=30,J=1\n"
                   "SFORCE/2,ROTATION,I=30,J=1,FUNCTION=-40\nMARKER/31,PART=3,QP=1,0,0\n"
                   "MARKER/21,PART=2,QP=0,1,0\nREQUEST/2,F2=AZ(21,31)\n",
                   "INTEGRATOR/GSTIFF"));
  r.simulation->run(dynamics_analysis, {3, 3});
  EXPECT_NEAR(r.at(3, "REQUEST/2", "F2"), 2 * 20 * 9, 0.1);
}

}  // namespace
}  // namespace trammel
