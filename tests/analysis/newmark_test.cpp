// Newmark's method with steps of one size, against its own recursion for one degree of freedom and by its
// order.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/simulate.h"

namespace trammel::newmark_test {
namespace {

using namespace test;

std::string newmark(double beta, double gamma, double h) {
  return fmt::format(
      "INTEGRATOR/NEWMARK, BETA={0}, GAMMA={1}, HINIT={2}, HMIN={2}, HMAX={2}, ERROR=1E-9, PATTERN=T\n", beta,
      gamma, h);
}

/// A mass of 2 kg on a spring of 50 N/m and a damper of 3 N s/m along Z, let go 0.3 m from rest.
std::string oscillator(const std::string& integrator) {
  return "oscillator\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/10, "
         "PART=1\nPART/2, MASS=2, CM=20, IP=1, 1, 1, QG=0, 0, 1.3\nMARKER/20, PART=2\nJOINT/1, "
         "TRANSLATIONAL, "
         "I=20, J=10\nSPRINGDAMPER/1, TRANSLATION, I=20, J=10, K=50, C=3, LENGTH=1\nDIFF/1, IC=0.3, "
         "FUNCTION=-2*DIF(1)\nREQUEST/1, F2=DIF(1)\n" +
         integrator + "END\n";
}

/// The method's own formulas for m ẍ + c ẋ + k x = 0 and ẏ = −2 y, step by step.
struct Recursion {
  double beta, gamma, h;
  double x = 0.3, v = 0, a = -50 * 0.3 / 2, y = 0.3, rate = -0.6;
  void step() {
    const double m = 2, c = 3, k = 50;
    const double free_x = x + h * v + h * h * (0.5 - beta) * a, free_v = v + h * (1 - gamma) * a;
    const double next = -(c * free_v + k * free_x) / (m + gamma * h * c + beta * h * h * k);
    x = free_x + beta * h * h * next;
    v = free_v + gamma * h * next;
    a = next;
    const double free_y = y + h * (1 - gamma) * rate;
    y = free_y / (1 + 2 * gamma * h);
    rate = -2 * y;
  }
};

TEST(Newmark, follows_its_formulas) {
  const double h = 0.01;
  for (const auto& [beta, gamma] : {std::pair{0.25, 0.5}, {0.3025, 0.6}, {0.36, 0.7}}) {
    Recording r(oscillator(newmark(beta, gamma, h)));
    r.simulation->run(dynamics_analysis, {1, 100});
    Recursion exact{beta, gamma, h};
    for (std::size_t k = 0; k < r.values.size(); ++k) {
      // Corrections end below a thousandth of ERROR = 1e-9; a hundred steps hand them on.
      EXPECT_NEAR(r.at(k, "PART/2", "Z") - 1, exact.x, 1e-10) << gamma << " " << k;
      EXPECT_NEAR(r.at(k, "PART/2", "VZ"), exact.v, 1e-9) << gamma << " " << k;
      EXPECT_NEAR(r.at(k, "REQUEST/1", "F2"), exact.y, 1e-10) << gamma << " " << k;
      exact.step();
    }
    EXPECT_EQ(r.simulation->counters().steps, 100);
    EXPECT_EQ(r.simulation->counters().rejected_error, 0);
  }
}

/// Height of the end of a rod of 2 m and 1 kg, at 0.6 s, that is let go at rest in the horizontal and turns
/// about its other end: Runge-Kutta of order 4 on φ̈ = m g cos φ/(m + I), with steps far below those tested.
double height_of_rod() {
  const int steps = 20000;
  const double h = 0.6 / steps;
  double q = 0, w = 0;
  const auto f = [](double angle) { return 9.80665 / 1.1 * std::cos(angle); };
  for (int i = 0; i < steps; ++i) {
    const double k1 = f(q), k2 = f(q + h / 2 * w), k3 = f(q + h / 2 * w + h * h / 4 * k1),
                 k4 = f(q + h * w + h * h / 2 * k2);
    q += h * w + h * h / 6 * (k1 + k2 + k3);
    w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return -std::sin(q);
}

double error_of_rod(double beta, double gamma, double h) {
  Recording r(
      "rod\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/11, PART=1, "
      "REULER=180D, 90D, 180D\nPART/2, MASS=1, CM=20, IP=0.1, 0.1, 0.1\nMARKER/20, PART=2, QP=1, 0, 0, "
      "REULER=180D, 90D, 180D\nMARKER/21, PART=2, REULER=180D, 90D, 180D\nJOINT/1, REVOLUTE, I=21, J=11\n"
      "ACCGRAV/KGRAV=-9.80665\nREQUEST/1, F2=DZ(20)\n" +
      newmark(beta, gamma, h) + "END\n");
  r.simulation->run(dynamics_analysis, {0.6, 1});
  return r.at(1, "REQUEST/1", "F2") - height_of_rod();
}

/// γ = ½ is of second order, γ = 0.7 of first: halving the step divides the error by 4 or 2. The next term of
/// the error changes that by a share of h ω ~ 0.02.
TEST(Newmark, is_of_second_order_without_damping_and_of_first_with) {
  EXPECT_NEAR(error_of_rod(0.25, 0.5, 0.006) / error_of_rod(0.25, 0.5, 0.003), 4, 0.2);
  EXPECT_NEAR(error_of_rod(0.36, 0.7, 0.006) / error_of_rod(0.36, 0.7, 0.003), 2, 0.1);
}

/// The matrix [M Φqᵀ; Φq 0] changes how many iterations a step takes, not what it finds: their corrections
/// end below a thousandth of ERROR = 1e-9. With h² k/m = 1e-4 · 25 beside 1 a second iteration is needed
/// where the exact matrix of a linear model needs none, and with h² k/m > 1 none converges.
TEST(Newmark, finds_the_same_with_the_matrix_of_masses) {
  const auto run = [](const std::string& more, double h, long& iterations) {
    std::string integrator = newmark(0.3025, 0.6, h);
    integrator.insert(integrator.size() - 1, more);
    Recording r(oscillator(integrator));
    r.simulation->run(dynamics_analysis, {1, 10});
    iterations = r.simulation->counters().iterations;
    return r.at(10, "PART/2", "Z");
  };
  long exact = 0, quasi = 0;
  EXPECT_NEAR(run(", JACOBIAN=MASS", 0.01, quasi), run("", 0.01, exact), 1e-10);
  EXPECT_GT(quasi, exact);
  EXPECT_LT(quasi, 5 * exact);
  EXPECT_THROW(run(", JACOBIAN=MASS", 0.5, quasi), Failure);
}

/// Steps that the deck leaves open are HMAX/20, and the program says that their error is not controlled.
TEST(Newmark, takes_steps_of_one_size) {
  Recording r(oscillator("INTEGRATOR/NEWMARK\n"));
  r.simulation->run(dynamics_analysis, {1, 10});
  EXPECT_EQ(r.simulation->counters().steps, 200);
  const auto said_of = [](const std::string& integrator) {
    Diagnostics diagnostics;
    return read_settings(parse_dataset(oscillator(integrator), "d.adm", diagnostics), diagnostics).warnings;
  };
  EXPECT_EQ(said_of("INTEGRATOR/NEWMARK, HINIT=0.01\n").size(), 1u);
  EXPECT_TRUE(said_of(newmark(0.25, 0.5, 0.01)).empty());  // which asks for them
}

/// A sensor that makes the output step ten times as long makes HMAX/20 so: 100 steps of 0.005 to its time, 10
/// of 0.05.
TEST(Newmark, keeps_steps_of_one_size_after_a_sensor) {
  Recording r(oscillator("INTEGRATOR/NEWMARK\nSENSOR/1, FUNCTION=TIME, VALUE=0.5, GE, ERROR=1E-6, DT=1\n"));
  r.simulation->run(dynamics_analysis, {1, 10});
  EXPECT_EQ(r.simulation->counters().rejected_error, 0);
  EXPECT_EQ(r.simulation->counters().steps, 110);
}

}  // namespace
}  // namespace trammel::newmark_test
