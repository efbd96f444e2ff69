// The analysis that docs/add_analysis.md shows, compiled from that page, on a pendulum.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/simulate.h"

namespace trammel {

extern const AnalysisRow release_analysis;  // of the page
}  // namespace trammel

namespace trammel::analysis_example_test {
namespace {

using namespace test;

constexpr double g = 9.81, l = 2, m = 3, j = 0.5;

/// A bar of length l on a pin, hanging from its end, turned by an angle from the horizontal; WZ: its spin.
std::string pendulum(double spin) {
  return fmt::format(
      "title\nUNITS/UCF=1\nACCGRAV/JGRAV=-9.81\nPART/1,GROUND\nMARKER/1,PART=1\n"
      "PART/2,MASS=3,CM=20,IP=.1,.1,.5,WZ={}\nMARKER/20,PART=2,QP=2,0,0\nMARKER/21,PART=2\n"
      "JOINT/1,REVOLUTE,I=21,J=1\nEND\n",
      spin);
}

/// Released from rest at an angle a under the horizontal: (m l² + j) α = −m g l cos a, and the pin has the
/// force m (a_c − g) with a_c = α l (−sin a, cos a). Newton ends with a correction below 1e-10 and an error
/// of its square: what is left, of forces of about 30 N, is rounding, 1e-14 times the condition of the
/// equations.
void expect_at_rest(const Recording& r, std::size_t record) {
  const Vec3d cm = r.vector(record, "REQUEST/1", "F2", "F3", "F4");
  const double a = std::atan2(cm[1], cm[0]);
  const double alpha = -m * g * l * std::cos(a) / (m * l * l + j);
  EXPECT_NEAR(r.at(record, "PART/2", "WZ"), 0, 1e-12);
  EXPECT_NEAR(r.at(record, "PART/2", "WDZ"), alpha, 1e-9);
  EXPECT_NEAR(r.at(record, "JOINT/1", "FX"), -m * alpha * l * std::sin(a), 1e-9);
  EXPECT_NEAR(r.at(record, "JOINT/1", "FY"), m * (alpha * l * std::cos(a) + g), 1e-9);
}

TEST(AnalysisExample, of_the_documents_releases_from_rest) {
  std::string deck = pendulum(5);
  deck.replace(deck.find("END"), 3, "REQUEST/1,F2=DX(20,1)\\F3=DY(20,1)\\F4=DZ(20,1)\nEND");
  Recording r(deck);
  r.simulation->run(release_analysis);
  ASSERT_EQ(r.values.size(), 1u);
  expect_at_rest(r, 0);
  // Dynamics begins from there, and is stopped again; it does not go on with what it had.
  r.simulation->run(dynamics_analysis, {0.3, 3});
  const std::size_t before = r.values.size();
  EXPECT_LT(r.at(before - 1, "PART/2", "WZ"), -1);
  r.simulation->run(release_analysis);
  expect_at_rest(r, before);
  r.simulation->run(dynamics_analysis, {0.3 + 1e-3, 1});
  // After 1 ms from rest the spin is α t: by its change with the angle α itself is another by 4e-6, and ERROR
  // is 1e-5.
  EXPECT_NEAR(r.at(r.values.size() - 1, "PART/2", "WZ"), 1e-3 * r.at(before, "PART/2", "WDZ"), 1e-5);
}

}  // namespace
}  // namespace trammel::analysis_example_test
