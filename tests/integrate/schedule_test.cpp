// Step sizes that end at output times.
#include "integrate/schedule.h"

#include <gtest/gtest.h>

#include <random>

namespace trammel {
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
      const double limit = step_towards(target - t, suggested, interval, false);
      const double h = limit < suggested ? limit : suggested;
      // What is left is divided evenly: by two where it is just more than one step.
      ASSERT_GE(h, 0.4 * suggested) << "at " << t << " of " << target;
      t += h;
      if (arrived(t, target, h)) t = target;
      ASSERT_LE(t, target);
      suggested = h;
    }
  }
}

}  // namespace
}  // namespace trammel
