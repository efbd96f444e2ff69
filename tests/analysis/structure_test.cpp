// Linear structures given by matrices, against modal superposition.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/simulate.h"

namespace trammel::structure_test {
namespace {

using namespace test;

/// M = [2 1; 1 2], K = 100 [2 −1; −1 2], C = 0.3 M + 0.002 K, a force of 5 on the first coordinate from 0.1
/// and −0.05 at rest.
std::string two_masses(const std::string& integrator) {
  return "structure\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nARRAY/1, X\n"
         "ARRAY/2, U, VARIABLES=1\nARRAY/3, IC, NUMBERS=0.1,-0.05,0,0\n"
         "MATRIX/1, FULL=RORDER, ROWS=2, COLUMNS=2, VALUES=2,1,1,2\n"
         "MATRIX/2, FULL=RORDER, ROWS=2, COLUMNS=2, VALUES=200,-100,-100,200\n"
         "MATRIX/3, FULL=RORDER, ROWS=2, COLUMNS=2, VALUES=1,0.1,0.1,1\n"
         "MATRIX/4, FULL=RORDER, ROWS=2, COLUMNS=1, VALUES=1,0\n"
         "VARIABLE/1, FUNCTION=5\nSTRUCTURE/1, X=1, M=1, C=3, K=2, B=4, U=2, IC=3\n"
         "REQUEST/1, F2=ARYVAL(1,1)\\F3=ARYVAL(1,2)\\F4=ARYVAL(1,3)\n" +
         integrator + "END\n";
}

/// A mode m η̈ + c η̇ + k η = f from η0 at rest: its value and rate.
std::pair<double, double> mode(double m, double c, double k, double f, double start, double t) {
  const double decay = c / (2 * m), w = std::sqrt(k / m - decay * decay), rest = f / k, a = start - rest;
  const double e = std::exp(-decay * t), co = std::cos(w * t), si = std::sin(w * t);
  return {rest + e * a * (co + decay / w * si), -e * a * si * (w + decay * decay / w)};
}

double largest_error(Recording& r) {
  double worst = 0;
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    // Modes (1, 1) and (1, −1): q1 = a + b, q2 = a − b.
    const auto [a, a_rate] = mode(3, 1.1, 100, 2.5, 0.025, r.time[k]);
    const auto [b, b_rate] = mode(1, 0.9, 300, 2.5, 0.075, r.time[k]);
    worst = std::max(worst, std::fabs(r.at(k, "REQUEST/1", "F2") - (a + b)));
    worst = std::max(worst, std::fabs(r.at(k, "REQUEST/1", "F3") - (a - b)));
    worst = std::max(worst, std::fabs(r.at(k, "REQUEST/1", "F4") - (a_rate + b_rate)));
  }
  return worst;
}

TEST(Structure, follows_its_modes) {
  for (const char* integrator : {"", "INTEGRATOR/GSTIFF, ERROR=1E-9\n", "INTEGRATOR/RADAU, ERROR=1E-8\n"}) {
    Recording r(two_masses(integrator));
    r.simulation->run(dynamics_analysis, {2, 50});
    EXPECT_LT(largest_error(r), 2e-6) << integrator;  // some hundred steps of 1e-8
  }
}

/// γ = ½ is of second order: a quarter with half the step, up to h ω ~ 0.02.
TEST(Structure, transient_of_newmark_is_of_second_order) {
  const auto error = [](double h) {
    Recording r(two_masses(fmt::format(
        "INTEGRATOR/NEWMARK, BETA=0.25, GAMMA=0.5, HINIT={0}, HMIN={0}, HMAX={0}, ERROR=1E-9\n", h)));
    r.simulation->run(dynamics_analysis, {1, 10});
    return largest_error(r);
  };
  EXPECT_NEAR(error(0.002) / error(0.001), 4, 0.1);
}

/// A coordinate without mass: 0.9 q̇2 = −100 q2 follows its damper, q2 = exp(−t/0.009).
TEST(Structure, takes_coordinates_without_mass) {
  Recording r(
      "massless\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nARRAY/1, X\n"
      "ARRAY/3, IC, NUMBERS=0,1,0,0\nMATRIX/1, FULL=RORDER, ROWS=2, COLUMNS=2, VALUES=2,0,0,0\n"
      "MATRIX/2, FULL=RORDER, ROWS=2, COLUMNS=2, VALUES=200,0,0,100\n"
      "MATRIX/3, FULL=RORDER, ROWS=2, COLUMNS=2, VALUES=0,0,0,0.9\nSTRUCTURE/1, X=1, M=1, C=3, K=2, IC=3\n"
      "REQUEST/1, F2=ARYVAL(1,2)\nEND\n");
  r.simulation->run(dynamics_analysis, {0.05, 10});
  for (std::size_t k = 0; k < r.time.size(); ++k)
    EXPECT_NEAR(r.at(k, "REQUEST/1", "F2"), std::exp(-r.time[k] / 0.009), 1e-6) << r.time[k];
}

TEST(Structure, names_what_does_not_fit) {
  const auto error_of = [](std::string deck, const std::string& from, const std::string& to) {
    deck.replace(deck.find(from), from.size(), to);
    try {
      Recording r(deck);
    } catch (const Failure& failure) {
      return std::string(failure.what());
    }
    return std::string("none");
  };
  const std::string deck = two_masses("");
  EXPECT_NE(error_of(deck, "0.1,-0.05,0,0", "0.1,0").find("IC=ARRAY/3 has 2 numbers; it must have 4"),
            std::string::npos);
  EXPECT_NE(error_of(deck, "K=2, B=4", "K=4, B=4").find("K=MATRIX/4 is 2 x 1; it must be 2 x 2"),
            std::string::npos);
  EXPECT_NE(error_of(deck, ", B=4", "").find("U without B"), std::string::npos);
}

}  // namespace
}  // namespace trammel::structure_test
