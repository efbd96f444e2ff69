// The argument for second-order form: its iteration matrices keep their condition as the step falls.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/iteration_matrices.h"
#include "../support/simulate.h"

namespace trammel::condition_test {
namespace {

using namespace test;

/// A slider-crank at rest, on springs, of parts of some kg.
const char* const slider_crank =
    "crank\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
    "MARKER/2, PART=1, REULER=90D,90D,0D\n"
    "PART/2, MASS=2, CM=20, IP=0.01,0.02,0.02, QG=0.1,0,0\nMARKER/20, PART=2\n"
    "MARKER/21, PART=2, QP=-0.1,0,0\nMARKER/22, PART=2, QP=0.1,0,0\n"
    "PART/3, MASS=3, CM=30, IP=0.01,0.08,0.08, QG=0.45,0,0\nMARKER/30, PART=3\n"
    "MARKER/31, PART=3, QP=-0.25,0,0\nMARKER/32, PART=3, QP=0.25,0,0\n"
    "PART/4, MASS=4, CM=40, IP=0.02,0.02,0.02, QG=0.7,0,0\nMARKER/40, PART=4\n"
    "MARKER/41, PART=4, REULER=90D,90D,0D\n"
    "JOINT/1, REVOLUTE, I=21, J=1\nJOINT/2, CYLINDRICAL, I=31, J=22\nJOINT/3, SPHERICAL, I=32, J=40\n"
    "JOINT/4, TRANSLATIONAL, I=41, J=2\nSPRINGDAMPER/1, TRANSLATIONAL, I=40, J=1, K=1E4, C=10, LENGTH=0.6\n"
    "ACCGRAV/JGRAV=-9.81\nEND\n";

TEST(Condition, stays_as_the_step_falls) {
  Recording r(slider_crank);
  Session& session = *r.simulation;
  session.initialize();
  session.assembler().evaluate(session.state(), in_dynamics);
  const IterationMatrices matrices(session.assembler(), session.model(), session.state());
  const auto own = [&](double h) { return condition(matrices.of_accelerations(h, h * h)); };
  const double limit = condition(matrices.of_accelerations(0, 1e-30));  // [M Φqᵀ; Φq 0]
  for (double h = 1e-4; h > 0.9e-12; h /= 10) {
    EXPECT_NEAR(own(h), limit, 1e-2 * limit) << h;  // K h² beside M: 1e4 · 1e-8
  }
  // In first-order form without scaling: index 3 as 1/h² or worse, stabilized index 2 less than that.
  const auto slope = [](double coarse, double fine) { return std::log10(fine / coarse); };  // of a tenth of h
  const double index3 =
      slope(condition(matrices.first_order_index3(1e-3)), condition(matrices.first_order_index3(1e-4)));
  const double index2 = slope(condition(matrices.first_order_stabilized_index2(1e-3)),
                              condition(matrices.first_order_stabilized_index2(1e-4)));
  EXPECT_GT(index3, 1.9);
  EXPECT_LT(index2, index3 - 0.9);
}

}  // namespace
}  // namespace trammel::condition_test
