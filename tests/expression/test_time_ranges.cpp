#include "expression/time_ranges.h"

#include <cmath>
#include <random>
#include <string>

#include "expression/spline_table.h"
#include "support.h"

namespace trammel::test_time_ranges {
namespace {

using expression_test::StandIn;

/// Functions of TIME from −2 to 2, with every operation that has a range.
const char* const functions_of_time[] = {
    "3-2*TIME",
    "TIME*TIME/(2+TIME**2)",
    "-TIME**3+2**TIME",
    "(2.5+TIME)**1.7",
    "(2.5+TIME)**(-2)",
    "(2.5+TIME)**TIME",
    "ABS(TIME-0.3)",
    "SQRT(TIME+2)",
    "SIN(9*TIME)*COS(4*TIME+1)",
    "TAN(0.7*TIME)",
    "ATAN(5*TIME)-ASIN(TIME/2)+ACOS(-TIME/2)",
    "SINH(TIME)-COSH(2*TIME)+TANH(3*TIME)",
    "EXP(-((TIME-0.4)/0.05)**2)",
    "LOG(2.1+TIME)+LOG10(2.1-TIME)",
    "AINT(3*TIME)+ANINT(2.2*TIME)",
    "DIM(TIME,0.5)+MAX(TIME,SIN(5*TIME))-MIN(1,TIME**2)",
    "MOD(3*TIME,0.7)",
    "SIGN(TIME+1,SIN(6*TIME))",
    "IF(SIN(5*TIME)-0.3:TIME,2,-TIME)",
    "STEP(SIN(3*TIME),-0.2,1,0.4,3)",
    "STEP5(TIME,-1,1,1,-2)+HAVSIN(TIME,0,0,TIME**2+1,2)",
    "POLY(TIME,0.5,1,-2,3,1)",
    "SHF(TIME,0.1,2,7,0.3,1)",
    "SWEEP(TIME,2,0.2,1,1.5,20,0.1)",
    "SWEEP(2*TIME,TIME,0.2,9,1.5,-3,0.3)",
    "CHEBY(TIME/2,0,1,2,-3,1)",
    "FORCOS(TIME,0.1,3,1,2,-1)+FORSIN(TIME,0.1,3,1,2,-1)",
    "AKISPL(TIME,0,1)-CUBSPL(2*TIME,0,1)",
    "AKISPL(TIME,0.3,2)",
    "AKISPL(TIME,0,1,1)/20",
    "CUBSPL(TIME/2,0,1,1)/20",
};

StandIn model() {
  StandIn out;
  out.splines.push_back(
      make_spline_table(1, {-3, -1, -0.9, 0, 0.5, 0.6, 2, 3}, {}, {0, 0, 4, 4, -1, 0, 0, 2}, false));
  out.splines.push_back(make_spline_table(2, {-3, -1, 0.5, 3}, {0, 1}, {0, 1, -3, 2, 5, 1, 0, 2}, true));
  return out;
}

struct Function {
  StandIn of = model();
  Tape tape;
  std::vector<unsigned char> with_ranges;
  std::vector<SplineView> splines;
  std::vector<ValueRange> registers;
  std::vector<int> behind;

  explicit Function(const std::string& text) : tape(compile_expression(text, of, ResultKind::scalar)) {
    with_ranges = have_ranges(tape, std::vector<unsigned char>(tape.states.size()));
    for (const SplineTable& table : of.splines) splines.push_back(view(table));
    registers = ranges_of_constants(tape);
    behind = registers_behind(tape, result());
  }
  int result() const { return tape.results[0]; }
  ValueRange over(double begin, double end) {
    ranges_over(tape, {splines.data(), nullptr}, behind, {begin, end}, {}, registers);
    return registers[result()];
  }
  double at(double t) { return evaluate_in_time(tape, t, 4, {splines.data(), nullptr}).value; }
};

TEST(TimeRanges, hold_all_values) {
  std::mt19937 random(7);
  for (const char* text : functions_of_time) {
    Function f(text);
    ASSERT_TRUE(f.with_ranges[f.result()]) << text;
    for (int n = 0; n < 300; ++n) {
      const double width = std::pow(10.0, std::uniform_real_distribution<double>(-4, 0.6)(random));
      const double begin = std::uniform_real_distribution<double>(-2, 2 - std::min(width, 3.9))(random);
      const double end = std::min(begin + width, 2.0);
      const ValueRange range = f.over(begin, end);
      for (int k = 0; k <= 20; ++k) {
        const double value = f.at(begin + (end - begin) * k / 20), rounding = 1e-13 * (1 + std::fabs(value));
        EXPECT_GE(value, range.low - rounding) << text << " from " << begin << " to " << end;
        EXPECT_LE(value, range.high + rounding) << text << " from " << begin << " to " << end;
      }
    }
  }
}

/// A range is a value at a point, and near to the values over a short span: |f'| w with what sums and
/// products add to it.
TEST(TimeRanges, become_narrow) {
  std::mt19937 random(8);
  for (const char* text : functions_of_time) {
    Function f(text);
    int jumps = 0;
    for (int n = 0; n < 100; ++n) {
      const double t = std::uniform_real_distribution<double>(-1.9, 1.9)(random), value = f.at(t), w = 1e-7;
      const ValueRange point = f.over(t, t), narrow = f.over(t, t + w);
      EXPECT_NEAR(point.low, value, 1e-12 * (1 + std::fabs(value))) << text << " at " << t;
      EXPECT_NEAR(point.high, value, 1e-12 * (1 + std::fabs(value))) << text << " at " << t;
      if (!(narrow.width() < 400 * w)) ++jumps;
    }
    EXPECT_LE(jumps, 1) << text;  // where AINT, MOD, IF jump
  }
}

TEST(TimeRanges, of_other_functions_are_not_known) {
  for (const char* text : {"DX(1,2)*TIME", "VARVAL(1)", "ATAN2(TIME,1)"}) {
    Function f(text);
    EXPECT_FALSE(f.with_ranges[f.result()]) << text;
  }
  Function root("SQRT(TIME)");
  EXPECT_FALSE(root.over(-1, 1).known());
  EXPECT_TRUE(root.over(0, 1).known());
  EXPECT_FALSE(Function("1/TIME").over(-1, 1).known());
}

/// What others read without ranges of their own; of IF the branch that MODE leaves in dynamics, and what
/// decides by TIME as a switch.
TEST(TimeRanges, whole_functions_are_read_by_what_has_none) {
  const auto count = [](const char* text) {
    Function f(text);
    const std::vector<unsigned char> whole = whole_functions(f.tape, f.with_ranges),
                                     pulses = may_have_pulses(f.tape, f.with_ranges);
    int functions = 0;
    for (std::size_t r = 0; r < whole.size(); ++r) functions += whole[r] && pulses[r];
    return std::pair(functions, switches_in_time(f.tape, f.with_ranges).size());
  };
  EXPECT_EQ(count("SIN(TIME)*COS(3*TIME)"), std::pair(1, std::size_t{0}));
  EXPECT_EQ(count("SIN(TIME)*VARVAL(1)+COS(3*TIME)"), std::pair(2, std::size_t{0}));
  EXPECT_EQ(count("IF(SIN(TIME):VARVAL(1),0,EXP(TIME))"), std::pair(1, std::size_t{1}));
  EXPECT_EQ(count("IF(TIME-1:VARVAL(1),0,TIME)"), std::pair(0, std::size_t{0}));
  EXPECT_EQ(count("SIGN(2,SIN(TIME))+VARVAL(1)"), std::pair(1, std::size_t{1}));
  EXPECT_EQ(count("IF(SIN(TIME):1,0,-1)+VARVAL(1)"), std::pair(1, std::size_t{1}));
  EXPECT_EQ(count("SIGN(2,SIN(TIME))"), std::pair(1, std::size_t{0}));
  EXPECT_EQ(count("IF(MODE-4:SIN(TIME),VARVAL(1),EXP(TIME))"), std::pair(0, std::size_t{0}));
  EXPECT_EQ(count("IF(MODE-5:SIN(TIME),VARVAL(1),EXP(TIME))"), std::pair(1, std::size_t{0}));
  EXPECT_EQ(count("DELAY(SIN(TIME),0.1,0)"), std::pair(0, std::size_t{0}));
}

TEST(TimeRanges, pulses_are_where_no_break_is) {
  const auto may = [](const char* text) {
    Function f(text);
    return may_have_pulses(f.tape, f.with_ranges)[f.result()] != 0;
  };
  for (const char* text : {"3*TIME-1", "TIME**2-TIME", "STEP(TIME,1,0,2,5)*STEP(TIME,3,1,4,0)",
                           "MAX(0,TIME-1)", "IF(TIME-1:0,0,TIME**3)", "POLY(TIME,0,1,2,3,4)", "7"})
    EXPECT_FALSE(may(text)) << text;
  for (const char* text : {"SIN(TIME)", "STEP(SIN(TIME),0,0,1,1)", "1/(1+TIME**2)", "MAX(0,1-TIME**2)",
                           "EXP(-TIME**2)", "AKISPL(TIME,0,1)", "TIME+TANH(TIME)", "IF(TIME**2-1:1,0,0)",
                           "(TIME*(2-TIME))**40", "POLY(TIME,0,1,2,3,4,5)"})
    EXPECT_TRUE(may(text)) << text;
}

}  // namespace
}  // namespace trammel::test_time_ranges
