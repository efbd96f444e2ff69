// Ranges of operations against values at points inside the ranges of their arguments.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "../support/random.h"
#include "advice/range.h"
#include "expression/evaluate_definitions.h"

namespace trammel::test::range_test {
namespace {

/// The value of an operation; NaN where it has none.
double value_of_op(Op op, const std::vector<double>& x) {
  EvalError error = EvalError::none;
  bool outside = false;
  const double value =
      functions::apply(op, x.data(), static_cast<int>(x.size()), TapeView(), TapeTables(), error, outside);
  return error == EvalError::none ? value : std::nan("");
}

TEST(Range, holds_every_value) {
  Random random(7);
  const auto bound = [&] { return random.uniform(-3, 3); };
  const auto share = [&] { return random.uniform(0, 1); };
  for (const OpInfo& info : op_table()) {
    if (info.op < Op::neg || info.op > Op::bistop) continue;
    int tried = 0;
    for (int round = 0; round < 300; ++round) {
      const int n = info.min_arguments;
      std::vector<Range> ranges(n);
      for (Range& r : ranges) {
        r.low = bound();
        r.high = share() < 0.3 ? r.low : r.low + std::abs(bound());  // some are constants
        if (share() < 0.2) r = Range::of(std::round(r.low));         // whole exponents
      }
      const Range result = range_of(info.op, ranges);
      for (int sample = 0; sample < 20; ++sample) {
        std::vector<double> x(n);
        for (int k = 0; k < n; ++k) {
          const double s = sample < 2 ? sample : share();
          x[k] = ranges[k].point() ? ranges[k].low : ranges[k].low + s * ranges[k].width();
        }
        const bool ordered = n < 5 || x[1] < x[3];  // of ramps
        const double value = value_of_op(info.op, x);
        if (!ordered || !std::isfinite(value)) continue;
        ++tried;
        const double rounding = 1e-12 * (1 + std::abs(value));  // the range is rounded as the value is
        EXPECT_GE(value, result.low - rounding) << info.name;
        EXPECT_LE(value, result.high + rounding) << info.name;
      }
    }
    EXPECT_GT(tried, 100) << info.name;
  }
}

TEST(Range, is_narrow_where_that_is_known) {
  const auto of = [](Op op, std::initializer_list<Range> x) { return range_of(op, std::vector<Range>(x)); };
  const Range any;
  EXPECT_EQ(of(Op::sqrt, {any}).low, 0);
  EXPECT_EQ(of(Op::add, {Range::of(1), {0, 2}}).low, 1);
  EXPECT_EQ(of(Op::mul, {Range::of(0), any}).high, 0);
  EXPECT_EQ(of(Op::pow, {any, Range::of(2)}).low, 0);
  EXPECT_EQ(of(Op::div, {Range::of(1), {2, 4}}).high, 0.5);
  EXPECT_EQ(of(Op::step, {any, Range::of(0), Range::of(-1), Range::of(1), Range::of(5)}).high, 5);
  EXPECT_FALSE(of(Op::div, {Range::of(1), {-1, 4}}).bounded());
}

}  // namespace
}  // namespace trammel::test::range_test
