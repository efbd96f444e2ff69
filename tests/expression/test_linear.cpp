// Linear sums of states, Σ c s: one instruction over tables beside the tape.
#include "support.h"

namespace trammel::expression_test::test_linear {
namespace {

/// n terms over the states 0 ... n-1 with coefficients between -1.5 and 1.5.
std::vector<LinearTerm> random_terms(StandIn& model, int n) {
  std::vector<LinearTerm> terms;
  model.states.clear();
  for (int k = 0; k < n; ++k) {
    terms.push_back({model.number(), k});
    model.states.push_back(model.number());
  }
  return terms;
}

Tape tape_of(const std::vector<LinearTerm>& terms) {
  TapeBuilder b;
  return b.finish(TapeValue::scalar(b.linear(terms)), "row 1 of A x");
}

TEST(Linear, any_number_of_terms_sums_to_the_products) {
  for (const int n : {1, 2, 3, 4, 5, 7, 8, 9, 100, 1003}) {
    StandIn model;
    const std::vector<LinearTerm> terms = random_terms(model, n);
    const Tape tape = tape_of(terms);
    long double sum = 0, size = 0;
    for (const LinearTerm& t : terms) {
      const long double product = static_cast<long double>(t.factor) * model.states[t.state];
      sum += product;
      size += std::abs(product);
    }
    TapeRun<double> run(tape, model);
    // Each term is rounded once in its product and at most n/4 + 3 times in sums.
    EXPECT_NEAR(run.value(), static_cast<double>(sum), 1.2e-16 * (0.25 * n + 4) * static_cast<double>(size));
    run.differentiate();
    for (int k = 0; k < n; ++k) EXPECT_EQ(run.on_states[k], terms[k].factor) << "the coefficient itself";
  }
}

/// s_k = a_k + b_k t + ½ c_k t²: the sum's derivatives are the sums of the derivatives.
TEST(Linear, time_jets_are_sums_of_jets) {
  StandIn model;
  const std::vector<LinearTerm> terms = random_terms(model, 7);
  const Tape tape = tape_of(terms);
  TapeRun<TimeJet> run(tape, model);
  double first = 0, second = 0;
  for (int k = 0; k < 7; ++k) {
    const double b = model.number(), c = model.number();
    run.states[k] = time_jet(model.states[k], b, c);
    first += terms[k].factor * b;
    second += terms[k].factor * c;
  }
  const TimeDerivatives d = derivatives(run.value());
  // Seven products of at most 2.25 added in two orders: sums up to 16, each rounded by 1.1e-16 of itself.
  constexpr double rounding = 2 * 7 * 16 * 1.1e-16;
  EXPECT_NEAR(d.value, TapeRun<double>(tape, model).value(), rounding);
  EXPECT_NEAR(d.first, first, rounding);
  EXPECT_NEAR(d.second, second, rounding);
}

/// sin(L1) L2 s1 + L1 |s0|, L1 and L2 over partly the same states, one of them twice in L2.
Tape mixed() {
  TapeBuilder b;
  const LinearTerm one[] = {{0.7, 0}, {-1.1, 1}, {0.4, 3}}, two[] = {{1.3, 2}, {0.6, 1}, {0.9, 2}};
  const Register l1 = b.linear(one), l2 = b.linear(two);
  const Register product = b.mul(b.mul(b.apply(Op::sin, {l1}), l2), b.state(1));
  return b.finish(TapeValue::scalar(b.add(product, b.mul(l1, b.apply(Op::abs, {b.state(0)})))), "mixed");
}

TEST(Linear, mixes_with_other_reads_of_the_same_states) {
  StandIn model;
  const Tape tape = mixed();
  const std::vector<double>& s = model.states;
  const double l1 = 0.7 * s[0] - 1.1 * s[1] + 0.4 * s[3], l2 = 2.2 * s[2] + 0.6 * s[1];
  // Rounding of a dozen operations on numbers up to 5.
  EXPECT_NEAR(TapeRun<double>(tape, model).value(), std::sin(l1) * l2 * s[1] + l1 * std::abs(s[0]), 1e-14);
  check_derivatives(tape, model, 0, "mixed");
}

/// One direction at a time and six at a time are the same numbers.
TEST(Linear, gradients_of_single_duals_are_those_of_six) {
  StandIn model;
  const Tape tape = mixed();
  const int n = static_cast<int>(tape.states.size());
  for (int direction = 0; direction < n; ++direction) {
    TapeRun<Dual<double, 1>> single(tape, model);
    TapeRun<Dual<double, 6>> six(tape, model);
    seed(single, direction, 0);
    seed(six, direction, 4);
    single.differentiate();
    six.differentiate();
    for (int k = 0; k < n; ++k) {
      EXPECT_EQ(single.on_states[k].v, six.on_states[k].v);
      EXPECT_EQ(single.on_states[k].d[0], six.on_states[k].d[4]);
    }
  }
}

TEST(Linear, a_branch_not_taken_is_neither_evaluated_nor_differentiated) {
  TapeBuilder b;
  const LinearTerm taken[] = {{2, 0}}, other[] = {{3, 1}};
  const auto sum = [&](std::span<const LinearTerm> terms) {
    return [&b, terms] { return TapeValue::scalar(b.linear(terms)); };
  };
  const Tape tape = b.finish(b.select_by_sign(b.state(2), sum(other), sum(other), sum(taken)), "IF");
  StandIn model;
  model.states = {0.5, std::nan(""), 1.0};
  TapeRun<double> run(tape, model);
  run.differentiate();
  EXPECT_EQ(run.registers[tape.results[0]], 1.0);
  for (std::size_t k = 0; k < tape.states.size(); ++k)
    EXPECT_EQ(run.on_states[k], tape.states[k] == 0 ? 2.0 : 0.0) << "state " << tape.states[k];
}

TEST(Linear, equal_sums_are_one_and_unused_ones_leave_nothing) {
  TapeBuilder b;
  const LinearTerm one[] = {{0.7, 0}, {-1.1, 1}}, same[] = {{0.7, 0}, {-1.1, 1}},
                   other[] = {{0.7, 0}, {1.1, 1}};
  EXPECT_EQ(b.linear(one), b.linear(same));
  EXPECT_NE(b.linear(one), b.linear(other));
  EXPECT_TRUE(b.is_constant(b.linear({})));
  const Tape tape = b.finish(TapeValue::scalar(b.linear(other)), "");
  EXPECT_EQ(tape.code.size(), 1u);
  EXPECT_EQ(tape.coefficients, (std::vector<double>{0.7, 1.1}));
  EXPECT_EQ(tape.states, (std::vector<int>{0, 1}));
  EXPECT_FALSE(tape.constant());
}

TEST(Linear, what_is_too_large_is_an_error_with_its_place) {
  StandIn model;
  const LinearTerm terms[] = {{1e200, 0}, {1, 1}};
  const Tape tape = tape_of({terms, terms + 2});
  model.states = {1e200, 1};
  TapeRun<double> run(tape, model);
  const TapeStatus status = run.evaluate();
  EXPECT_EQ(status.error, EvalError::overflow);
  EXPECT_EQ(describe(tape, status, run.registers.data()),
            "sum: the result is too large or not a number, at column 1 of \"row 1 of A x\"");
}

/// Heap of the tables of a tape, not counting the text.
std::size_t bytes(const Tape& t) {
  const auto of = [](const auto& v) { return v.capacity() * sizeof v[0]; };
  return of(t.code) + of(t.constants) + of(t.coefficients) + of(t.arguments) + of(t.leaves) + of(t.columns) +
         of(t.results) + of(t.markers) + of(t.states) + of(t.rates) + of(t.angles) + of(t.splines) +
         of(t.delays);
}

TEST(Linear, takes_one_instruction_and_twelve_bytes_a_term) {
  StandIn model;
  const Tape one = tape_of(random_terms(model, 1)), many = tape_of(random_terms(model, 1000));
  EXPECT_EQ(one.code.size(), 1u);
  EXPECT_EQ(many.code.size(), 1u);
  EXPECT_EQ(bytes(many) - bytes(one), 12u * 999u);
  EXPECT_EQ(bytes(one), sizeof(Instruction) + sizeof(int) + sizeof(int) + 12) << "code, column, result, term";
  TapeRun<double> run(many, model);
  const long before = allocations();
  run.evaluate();
  gradient(view(many), run.in, run.registers.data(), run.adjoints.data(), 0, run.out);
  EXPECT_EQ(allocations(), before);
}

}  // namespace
}  // namespace trammel::expression_test::test_linear
