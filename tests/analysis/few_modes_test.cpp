// A few modes of many by shift and invert, and all of them, beside closed forms of rows of bodies.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../support/deck.h"
#include "analysis/linear/linearization.h"
#include "linearized.h"

namespace trammel::few_modes_test {
namespace {

using namespace test;
using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;

/// n bodies of mass 1 in a free row along x, which do not turn, joined by bushings of the stiffnesses k along
/// x, y and z and dampings βk.
struct Row {
  int n;
  double beta, k[3];

  std::string deck() const {
    std::string out = "row\nPART/1,GROUND\nMARKER/1,PART=1\n";
    for (int p = 2; p < n + 2; ++p) {
      out += fmt::format(
          "PART/{0},MASS=1,CM={0}00,IP=1,1,1,QG={0},0,0\nMARKER/{0}00,PART={0}\n"
          "MARKER/{0}01,PART={0},QP=-1,0,0\nJPRIM/{0},ORIENTATION,I={0}00,J=1\n",
          p);
      if (p > 2)
        out += fmt::format("BUSHING/{0},I={0}01,J={1}00,K={2},{3},{4},C={5},{6},{7}\n", p, p - 1, k[0], k[1],
                           k[2], beta * k[0], beta * k[1], beta * k[2]);
    }
    return out + "END\n";
  }

  /// s² + β ω² s + ω² = 0, ω = 2 √k sin(πj/2n), j = 0..n − 1, along each axis; one of each pair.
  std::vector<Complex> eigenvalues() const {
    std::vector<Complex> out;
    for (const double stiffness : k)
      for (int j = 0; j < n; ++j) {
        const double w = 2 * std::sqrt(stiffness) * std::sin(pi * j / (2 * n)), half = beta * w * w / 2,
                     apart = half * half - w * w;
        if (apart < 0) {
          out.push_back({-half, std::sqrt(-apart)});
          continue;
        }
        const double fast = -half - std::sqrt(apart);
        out.insert(out.end(), {fast, j == 0 ? 0 : w * w / fast});
      }
    return out;
  }
};

Linearization linearize_row(const Row& row, int modes, double frequency) {
  Recording r(row.deck());
  LinearizationOptions options;
  options.modes = modes;
  options.frequency = frequency;
  return linearize(*r.simulation, options);
}

std::vector<double> distances(const std::vector<Complex>& s, Complex from) {
  std::vector<double> out;
  for (const Complex x : s) out.push_back(std::abs(x - from));
  std::sort(out.begin(), out.end());
  return out;
}
std::vector<Complex> eigenvalues(const Linearization& l) {
  std::vector<Complex> out;
  for (const Mode& mode : l.modes.modes) out.push_back(mode.s);
  return out;
}

/// Slow motions, of 0.01 rad/s, beside dampers whose rates are 4e5: none of them counts as held by nothing.
TEST(FewModes, slow_ones_beside_fast_dampers_are_no_zeros) {
  const Row row{30, 1e-2, {1e7, 1e2, 1e-2}};
  const std::vector<Complex> found = eigenvalues(linearize_row(row, 0, 0)), expected = row.eigenvalues();
  ASSERT_EQ(found.size(), expected.size());
  EXPECT_EQ(std::ranges::count(found, Complex(0)), 6);
  // Rounding of the fastest beside the slowest is 4e5/0.01 × 2e-16.
  for (const Complex x : expected) EXPECT_LE(distances(found, x).front(), 1e-8 * std::abs(x)) << x;
}

/// Those nearest to the frequency asked for, below, among, near the end of and beyond all, and where fewer
/// lie between zero and twice the frequency than are asked for.
TEST(FewModes, are_the_nearest_ones) {
  for (const double beta : {0.0, 1e-4, 1e-2}) {
    const Row row{12, beta, {1e6, 3e3, 50}};
    const std::vector<Complex> all = row.eigenvalues();
    for (const double w : {0.0, 1.0, 20.0, 100.0, 1800.0, 6000.0})
      for (const int count : {3, 15}) {
        SCOPED_TRACE(fmt::format("beta {} w {} count {}", beta, w, count));
        const std::vector<double> expected = distances(all, {0, w}),
                                  found =
                                      distances(eigenvalues(linearize_row(row, count, w / (2 * pi))), {0, w});
        ASSERT_EQ(found.size(), static_cast<std::size_t>(count));
        // Eigenvalues of the inverse are asked for to 1e-11 of the largest.
        for (int k = 0; k < count; ++k)
          EXPECT_NEAR(found[k], expected[k], 1e-8 * (w + expected[count - 1])) << k;
      }
  }
}

/// What nothing holds is exactly zero, and not unstable, of a row as long as one of which all are not
/// computed.
TEST(FewModes, of_a_long_free_row) {
  const Row row{200, 1e-5, {1e6, 1e4, 1e2}};
  const Linearization l = linearize_row(row, 12, 0);
  EXPECT_EQ(std::ranges::count(eigenvalues(l), Complex(0)), 6);
  EXPECT_TRUE(std::ranges::all_of(l.modes.modes, [](const Mode& m) { return m.s.real() <= 0; }));
  const std::vector<double> expected = distances(row.eigenvalues(), 0), found = distances(eigenvalues(l), 0);
  ASSERT_EQ(found.size(), 12u);
  for (int k = 6; k < 12; ++k) EXPECT_NEAR(found[k] / expected[k], 1, 1e-7) << k;
}

/// One pendulum of 100 parts that are fixed to each other has one mode, ω² = K/J with J = Σ (1 + k²): nothing
/// that constraints make of rounding is another.
TEST(FewModes, of_parts_that_move_as_one) {
  constexpr int n = 100;
  std::string deck = "fixed\nPART/1,GROUND\nMARKER/1,PART=1\n";
  double J = 0;
  for (int p = 2; p < n + 2; ++p) {
    const int k = p - 2;
    deck += fmt::format(
        "PART/{0},MASS=1,CM={0}00,IP=1,1,1,QG={1},0,0\nMARKER/{0}00,PART={0}\nMARKER/"
        "{0}01,PART={0},QP=-1,0,0\n",
        p, k);
    deck += k > 0 ? fmt::format("JOINT/{0},FIXED,I={0}01,J={1}00\n", p, p - 1)
                  : std::string("JOINT/2,REVOLUTE,I=200,J=1\nSPRINGDAMPER/1,ROTATION,I=200,J=1,KT=100\n");
    J += 1 + k * k;
  }
  for (const double near : {0.0, 0.01, 5.0}) {
    Recording r(deck + "END\n");
    LinearizationOptions options;
    options.modes = 5;
    options.frequency = near;
    const Linearization l = linearize(*r.simulation, options);
    ASSERT_EQ(l.modes.modes.size(), 1u) << near;
    // K − J w² has lost (w/w₀)² of its digits at the shift w: 1e6 at 5 cycles.
    EXPECT_NEAR(l.modes.modes[0].s.imag() / std::sqrt(100 / J), 1, 1e-7) << near;
  }
}

}  // namespace
}  // namespace trammel::few_modes_test
