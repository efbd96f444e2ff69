#include "expression/compile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "base/spelling.h"
#include "base/text.h"

namespace trammel {

namespace {

[[noreturn]] void reject(int column, const std::string& text, const std::string& hint = {}) {
  throw ExpressionError(column, text, ExitCode::input, hint);
}

/// Calls the resolver; adds the position to the message of its Failure.
template <class Question>
auto ask(int column, const Question& question) {
  try {
    return question();
  } catch (const ExpressionError&) {
    throw;
  } catch (const Failure& refusal) {
    throw ExpressionError(column, refusal.what(), refusal.code());
  }
}

constexpr double largest_integer = 2147483647;  // limit of ids, too

int as_integer(double value, int column, std::string_view what) {
  if (value != std::floor(value))
    reject(column, fmt::format("{} must be an integer, not {},", what, shortest(value)));
  if (std::abs(value) > largest_integer)
    reject(column, fmt::format("{} must be an integer from -{:.0f} to {:.0f}, not {},", what, largest_integer,
                               largest_integer, shortest(value)));
  return static_cast<int>(value);
}

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

class Lowering {
 public:
  Lowering(const ExpressionTree& tree, Resolver& resolver, TapeBuilder& builder,
           std::map<const Node*, int>& buffers)
      : tree_(tree), resolver_(resolver), builder_(builder), buffers_(buffers) {}

  TapeValue value(int k) {
    const Node& node = tree_[k];
    switch (node.kind) {
      case NodeKind::number:
        return TapeValue::scalar(builder_.constant(node.value));
      case NodeKind::name:
        return name(node);
      case NodeKind::call:
        return at(node.column, [&] { return call(node); });
      case NodeKind::negate:
        return negate(node);
      case NodeKind::binary:
        return binary_chain(k);
      case NodeKind::vector:
        return vector(node);
      case NodeKind::sign_if:
        return sign_if(node);
    }
    return {};
  }

 private:
  /// Runs `build` with the builder's column set to that of a node.
  template <class Build>
  TapeValue at(int column, const Build& build) {
    const int outer = builder_.set_column(column);
    const TapeValue result = build();
    builder_.set_column(outer);
    return result;
  }

  Register scalar(int k, std::string_view what) {
    const TapeValue v = value(k);
    if (v.vector) reject(tree_[k].column, fmt::format("{} must be a scalar, not a vector,", what));
    return v.r[0];
  }

  double constant(int k, std::string_view what) {
    const Register r = scalar(k, what);
    if (!builder_.is_constant(r)) reject(tree_[k].column, fmt::format("{} must be a constant", what));
    return builder_.constant_value(r);
  }

  int integer(int k, std::string_view what) { return as_integer(constant(k, what), tree_[k].column, what); }

  TapeValue name(const Node& node) {
    static const std::map<std::string_view, double> constants = {
        {"PI", std::numbers::pi}, {"RTOD", 180.0 / std::numbers::pi}, {"DTOR", std::numbers::pi / 180.0}};
    if (node.name == "TIME") return TapeValue::scalar(builder_.time());
    if (node.name == "MODE") return TapeValue::scalar(builder_.mode());
    if (const auto found = constants.find(node.name); found != constants.end())
      return TapeValue::scalar(builder_.constant(found->second));
    if (const std::optional<double> value = resolver_.named_constant(node.name))
      return TapeValue::scalar(builder_.constant(*value));
    const Builtin* row = find_builtin(node.name);
    if (row != nullptr && row->min_arguments == 0) return at(node.column, [&] { return call(node); });
    if (row != nullptr || node.name == "IF")
      reject(node.column, fmt::format("function {} without arguments", node.name),
             row != nullptr ? std::string(row->signature) : "IF(e: a, b, c)");
    unknown(node, "name");
  }

  [[noreturn]] void unknown(const Node& node, std::string_view what) {
    const std::string_view near = nearest_name(function_names(), node.name);
    reject(node.column, fmt::format("unknown {} \"{}\"", what, node.name),
           near.empty() ? "" : fmt::format("did you mean {}?", near));
  }

  TapeValue negate(const Node& node) {
    TapeValue v = value(node.child[0]);
    for (int c = 0; c < v.size(); ++c) v.r[c] = builder_.neg(v.r[c]);
    return v;
  }

  TapeValue vector(const Node& node) {
    TapeValue v;
    v.vector = true;
    for (int c = 0; c < 3; ++c) v.r[c] = scalar(node.child[c], "a component of a vector");
    return v;
  }

  /// A chain a + b + c ... is a tree as deep as it is long: traversed with a list, not by recursion.
  TapeValue binary_chain(int k) {
    std::vector<int> chain;
    while (tree_[k].kind == NodeKind::binary) {
      chain.push_back(k);
      k = tree_[k].child[0];
    }
    TapeValue left = value(k);
    for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
      const Node& node = tree_[*link];
      const TapeValue right = value(node.child[1]);
      left = at(node.column, [&] { return binary(node, left, right); });
    }
    return left;
  }

  TapeValue binary(const Node& node, const TapeValue& a, const TapeValue& b) {
    static const std::map<char, Op> scalar_ops = {
        {'+', Op::add}, {'-', Op::sub}, {'*', Op::mul}, {'/', Op::div}, {'^', Op::pow}};
    const char op = node.op;
    const auto found = scalar_ops.find(op);
    if (!a.vector && !b.vector && found != scalar_ops.end())
      return TapeValue::scalar(builder_.apply(found->second, {a.r[0], b.r[0]}));
    if (a.vector && b.vector && op == '*') return TapeValue::scalar(dot(a, b));
    if (a.vector && b.vector && op == '%') return cross(a, b);
    const bool sum = a.vector && b.vector && (op == '+' || op == '-');
    const bool scaled = a.vector != b.vector && (op == '*' || (op == '/' && a.vector));
    if (!sum && !scaled) {
      const std::string sign = op == '^' ? "**" : std::string(1, op);
      reject(node.column, fmt::format("{} {} {} is not defined", a.vector ? "vector" : "scalar", sign,
                                      b.vector ? "vector" : "scalar"));
    }
    TapeValue v;
    v.vector = true;
    for (int c = 0; c < 3; ++c)
      v.r[c] = builder_.apply(found->second, {a.r[a.vector ? c : 0], b.r[b.vector ? c : 0]});
    return v;
  }

  Register dot(const TapeValue& a, const TapeValue& b) {
    Register sum = builder_.mul(a.r[0], b.r[0]);
    for (int c = 1; c < 3; ++c) sum = builder_.add(sum, builder_.mul(a.r[c], b.r[c]));
    return sum;
  }

  TapeValue cross(const TapeValue& a, const TapeValue& b) {
    TapeValue v;
    v.vector = true;
    for (int c = 0; c < 3; ++c) {
      const int p = (c + 1) % 3, q = (c + 2) % 3;
      v.r[c] = builder_.sub(builder_.mul(a.r[p], b.r[q]), builder_.mul(a.r[q], b.r[p]));
    }
    return v;
  }

  TapeValue sign_if(const Node& node) {
    const Register e = scalar(node.child[0], "the first argument of IF");
    return at(node.column, [&] {
      return builder_.select_by_sign(
          e, [&] { return value(node.child[1]); }, [&] { return value(node.child[2]); },
          [&] { return value(node.child[3]); });
    });
  }

  // ---- calls

  TapeValue call(const Node& node) {
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

  static std::string wanted_count(const Builtin& row) {
    if (row.min_arguments == row.max_arguments) return std::to_string(row.min_arguments);
    return fmt::format("{} to {}", row.min_arguments, row.max_arguments);
  }

  static std::string what(const Builtin& row, int k) {
    return fmt::format("argument {} of {}", k + 1, row.name);
  }

  std::vector<Register> scalars(const Node& node, const Builtin& row) {
    std::vector<Register> list;
    for (std::size_t k = 0; k < node.child.size(); ++k)
      list.push_back(scalar(node.child[k], what(row, static_cast<int>(k))));
    return list;
  }

  void check_rules(const Node& node, const Builtin& row, std::span<const Register> list) {
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

  TapeValue operation(const Node& node, const Builtin& row) {
    const std::vector<Register> list = scalars(node, row);
    check_rules(node, row, list);
    return TapeValue::scalar(builder_.apply(row.op, list));
  }

  /// Index in the marker table of the marker that argument k names; 0 is ground.
  int marker(const Node& node, const Builtin& row, int k) {
    const int column = tree_[node.child[k]].column;
    const double number = constant(node.child[k], what(row, k));
    if (number == 0 && row.role(k) != 'i') return 0;
    if (number == std::floor(number) && !(number >= 1 && number <= largest_integer))
      reject(column, fmt::format("argument {} of {} must be the id of a marker, 1 to {:.0f}, not {},", k + 1,
                                 row.name, largest_integer, shortest(number)));
    const int id = as_integer(number, column, what(row, k));
    return ask(column, [&] { return resolver_.marker(id); });
  }

  using Operands = std::array<int, 4>;  ///< markers i, j, k, l

  Operands operands(const Node& node, const Builtin& row) {
    Operands operand{};
    for (int k = 0; k < static_cast<int>(node.child.size()); ++k) {
      const char role = row.role(k);
      if (role >= 'i' && role <= 'l') operand[role - 'i'] = marker(node, row, k);
    }
    return operand;
  }

  static Measure later(Measure first, int places) {
    return static_cast<Measure>(static_cast<int>(first) + places);
  }

  Register leaf(const Node& node, Measure measure, const Operands& at, int component) {
    const auto [i, j, k, l] = at;
    const bool angle = measure == Measure::ax || measure == Measure::ay || measure == Measure::az;
    const int counter =
        angle ? ask(node.column,
                    [&, first = i, second = j] { return resolver_.angle_counter(measure, first, second); })
              : -1;
    return builder_.measure(measure, i, j, k, l, component, counter);
  }

  /// `size` leaves: consecutive measures (DX, DY, DZ) or components of one measure (UVX).
  TapeValue measure(const Node& node, const Builtin& row, int size) {
    const Operands at = operands(node, row);
    const bool axis = row.kind == BuiltinKind::unit_axis;
    TapeValue v;
    v.vector = size == 3;
    for (int c = 0; c < size; ++c)
      v.r[c] = leaf(node, axis ? row.measure : later(row.measure, c), at, axis ? c : 0);
    return v;
  }

  TapeValue orientation(const Node& node, const Builtin& row) {
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

  int spline_index(const Node& node, const Builtin& row, int k) {
    const int id = integer(node.child[k], what(row, k));
    return ask(tree_[node.child[k]].column, [&] { return resolver_.spline(id); });
  }

  /// The optional fourth argument of a spline function.
  int derivative_order(const Node& node, const Builtin& row) {
    const int order = node.child.size() > 3 ? integer(node.child[3], what(row, 3)) : 0;
    if (order < 0 || order > 2)
      reject(tree_[node.child[3]].column,
             fmt::format("the order of {}'s derivative is 0, 1 or 2, not {},", row.name, order));
    return order;
  }

  /// INTERP(x, method, id, order): a spline of a file by straight lines (method 1) or as CUBSPL (3).
  TapeValue history(const Node& node, const Builtin& row) {
    const Register x = scalar(node.child[0], what(row, 0));
    const int method = integer(node.child[1], what(row, 1));
    if (method != 1 && method != 3)
      reject(tree_[node.child[1]].column,
             fmt::format("the method of INTERP is 1 (linear) or 3 (cubic), not {},", method));
    const int index = spline_index(node, row, 2);
    if (!resolver_.spline_is_history(index))
      reject(
          tree_[node.child[2]].column,
          "INTERP reads time histories, splines with FILE; for a SPLINE with X and Y use CUBSPL or AKISPL,");
    return TapeValue::scalar(builder_.spline(method == 1 ? row.op : Op::cubspl, x, builder_.constant(0),
                                             index, derivative_order(node, row)));
  }

  TapeValue spline(const Node& node, const Builtin& row) {
    const Register x = scalar(node.child[0], what(row, 0)), z = scalar(node.child[1], what(row, 1));
    const int index = spline_index(node, row, 2);
    const int order = derivative_order(node, row);
    if (order > 0 && resolver_.spline_is_surface(index))
      reject(tree_[node.child[3]].column,
             fmt::format("{} has derivatives of curves only, not of a surface,", row.name));
    return TapeValue::scalar(builder_.spline(row.op, x, z, index, order));
  }

  TapeValue density(const Node& node, const Builtin& row) {
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
  TapeValue delay(const Node& node) {
    const Builtin& row = *find_builtin("DELAY");
    const Register e = scalar(node.child[0], what(row, 0)), lag = scalar(node.child[1], what(row, 1));
    const int id = node.child.size() > 3 ? integer(node.child[3], what(row, 3)) : -1;
    const double longest = builder_.is_constant(lag) ? std::max(builder_.constant_value(lag), 0.0)
                                                     : std::numeric_limits<double>::infinity();
    const int buffer = delay_buffer(node, id, longest);
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

  /// The buffer of a DELAY in the text: one, however often its instructions are built.
  int delay_buffer(const Node& node, int id, double longest) {
    if (const auto found = buffers_.find(&node); found != buffers_.end()) return found->second;
    TapeBuilder apart;
    const TapeValue e = Lowering(tree_, resolver_, apart, buffers_).value(node.child[0]);
    const Tape tape = apart.finish(e, fmt::format("first argument of DELAY, column {}", node.column));
    const int buffer = ask(node.column, [&] { return resolver_.delay_buffer(id, tape, longest); });
    buffers_[&node] = buffer;
    return buffer;
  }

  TapeValue system(const Node& node, const Builtin* row) {
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

  const ExpressionTree& tree_;
  Resolver& resolver_;
  TapeBuilder& builder_;
  std::map<const Node*, int>& buffers_;
};

}  // namespace

int SystemCall::integer(int k, int fallback) const {
  if (k >= count()) return fallback;
  const std::string what = fmt::format("argument {} of {}", k + 1, name);
  if (std::isnan(constants[k])) reject(columns[k], what + " must be a constant");
  return as_integer(constants[k], columns[k], what);
}

int NoModel::marker(int id) {
  fail(ExitCode::input, "marker {} does not exist here", id);
}
int NoModel::spline(int id) {
  fail(ExitCode::input, "SPLINE/{} does not exist here", id);
}
int NoModel::delay_buffer(int, const Tape&, double) {
  fail(ExitCode::input, "DELAY is not possible here");
}
std::optional<TapeValue> NoModel::system_function(const SystemCall& call, TapeBuilder&) {
  if (find_builtin(call.name) == nullptr) return std::nullopt;
  fail(ExitCode::input, "the element that {} refers to does not exist here", call.name);
}

TapeValue lower_expression(const ExpressionTree& tree, Resolver& resolver, TapeBuilder& builder) {
  std::map<const Node*, int> buffers;
  return Lowering(tree, resolver, builder, buffers).value(tree.root);
}

Tape compile_expression(std::string_view text, Resolver& resolver, ResultKind wanted) {
  const ExpressionTree tree = parse_expression(text);
  TapeBuilder builder;
  const TapeValue result = lower_expression(tree, resolver, builder);
  if (result.vector && wanted == ResultKind::scalar)
    reject(1, "the expression must be a scalar, but is a vector");
  if (!result.vector && wanted == ResultKind::vector)
    reject(1, "the expression must be a vector, but is a scalar");
  return builder.finish(result, std::string(text));
}

}  // namespace trammel
