// Reactions of HHT while bodies are re-based, against the steady precession of a heavy top, whose force in
// the pivot has a closed form: m g upwards, and m l Ω² sin θ to the axis of precession.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../support/simulate.h"

namespace trammel::rebased_reactions_test {
namespace {

using namespace test;

constexpr double mass = 2, l = 0.4, I1 = 0.5, I3 = 0.3, g = 9.81, precession = 8,
                 theta = std::numbers::pi / 3;

/// I1 and I3 about the pivot; the spin ω₃ about the figure axis from m g l = Ω (I3 ω₃ − I1 Ω cos θ). At this
/// precession the axis of rotation moves through the body on a cone of 35 degrees.
std::string deck(double h, double alpha) {
  const double w3 = (mass * g * l / precession + I1 * precession * std::cos(theta)) / I3,
               own = I1 - mass * l * l, across = precession * std::sin(theta);
  // ERROR is that of the corrector: steps are fixed.
  return fmt::format(
      "top\nUNITS/SYSTEM=MKS\nACCGRAV/KGRAV={}\nPART/1,GROUND\nMARKER/10,PART=1\n"
      "PART/2,MASS={},CM=20,IP={:.17g},{:.17g},{},REULER=0,60D,0,WY={:.17g},WZ={:.17g},WM=21,VX={:.17g}\n"
      "MARKER/20,PART=2,QP=0,0,{}\nMARKER/21,PART=2\nJOINT/1,SPHERICAL,I=21,J=10\n"
      "INTEGRATOR/HHT,ERROR=1E-9,ALPHA={},HINIT={h},HMIN={h},HMAX={h}\nEND\n",
      -g, mass, own, own, I3, across, w3, l * across, l, alpha, fmt::arg("h", h));
}

TEST(RebasedReactions, are_of_second_order) {
  const double expected = std::hypot(mass * g, mass * l * precession * precession * std::sin(theta));
  for (const double alpha : {-0.3, -0.1}) {
    const auto largest_error = [&](double h) {
      Recording r(deck(h, alpha));
      const int outputs = static_cast<int>(std::lround(1 / h));
      r.simulation->run(dynamics_analysis, {1, outputs});
      EXPECT_GE(r.simulation->counters().rebases, 3);
      double largest = 0;
      // What the start leaves has died out, ρ^40 with ρ = (1+α)/(1−α) up to 0.82.
      for (std::size_t k = 40; k < r.time.size(); ++k)
        largest = std::max(largest, std::abs(norm(r.vector(k, "JOINT/1", "FX", "FY", "FZ")) - expected));
      return largest;
    };
    const double coarse = largest_error(2e-3), fine = largest_error(1e-3);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1) << alpha;
    EXPECT_LT(fine, 4e-4 * expected);  // (Ω h)² = 6.4e-5, and a factor for what turns faster
  }
}

}  // namespace
}  // namespace trammel::rebased_reactions_test
