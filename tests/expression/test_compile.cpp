// What compiling makes of a tree: folding, reuse, removal, branches, dependence, messages.
#include <algorithm>

#include "base/spelling.h"
#include "support.h"

namespace trammel::expression_test::test_compile {
namespace {

int count(const Tape& tape, Op op) {
  return static_cast<int>(std::count_if(tape.code.begin(), tape.code.end(),
                                        [&](const Instruction& i) { return static_cast<Op>(i.op) == op; }));
}

TEST(Compile, constants_fold_to_one_instruction) {
  StandIn model;
  const Tape tape = compile_expression("STEP(0.5,0,0,1,2*3)+SIN(30D)**2-IF(-1:1,LOG(0),2)", model);
  EXPECT_TRUE(tape.constant());
  EXPECT_EQ(tape.code.size(), 1u);
  // STEP in the middle gives half of 6; sin² 30° = 1/4; rounding of sin and pow only.
  EXPECT_NEAR(constant_value(tape), 3 + 0.25 - 1, 1e-15);
}

TEST(Compile, equal_parts_are_computed_once) {
  StandIn model;
  const Tape tape = compile_expression("DX(1,2)*DX(1,2)+SIN(DX(1,2)+TIME)*SIN(DX(1,2)+TIME)", model);
  EXPECT_EQ(tape.leaves.size(), 2u);
  EXPECT_EQ(count(tape, Op::sin), 1);
}

TEST(Compile, terms_switched_off_leave_no_dependence) {
  StandIn model;
  const Tape tape = compile_expression("-0*VARVAL(1) + 0*DX(1,2) + TIME*0 + 3", model);
  EXPECT_TRUE(tape.states.empty());
  EXPECT_TRUE(tape.markers.empty());
  EXPECT_TRUE(tape.constant());
  EXPECT_THROW(compile_expression("0*DX(99)", model), ExpressionError);  // still checked
}

TEST(Compile, dependence_and_levels) {
  StandIn model;
  const Tape tape = compile_expression("DX(1,2,3) + VX(2,1,3,4)*DIF1(2) + ACCM(3) + MODE", model);
  const auto level = [&](int marker) {
    for (const TapeMarker& m : tape.markers)
      if (m.marker == marker) return m.level;
    return 0;
  };
  EXPECT_EQ(level(1), 2);
  EXPECT_EQ(level(2), 2);
  EXPECT_EQ(level(3), 3);
  EXPECT_EQ(level(4), 2);
  EXPECT_EQ(level(0), 3);  // the frame that ACCM(3) is taken in
  EXPECT_EQ(tape.rates, std::vector<int>{2});
  EXPECT_FALSE(tape.uses_time);
  EXPECT_TRUE(tape.uses_mode);
  EXPECT_FALSE(compile_expression("MODE", model).constant());
  EXPECT_TRUE(compile_expression("SIN(TIME)", model).only_time());
  // Frames that a magnitude does not use are not read.
  EXPECT_EQ(compile_expression("DM(1,2)", model).markers.size(), 2u);
}

TEST(Compile, unselected_branches_are_not_evaluated) {
  StandIn model;
  const Tape tape = compile_expression("IF(TIME-1: TIME, 7, SQRT(1.5-TIME)) + SQRT(ABS(1.5-TIME))", model);
  EXPECT_EQ(TapeRun<double>(tape, model, 0.5).value(), 0.5 + 1.0);
  EXPECT_EQ(TapeRun<double>(tape, model, 1.0).value(), 7 + std::sqrt(0.5));
  TapeRun<double> bad(tape, model, 2.0);
  const TapeStatus status = bad.evaluate();
  EXPECT_EQ(status.error, EvalError::square_root);
  EXPECT_EQ(
      describe(tape, status, bad.registers.data()),
      "SQRT(-0.5): square root of a negative number, at column 21 of \"IF(TIME-1: TIME, 7, SQRT(1.5-TIME)) + "
      "SQRT(ABS(1.5-TIME))\"");
}

/// At 2 the first case is not selected and the third has no value: all others have theirs.
TEST(Compile, every_branch_is_evaluated_where_that_is_asked_for) {
  StandIn model;
  const Tape tape = compile_expression("IF(TIME-1: SIN(TIME), COS(TIME), SQRT(1.5-TIME)) + EXP(TIME)", model);
  TapeRun<double> all(tape, model, 2.0);
  all.in.every_branch = true;
  EXPECT_TRUE(all.evaluate().ok());
  int found = 0;
  for (std::size_t k = 0; k < tape.code.size(); ++k) {
    const auto expect = [&](Op op, double value) {
      if (static_cast<Op>(tape.code[k].op) != op) return;
      ++found;
      EXPECT_TRUE(std::isnan(value) ? std::isnan(all.registers[k]) : all.registers[k] == value) << k;
    };
    expect(Op::sin, std::sin(2.0));
    expect(Op::cos, std::cos(2.0));
    expect(Op::sqrt, NAN);
    expect(Op::exp, std::exp(2.0));
  }
  EXPECT_EQ(found, 4);
  all.in.every_branch = false;
  EXPECT_EQ(all.evaluate().error, EvalError::square_root);
}

TEST(Compile, unselected_branches_take_no_part_in_gradients) {
  StandIn model;
  model.states = {-1.0, 2.0, 0.0, 0.0};
  const Tape tape =
      compile_expression("IF(VARVAL(0): VARVAL(1)**2, 0, LOG(VARVAL(0))/VARVAL(2)*PSI(1,2))", model);
  TapeRun<double> run(tape, model);
  for (double& r : run.registers) r = std::nan("");
  run.value();
  const TapeStatus status =
      gradient(view(tape), run.in, run.registers.data(), run.adjoints.data(), 0, run.out);
  EXPECT_EQ(status.infinite_derivative, -1);
  EXPECT_EQ(run.on_states, (std::vector<double>{0.0, 4.0, 0.0}));
  for (const double g : run.on_markers) EXPECT_EQ(g, 0.0);
}

TEST(Compile, a_part_made_in_a_branch_is_not_reused_outside) {
  StandIn model;
  const Tape tape = compile_expression("IF(TIME: SIN(VARVAL(1)), 0, COS(VARVAL(1))) + SIN(VARVAL(1))", model);
  const double x = model.states[1];
  EXPECT_EQ(TapeRun<double>(tape, model, 1.0).value(), std::cos(x) + std::sin(x));
  EXPECT_EQ(TapeRun<double>(tape, model, -1.0).value(), std::sin(x) + std::sin(x));
  EXPECT_EQ(TapeRun<double>(tape, model, 0.0).value(), std::sin(x));
}

TEST(Compile, vector_results) {
  StandIn model;
  const Tape tape =
      compile_expression("IF(TIME: [1,2,3], [4,5,TIME], DXYZ(1,2,3))", model, ResultKind::vector);
  ASSERT_EQ(tape.results.size(), 3u);
  TapeRun<double> run(tape, model, 1.0);
  const Vec3d d = model.markers[1].r - model.markers[2].r;
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(run.value(k), dot(d, model.markers[3].A.column(k)));
    run.differentiate(k);
    EXPECT_EQ(run.on_markers[0], model.markers[3].A(0, k));
  }
  EXPECT_THROW(compile_expression("1", model, ResultKind::vector), ExpressionError);
  EXPECT_THROW(compile_expression("IF(TIME: 1, 2, [1,2,3])", model, ResultKind::any), ExpressionError);
}

TEST(Compile, system_functions_are_built_by_the_resolver) {
  StandIn model;
  EXPECT_EQ(value_of_text("2*VARVAL(3)+SENVAL(4)", model, 0.25), 2 * model.states[3] + 40);
  EXPECT_THROW(compile_expression("VARVAL(TIME)", model), ExpressionError);
  EXPECT_THROW(compile_expression("VARVAL(1,2)", model), ExpressionError);
}

/// What the table calls refused is never asked for, whatever the resolver could do.
TEST(Compile, refused_functions_end_with_code_4) {
  StandIn model;
  for (const Builtin& row : builtins()) {
    if (row.supported) continue;
    std::string call(row.name);
    for (int k = 0; k < row.min_arguments; ++k) call += k == 0 ? "(1" : ",1";
    if (row.min_arguments > 0) call += ')';
    try {
      compile_expression(call, model);
      ADD_FAILURE() << call << " is accepted";
    } catch (const ExpressionError& error) {
      EXPECT_EQ(error.code(), ExitCode::unsupported) << call << ": " << error.what();
    }
  }
}

TEST(Compile, errors_of_evaluation_are_reported_not_hidden) {
  struct Case {
    const char* text;
    EvalError error;
  };
  const Case cases[] = {
      {"1/TIME", EvalError::division_by_zero},
      {"MOD(1,TIME)", EvalError::division_by_zero},
      {"TIME**(-1)", EvalError::division_by_zero},
      {"SQRT(TIME-1)", EvalError::square_root},
      {"LOG(TIME)", EvalError::logarithm},
      {"LOG10(TIME-1)", EvalError::logarithm},
      {"ACOS(TIME+2)", EvalError::arc_domain},
      {"ASIN(TIME-2)", EvalError::arc_domain},
      {"(TIME-1)**0.5", EvalError::power},
      {"EXP(1000+TIME)", EvalError::overflow},
      {"STEP(TIME,1,0,TIME,1)", EvalError::interval},
      {"HAVSIN(2,1,0,TIME,1)", EvalError::interval},
      {"VR(1,1)", EvalError::coincident_markers},
      {"INCANG(1,1,2)", EvalError::coincident_markers},
      {"IMPACT(TIME,0,1,1,TIME,1,1)", EvalError::contact_parameter},
  };
  for (const Case& c : cases) {
    StandIn model;
    const Tape tape = compile_expression(c.text, model);
    TapeRun<double> run(tape, model, 0.0);
    const TapeStatus status = run.evaluate();
    EXPECT_EQ(status.error, c.error) << c.text;
    EXPECT_FALSE(describe(tape, status).empty());
  }
}

TEST(Compile, infinite_derivatives_are_noted) {
  StandIn model;
  // √(v²) at rest: the derivative of the root is infinite, the value 0 is in force.
  const Tape tape = compile_expression("SQRT(VARVAL(0)**2)+VARVAL(1)", model);
  model.states[0] = 0;
  TapeRun<double> run(tape, model);
  run.value();
  const TapeStatus status =
      gradient(view(tape), run.in, run.registers.data(), run.adjoints.data(), 0, run.out);
  EXPECT_GE(status.infinite_derivative, 0);
  EXPECT_EQ(run.on_states[0], 0.0);
  EXPECT_EQ(run.on_states[1], 1.0);
  // A motion √t has no velocity at t = 0: an error of the jet.
  const Tape root = compile_expression("SQRT(TIME)", model);
  EXPECT_THROW(evaluate_in_time(root, 0.0), Failure);
  EXPECT_NEAR(evaluate_in_time(root, 4.0).second, -0.25 / 8, 1e-16);  // -1/4 t^(-3/2); rounding
  // Magnitudes at 0 count as having derivative 0.
  const Tape distance = compile_expression("DM(1,2)+VM(1,2)", model);
  model.markers[2] = model.markers[1];
  TapeRun<double> same(distance, model);
  same.differentiate();
  for (const double g : same.on_markers) EXPECT_EQ(g, 0.0);
}

TEST(Compile, evaluation_does_not_allocate) {
  StandIn model;
  const Tape tape =
      compile_expression("IF(TIME:IMPACT(DM(1,2),VR(1,2),3,1E2,1.5,1,.1),0,AZ(1,2)+PSI(1,2))", model);
  TapeRun<double> run(tape, model, 0.0);
  for (const double t : {-1.0, 1.0}) {
    run.in.time = t;
    const TapeView v = view(tape);
    const long before = allocations();
    const TapeStatus first = evaluate(v, run.in, run.registers.data());
    gradient(v, run.in, run.registers.data(), run.adjoints.data(), 0, run.out);
    EXPECT_EQ(allocations(), before);
    EXPECT_TRUE(first.ok());
  }
}

TEST(Compile, the_reference_lists_every_function) {
  const std::string text = function_reference();
  for (const Builtin& row : builtins()) {
    EXPECT_NE(text.find(fmt::format("| `{}` |", row.signature)), std::string::npos) << row.name;
    EXPECT_EQ(find_builtin(row.name), &row) << row.name << " is listed twice";
    EXPECT_FALSE(row.formula.empty()) << row.name;
  }
  EXPECT_EQ(nearest_name(function_names(), "SQT"), "SQRT");
  EXPECT_EQ(nearest_name(function_names(), "NOTHINGLIKEIT"), "");
}

}  // namespace
}  // namespace trammel::expression_test::test_compile
