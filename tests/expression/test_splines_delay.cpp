// Splines and delays: exactness on polynomials, smoothness, order of convergence, limits.
#include "support.h"

namespace trammel::expression_test::test_splines_delay {
namespace {

const std::vector<double> uneven = {-1, 0, 0.4, 1.1, 2, 2.7, 4};

std::vector<double> sampled(const std::vector<double>& x, const std::function<double(double)>& f) {
  std::vector<double> y;
  for (const double v : x) y.push_back(f(v));
  return y;
}
double cubic(double x) {
  return 0.3 * x * x * x - x * x + 2 * x - 1;
}

TEST(Splines, a_cubic_is_reproduced_exactly) {
  StandIn model;
  model.splines.push_back(make_spline_table(1, uneven, {}, sampled(uneven, cubic), false));
  for (double x = -1; x <= 4; x += 0.13) {
    // Not-a-knot ends make cubics exact; rounding of numbers of order 10.
    EXPECT_NEAR(value_of_text("CUBSPL(TIME,0,1)", model, x), cubic(x), 1e-13);
    EXPECT_NEAR(value_of_text("CUBSPL(TIME,0,1,1)", model, x), 0.9 * x * x - 2 * x + 2, 1e-12);
    EXPECT_NEAR(value_of_text("CUBSPL(TIME,0,1,2)", model, x), 1.8 * x - 2, 1e-11);
  }
}

TEST(Splines, the_cubic_spline_is_twice_continuous_and_has_no_knot_next_to_its_ends) {
  StandIn model;
  model.splines.push_back(
      make_spline_table(1, uneven, {}, sampled(uneven, [](double x) { return std::sin(3 * x); }), false));
  const double e = 1e-9;
  const auto second = [&](double x) { return value_of_text("CUBSPL(TIME,0,1,2)", model, x); };
  const auto third = [&](double a, double b) { return (second(b - e) - second(a + e)) / (b - a - 2 * e); };
  for (std::size_t k = 0; k < uneven.size(); ++k)
    EXPECT_NEAR(value_of_text("CUBSPL(TIME,0,1)", model, uneven[k]), std::sin(3 * uneven[k]), 1e-14);
  for (std::size_t k = 1; k + 1 < uneven.size(); ++k)
    EXPECT_NEAR(second(uneven[k] - e), second(uneven[k] + e), 1e-6);  // third derivative (order 100) times 2e
  EXPECT_NEAR(third(-1, 0), third(0, 0.4), 1e-8);
  EXPECT_NEAR(third(2, 2.7), third(2.7, 4), 1e-8);
  EXPECT_GT(std::abs(third(0, 0.4) - third(0.4, 1.1)), 1e-3);  // an ordinary knot
}

TEST(Splines, convergence_order) {
  double before_cubic = 0, before_akima = 0;
  for (const int n : {20, 40, 80}) {
    StandIn model;
    std::vector<double> x;
    for (int k = 0; k <= n; ++k) x.push_back(3.0 * k / n);
    model.splines.push_back(
        make_spline_table(1, x, {}, sampled(x, [](double v) { return std::exp(std::sin(v)); }), false));
    const Tape cubic_tape = compile_expression("CUBSPL(TIME,0,1)", model),
               akima_tape = compile_expression("AKISPL(TIME,0,1)", model);
    double worst_cubic = 0, worst_akima = 0;
    for (double t = 0.5; t < 2.5; t += 0.0137) {
      const double exact = std::exp(std::sin(t));
      worst_cubic = std::max(worst_cubic, std::abs(TapeRun<double>(cubic_tape, model, t).value() - exact));
      worst_akima = std::max(worst_akima, std::abs(TapeRun<double>(akima_tape, model, t).value() - exact));
    }
    if (n > 20) {
      EXPECT_GT(before_cubic / worst_cubic, 12);  // fourth order: 16
      EXPECT_GT(before_akima / worst_akima,
                3.5);  // at least second order where the curvature changes sign: 4
    }
    before_cubic = worst_cubic;
    before_akima = worst_akima;
  }
}

TEST(Splines, akima_slopes_by_hand) {
  const double x[] = {0, 1, 2, 4, 5}, y[] = {0, 1, 0, 2, 2};
  double slope[5];
  akima_slopes(x, y, 5, slope);
  // chords 1, -1, 1, 0; beyond the ends 5, 3 and -1, -2
  EXPECT_NEAR(slope[0], (2 * 3 + 2 * 1) / 4.0, 1e-15);
  EXPECT_NEAR(slope[1], (2 * 1 + 2 * -1) / 4.0, 1e-15);
  EXPECT_NEAR(slope[2], (1 * -1 + 2 * 1) / 3.0, 1e-15);
  EXPECT_NEAR(slope[3], (1 * 1 + 2 * 0) / 3.0, 1e-15);
  EXPECT_NEAR(slope[4], (1 * 0 + 1 * -1) / 2.0, 1e-15);
  // Equal chords on both sides: the mean. A step in otherwise flat data does not overshoot.
  StandIn model;
  model.splines.push_back(make_spline_table(1, {0, 1, 2, 3, 4, 5}, {}, {0, 0, 0, 1, 1, 1}, false));
  for (double t = 0; t <= 5; t += 0.1) {
    const double v = value_of_text("AKISPL(TIME,0,1)", model, t);
    EXPECT_TRUE(v >= 0 && v <= 1) << t;
  }
}

/// Between equal chords on both sides both weights are 0, and the slope is the mean of two, 0.5 at x = 2, in
/// any unit: 0.3 − 0.2 and 0.2 − 0.1 differ by rounding, which is no weight.
TEST(Splines, akima_slopes_do_not_depend_on_units) {
  const double x[] = {0, 1, 2, 3, 4, 5, 6, 7}, y[] = {0, 0, 0, 1, 2, 3, 3, 3};
  for (const double unit : {1.0, 0.1, 0.3, 1.0 / 3, 1e-7, 254.0}) {
    double scaled[8], slope[8];
    for (int k = 0; k < 8; ++k) scaled[k] = x[k] * unit;
    akima_slopes(scaled, y, 8, slope);
    for (const int k : {2, 5}) EXPECT_NEAR(slope[k] * unit, 0.5, 1e-12) << unit;
  }
}

TEST(Splines, outside_the_data) {
  StandIn model;
  const auto parabola = [](double v) { return 2 - v + 0.5 * v * v; };
  model.splines.push_back(make_spline_table(1, uneven, {}, sampled(uneven, parabola), false));
  model.splines.push_back(make_spline_table(2, uneven, {}, sampled(uneven, cubic), true));
  for (const double x : {-3.0, 6.0}) {
    EXPECT_NEAR(value_of_text("AKISPL(TIME,0,1)", model, x), parabola(x), 1e-13);
    EXPECT_NEAR(value_of_text("CUBSPL(TIME,0,1,1)", model, x), x - 1, 1e-13);
    EXPECT_NEAR(value_of_text("CUBSPL(TIME,0,1,2)", model, x), 1.0, 1e-13);
    const double end = x < 0 ? -1 : 4, slope = 0.9 * end * end - 2 * end + 2;
    EXPECT_NEAR(value_of_text("CUBSPL(TIME,0,2)", model, x), cubic(end) + slope * (x - end), 1e-12);
  }
  const Tape tape = compile_expression("1+CUBSPL(TIME,0,2)", model);
  TapeRun<double> run(tape, model, 6.0);
  const TapeStatus status = run.evaluate();
  ASSERT_TRUE(status.ok());
  ASSERT_GE(status.extrapolated, 0);
  const SplineRange range = extrapolated_spline(tape, status, run.registers.data(), run.in.tables);
  EXPECT_EQ(range.spline, 1);
  EXPECT_EQ(range.x, 6.0);
  run.in.time = 4.0;
  EXPECT_LT(run.evaluate().extrapolated, 0);
}

TEST(Splines, surfaces_are_linear_between_curves) {
  StandIn model;
  std::vector<double> y;
  for (const double z : {0.0, 1.0, 3.0})
    for (const double x : uneven) y.push_back(cubic(x) * (1 + z * z));
  model.splines.push_back(make_spline_table(1, uneven, {0, 1, 3}, y, false));
  const auto at = [&](double x, double z) {
    return value_of_text(fmt::format("CUBSPL(TIME,{},1)", z), model, x);
  };
  EXPECT_NEAR(at(0.7, 1), 2 * cubic(0.7), 1e-13);
  EXPECT_NEAR(at(0.7, 0.25), (0.75 * 1 + 0.25 * 2) * cubic(0.7), 1e-13);
  EXPECT_NEAR(at(0.7, 2), 0.5 * (2 + 10) * cubic(0.7), 1e-13);
  EXPECT_NEAR(at(0.7, 4), (2 + 8 * 1.5) * cubic(0.7), 1e-13);  // beyond: along the last line
  EXPECT_THROW(compile_expression("CUBSPL(TIME,0,1,1)", model), ExpressionError);
}

TEST(Splines, bad_data_is_refused) {
  EXPECT_THROW(make_spline_table(1, {0, 1, 2}, {}, {0, 0, 0}, false), Failure);
  EXPECT_THROW(make_spline_table(1, {0, 1, 1, 2}, {}, {0, 0, 0, 0}, false), Failure);
  EXPECT_THROW(make_spline_table(1, {0, 1, 2, 3}, {}, {0, 0, 0}, false), Failure);
  EXPECT_THROW(make_spline_table(1, {0, 1, 2, 3}, {1, 0}, std::vector<double>(8), false), Failure);
  EXPECT_THROW(make_spline_table(1, {0, 1, 2, std::nan("")}, {}, {0, 0, 0, 0}, false), Failure);
  try {
    make_spline_table(12, {0, 1, 0.5, 2}, {}, {0, 0, 0, 0}, false);
  } catch (const Failure& f) {
    EXPECT_STREQ(f.what(), "SPLINE/12: X must increase strictly, but value 3 (0.5) follows 1");
  }
}

// ---- DELAY

/// Steps of size h to t = 2, each accepted value appended; returns the largest error of DELAY(SIN(3 TIME),
/// 0.33) against sin(3 (t - 0.33)), read at the end of each step before it is accepted.
double delay_error(double h, bool cubic_interpolation) {
  StandIn model;
  model.cubic_delay = cubic_interpolation;
  const Tape tape = compile_expression("DELAY(SIN(3*TIME),0.33,SIN(3*TIME))", model);
  double worst = 0;
  for (int k = 0; k * h <= 2.0 + 1e-12; ++k) {
    const double t = k * h;
    const double value = TapeRun<double>(tape, model, t).value();
    if (t > 0.33 + 3 * h) worst = std::max(worst, std::abs(value - std::sin(3 * (t - 0.33))));
    if (t < 0.33) {  // from the history, with its own time
      EXPECT_NEAR(value, std::sin(3 * (t - 0.33)), 1e-15);
    }
    const double e = TapeRun<double>(model.delayed[0], model, t).value();
    EXPECT_EQ(e, std::sin(3 * t));
    model.buffers[0].append(t, e);
  }
  return worst;
}

TEST(Delay, interpolation_converges_with_its_order) {
  // 0.33 is no multiple of these steps, and lies at the same fraction (.3 and .6) of a step's grid.
  const double coarse = delay_error(0.1, true), fine = delay_error(0.05, true);
  EXPECT_LT(coarse, 3 * std::pow(0.3, 4) / 24);  // h⁴ f''''/24 of the cubic, with sin(3t): (3h)⁴/24
  EXPECT_GT(coarse / fine, 10);                  // fourth order: 16 where the fraction is equal
  const double coarse_line = delay_error(0.1, false), fine_line = delay_error(0.05, false);
  EXPECT_LT(coarse_line, std::pow(0.3, 2) / 8 * 1.01);  // h² f''/8
  EXPECT_GT(coarse_line / fine_line, 3);                // second order: 4
}

TEST(Delay, inside_the_present_step_it_depends_on_the_present_value) {
  StandIn model;
  model.cubic_delay = false;
  const Tape tape = compile_expression("DELAY(VARVAL(0),0.25,0)", model);
  model.buffers[0].append(0.0, 2.0);
  model.buffers[0].append(1.0, 4.0);
  model.states[0] = 10.0;
  TapeRun<double> run(tape, model, 1.5);  // looks at 1.25, half way between (1, 4) and (1.5, 10)
  run.differentiate();
  EXPECT_NEAR(run.value(), 7.0, 1e-15);
  EXPECT_NEAR(run.on_states[0], 0.5, 1e-15);
  // before it: accepted values alone
  TapeRun<double> past(tape, model, 1.2);
  past.differentiate();
  EXPECT_NEAR(past.value(), 2 + 2 * 0.95, 1e-15);
  EXPECT_EQ(past.on_states[0], 0.0);
  EXPECT_NEAR(past.out.time, 2.0, 1e-14);
}

TEST(Delay, negative_delay_and_empty_history) {
  StandIn model;
  model.states[0] = 3.5;
  EXPECT_EQ(value_of_text("DELAY(VARVAL(0),-1,0)", model, 0.0), 3.5);
  EXPECT_EQ(value_of_text("DELAY(VARVAL(0),0,0)", model, 2.0), 3.5);
  EXPECT_EQ(value_of_text("DELAY(VARVAL(0),1,42+TIME)", model, 0.25), 41.25);
  EXPECT_EQ(value_of_text("DELAY(VARVAL(0),1,SQRT(-TIME))", model, 0.75), 0.5);  // not evaluated once t > 1
  EXPECT_EQ(value_of_text("DELAY(VARVAL(0),1,SQRT(-TIME))", model, 2.0), 3.5);
}

TEST(Delay, buffer) {
  DelayBuffer buffer;
  for (int k = 0; k < 30; ++k) buffer.append(k, 10.0 * k);
  buffer.append(29.0, 99.0);
  EXPECT_EQ(buffer.values().back(), 99.0);
  EXPECT_THROW(buffer.append(5.0, 0.0), Failure);
  buffer.truncate_after(16.5);
  EXPECT_EQ(buffer.times().back(), 16.0);
  // Before the interval in which they are 8 points are kept, once what is needed no more is more than half.
  buffer.drop_before(15.5);
  EXPECT_EQ(buffer.times().front(), 0.0);
  for (int k = 17; k < 21; ++k) buffer.append(k, 10.0 * k);
  buffer.drop_before(20.5);
  EXPECT_EQ(buffer.times().front(), 12.0);
  const double before = functions::delayed_value(buffer.view(), 210.0, 20.5, 21.0);
  EXPECT_NEAR(before, 205.0, 1e-13);
  buffer.insert(19.5, 194.0);
  EXPECT_EQ(functions::delayed_value(buffer.view(), 210.0, 19.5, 21.0), 194.0);
  buffer.clear();
  EXPECT_EQ(buffer.view().n, 0);
}

/// A value that has an error, beside another: in the long interval that follows it is no larger than four
/// times that, however close they are. (The cubic through the four nearest points had 1e-8 there a million
/// times.)
TEST(Delay, close_points_do_not_enlarge_errors) {
  constexpr double error = 1e-8;
  for (const double close : {1e-3, 1e-6, 1e-9}) {
    DelayBuffer buffer;
    const auto exact = [](double t) { return 2 + t * (3 + t * (1 - t)); };
    for (const double t : {-2.0, -1.0, 0.0}) buffer.append(t, exact(t));
    buffer.append(close, exact(close) + error);
    for (const double t : {1.0, 2.0}) buffer.append(t, exact(t));
    for (double t = -2; t < 2; t += 0.01)
      EXPECT_NEAR(functions::delayed_value(buffer.view(), 0.0, t, 3.0), exact(t), t < 0 ? 3 : 4 * error) << t;
  }
}

/// Where the value jumps nothing is interpolated over the jump, nor by points from its other side.
TEST(Delay, jumps) {
  DelayBuffer buffer;
  for (const double t : {0.0, 0.1, 0.2, 0.3}) buffer.append(t, t);
  buffer.insert(0.25, 7.25);
  buffer.jump_at(0.25);
  EXPECT_EQ(buffer.times(), (std::vector<double>{0.0, 0.1, 0.2, 0.25, 0.25, 0.3}));
  buffer.append(0.4, 0.4);
  const auto at = [&](double t) { return functions::delayed_value(buffer.view(), 0.0, t, 1.0); };
  EXPECT_EQ(buffer.values()[3], 0.2);
  EXPECT_NEAR(at(0.24), 0.2, 0.005);  // the cubic through 0, 0.1, 0.2, 0.2 has 0.2042
  EXPECT_EQ(at(0.25), 7.25);
  EXPECT_NEAR(at(0.275), 0.5 * (7.25 + 0.3), 1e-14);
  // An analysis that begins anew behind a jump, within rounding of its time.
  buffer.append(0.4 * (1 + 8e-15), 5.0);
  buffer.append(0.6, 6.0);
  EXPECT_NEAR(at(0.5), 5.5, 1e-14);
  // One that begins at the same time: another value is a jump, to the last of several; a corrected one is
  // none.
  buffer.append(0.6, 6.0 + 1e-9);
  EXPECT_EQ(buffer.times().size(), 10u);
  buffer.append(0.6, 7.0);
  buffer.append(0.6, 8.0);
  EXPECT_EQ(buffer.times().size(), 11u);
  EXPECT_NEAR(at(0.59), 5.95, 0.01);
  EXPECT_EQ(at(0.6), 8.0);
}

/// A run of many steps with a constant delay: the buffer stays short, and every value read is that of a
/// buffer that was never trimmed.
TEST(Delay, trimming_changes_no_value_and_bounds_the_buffer) {
  DelayBuffer whole, trimmed;
  const double lag = 0.5, h = 0.01;
  double before = 0;
  for (int k = 0; k < 5000; ++k) {
    const double t = h * k + 0.003 * std::sin(k), value = std::sin(3 * t);  // steps of changing length
    for (double u : {before - lag, t - lag}) {
      if (k == 0 || u <= 0) continue;
      EXPECT_EQ(functions::delayed_value(trimmed.view(), value, u, t),
                functions::delayed_value(whole.view(), value, u, t));
    }
    whole.append(t, value);
    trimmed.append(t, value);
    trimmed.drop_before(before - lag);
    before = t;
    EXPECT_LE(trimmed.times().size(), 2 * (lag / h + 14));
  }
  EXPECT_EQ(whole.times().size(), 5000u);
}

TEST(Delay, longest_look_back) {
  StandIn model;
  compile_expression("DELAY(VARVAL(0),0.25*2,0)", model);
  EXPECT_EQ(model.longest, 0.5);
  compile_expression("DELAY(VARVAL(0),-1,0)", model);
  EXPECT_EQ(model.longest, 0.0);
  compile_expression("DELAY(VARVAL(0),TIME,0)", model);
  EXPECT_TRUE(std::isinf(model.longest));
}

TEST(Delay, one_buffer_per_call_in_the_text) {
  StandIn model;
  compile_expression("IF(TIME: DELAY(DELAY(TIME,0.1,0),0.2,0), 0, DELAY(TIME,0.3,0))", model);
  EXPECT_EQ(model.buffers.size(), 3u);
}

}  // namespace
}  // namespace trammel::expression_test::test_splines_delay
