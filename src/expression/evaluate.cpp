#include <algorithm>
#include <vector>

#include "base/diagnostics.h"
#include "base/text.h"
#include "expression/evaluate_definitions.h"

namespace trammel {

template TapeStatus evaluate(const TapeView&, const TapeInputs<double>&, double*);
template TapeStatus evaluate(const TapeView&, const TapeInputs<TimeJet>&, TimeJet*);
template TapeStatus gradient(const TapeView&, const TapeInputs<double>&, const double*, double*, int,
                             TapeGradient<double>&);

TapeView view(const Tape& t) {
  TapeView v;
  v.code = t.code.data();
  v.constants = t.constants.data();
  v.coefficients = t.coefficients.data();
  v.arguments = t.arguments.data();
  v.leaves = t.leaves.data();
  v.results = t.results.data();
  v.splines = t.splines.data();
  v.delays = t.delays.data();
  v.users = t.users.data();
  v.size = static_cast<int>(t.code.size());
  v.n_results = static_cast<int>(t.results.size());
  v.n_markers = static_cast<int>(t.markers.size());
  v.n_states = static_cast<int>(t.states.size());
  v.n_rates = static_cast<int>(t.rates.size());
  v.only_shown = t.only_shown;
  return v;
}

TimeJet time_jet(double value, double rate, double second) {
  TimeJet t;
  t.v.v = value;
  t.v.d[0] = rate;
  t.d[0].v = rate;
  t.d[0].d[0] = second;
  return t;
}

namespace {

template <class T>
T evaluate_scalar(const Tape& tape, const TapeInputs<T>& in) {
  std::vector<T> registers(tape.code.size());
  const TapeStatus status = evaluate(view(tape), in, registers.data());
  if (!status.ok()) {
    std::vector<double> values(registers.size());
    std::transform(registers.begin(), registers.end(), values.begin(),
                   [](const T& x) { return value_of(x); });
    fail(ExitCode::solver, "{}", describe(tape, status, values.data()));
  }
  return registers[tape.results.at(0)];
}

}  // namespace

TimeDerivatives evaluate_in_time(const Tape& tape, double time, int mode, const TapeTables& tables) {
  if (!tape.only_time())
    fail(ExitCode::internal, "\"{}\" is to be differentiated in time but reads more than time", tape.text);
  TapeInputs<TimeJet> in;
  in.time = time_jet(time);
  in.mode = mode;
  in.tables = tables;
  return derivatives(evaluate_scalar(tape, in));
}

double constant_value(const Tape& tape) {
  if (!tape.constant()) fail(ExitCode::internal, "\"{}\" is not a constant", tape.text);
  return evaluate_scalar(tape, TapeInputs<double>());
}

std::string_view error_text(EvalError error) {
  static constexpr std::string_view texts[] = {
      "no error",
      "division by zero",
      "square root of a negative number",
      "logarithm of a number that is not positive",
      "argument outside [-1, 1]",
      "broken power of a negative number",
      "x1 must be greater than x0",
      "needs stiffness k >= 0, exponent e > 0, damping cmax >= 0 and ramp d > 0",
      "not defined where two of its markers coincide",
      "needs at least one frequency and 0 <= f0 < f1 (0 < f0 when spread logarithmically)",
      "the parameter of a CURVE lies outside -1 to 1",
      "the user subroutine gave no number",
      "the result is too large or not a number",
      "the derivative is infinite here",
  };
  static_assert(sizeof texts / sizeof texts[0] == static_cast<std::size_t>(EvalError::count));
  return texts[static_cast<int>(error)];
}

namespace {

/// Number of arguments of an operation that are values of the expression: further arguments of table reads
/// are indices in the tape's lists.
std::size_t shown_arguments(Op op, std::size_t given) {
  const bool table = op == Op::akispl || op == Op::cubspl || op == Op::linspl || op == Op::delay;
  const std::size_t own = op == Op::invpsd ? 1 : table ? 2 : given;
  return std::min(own, given);
}

std::string call_text(Op op, std::span<const double> x) {
  const std::string_view name = op_table()[static_cast<int>(op)].name;
  if (op == Op::neg) return fmt::format("-({})", shortest(x[0]));
  if (op > Op::neg && op <= Op::pow) {
    const std::string second = shortest(x[1]);
    return fmt::format("{} {} {}", shortest(x[0]), name, x[1] < 0 ? "(" + second + ")" : second);
  }
  std::string list;
  for (std::size_t k = 0; k < shown_arguments(op, x.size()); ++k)
    list += (k > 0 ? ", " : "") + shortest(x[k]);
  return fmt::format("{}({})", name, list);
}

}  // namespace

std::string failure_text(Op op, std::span<const double> arguments, EvalError error) {
  const std::string call = call_text(op, arguments);
  if (error == EvalError::overflow) return call + " overflows";
  return fmt::format("{}: {}", call, error_text(error));
}

std::string describe(const Tape& tape, const TapeStatus& status, const double* registers) {
  if (status.ok()) return {};
  const Instruction& i = tape.code.at(status.instruction);
  const Op op = static_cast<Op>(i.op);
  const std::string_view name =
      op == Op::leaf ? measure_info(tape.leaves.at(i.a).measure).name : op_table()[static_cast<int>(op)].name;
  std::string text = fmt::format("{}: {}", name, error_text(status.error));
  if (registers != nullptr && is_function(op) && op != Op::user) {
    const TapeView tape_view = view(tape);
    std::vector<double> arguments;
    for (int k = 0; k < i.n; ++k) arguments.push_back(registers[argument_of(tape_view, i, k)]);
    text = failure_text(op, arguments, status.error);
  }
  if (op == Op::user && registers != nullptr) {
    const int which = static_cast<int>(registers[argument_of(view(tape), i, i.n - 2)]);
    const UserFunction& code = *tape.users[which];
    text = fmt::format("{}: {}", code.name(),
                       code.complaint().empty() ? error_text(status.error) : code.complaint());
  }
  return fmt::format("{}, at column {} of \"{}\"", text, tape.columns.at(status.instruction), tape.text);
}

std::string describe_zero_by_zero(const Tape& tape, const TapeStatus& status) {
  return fmt::format("0/0 at column {} of \"{}\"", tape.columns.at(status.zero_by_zero), tape.text);
}

SplineRange extrapolated_spline(const Tape& tape, const TapeStatus& status, const double* registers,
                                const TapeTables& tables) {
  const Instruction& i = tape.code.at(status.extrapolated);
  const bool density = static_cast<Op>(i.op) == Op::invpsd;
  const TapeView tape_view = view(tape);
  const auto at = [&](int k) { return registers[argument_of(tape_view, i, k)]; };
  const int spline = tape.splines.at(static_cast<std::size_t>(at(density ? 1 : 2)));
  if (!density) return {spline, at(0), at(1)};
  return {spline, at(2) < tables.splines[spline].x[0] ? at(2) : at(3), 0.0};
}

}  // namespace trammel
