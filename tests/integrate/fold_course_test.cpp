// Where a step ends for magnitudes that pass 0, or near it: against a walk in small steps.
#include "integrate/fold_course.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace trammel::fold_course_test {
namespace {

constexpr double begin = -0.1, end = 1;  // of the step

/// The magnitude at a time.
double magnitude(Fold::Of of, const FoldParts& from, double u) {
  const auto& p = from.part;
  if (of == Fold::root) return std::sqrt(std::max(0.0, p[0].at(u)));
  return std::sqrt(std::pow(p[0].at(u), 2) + std::pow(p[1].at(u), 2) + std::pow(p[2].at(u), 2));
}

/// The middle of the first two changes: the gap vanishes, or is least and negative behind that.
double walked(Fold::Of of, const FoldParts& from) {
  constexpr int steps = 200000;
  const auto time = [&](int k) { return begin + k * (end - begin) / steps; };
  const auto gap = [&](int k) { return magnitude(of, from, time(k)) - from.part[3].at(time(k)); };
  const auto square = [&](int k) { return std::pow(magnitude(of, from, time(k)), 2); };
  double first = HUGE_VAL;
  for (int k = 1; k < steps; ++k) {
    const bool changes = (gap(k - 1) < 0) != (gap(k) < 0);
    const bool least = gap(k) < 0 && square(k) < square(k - 1) && square(k) <= square(k + 1);
    if (first < HUGE_VAL && (changes || least)) return (first + time(k)) / 2;
    if (changes) first = time(k);
  }
  return HUGE_VAL;
}

/// Points, numbers and roots that pass 0 in the step, some by far, some not, with an end that moves.
TEST(FoldCourse, is_what_a_walk_finds) {
  std::mt19937 random(3);
  const auto number = [&](double size) {
    return std::uniform_real_distribution<double>(-size, size)(random);
  };
  int found = 0, none = 0, others = 0;
  for (int n = 0; n < 200; ++n)
    for (const Fold::Of of : {Fold::distance, Fold::absolute, Fold::root}) {
      FoldParts from{};
      const double at = 0.5 + number(0.5);  // about where it is least
      const auto near_0 = [&](double slope, double bend) {
        return Course{slope * -at + bend * at * at + number(0.05), slope - 2 * bend * at, bend};
      };
      from.part[0] = of == Fold::root ? near_0(0, number(12) + 13) : near_0(number(5), number(3));
      if (of == Fold::root) from.part[0].g += 0.05;
      for (int k = 1; k < 3 && of == Fold::distance; ++k) from.part[k] = near_0(number(0.3), number(3));
      from.part[3] = {0.15 + number(0.1), number(0.1), number(0.02)};
      const double expected = walked(of, from), middle = FoldCourse(of, from).between(begin, end);
      ++(expected < HUGE_VAL ? found : none);
      if (std::fabs(middle - expected) < 2e-5) continue;  // what the walk's steps tell
      if (expected == HUGE_VAL && middle == HUGE_VAL) continue;
      // It has turned twice within an interval.
      ++others;
      EXPECT_LT(magnitude(of, from, middle), from.part[3].at(middle)) << n << " " << of;
    }
  EXPECT_GT(found, 100);
  EXPECT_GT(none, 100);
  EXPECT_LT(others, 6);
}

/// Carts that meet in the middle of a step, where an end of one of the intervals that are looked through is;
/// 3 m/s, 0.1 from each other: they touch 1/30 s before.
TEST(FoldCourse, ends_between_touch_and_middle) {
  FoldParts from{};
  from.part[0] = {-3 * 0.45, 3, 0};
  from.part[3] = {0.1, 0, 0};
  EXPECT_NEAR(FoldCourse(Fold::distance, from).between(begin, end), 0.45 - 1.0 / 60, 1e-9);
  EXPECT_NEAR(between_folds(Fold::distance, from, 7, 7, 8), 7.45 - 1.0 / 60, 1e-9);
  EXPECT_EQ(between_folds(Fold::distance, from, 7, 7.5, 8), HUGE_VAL);
}

}  // namespace
}  // namespace trammel::fold_course_test
