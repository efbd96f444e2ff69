// Step sizes that end at output times.
#include "integrate/schedule.h"

#include <gtest/gtest.h>

#include <random>

namespace trammel::schedule_test {
namespace {

/// Steps that keep their size as long as they may, as an integrator takes them whose error allows it.
TEST(Schedule, no_step_is_a_remainder_of_rounding) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> begin(0, 100), exponent(-9, -3), part(0.3, 1);
  for (int trial = 0; trial < 20000; ++trial) {
    const double start = begin(random), interval = std::pow(10.0, exponent(random)) * 1000;
    const double target = start + interval;
    double t = start, suggested = interval * part(random) / 100;
    while (t != target) {
      const double limit = step_towards(t, target, suggested, interval, false);
      const double h = step_within(suggested, limit, t);
      // What is left is divided evenly: by two where it is just more than one step.
      ASSERT_GE(h, 0.4 * suggested) << "at " << t << " of " << target;
      t += h;
      if (arrived(t, target, h)) t = target;
      ASSERT_LE(t, target);
      suggested = h;
    }
  }
}

/// Late in a simulation, where times tell an output step to 1e-6 of it: as many steps for each as at
/// the beginning, and all of them together are the time that has passed.
TEST(Schedule, late_outputs_take_no_more_steps_than_early_ones) {
  constexpr int outputs = 2000;
  for (const double start : {0.0, 1e3, 1e5, 1e6, 1e7})
    for (const double parts : {1.0, 2.0, 3.0}) {
      Schedule s{start, 1e-3, start + outputs * 1e-3, outputs};
      double t = start, moved = 0, suggested = s.interval / parts;
      int steps = 0;
      for (; !s.done(); ++s.k)
        while (t != s.next()) {
          const double h = step_within(suggested, step_towards(t, s.next(), suggested, 1, false), t);
          EXPECT_TRUE(same_size(h, suggested, t)) << start << ": " << h << " after " << suggested;
          suggested = h;
          t += h;
          moved += h;
          ++steps;
          if (arrived(t, s.next(), h)) t = s.next();
        }
      EXPECT_EQ(steps, outputs * parts) << start;
      // Within an output half a distance between two times for each step but the last; and 1e-9 of each step.
      const double rounding = (parts - 1) * 0x1p-53 * start;
      EXPECT_NEAR(moved, s.end - start, outputs * rounding + 1e-9 * (s.end - start)) << start;
    }
}

}  // namespace
}  // namespace trammel::schedule_test
