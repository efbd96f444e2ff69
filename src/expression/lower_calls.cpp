// Calls of functions: operations, measures of markers, splines, DELAY, what the model answers.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "expression/compile.h"
#include "expression/lowering.h"

namespace trammel {

namespace {

/// A system of ORIENT: number of components and measure (the first of several, or one with components).
struct OrientationSystem {
  int type, components;
  Measure measure;
};
constexpr OrientationSystem orientation_systems[] = {
    {11, 3, Measure::psi},
    {25, 3, Measure::ax},
    {26, 3, Measure::yaw},
    {27, 4, Measure::euler_parameter},
    {28, 3, Measure::euler_parameter},  // ratios to e0
    {29, 9, Measure::uvx},              // three axes, of three components each
};

}  // namespace

TapeValue Lowering::call(const Node& node) {
  const Builtin* row = find_builtin(node.name);
  if (row == nullptr) return system(node, row);
  const int n = static_cast<int>(node.child.size());
  if (n < row->min_arguments || n > row->max_arguments)
    reject(node.column, fmt::format("{} takes {} argument(s), not {},", row->name, wanted_count(*row), n),
           std::string(row->signature));
  switch (row->kind) {
    case BuiltinKind::op:
      return operation(node, *row);
    case BuiltinKind::measure:
      return measure(node, *row, 1);
    case BuiltinKind::vector_measure:
      return measure(node, *row, 3);
    case BuiltinKind::unit_axis:
      return measure(node, *row, 3);
    case BuiltinKind::orientation:
      return orientation(node, *row);
    case BuiltinKind::spline:
      return spline(node, *row);
    case BuiltinKind::history:
      return history(node, *row);
    case BuiltinKind::delay:
      return delay(node);
    case BuiltinKind::density:
      return density(node, *row);
    case BuiltinKind::system:
      return system(node, row);
  }
  return {};
}

std::string Lowering::wanted_count(const Builtin& row) {
  if (row.min_arguments == row.max_arguments) return std::to_string(row.min_arguments);
  return fmt::format("{} to {}", row.min_arguments, row.max_arguments);
}

std::string Lowering::what(const Builtin& row, int k) {
  return fmt::format("argument {} of {}", k + 1, row.name);
}

std::vector<Register> Lowering::scalars(const Node& node, const Builtin& row) {
  std::vector<Register> list;
  for (std::size_t k = 0; k < node.child.size(); ++k)
    list.push_back(scalar(node.child[k], what(row, static_cast<int>(k))));
  return list;
}

void Lowering::check_rules(const Node& node, const Builtin& row, std::span<const Register> list) {
  for (const ParameterRule& rule : parameter_rules()) {
    if (rule.op != row.op || !builder_.is_constant(list[rule.a])) continue;
    const double a = builder_.constant_value(list[rule.a]);
    bool good = rule.kind == ParameterRule::positive ? a > 0 : a >= 0;
    if (rule.kind == ParameterRule::less) {
      if (!builder_.is_constant(list[rule.b])) continue;
      good = a < builder_.constant_value(list[rule.b]);
    }
    if (!good) reject(node.column, fmt::format("{}: {},", row.name, rule.text), std::string(row.signature));
  }
}

TapeValue Lowering::operation(const Node& node, const Builtin& row) {
  const std::vector<Register> list = scalars(node, row);
  check_rules(node, row, list);
  return TapeValue::scalar(builder_.apply(row.op, list));
}

int Lowering::marker(const Node& node, const Builtin& row, int k) {
  const int column = tree_[node.child[k]].column;
  const double number = constant(node.child[k], what(row, k));
  if (number == 0 && row.role(k) != 'i') return 0;
  if (number == std::floor(number) && !(number >= 1 && number <= largest_integer))
    reject(column, fmt::format("argument {} of {} must be the id of a marker, 1 to {:.0f}, not {},", k + 1,
                               row.name, largest_integer, shortest(number)));
  const int id = as_integer(number, column, what(row, k));
  return ask(column, [&] { return resolver_.marker(id); });
}

Lowering::Operands Lowering::operands(const Node& node, const Builtin& row) {
  Operands operand{};
  for (int k = 0; k < static_cast<int>(node.child.size()); ++k) {
    const char role = row.role(k);
    if (role >= 'i' && role <= 'l') operand[role - 'i'] = marker(node, row, k);
  }
  return operand;
}

Measure Lowering::later(Measure first, int places) {
  return static_cast<Measure>(static_cast<int>(first) + places);
}

Register Lowering::leaf(const Node& node, Measure measure, const Operands& at, int component) {
  const auto [i, j, k, l] = at;
  const bool angle = measure == Measure::ax || measure == Measure::ay || measure == Measure::az;
  const int counter =
      angle ? ask(node.column,
                  [&, first = i, second = j] { return resolver_.angle_counter(measure, first, second); })
            : -1;
  return builder_.measure(measure, i, j, k, l, component, counter);
}

TapeValue Lowering::measure(const Node& node, const Builtin& row, int size) {
  const Operands at = operands(node, row);
  const bool axis = row.kind == BuiltinKind::unit_axis;
  TapeValue v;
  v.vector = size == 3;
  for (int c = 0; c < size; ++c)
    v.r[c] = leaf(node, axis ? row.measure : later(row.measure, c), at, axis ? c : 0);
  return v;
}

TapeValue Lowering::orientation(const Node& node, const Builtin& row) {
  const int type = integer(node.child[0], what(row, 0)), component = integer(node.child[1], what(row, 1));
  const OrientationSystem* system = nullptr;
  for (const OrientationSystem& s : orientation_systems)
    if (s.type == type) system = &s;
  if (!system)
    throw ExpressionError(tree_[node.child[0]].column,
                          fmt::format("ORIENT of system {} is not supported", type), ExitCode::unsupported,
                          "11, 25 to 29 are");
  if (component < 1 || component > system->components)
    reject(tree_[node.child[1]].column, fmt::format("ORIENT({}, ...) has components 1 to {}, not {},", type,
                                                    system->components, component));
  const Operands at = operands(node, row);
  if (system->measure == Measure::uvx)
    return TapeValue::scalar(leaf(node, later(Measure::uvx, (component - 1) / 3), at, (component - 1) % 3));
  if (system->measure != Measure::euler_parameter)
    return TapeValue::scalar(leaf(node, later(system->measure, component - 1), at, 0));
  if (type == 27) return TapeValue::scalar(leaf(node, system->measure, at, component - 1));
  return TapeValue::scalar(
      builder_.div(leaf(node, system->measure, at, component), leaf(node, system->measure, at, 0)));
}

int Lowering::spline_index(const Node& node, const Builtin& row, int k) {
  const int id = integer(node.child[k], what(row, k));
  return ask(tree_[node.child[k]].column, [&] { return resolver_.spline(id); });
}

int Lowering::derivative_order(const Node& node, const Builtin& row) {
  const int order = node.child.size() > 3 ? integer(node.child[3], what(row, 3)) : 0;
  if (order < 0 || order > 2)
    reject(tree_[node.child[3]].column,
           fmt::format("the order of {}'s derivative is 0, 1 or 2, not {},", row.name, order));
  return order;
}

/// INTERP(x, method, id, order): a spline of a file by straight lines (method 1) or as CUBSPL (3).
TapeValue Lowering::history(const Node& node, const Builtin& row) {
  const Register x = scalar(node.child[0], what(row, 0));
  const int method = integer(node.child[1], what(row, 1));
  if (method != 1 && method != 3)
    reject(tree_[node.child[1]].column,
           fmt::format("the method of INTERP is 1 (linear) or 3 (cubic), not {},", method));
  const int index = spline_index(node, row, 2);
  if (!resolver_.spline_is_history(index))
    reject(tree_[node.child[2]].column,
           "INTERP reads time histories, splines with FILE; for a SPLINE with X and Y use CUBSPL or AKISPL,");
  return TapeValue::scalar(builder_.spline(method == 1 ? row.op : Op::cubspl, x, builder_.constant(0), index,
                                           derivative_order(node, row)));
}

TapeValue Lowering::spline(const Node& node, const Builtin& row) {
  const Register x = scalar(node.child[0], what(row, 0)), z = scalar(node.child[1], what(row, 1));
  const int index = spline_index(node, row, 2);
  const int order = derivative_order(node, row);
  if (order > 0 && resolver_.spline_is_surface(index))
    reject(tree_[node.child[3]].column,
           fmt::format("{} has derivatives of curves only, not of a surface,", row.name));
  return TapeValue::scalar(builder_.spline(row.op, x, z, index, order));
}

TapeValue Lowering::density(const Node& node, const Builtin& row) {
  const Register x = scalar(node.child[0], what(row, 0));
  const int index = spline_index(node, row, 1);
  std::vector<Register> parameters;
  for (int k = 2; k < 7; ++k)
    parameters.push_back(builder_.constant(row.role(k) == 'n' ? integer(node.child[k], what(row, k))
                                                              : constant(node.child[k], what(row, k))));
  std::vector<Register> list{x, x};
  list.insert(list.end(), parameters.begin(), parameters.end());
  check_rules(node, row, list);
  if (builder_.constant_value(list[5]) != 0 && !(builder_.constant_value(list[2]) > 0))
    reject(node.column, "INVPSD: f0 must be positive when the frequencies are spread logarithmically,");
  return TapeValue::scalar(builder_.invpsd(x, index, parameters));
}

/// e(u) at u = TIME - max(delay, 0) if u >= 0, else the history expression with u in place of TIME; at
/// rest, where MODE is 5 or 6, the past is the present.
TapeValue Lowering::delay(const Node& node) {
  const Builtin& row = *find_builtin("DELAY");
  const Register e = scalar(node.child[0], what(row, 0)), lag = scalar(node.child[1], what(row, 1));
  const int id = node.child.size() > 3 ? integer(node.child[3], what(row, 3)) : -1;
  const double longest = builder_.is_constant(lag) ? std::max(builder_.constant_value(lag), 0.0)
                                                   : std::numeric_limits<double>::infinity();
  const int buffer = delay_buffer(node, id, longest, builder_.is_constant(lag));
  const Register instant =
      builder_.sub(builder_.time(), builder_.apply(Op::max, {lag, builder_.constant(0)}));
  const auto past = [&] { return TapeValue::scalar(builder_.delay(e, instant, buffer)); };
  const auto before = [&] {
    const Register outer = builder_.substitute_time(instant);
    const Register history = scalar(node.child[2], what(row, 2));
    builder_.substitute_time(outer);
    return TapeValue::scalar(history);
  };
  const auto in_motion = [&] { return builder_.select_by_sign(instant, before, past, past); };
  const Register mode = builder_.mode();
  const Register rest =
      builder_.mul(builder_.sub(mode, builder_.constant(4.5)), builder_.sub(builder_.constant(6.5), mode));
  return builder_.select_by_sign(rest, in_motion, in_motion, [&] { return TapeValue::scalar(e); });
}

int Lowering::delay_buffer(const Node& node, int id, double longest, bool constant_lag) {
  if (const auto found = buffers_.find(&node); found != buffers_.end()) return found->second;
  const auto apart = [&](int argument, const char* which) {
    TapeBuilder builder;
    const TapeValue x = Lowering(tree_, resolver_, builder, buffers_).value(node.child[argument]);
    return builder.finish(x, fmt::format("{} argument of DELAY, column {}", which, node.column));
  };
  const Tape tape = apart(0, "first");
  const std::optional<Tape> lag = constant_lag ? std::nullopt : std::optional(apart(1, "second"));
  const int buffer =
      ask(node.column, [&] { return resolver_.delay_buffer(id, tape, longest, lag ? &*lag : nullptr); });
  buffers_[&node] = buffer;
  return buffer;
}

TapeValue Lowering::system(const Node& node, const Builtin* row) {
  SystemCall call;
  call.name = node.name;
  call.column = node.column;
  for (int k = 0; k < static_cast<int>(node.child.size()); ++k) {
    const std::string argument = fmt::format("argument {} of {}", k + 1, node.name);
    const Register r = scalar(node.child[k], argument);
    const int column = tree_[node.child[k]].column;
    const bool known = builder_.is_constant(r);
    if (row != nullptr && row->role(k) != 'e' && !known) reject(column, argument + " must be a constant");
    call.arguments.push_back(r);
    call.columns.push_back(column);
    call.constants.push_back(known ? builder_.constant_value(r) : std::numeric_limits<double>::quiet_NaN());
    if (row != nullptr && row->role(k) == 'n') call.integer(k);
  }
  const std::optional<TapeValue> built =
      row != nullptr && !row->supported
          ? std::nullopt
          : ask(node.column, [&] { return resolver_.system_function(call, builder_); });
  if (built) return *built;
  if (row == nullptr) unknown(node, "function");
  throw ExpressionError(node.column, fmt::format("function \"{}\" is not supported yet,", node.name),
                        ExitCode::unsupported);
}
}  // namespace trammel
