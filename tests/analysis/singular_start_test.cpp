// Motions that begin where the mechanism is singular.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../support/simulate.h"

namespace trammel::singular_start_test {
namespace {

using namespace test;

constexpr double g = 9.81;

/// Three cranks of length 1 side by side and the couplers between them, all rods of mass 1 on one line: a
/// parallelogram at a dead centre, where each crank could as well go its own way. It turns with −1 rad/s.
std::string cranks(const std::string& integrator) {
  std::string deck =
      "cranks\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\n"
      "ACCGRAV/JGRAV=-9.81\n" +
      integrator + "\n";
  const auto rod = [&](int part, int x, double rate) {
    deck += fmt::format(
        "PART/{0}, MASS=1, CM={0}0, IP=1E-3, {1}, {1}, QG={2}, 0, 0, VY={3}, WZ={4}\nMARKER/{0}0, PART={0}, "
        "QP=0.5, 0, 0\nMARKER/{0}1, PART={0}\nMARKER/{0}2, PART={0}, QP=1, 0, 0\n",
        part, 1.0 / 12, x, rate == 0 ? -1.0 : -0.5, rate);
  };
  for (int k = 0; k < 3; ++k) {
    rod(2 + 2 * k, k, -1);
    deck +=
        fmt::format("MARKER/1{0}, PART=1, QP={1}, 0, 0\nJOINT/{0}, REVOLUTE, I={0}1, J=1{0}\n", 2 + 2 * k, k);
  }
  for (int k = 0; k < 2; ++k) {
    const int left = 2 + 2 * k, coupler = left + 1, right = left + 2;
    rod(coupler, k + 1, 0);
    deck += fmt::format("JOINT/{0}, REVOLUTE, I={0}1, J={1}2\nJPRIM/{0}, INLINE, I={0}2, J={2}2\n", coupler,
                        left, right);
  }
  return deck + "END\n";
}

/// As one body of freedom: (3/3 + 2) α = −(3/2 + 2) g cos θ; angles a cranks' angle from the horizontal.
double acceleration(double angle) {
  return -3.5 / 3 * g * std::cos(angle);
}

TEST(SingularStart, has_the_accelerations_of_the_motion_that_passes) {
  Recording r(cranks("VARIABLE/1, FUNCTION=2*WDTZ(20)"));
  r.simulation->run(dynamics_analysis, {0.1, 10});
  // Differences over 0.003 rad: truncation and rounding of about 1e-9, relative, each magnified by some 100.
  for (const char* crank : {"PART/2", "PART/4", "PART/6"})
    EXPECT_NEAR(r.at(0, crank, "WDZ"), acceleration(0), 1e-5) << crank;
  EXPECT_NEAR(r.at(0, "VARIABLE/1", "Q"), 2 * acceleration(0), 1e-5);
  for (const char* coupler : {"PART/3", "PART/5"}) EXPECT_NEAR(r.at(0, coupler, "WDZ"), 0, 1e-5) << coupler;
}

/// However short the first step and however small ERROR: energy from any state to any other.
TEST(SingularStart, has_no_step_that_is_too_short) {
  for (const char* integrator : {"HHT", "GSTIFF", "GSTIFF, SI2"})
    for (const double error : {1e-3, 1e-6, 1e-9, integrator[0] == 'G' ? 1e-10 : 1e-12})
      for (const double hinit : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10}) {
        const std::string named = fmt::format("{}, ERROR={:g}, HINIT={:g}", integrator, error, hinit);
        Recording r(cranks("INTEGRATOR/" + named));
        ASSERT_NO_THROW(r.simulation->run(dynamics_analysis, {0.3, 30})) << named;
        const double height = r.at(30, "PART/3", "Y"), rate = r.at(30, "PART/2", "WZ");
        // ½ 3 (ω² − 1) = 3.5 g (−y), with the height y = sin θ of a coupler. The global error of a method of
        // second order, which begins, with local error ε is some ε^{2/3}, and these energies are 25.
        EXPECT_NEAR(1.5 * (rate * rate - 1), -3.5 * g * height, 25 * 10 * std::pow(error, 2.0 / 3)) << named;
        const auto told = [](const std::string& text) {
          return text.find("HHT takes GSTIFF's place") != text.npos;
        };
        EXPECT_EQ(std::any_of(r.warnings.begin(), r.warnings.end(), told), integrator[0] == 'G') << named;
      }
}

/// A force that reads the distance of two markers which coincide.
TEST(SingularStart, names_the_equation_that_has_no_derivative) {
  Recording r(
      "dm\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
      "MARKER/3, PART=1\nPART/2, MASS=2, IP=1,1,1, CM=20\nMARKER/20, PART=2\n"
      "SFORCE/1, TRANSLATIONAL, I=20, J=3, FUNCTION=-100*(DM(20,1)-0.5)\nEND\n");
  try {
    r.simulation->run(dynamics_analysis, {0.1, 1});
    FAIL();
  } catch (const Failure& failure) {
    const std::string text = failure.what();
    EXPECT_NE(text.find("the derivative of PART/2"), std::string::npos) << text;
    EXPECT_NE(text.find("is no finite number"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace trammel::singular_start_test
