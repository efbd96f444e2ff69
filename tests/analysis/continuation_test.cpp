// Simulations that go on where the last one ended are the same motion.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../support/simulate.h"
#include "linkages.h"

namespace trammel::continuation_test {
namespace {

using namespace test;

/// What a motion is judged by: places, velocities and accelerations of all parts.
struct Motion {
  std::vector<double> place, acceleration;
};

Motion motion_at_end(Recording& r) {
  Motion out;
  const std::vector<double>& last = r.values.back();
  std::size_t k = 0;
  for (const Entity& e : r.simulation->channels().entities)
    for (const Component& c : e.components) {
      if (c.name == "X" || c.name == "Y" || c.name == "Z") out.place.push_back(last[k]);
      if (c.name.starts_with("ACC") || c.name.starts_with("WD")) out.acceleration.push_back(last[k]);
      ++k;
    }
  return out;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::fabs(a[k] - b[k]));
  return largest;
}

/// The motion of 1 s in so many simulations with `records` outputs in all.
Motion in_pieces(const std::string& deck, int pieces, int records) {
  Recording r(deck);
  for (int k = 1; k <= pieces; ++k)
    r.simulation->run(dynamics_analysis, {double(k) / pieces, std::max(1, records / pieces)});
  return motion_at_end(r);
}

std::string with_error(unsigned seed, double error) {
  LinkageOptions options;
  options.integrator = fmt::format("INTEGRATOR/HHT, ERROR={:g}\n", error);
  const bool closed = seed % 2 == 0;
  return linkage(seed, closed ? 3 + seed % 4 / 2 : 1 + seed % 3, closed, options);
}

TEST(ContinuedSimulation, pieces_of_a_motion_are_the_motion) {
  // The error of ERROR is what a run at a thousandth of it, of second order hence a hundred times better,
  // tells.
  constexpr double error = 1e-5;
  for (unsigned seed = 0; seed < 50; ++seed) {
    const Motion exact = in_pieces(with_error(seed, 1e-3 * error), 1, 100);
    const Motion whole = in_pieces(with_error(seed, error), 1, 100);
    const double place = distance(whole.place, exact.place),
                 acceleration = distance(whole.acceleration, exact.acceleration);
    for (const int pieces : {10, 100, 1000}) {
      const Motion parts = in_pieces(with_error(seed, error), pieces, 100);
      EXPECT_LE(distance(parts.place, exact.place), 10 * place) << "seed " << seed << ", " << pieces;
      EXPECT_LE(distance(parts.acceleration, exact.acceleration), 10 * acceleration)
          << "seed " << seed << ", " << pieces;
    }
  }
}

TEST(ContinuedSimulation, has_the_bits_of_the_whole_where_steps_fall_alike) {
  // Powers of two: the intervals of both are the same numbers.
  constexpr int pieces = 64;
  for (unsigned seed = 0; seed < 4; ++seed) {
    Recording whole(with_error(seed, 1e-5)), parts(with_error(seed, 1e-5));
    whole.simulation->run(dynamics_analysis, {1.0, pieces});
    for (int k = 1; k <= pieces; ++k) parts.simulation->run(dynamics_analysis, {double(k) / pieces, 1});
    ASSERT_EQ(whole.values.size(), pieces + 1u);
    ASSERT_EQ(parts.values.size(), 2u * pieces);
    for (int k = 0; k <= pieces; ++k) {
      const std::size_t at = k == 0 ? 0 : 2 * k - 1;
      ASSERT_EQ(parts.time[at], whole.time[k]);
      EXPECT_EQ(parts.values[at], whole.values[k]) << "seed " << seed << ", record " << k;
    }
    EXPECT_EQ(parts.simulation->counters().steps, whole.simulation->counters().steps);
    EXPECT_EQ(parts.simulation->counters().jacobians, whole.simulation->counters().jacobians);
  }
}

/// Two bodies on a fixed joint fall: -9.81 m/s² and no reaction, in closed form, for ever.
TEST(ContinuedSimulation, free_fall_has_no_noise) {
  Recording r(
      "fall\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
      "PART/2, MASS=1, CM=20, IP=0.1, 0.1, 0.1\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=0.5, 0, 0\n"
      "PART/3, MASS=2, CM=30, IP=0.2, 0.2, 0.2\nMARKER/30, PART=3, QP=1, 0, 0\nMARKER/31, PART=3, QP=0.5, 0, "
      "0\n"
      "JOINT/1, FIXED, I=21, J=31\nACCGRAV/JGRAV=-9.81\nEND\n");
  for (int k = 1; k <= 40; ++k) r.simulation->run(dynamics_analysis, {0.005 * k, 1});
  for (std::size_t k = 0; k < r.values.size(); ++k) {
    EXPECT_NEAR(r.at(k, "PART/2", "ACCY"), -9.81, 1e-9) << r.time[k];
    EXPECT_NEAR(norm(r.vector(k, "JOINT/1", "FX", "FY", "FZ")), 0, 1e-6) << r.time[k];
  }
}

/// Another INTEGRATOR between two simulations: the history does not fit ALPHA, and the start is consistent.
TEST(ContinuedSimulation, starts_anew_with_another_alpha) {
  Recording r(with_error(2, 1e-6));
  r.simulation->run(dynamics_analysis, {0.5, 50});
  const long before = r.simulation->counters().steps;
  DynamicsSettings settings;
  settings.integrator.error = 1e-6;
  settings.integrator.alpha = -0.1;
  r.simulation->set(settings);
  r.simulation->run(dynamics_analysis, {1.0, 50});
  EXPECT_GT(r.simulation->counters().steps, before + 50);
  // The error of ERROR is that of the run with one ALPHA.
  const Motion exact = in_pieces(with_error(2, 1e-9), 1, 100), whole = in_pieces(with_error(2, 1e-6), 1, 100);
  const Motion other = motion_at_end(r);
  EXPECT_LE(distance(other.place, exact.place), 10 * distance(whole.place, exact.place));
  EXPECT_LE(distance(other.acceleration, exact.acceleration),
            10 * distance(whole.acceleration, exact.acceleration));
}

}  // namespace
}  // namespace trammel::continuation_test
