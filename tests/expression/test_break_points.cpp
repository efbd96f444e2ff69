#include "expression/break_points.h"
#include "expression/corners.h"

#include <algorithm>
#include <cmath>

#include "support.h"

namespace trammel::test_break_points {
namespace {

using expression_test::StandIn;

/// All breaks in (begin, end].
std::vector<double> breaks(const char* text, double begin, double end, StandIn&& model = StandIn(),
                           int derivatives = 0) {
  const Tape tape = compile_expression(text, model, ResultKind::any);
  std::vector<double> all;
  for (double t = begin; (t = next_break(tape, model.splines, t, derivatives)) <= end && all.size() < 100;)
    all.push_back(t);
  return all;
}

void expect_times(const char* text, double begin, double end, const std::vector<double>& expected) {
  const std::vector<double> found = breaks(text, begin, end);
  ASSERT_EQ(found.size(), expected.size()) << text;
  for (std::size_t k = 0; k < found.size(); ++k)
    EXPECT_NEAR(found[k], expected[k], 4e-15 * std::fabs(expected[k])) << text;
}

// Times read from the definitions of the functions.
TEST(BreakPoints, OfFunctionsOfTime) {
  expect_times("STEP(TIME, 1, 0, 2, 1)", 0, 9, {1, 2});
  expect_times("3*STEP5(2*TIME-1, 1, 0, 3, 1)*SIN(TIME)", 0, 9, {1, 2});
  expect_times("HAVSIN(-TIME, -2, 0, -1, 5)", 0, 9, {1, 2});
  expect_times("STEP(TIME, 0.1, 0, 0.3, 1) - STEP(TIME, 0.3, 0, 0.7, 1)", 0, 9, {0.1, 0.3, 0.7});
  expect_times("IF(TIME-1: 2, 3, TIME)", 0, 9, {1});
  expect_times("IF(TIME-1: 2, 3, STEP(TIME, 0.5, 0, 4, 1))", 0, 9, {1, 4});
  expect_times("IF(TIME-1: 2, STEP(TIME, 1, 0, 4, 1), 7)", 0, 9, {1});
  expect_times("IF(STEP(TIME, 1, 0, 2, 1)-0.5: TIME, 0, STEP(TIME, 3, 0, 4, 1))", 0, 9, {1, 2, 3, 4});
  expect_times("ABS(TIME-1)+MAX(TIME, 2)+MIN(TIME, 3)+DIM(4, TIME)", 0, 9, {1, 2, 3, 4});
  expect_times("STEP(ABS(TIME-3), 1, 0, 2, 1)", 0, 9, {1, 2, 3, 4, 5});
  expect_times("IF(MOD(TIME, 1)-0.25: 1, 0, 0)", 0, 2.5, {0.25, 1, 1.25, 2, 2.25});
  expect_times("AINT(2*TIME)", 0.1, 2, {0.5, 1, 1.5, 2});
  expect_times("IF(MOD(TIME-1, 0.5): 1, 1, 2)", 0.1, 2.1, {0.5, 1, 1.5, 2});
  expect_times("BISTOP(TIME, 1, 2, 5, 10, 1, 0, 0.1)", 0, 9, {2, 5});
}

TEST(BreakPoints, NoneIsKnownWhereTheMotionDecides) {
  expect_times("STEP(DX(1,2), 1, 0, 2, 1)", 0, 9, {});
  expect_times("IF(SIN(TIME): 0, 0, 1)", 0, 9, {});
  expect_times("TIME**2 + 3", 0, 9, {});
  expect_times("STEP(1.5, 1, 0, 2, 1)", 0, 9, {});
}

SplineTable zigzag() {
  return make_spline_table(7, {0.5, 1, 2, 3, 4}, {}, {0, 1, 0, 1, 0}, false);
}

TEST(BreakPoints, EndsOfSplines) {
  for (const char* text : {"AKISPL(TIME, 0, 7)", "CUBSPL(TIME, 0, 7, 1)"}) {
    StandIn model;
    model.splines.push_back(zigzag());
    EXPECT_EQ(breaks(text, 0, 9, std::move(model)), (std::vector<double>{0.5, 4})) << text;
  }
}

// Of a motion also points at which a derivative jumps that its acceleration has: lines are continuous,
// Akima's spline has one continuous derivative, a cubic one has two.
TEST(BreakPoints, PointsOfSplinesWhereDerivativesJump) {
  const std::vector<double> ends{0.5, 4}, all{0.5, 1, 2, 3, 4};
  for (const int derivatives : {0, 1, 2}) {
    StandIn model;
    SplineTable s = zigzag();
    s.history = true;
    s.corners = corners_of(s.x, s.y);
    model.splines.push_back(s);
    const std::vector<double> found = breaks("INTERP(2*TIME, 1, 7)", 0, 9, std::move(model), derivatives);
    EXPECT_EQ(found,
              derivatives > 0 ? (std::vector<double>{0.25, 0.5, 1, 1.5, 2}) : (std::vector<double>{0.25, 2}));
    for (const auto& [text, continuous] : {std::pair{"AKISPL(TIME, 0, 7)", 1},
                                           {"AKISPL(TIME, 0, 7, 1)", 0},
                                           {"AKISPL(TIME, 0, 7, 2)", -1},
                                           {"CUBSPL(TIME, 0, 7)", 2},
                                           {"CUBSPL(TIME, 0, 7, 1)", 1},
                                           {"CUBSPL(TIME, 0, 7, 2)", 0}}) {
      StandIn data;
      data.splines.push_back(zigzag());
      EXPECT_EQ(breaks(text, 0, 9, std::move(data), derivatives), derivatives > continuous ? all : ends)
          << text << " " << derivatives;
    }
  }
}

// With n points in a period of sin 2πx the second derivative of the spline jumps by some 15/n of its largest
// value, 4π², over spacings of 1/n: 15·4π²/16 n^{−3} of the range, 0.07 with eight and 4e-8 with a thousand.
TEST(BreakPoints, DenseDataAreSmooth) {
  for (const auto& [points, rough] : {std::pair{9, true}, {1001, false}}) {
    std::vector<double> x(points), y(points);
    for (int k = 0; k < points; ++k) {
      x[k] = static_cast<double>(k) / (points - 1);
      y[k] = std::sin(6.283185307179586 * x[k]);
    }
    const std::size_t bends = make_spline_table(7, x, {}, y, false).bends.size();
    EXPECT_EQ(bends > 0, rough) << points << " " << bends;
  }
}

// Dense data of a smooth function have none, whatever their noise; a corner among them is found.
TEST(BreakPoints, CornersOfData) {
  for (const double noise : {0.0, 1e-5}) {
    std::vector<double> x, smooth, corner;
    for (int k = 0; k <= 1000; ++k) {
      x.push_back(0.01 * k);
      smooth.push_back(std::sin(x.back()) + noise * std::sin(1e6 * k));
      corner.push_back(smooth.back() + 0.5 * std::fabs(x.back() - 5));
    }
    EXPECT_LT(corners_of(x, smooth).size(), 20u);  // of 999
    const std::vector<double> found = corners_of(x, corner);
    EXPECT_TRUE(std::find(found.begin(), found.end(), x[500]) != found.end());
  }
  EXPECT_EQ(corners_of({0, 1, 2, 3}, {0, 1, 0, 1}), (std::vector<double>{1, 2}));
  EXPECT_EQ(corners_of({0, 1, 2, 3, 4}, {0, 2, 4, 6, 8}), std::vector<double>{});
}

// A break is not found twice, whatever rounding makes of its time.
TEST(BreakPoints, AreLeftBehind) {
  for (int k = 1; k < 2000; ++k) {
    const double t = k * 0.001234567, late = t + 1;
    const std::string text = fmt::format("STEP(3.3*(TIME-{:.17g}), 0, 0, {:.17g}, 1)", t, 3.3);
    const std::vector<double> found = breaks(text.c_str(), 0, 1e9);
    ASSERT_EQ(found.size(), 2u) << text;
    EXPECT_NEAR(found[0], t, 1e-14 * late);
    EXPECT_NEAR(found[1], late, 1e-14 * late);
  }
}

// The corners of functions of time in spans of 0.1, to rounding; f' jumps by 2 or more at each, or f does.
TEST(Corners, OfFunctionsOfTime) {
  constexpr double pi = 3.14159265358979323846;
  const auto expect = [](const char* text, const std::vector<double>& expected) {
    StandIn model;
    const Tape tape = compile_expression(text, model, ResultKind::any);
    ASSERT_TRUE(may_have_corners(tape)) << text;
    std::vector<double> found;
    std::vector<TimeJet> registers;
    for (int k = 0; k < 40; ++k)
      for (double from = 0.01 + 0.1 * k; found.size() < 100;) {
        const double corner = first_corner(tape, {}, {from, 0.11 + 0.1 * k}, 1e-6, registers);
        if (!(corner < HUGE_VAL)) break;
        found.push_back(corner);
        from = corner * (1 + 1e-13);
      }
    ASSERT_EQ(found.size(), expected.size()) << text;
    for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 2e-15) << text;
  };
  expect("ABS(SIN(2*TIME))", {pi / 2, pi});
  expect("MAX(SIN(2*TIME), -SIN(2*TIME))", {pi / 2, pi});
  expect("SQRT(SIN(2*TIME)**2)", {pi / 2, pi});
  expect("(SIN(2*TIME)**2)**0.5", {pi / 2, pi});
  expect("SQRT(SIN(2*TIME)*SIN(2*TIME))", {pi / 2, pi});
  expect("MAX(TIME**2, 2)+1000", {std::sqrt(2.0)});
  expect("SIGN(1, COS(TIME))", {pi / 2});
  expect("IF(COS(TIME): 5*TIME, 1, 2)", {pi / 2});
  expect("ATAN2(SIN(TIME), COS(TIME))", {pi});
  expect("MOD(TIME**2, 4)", {2, std::sqrt(8.0), std::sqrt(12.0), 4});
  expect("1E3*MAX(0,SIN(PI*(TIME-.037)))**2001 + ABS(TIME**2-0.25)", {0.5});
  expect("MAX(0, 0.02-ABS(SIN(TIME)))", {std::asin(0.02), pi - std::asin(0.02), pi, pi + std::asin(0.02)});
}

TEST(Corners, SmoothFunctionsHaveNone) {
  StandIn model;
  std::vector<TimeJet> registers;
  for (const char* text : {"ABS(2+SIN(TIME))", "SIN(50*TIME)*MAX(1, SIN(TIME)/8)",
                           "1E3*SQRT(1+ABS(EXP(TIME))**2)", "ABS(EXP(TIME))**3.5", "ABS(SIN(TIME))**3",
                           "ATAN2(1E-3*SIN(TIME), 2+COS(TIME))", "ABS(1E9-EXP(TIME))*SIN(300*TIME)"}) {
    const Tape tape = compile_expression(text, model, ResultKind::any);
    ASSERT_TRUE(may_have_corners(tape)) << text;
    for (int k = 0; k < 100; ++k)
      EXPECT_EQ(first_corner(tape, {}, {0.05 * k, 0.05 * k + 0.05}, 1e-6, registers), HUGE_VAL) << text << k;
  }
  // A small difference of large values, in short spans: what it loses to rounding, 3e-13, is no jump.
  const Tape pulse =
      compile_expression("1000*(ATAN2(TIME-1.0373,1E-4)-ATAN2(TIME-1.0473,1E-4))", model, ResultKind::any);
  for (const double width : {1e-3, 1e-5, 1e-7, 1e-9})
    for (int k = 0; k < 100; ++k)
      EXPECT_EQ(first_corner(pulse, {}, {0.98 + 1e-4 * k, 0.98 + 1e-4 * k + width}, 1e-8, registers),
                HUGE_VAL)
          << width << k;
  // High powers, which make as many roundings of one; in spans as short as steps become.
  for (const char* text : {"1E3*MAX(0,SIN(PI*(TIME-.037)))**2001", "1E3*MAX(0,1-(TIME-.537)**2)**5000",
                           "1E3*SQRT(SIN(PI*(TIME-.037))**2)**2001", "1E3*ABS(SIN(PI*(TIME-.037)))**20001"}) {
    const Tape power = compile_expression(text, model, ResultKind::any);
    ASSERT_TRUE(may_have_corners(power)) << text;
    for (const double width : {1e-2, 1e-4, 1e-6, 1e-9, 1e-12})
      for (int k = 0; k < 100; ++k) {
        const double begin = 0.487 + 1e-3 * k;
        EXPECT_EQ(first_corner(power, {}, {begin, begin + width}, 1e-8, registers), HUGE_VAL)
            << text << width << " " << begin;
      }
  }
  for (const char* text :
       {"SIN(TIME)", "SQRT(1-COS(TIME)**2)", "ASIN(SIN(TIME))", "MAX(0, 2*TIME-1)", "IF(TIME-1: 0, 0, TIME)",
        "MOD(TIME, 2)", "STEP5(TIME, 0, 0, 1, 1)", "ABS(DX(1,2))", "POLY(TIME, 0, 1, 2)"})
    EXPECT_FALSE(may_have_corners(compile_expression(text, model, ResultKind::any))) << text;
}

}  // namespace
}  // namespace trammel::test_break_points
