// Values of mathematical and general functions against their formulas written out here.
#include <numbers>

#include "support.h"

namespace trammel::expression_test::test_functions {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double rounding = 1e-14;  // a few roundings of numbers of order 1 .. 10

TEST(Functions, mathematical) {
  EXPECT_EQ(number("ABS(-3)"), 3.0);
  EXPECT_EQ(number("AINT(-2.7)"), -2.0);
  EXPECT_EQ(number("AINT(2.7)"), 2.0);
  EXPECT_EQ(number("ANINT(2.5)"), 3.0);
  EXPECT_EQ(number("ANINT(-2.5)"), -3.0);
  EXPECT_EQ(number("DIM(5,3)"), 2.0);
  EXPECT_EQ(number("DIM(3,5)"), 0.0);
  EXPECT_EQ(number("MAX(3,5)"), 5.0);
  EXPECT_EQ(number("MIN(3,5)"), 3.0);
  EXPECT_EQ(number("MOD(45,16)"), 13.0);
  EXPECT_EQ(number("MOD(-45,16)"), -13.0);
  EXPECT_EQ(number("MOD(45,-16)"), 13.0);
  EXPECT_EQ(number("SIGN(-3,2)"), 3.0);
  EXPECT_EQ(number("SIGN(3,-2)"), -3.0);
  EXPECT_EQ(number("SIGN(-3,0)"), 3.0);
  EXPECT_EQ(number("LOG10(1000)"), 3.0);
  EXPECT_EQ(number("LOG(EXP(2))"), 2.0);
  EXPECT_EQ(number("SQRT(2)"), std::sqrt(2.0));
  EXPECT_EQ(number("ATAN2(1,-1)"), std::atan2(1.0, -1.0));
  EXPECT_EQ(number("ATAN2(0,0)"), 0.0);
  EXPECT_EQ(number("ACOS(-1)"), std::acos(-1.0));
  EXPECT_EQ(number("ASIN(1)"), std::asin(1.0));
  EXPECT_EQ(number("ATAN(1)+COS(1)+SIN(1)+TAN(1)"),
            std::atan(1.0) + std::cos(1.0) + std::sin(1.0) + std::tan(1.0));
  EXPECT_EQ(number("COSH(1)+SINH(1)+TANH(1)"), std::cosh(1.0) + std::sinh(1.0) + std::tanh(1.0));
  EXPECT_EQ(number("0**0"), 1.0);
  EXPECT_EQ(number("(-2)**3"), -8.0);
  EXPECT_EQ(number("0**2"), 0.0);
}

TEST(Functions, steps) {
  StandIn model;
  for (const double t : {-1.0, 0.2, 0.5, 1.0, 1.3, 1.4, 2.0}) {
    const double d = (std::clamp(t, 0.2, 1.4) - 0.2) / (1.4 - 0.2);
    EXPECT_NEAR(value_of_text("STEP(TIME,0.2,1,1.4,-2)", model, t), 1 - 3 * d * d * (3 - 2 * d), rounding);
    EXPECT_NEAR(value_of_text("STEP5(TIME,0.2,1,1.4,-2)", model, t),
                1 - 3 * std::pow(d, 3) * (10 - 15 * d + 6 * d * d), rounding);
    EXPECT_NEAR(value_of_text("HAVSIN(TIME,0.2,1,1.4,-2)", model, t), -0.5 - 1.5 * std::sin(pi * d - pi / 2),
                rounding);
  }
  // The jump of the second derivative at both ends: ±6 (h1-h0)/(x1-x0)².
  const Tape tape = compile_expression("STEP(TIME,0.2,1,1.4,-2)", model);
  const double jump = 6 * (-3.0) / (1.2 * 1.2);
  EXPECT_NEAR(evaluate_in_time(tape, 0.2 + 1e-9).second, jump, 1e-7);  // changes by 12 |jump| h
  EXPECT_NEAR(evaluate_in_time(tape, 1.4 - 1e-9).second, -jump, 1e-7);
  EXPECT_EQ(evaluate_in_time(tape, 0.2).second, 0.0);
}

TEST(Functions, series) {
  StandIn model;
  const double t = 0.7, u = t - 0.3;
  EXPECT_NEAR(value_of_text("POLY(TIME,0.3,1,-2,0.5,0.7)", model, t),
              1 - 2 * u + 0.5 * u * u + 0.7 * u * u * u, rounding);
  EXPECT_NEAR(value_of_text("CHEBY(TIME,0.3,1,-2,0.5,0.7)", model, t),
              1 - 2 * u + 0.5 * std::cos(2 * std::acos(u)) + 0.7 * std::cos(3 * std::acos(u)), rounding);
  EXPECT_NEAR(value_of_text("FORCOS(TIME,0.3,2,1,-2,0.5)", model, t),
              1 - 2 * std::cos(2 * u) + 0.5 * std::cos(4 * u), rounding);
  EXPECT_NEAR(value_of_text("FORSIN(TIME,0.3,2,1,-2,0.5)", model, t),
              1 - 2 * std::sin(2 * u) + 0.5 * std::sin(4 * u), rounding);
  EXPECT_NEAR(value_of_text("SHF(TIME,0.3,2,PI,30D,4)", model, t), 2 * std::sin(pi * u - pi / 6) + 4,
              rounding);
  EXPECT_NEAR(value_of_text("SHF(TIME,0.3,2,PI,30D)", model, t), 2 * std::sin(pi * u - pi / 6), rounding);
  std::string many = "POLY(TIME,0";
  double sum = 0;
  for (int k = 0; k <= 30; ++k) {
    many += fmt::format(",{}", k + 1);
    sum += (k + 1) * std::pow(t, k);
  }
  EXPECT_NEAR(value_of_text(many + ")", model, t), sum, rounding);
  EXPECT_THROW(value_of_text(many + ",1)", model, t), ExpressionError);
}

TEST(Functions, sweep_runs_through_its_frequencies) {
  StandIn model;
  const Tape tape = compile_expression("SWEEP(TIME,2,1.1,3,5,9.3,0.1)", model);
  EXPECT_EQ(evaluate_in_time(tape, 0.5).value, 0.0);  // gate closed
  // Phase from the integral of the frequency f0 + (f1-f0)(x-x0)/(x1-x0), started with f0 x0 at x0.
  const auto phase = [](double x) {
    const double inside = std::min(x, 5.0), beyond = x - inside;
    double integral = 3.0 * 1.1;
    const int n = 20000;
    for (int k = 0; k < n; ++k) {
      const double mid = 1.1 + (inside - 1.1) * (k + 0.5) / n;
      integral += (3 + 6.3 * (mid - 1.1) / 3.9) * (inside - 1.1) / n;  // exact: the integrand is linear
    }
    return integral + 9.3 * beyond;
  };
  // Sum of 2e4 rounded terms of a phase up to 30 revolutions: 1e-11 in the sine.
  for (const double x : {1.7, 3.3, 4.9, 5.2, 7.0})
    EXPECT_NEAR(evaluate_in_time(tape, x).value, 2 * std::sin(2 * pi * phase(x)), 1e-10) << x;
  EXPECT_THROW(compile_expression("SWEEP(TIME,2,5,3,5,9,0.1)", model), ExpressionError);
  EXPECT_THROW(compile_expression("SWEEP(TIME,2,1,3,5,9,0)", model), ExpressionError);
}

TEST(Functions, contact_forces) {
  StandIn model;
  const auto impact = [&](double x, double v) {
    model.states = {x, v};
    return value_of_text("IMPACT(VARVAL(0),VARVAL(1),1,1E3,1.5,20,0.1)", model);
  };
  const auto step = [](double x, double x0, double h0, double x1, double h1) {
    const double d = (std::clamp(x, x0, x1) - x0) / (x1 - x0);
    return h0 + (h1 - h0) * d * d * (3 - 2 * d);
  };
  EXPECT_EQ(impact(1.0, -5), 0.0);
  EXPECT_EQ(impact(1.5, -5), 0.0);
  for (const double x : {0.99, 0.95, 0.8})
    for (const double v : {-1.0, 0.0, 0.3}) {
      const double expected = 1e3 * std::pow(1 - x, 1.5) - step(x, 0.9, 20, 1, 0) * v;
      EXPECT_NEAR(impact(x, v), std::max(0.0, expected), 1e-13 * 100);  // rounding of numbers of order 100
    }
  EXPECT_EQ(impact(0.99, 1e4), 0.0);  // never pulls
  const auto stop = [&](double x, double v) {
    model.states = {x, v};
    return value_of_text("BISTOP(VARVAL(0),VARVAL(1),-1,1,1E3,1.5,20,0.1)", model);
  };
  EXPECT_EQ(stop(0.5, 3), 0.0);
  for (const double x : {1.01, 1.05, 1.3})
    for (const double v : {-0.3, 0.0, 1.0}) {
      const double expected = -1e3 * std::pow(x - 1, 1.5) - step(x, 1, 0, 1.1, 20) * v;
      EXPECT_NEAR(stop(x, v), std::min(0.0, expected), 1e-13 * 200);
      EXPECT_NEAR(stop(-x, -v), -stop(x, v), 1e-13 * 200);  // symmetric stops
    }
  EXPECT_EQ(stop(1.01, -1e4), 0.0);
}

TEST(Functions, random_signal_has_the_density_asked_for) {
  StandIn model;
  std::vector<double> f, s;
  for (int k = 0; k <= 10; ++k) {
    f.push_back(k);
    s.push_back(2 + 0.1 * k);
  }
  model.splines.push_back(make_spline_table(1, f, {}, s, false));
  const double area = 2 * 8 + 0.05 * (81 - 1);  // ∫ 2 + 0.1 f from 1 to 9
  const double period = 1000;
  for (const int log_scale : {0, 1}) {
    const Tape tape = compile_expression(fmt::format("INVPSD(TIME,1,1,9,40,{},7)", log_scale), model);
    TapeRun<double> run(tape, model);
    double square = 0;
    const int n = 50000;
    for (int k = 0; k < n; ++k) {
      run.in.time = period * (k + 0.5) / n;
      const double y = run.value();
      square += y * y / n;
    }
    // Midpoint rule is exact for a linear density in equal bands, and 0.1 % off in bands of ratio 9^(1/40);
    // cross terms of frequencies df apart leave about 1/(df · period) of it: 1 % is generous for both.
    EXPECT_NEAR(square, area, 0.01 * area);
    const double other = value_of_text(fmt::format("INVPSD(TIME,1,1,9,40,{},8)", log_scale), model, 0.3);
    EXPECT_NE(other, value_of_text(fmt::format("INVPSD(TIME,1,1,9,40,{},7)", log_scale), model, 0.3));
  }
  double mean = 0, spread = 0;
  for (int k = 0; k < 10000; ++k) {
    const double u = functions::random_unit(3, k);
    ASSERT_TRUE(u >= 0 && u < 1);
    mean += u / 10000;
    spread += (u - 0.5) * (u - 0.5) / 10000;
  }
  EXPECT_NEAR(mean, 0.5, 5 * 0.289 / 100);          // five standard errors of the mean of 1e4 numbers
  EXPECT_NEAR(spread, 1.0 / 12, 5 * 0.0745 / 100);  // variance of (u-1/2)² is 1/180
  EXPECT_THROW(compile_expression("INVPSD(TIME,1,9,1,40,0,7)", model), ExpressionError);
  EXPECT_THROW(compile_expression("INVPSD(TIME,1,0,9,40,1,7)", model), ExpressionError);
  EXPECT_THROW(compile_expression("INVPSD(TIME,1,0,9,TIME,1,7)", model), ExpressionError);
}

}  // namespace
}  // namespace trammel::expression_test::test_functions
