// Every operation and every measure of the tables: derivatives against finite differences.
#include <map>
#include <set>

#include "expression/user_function.h"
#include "support.h"

namespace trammel::expression_test::test_properties {
namespace {

using Samples = std::vector<std::vector<double>>;

/// Arguments at which an operation is differentiable twice, in each of its regions.
const std::map<Op, Samples>& samples() {
  static const std::map<Op, Samples> table = {
      {Op::linear, {{0.7}, {0.7, -1.3, 0.4, 0.2}, {0.7, -1.3, 0.4, 0.2, 1.1, -0.6, 0.9}}},
      {Op::neg, {{0.7}}},
      {Op::add, {{0.7, -1.3}}},
      {Op::sub, {{0.7, -1.3}}},
      {Op::mul, {{0.7, -1.3}}},
      {Op::div, {{0.7, -1.3}}},
      {Op::pow, {{1.7, 2.3}, {0.4, -1.2}}},
      {Op::abs, {{0.7}, {-0.7}}},
      {Op::acos, {{0.3}, {-0.6}}},
      {Op::asin, {{0.3}, {-0.6}}},
      {Op::atan, {{0.7}}},
      {Op::atan2, {{0.7, -1.3}, {-0.4, 0.9}}},
      {Op::cos, {{0.7}}},
      {Op::sin, {{0.7}}},
      {Op::tan, {{0.7}}},
      {Op::cosh, {{0.7}}},
      {Op::sinh, {{0.7}}},
      {Op::tanh, {{0.7}}},
      {Op::exp, {{0.7}}},
      {Op::log, {{0.7}}},
      {Op::log10, {{0.7}}},
      {Op::sqrt, {{0.7}}},
      {Op::aint, {{1.7}, {-1.7}}},
      {Op::anint, {{1.7}, {-1.2}}},
      {Op::dim, {{1.7, 0.5}, {0.5, 1.7}}},
      {Op::max, {{1.7, 0.5}, {0.5, 1.7}}},
      {Op::min, {{1.7, 0.5}, {0.5, 1.7}}},
      {Op::mod, {{7.3, 2.1}, {-7.3, 2.1}, {7.3, -2.1}}},
      {Op::sign, {{1.7, -0.5}, {-1.7, -0.5}, {-0.4, 0.6}}},
      {Op::step, {{0.7, 0.2, 1.1, 1.4, -0.6}, {0.1, 0.2, 1.1, 1.4, -0.6}, {1.5, 0.2, 1.1, 1.4, -0.6}}},
      {Op::step5, {{0.7, 0.2, 1.1, 1.4, -0.6}, {0.1, 0.2, 1.1, 1.4, -0.6}, {1.5, 0.2, 1.1, 1.4, -0.6}}},
      {Op::havsin, {{0.7, 0.2, 1.1, 1.4, -0.6}, {0.1, 0.2, 1.1, 1.4, -0.6}, {1.5, 0.2, 1.1, 1.4, -0.6}}},
      {Op::poly, {{0.7, 0.2, 1.1, -0.4, 0.6, 0.3}, {0.7, 0.2, 1.1}}},
      {Op::shf, {{0.7, 0.2, 1.1, 1.4, -0.6, 0.3}, {0.7, 0.2, 1.1, 1.4, -0.6}}},
      {Op::cheby, {{0.7, 0.2, 1.1, -0.4, 0.6, 0.3}, {0.7, 0.2, 1.1}}},
      {Op::forcos, {{0.7, 0.2, 1.3, 1.1, -0.4, 0.6}}},
      {Op::forsin, {{0.7, 0.2, 1.3, 1.1, -0.4, 0.6}}},
      {Op::sweep,
       {{1.1, 1.3, 0.4, 0.3, 1.9, 0.7, 0.5},
        {0.6, 1.3, 0.4, 0.3, 1.9, 0.7, 0.5},
        {2.1, 1.3, 0.4, 0.3, 1.9, 0.7, 0.5},
        {0.3, 1.3, 0.4, 0.3, 1.9, 0.7, 0.5}}},
      {Op::impact,
       {{0.5, -0.3, 0.9, 4.0, 2.2, 0.6, 0.7},
        {0.5, 0.3, 0.9, 4.0, 2.2, 0.6, 0.2},
        {1.0, 0.3, 0.9, 4.0, 2.2, 0.6, 0.7},
        {0.85, 9.0, 0.9, 4.0, 2.2, 0.6, 0.01}}},
      {Op::bistop,
       {{0.5, -0.3, 0.9, 2.0, 4.0, 2.2, 0.6, 0.7},
        {1.0, 0.3, 0.9, 2.0, 4.0, 2.2, 0.6, 0.7},
        {2.4, 0.3, 0.9, 2.0, 4.0, 2.2, 0.6, 0.7},
        {2.05, -9.0, 0.9, 2.0, 4.0, 2.2, 0.6, 0.01}}},
      {Op::akispl, {{0.37, 0.0}, {-0.4, 0.0}, {3.6, 0.0}}},
      {Op::cubspl, {{0.37, 0.0}, {-0.4, 0.0}, {3.6, 0.0}}},
      {Op::linspl, {{0.37, 0.0}, {-0.4, 0.0}, {3.6, 0.0}}},
      {Op::delay, {{0.3, 1.23}, {0.3, 0.03}, {0.3, 1.93}, {0.3, 2.05}}},
      {Op::invpsd, {{0.37}}},
  };
  return table;
}

bool is_spline(Op op) {
  return op == Op::akispl || op == Op::cubspl || op == Op::linspl;
}

/// Builds the operation with its arguments as states 0, 1, 2 ...
Tape tape_of(Op op, const std::vector<double>& arguments, StandIn& model, int variant) {
  TapeBuilder b;
  std::vector<Register> x;
  model.states = arguments;
  for (std::size_t k = 0; k < arguments.size(); ++k) x.push_back(b.state(static_cast<int>(k)));
  Register r;
  if (is_spline(op))
    r = b.spline(op, x[0], x[1], variant / 3, variant % 3);  // a curve and its derivatives, then a surface
  else if (op == Op::delay)
    r = b.delay(x[0], x[1], 0);
  else if (op == Op::invpsd)
    r = b.invpsd(x[0], 0,
                 std::vector<Register>{b.constant(0.2), b.constant(2.5), b.constant(6), b.constant(variant),
                                       b.constant(3)});
  else if (op == Op::linear) {
    std::vector<LinearTerm> terms;
    for (std::size_t k = 0; k < arguments.size(); ++k) terms.push_back({1.5 - 0.4 * k, static_cast<int>(k)});
    r = b.linear(terms);
  } else
    r = b.apply(op, x);
  return b.finish(TapeValue::scalar(r), "test");
}

/// A curve and a surface of smooth data; a delay buffer of sin(3t) at t = 0, 0.1 ... 2.
void add_tables(StandIn& model) {
  std::vector<double> x, y, z = {-1, 0.5, 2};
  for (int k = 0; k < 7; ++k) x.push_back(0.5 * k);
  for (const double v : x) y.push_back(1.2 + std::sin(2 * v));
  model.splines.push_back(make_spline_table(1, x, {}, y, false));
  std::vector<double> rows;
  for (const double w : z)
    for (const double v : x) rows.push_back(std::cos(v) * (1 + w * w));
  model.splines.push_back(make_spline_table(2, x, z, rows, true));
  model.buffers.emplace_back();
  for (int k = 0; k <= 20; ++k) model.buffers[0].append(0.1 * k, std::sin(0.3 * k));
}

TEST(Properties, every_operation_has_exact_derivatives) {
  for (const OpInfo& row : op_table()) {
    if (!is_function(row.op) && row.op != Op::linear) continue;
    if (row.op == Op::user) continue;  // differences: user_code_has_derivatives_by_differences
    const auto found = samples().find(row.op);
    ASSERT_NE(found, samples().end()) << row.name << " has no sample arguments in this test";
    const bool spline = is_spline(row.op);
    const int variants = spline ? 4 : (row.op == Op::invpsd ? 2 : 1);
    for (const std::vector<double>& arguments : found->second)
      for (int variant = 0; variant < variants; ++variant) {
        StandIn model;
        add_tables(model);
        std::string what(row.name);
        for (const double a : arguments) what += fmt::format(" {}", a);
        check_derivatives(tape_of(row.op, arguments, model, variant), model, 2.07,
                          what + fmt::format(" variant {}", variant));
      }
  }
}

/// x² sin y + x t and its double, as user code.
class SquareAndSine final : public UserFunction {
 public:
  SquareAndSine() : UserFunction("square", 2) { set_arguments({1e-3, 1e-3, 1e-3}); }

 private:
  void call(const double* x, int, double* results, std::string&) const override {
    results[0] = x[0] * x[0] * std::sin(x[1]) + x[0] * x[2];
    results[1] = 2 * results[0];
  }
};

/// Rounding over the steps, 1e-16/6e-6 and 1e-16/1e-8, and what these cut off.
TEST(Properties, user_code_has_derivatives_by_differences) {
  const SquareAndSine code;
  const double x = 1.3, y = 0.7, t = 2.1, s = std::sin(y), c = std::cos(y);
  TapeBuilder b;
  const Register moved = b.add(b.mul(b.constant(3), b.time()), b.constant(x - 3 * t));  // 3 t + const = x
  const Register turned = b.sub(b.time(), b.constant(t - y));
  const Tape tape =
      b.finish(TapeValue::scalar(b.user(code, 1, std::vector<Register>{moved, turned})), "test");
  const TimeDerivatives f = evaluate_in_time(tape, t);
  EXPECT_NEAR(f.value, 2 * (x * x * s + x * t), 1e-14);
  const double first = 3 * (2 * x * s + t) + x * x * c + x;
  EXPECT_NEAR(f.first, 2 * first, 1e-8);
  const double second = 3 * (3 * 2 * s + 2 * x * c + 1) + 3 * 2 * x * c - x * x * s + 3;
  EXPECT_NEAR(f.second, 2 * second, 1e-6);
  const double at[] = {x, y, t};
  EXPECT_NEAR(code.slope(0, 0, at), 2 * x * s + t, 1e-9);
  EXPECT_NEAR(code.slope(1, 1, at), 2 * x * x * c, 1e-9);
  EXPECT_NEAR(code.curvature(0, 0, 1, at), 2 * x * c, 1e-7);
  EXPECT_NEAR(code.curvature(0, 1, 1, at), -x * x * s, 1e-7);
}

TEST(Properties, every_measure_has_exact_derivatives) {
  // All different; resolved in j and differentiated in i; k = l; i, j and everything else in ground.
  const int choices[][4] = {{1, 2, 3, 4}, {1, 2, 2, 1}, {1, 2, 3, 3}, {1, 2, 1, 2}, {3, 0, 0, 0}};
  for (int row = static_cast<int>(Measure::dx); row < measure_count(); ++row) {
    const Measure measure = static_cast<Measure>(row);
    const MeasureInfo& info = measure_info(measure);
    for (int component = 0; component < info.components; ++component)
      for (const auto& [i, j, k, l] : choices) {
        if (measure == Measure::incang && (k == i || k == j)) continue;  // a degenerate triangle
        StandIn model(5, 7u + row);
        TapeBuilder b;
        model.counters.push_back(9.0);
        const Register r = b.measure(measure, i, j, k, l, component, 0);
        check_derivatives(b.finish(TapeValue::scalar(r), "test"), model, 0.0,
                          fmt::format("{} component {} of ({},{},{},{})", info.name, component, i, j, k, l));
      }
  }
}

TEST(Properties, measures_read_no_deeper_than_their_table_says) {
  // A marker slot of level n: nothing changes when what lies deeper is made nonsense.
  for (int row = static_cast<int>(Measure::dx); row < measure_count(); ++row) {
    const MeasureInfo& info = measure_info(static_cast<Measure>(row));
    StandIn model;
    const MarkerKinematics<double>* m[4] = {&model.markers[1], &model.markers[2], &model.markers[3],
                                            &model.markers[4]};
    EvalError error = EvalError::none;
    const double before = functions::measure_value(info.measure, 0, m, 0.0, error);
    std::vector<double> blocks(72);
    double* out[4] = {&blocks[0], &blocks[18], &blocks[36], &blocks[54]};
    functions::measure_gradient(info.measure, 0, m, 1.0, out);
    for (int slot = 0; slot < 4; ++slot) {
      MarkerKinematics<double>& marker = model.markers[slot + 1];
      if (info.level[slot] < 3) marker.a = marker.alpha = {1e9, 1e9, 1e9};
      if (info.level[slot] < 2) marker.v = marker.w = {1e9, 1e9, 1e9};
      if (info.level[slot] < 1) marker.r = {1e9, 1e9, 1e9};
      for (int k = 6 * info.level[slot]; k < 18; ++k)
        EXPECT_EQ(blocks[18 * slot + k], 0.0) << info.name << " slot " << slot << " entry " << k;
    }
    EXPECT_EQ(functions::measure_value(info.measure, 0, m, 0.0, error), before) << info.name;
    EXPECT_EQ(error, EvalError::none);
  }
}

/// A marker as constants, or with one group (0 δr, 1 δθ, 2 δv, 3 δω, 4 δa, 5 δα) as the three directions.
MarkerKinematics<Dual<double, 3>> lifted(const MarkerKinematics<double>& m, int group) {
  MarkerKinematics<Dual<double, 3>> to;
  const Vec3d* from[6] = {&m.r, nullptr, &m.v, &m.w, &m.a, &m.alpha};
  Vec3<Dual<double, 3>>* vectors[6] = {&to.r, nullptr, &to.v, &to.w, &to.a, &to.alpha};
  for (int g = 0; g < 6; ++g)
    for (int k = 0; k < 3 && g != 1; ++k) {
      (*vectors[g])[k].v = (*from[g])[k];
      if (g == group) (*vectors[g])[k].d[k] = 1;
    }
  for (int k = 0; k < 9; ++k) to.A.m[k].v = m.A.m[k];
  for (int k = 0; k < 3 && group == 1; ++k) {  // δA = [δθ]× A, column by column δθ × a
    Vec3d turn;
    turn[k] = 1;
    for (int c = 0; c < 3; ++c)
      for (int n = 0; n < 3; ++n) to.A(n, c).d[k] = cross(turn, m.A.column(c))[n];
  }
  return to;
}

/// s times the gradient of any measure, from its value by dual numbers, added to the blocks of its markers.
void gradient_by_duals(const MeasureInfo& info, const MarkerKinematics<double>* const* m, double s,
                       double* const* out) {
  for (int slot = 0; slot < 4; ++slot)
    for (int group = 0; group < 6; ++group) {
      MarkerKinematics<Dual<double, 3>> markers[4];
      const MarkerKinematics<Dual<double, 3>>* operands[4];
      for (int n = 0; n < 4; ++n) {
        markers[n] = lifted(*m[n], n == slot ? group : -1);
        operands[n] = &markers[n];
      }
      EvalError error = EvalError::none;
      const Dual<double, 3> value = functions::measure_value(info.measure, 0, operands, 0.0, error);
      EXPECT_EQ(error, EvalError::none) << info.name;
      for (int k = 0; k < 3; ++k) out[slot][3 * group + k] += s * value.d[k];
    }
}

/// Formulas, or duals of one direction of the poses alone, against duals of all that a marker has.
TEST(Properties, gradients_of_measures_equal_those_by_duals) {
  int analytic = 0;
  for (int row = static_cast<int>(Measure::dx); row < measure_count(); ++row) {
    const MeasureInfo& info = measure_info(static_cast<Measure>(row));
    if (functions::has_analytic_gradient(info.measure)) ++analytic;
    StandIn model(4, 100u + row);
    const MarkerKinematics<double>* m[4] = {&model.markers[1], &model.markers[2], &model.markers[3],
                                            &model.markers[4]};
    std::vector<double> a(72), b(72);
    double *out_a[4] = {&a[0], &a[18], &a[36], &a[54]}, *out_b[4] = {&b[0], &b[18], &b[36], &b[54]};
    functions::measure_gradient(info.measure, 0, m, 1.7, out_a);
    gradient_by_duals(info, m, 1.7, out_b);
    for (int k = 0; k < 72; ++k)
      EXPECT_NEAR(a[k], b[k], 1e-13 * (1 + std::abs(b[k]))) << info.name << " entry " << k;  // rounding
  }
  EXPECT_EQ(analytic, 24);  // DX..DM, AX..AZ, VX..VR, WX..WM, ACCX..ACCM, WDTX..WDTM
}

/// Time derivatives of general functions of time, by jets, against differences of values and first
/// derivatives.
TEST(Properties, time_jets_of_every_general_function) {
  const char* texts[] = {
      "STEP(TIME,0.2,1,1.4,-2)",
      "STEP5(TIME,0.2,1,1.4,-2)",
      "HAVSIN(TIME,0.2,1,1.4,-2)",
      "POLY(TIME,0.3,1,-2,0.5,0.7)",
      "CHEBY(TIME,0.3,1,-2,0.5,0.7)",
      "FORCOS(TIME,0.3,2,1,-2,0.5)",
      "FORSIN(TIME,0.3,2,1,-2,0.5)",
      "SHF(TIME,25D,3,PI,0.4,1)",
      "SWEEP(TIME,2,0.1,0.4,1.6,1.2,0.3)",
      "IMPACT(TIME-0.5*TIME**2,1-TIME,0.6,3,2.5,0.4,0.3)",
      "BISTOP(2*TIME,2,0.9,1.1,3,2.5,0.4,0.3)",
      "AKISPL(TIME,0,1)",
      "CUBSPL(TIME,0,1)",
      "CUBSPL(TIME,TIME,2)",
      "INVPSD(TIME,1,0.2,2.5,6,0,3)",
      "DELAY(SIN(3*TIME),0.31,0)",
      "DELAY(SIN(3*TIME),2-TIME,SIN(TIME))",
      "IF(TIME-1:TIME**3,0,EXP(TIME))",
      "TIME**TIME",
      "2**TIME+ATAN2(TIME,1+TIME)-MOD(7*TIME,3)+SIGN(TIME,-1)*DIM(TIME,0.3)",
      "SQRT(TIME)*LOG(1+TIME)/COSH(TIME)+LOG10(TIME)+ASIN(TIME/3)+ACOS(TIME/3)+TANH(TIME)",
      "ABS(-TIME)*TAN(0.1*TIME)+SINH(TIME)+MAX(TIME,0.2)*MIN(TIME,9)+AINT(TIME)+ANINT(TIME)"};
  for (const char* text : texts) {
    StandIn model;
    add_tables(model);
    const Tape tape = compile_expression(text, model);
    const auto at = [&](double t) {
      for (std::size_t k = 1; k < model.buffers.size(); ++k) {
        model.buffers[k].clear();
        for (int n = 0; n <= 20; ++n) model.buffers[k].append(0.1 * n, std::sin(0.3 * n));
      }
      TapeRun<TimeJet> run(tape, model, t);
      run.in.time = time_jet(t);
      return derivatives(run.value());
    };
    for (const double t : {0.43, 0.93, 1.33, 1.77}) {
      const double h = difference_step;
      const TimeDerivatives d = at(t), plus = at(t + h), minus = at(t - h);
      const double first = (plus.value - minus.value) / (2 * h),
                   second = (plus.first - minus.first) / (2 * h);
      EXPECT_NEAR(d.value, TapeRun<double>(tape, model, t).value(), 1e-13 * (1 + std::abs(d.value)))
          << text;  // rounding
      EXPECT_NEAR(d.first, first, difference_tolerance * (1 + std::abs(first))) << text << " at " << t;
      EXPECT_NEAR(d.second, second, difference_tolerance * (1 + std::abs(second))) << text << " at " << t;
    }
  }
}

TEST(Properties, gradients_of_whole_expressions) {
  const char* texts[] = {
      "IMPACT(DM(1,2),VR(1,2),3,1E2,1.5,1,.1)",
      "-10*(DX(1,2,2)-0.5)-VX(1,2,2,2)+VARVAL(1)*DIF1(2)*TIME",
      "IF(DX(1,2):AZ(1,2)**2,0,SIN(AX(1,2))*WZ(1,2,2))",
      "IF(-DM(1,2):IF(DM(1,2):0,0,DY(1)*DY(1,2)),1,LOG(-1))",
      "STEP(DY(1,2),-5,0,TIME+4,VARVAL(0))*ACCX(1,2,3,4)+WDTM(1,2,3)",
      "DXYZ(1,2)*(VXYZ(1,2)%WXYZ(3))/DM(1,2)+UVX(1,2)*UVY(2,1)",
      "VARVAL(0)**2*VARVAL(1)+POLY(VARVAL(2),0,1,2,3)*DIF1(0)",
      "BISTOP(DX(3,4),VX(3,4),-0.1,0.1,5,2.5,1,0.2)",
      "INCANG(1,2,3)*PITCH(1,2)+ORIENT(27,2,1,2)",
  };
  for (const char* text : texts) {
    StandIn model(5, 3);
    check_derivatives(compile_expression(text, model), model, 0.6, text);
  }
}

}  // namespace
}  // namespace trammel::expression_test::test_properties
