// When a Jacobian is made anew, against the best that any fixed age could do.
#include "integrate/jacobian_policy.h"

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include <cmath>

using namespace trammel;

namespace jacobian_policy_test {
namespace {

/// A model of a motion: what steps with a Jacobian of some age take, and what they leave of the corrector's
/// tolerance (0: no rate was measured).
struct Motion {
  std::function<int(int age, int step)> iterations;
  std::function<double(int age)> left = [](int) { return 0.0; };
};

struct Spent {
  double iterations = 0;  ///< of a step, the cost of Jacobians included
  int jacobians = 0;
};

Spent with_policy(const Motion& motion, int steps) {
  JacobianPolicy policy;
  policy.valid = false;
  double sum = 0;
  Spent spent;
  for (int n = 0; n < steps; ++n) {
    policy.review(1.0);
    if (policy.wanted(1)) {
      policy.made(1.0);
      ++spent.jacobians;
      sum += JacobianPolicy::cost;
    }
    const int taken = motion.iterations(policy.age, n);
    policy.spent += taken;
    sum += taken;
    policy.stepped(taken, motion.left(policy.age));
    ++policy.age;
  }
  spent.iterations = sum / steps;
  return spent;
}

/// The least that any fixed age gives.
double best_of_fixed_ages(const Motion& motion, int steps) {
  double best = 1e9;
  for (int life = 1; life <= 200; ++life) {
    double sum = 0;
    for (int n = 0; n < steps; ++n) {
      const int age = n % life;
      if (age == 0) sum += JacobianPolicy::cost;
      sum += motion.iterations(age, n);
    }
    best = std::min(best, sum / steps);
  }
  return best;
}

constexpr int many = 4000;
// The policy learns from the mean over some steps: it is late by a few, which of five-step lives is a tenth.
constexpr double late = 1.1;

TEST(JacobianPolicy, costs_of_steps_that_grow_with_age) {
  for (const int life : {4, 6, 10, 20, 50}) {
    const Motion motion{[life](int age, int) { return 2 + age / life; }};
    const Spent spent = with_policy(motion, many);
    EXPECT_LT(spent.iterations, late * best_of_fixed_ages(motion, many)) << "one more every " << life;
  }
}

TEST(JacobianPolicy, a_third_iteration_is_foreseen_where_the_rate_tells) {
  // What is left grows as age² and would be above 1 in the fifth step, which needs a third iteration.
  const Motion motion{[](int age, int) { return age < 4 ? 2 : 3; },
                      [](int age) { return age < 4 ? age * age / 15.0 : 0.9; }};
  const Spent spent = with_policy(motion, many);
  constexpr double learning = 2.0 / many;  // at first it does not know what steps with a young one take
  EXPECT_NEAR(spent.iterations, best_of_fixed_ages(motion, many), learning);
}

TEST(JacobianPolicy, a_jacobian_that_would_not_help_is_kept) {
  // Iterations that have nothing to do with age: 2, 3, 2, 3, ..., and the same with an irregular rhythm.
  for (const int rhythm : {2, 3, 7}) {
    const Motion motion{[rhythm](int, int n) { return n % rhythm == 0 ? 3 : 2; }};
    const Spent spent = with_policy(motion, many);
    EXPECT_LT(spent.iterations, late * best_of_fixed_ages(motion, many)) << "rhythm " << rhythm;
  }
}

TEST(JacobianPolicy, a_pattern_without_adaptation_keeps_it) {
  JacobianPolicy policy;
  policy.pattern = {0, 1, false};
  policy.made(1.0);
  for (int n = 0; n < 100; ++n) {
    policy.review(1.0);
    policy.spent += 10;
    policy.stepped(10, 1.0);
    ++policy.age;
  }
  EXPECT_TRUE(policy.valid);
}

/// size·ξ/(1 − ξ) of each part by its own rate: the largest one alone would promise 0.1.
TEST(JacobianPolicy, a_part_that_converges_slowly_is_not_hidden_by_a_larger_one) {
  const CorrectionParts before{.coordinates = 10, .multipliers = 0.5, .scalars = 1000},
      now{.coordinates = 7, .multipliers = 0.2, .scalars = 10};
  EXPECT_EQ(now.largest(), 10);
  JacobianPolicy policy;
  policy.made(1.0);
  policy.measured(now.largest() / before.largest(), now.over(before));
  EXPECT_NEAR(policy.remainder_of(now.largest(), policy.rate, true), 10 * 0.01 / 0.99, 1e-12);
  EXPECT_NEAR(policy.remainder_of(now.coordinates, policy.rates.coordinates, true), 7 * 0.7 / 0.3, 1e-12);
  EXPECT_NEAR(policy.rates.multipliers, 0.2, 1e-15);  // what was below its tolerance counts as one
  EXPECT_EQ(policy.remainder_of(2, 1, true), INFINITY);
  EXPECT_EQ(policy.remainder_of(JacobianPolicy::negligible, 0.9, true), 0);
  EXPECT_TRUE(std::isnan(CorrectionParts{.multipliers = NAN}.largest()));
}

TEST(JacobianPolicy, an_expected_rate_grows_with_age_and_bounds_a_linear_one) {
  JacobianPolicy policy;
  policy.made(1.0);
  policy.age = 1;
  policy.measured(0.02, {});
  for (int age = 1; age < 40; ++age) {
    policy.age = age;
    EXPECT_GE(policy.expected_rate(policy.rate), 0.02 * age) << age;
  }
}

}  // namespace
}  // namespace jacobian_policy_test
