#include "expression/compile.h"

#include <cmath>
#include <numbers>

#include "base/spelling.h"
#include "base/text.h"
#include "expression/lowering.h"

namespace trammel {

int Lowering::as_integer(double value, int column, std::string_view what) {
  if (value != std::floor(value))
    reject(column, fmt::format("{} must be an integer, not {},", what, shortest(value)));
  if (std::abs(value) > largest_integer)
    reject(column, fmt::format("{} must be an integer from -{:.0f} to {:.0f}, not {},", what, largest_integer,
                               largest_integer, shortest(value)));
  return static_cast<int>(value);
}

TapeValue Lowering::value(int k) {
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

Register Lowering::scalar(int k, std::string_view what) {
  const TapeValue v = value(k);
  if (v.vector) reject(tree_[k].column, fmt::format("{} must be a scalar, not a vector,", what));
  return v.r[0];
}

double Lowering::constant(int k, std::string_view what) {
  const Register r = scalar(k, what);
  if (!builder_.is_constant(r)) reject(tree_[k].column, fmt::format("{} must be a constant", what));
  return builder_.constant_value(r);
}

TapeValue Lowering::name(const Node& node) {
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

void Lowering::unknown(const Node& node, std::string_view what) {
  const std::string_view near = nearest_name(function_names(), node.name);
  reject(node.column, fmt::format("unknown {} \"{}\"", what, node.name),
         near.empty() ? "" : fmt::format("did you mean {}?", near));
}

TapeValue Lowering::negate(const Node& node) {
  TapeValue v = value(node.child[0]);
  for (int c = 0; c < v.size(); ++c) v.r[c] = builder_.neg(v.r[c]);
  return v;
}

TapeValue Lowering::vector(const Node& node) {
  TapeValue v;
  v.vector = true;
  for (int c = 0; c < 3; ++c) v.r[c] = scalar(node.child[c], "a component of a vector");
  return v;
}

TapeValue Lowering::binary_chain(int k) {
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

TapeValue Lowering::binary(const Node& node, const TapeValue& a, const TapeValue& b) {
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

Register Lowering::dot(const TapeValue& a, const TapeValue& b) {
  Register sum = builder_.mul(a.r[0], b.r[0]);
  for (int c = 1; c < 3; ++c) sum = builder_.add(sum, builder_.mul(a.r[c], b.r[c]));
  return sum;
}

TapeValue Lowering::cross(const TapeValue& a, const TapeValue& b) {
  TapeValue v;
  v.vector = true;
  for (int c = 0; c < 3; ++c) {
    const int p = (c + 1) % 3, q = (c + 2) % 3;
    v.r[c] = builder_.sub(builder_.mul(a.r[p], b.r[q]), builder_.mul(a.r[q], b.r[p]));
  }
  return v;
}

TapeValue Lowering::sign_if(const Node& node) {
  const Register e = scalar(node.child[0], "the first argument of IF");
  return at(node.column, [&] {
    return builder_.select_by_sign(
        e, [&] { return value(node.child[1]); }, [&] { return value(node.child[2]); },
        [&] { return value(node.child[3]); });
  });
}
int SystemCall::integer(int k, int fallback) const {
  if (k >= count()) return fallback;
  const std::string what = fmt::format("argument {} of {}", k + 1, name);
  if (std::isnan(constants[k])) Lowering::reject(columns[k], what + " must be a constant");
  return Lowering::as_integer(constants[k], columns[k], what);
}

int NoModel::marker(int id) {
  fail(ExitCode::input, "marker {} does not exist here", id);
}
int NoModel::spline(int id) {
  fail(ExitCode::input, "SPLINE/{} does not exist here", id);
}
int NoModel::delay_buffer(int, const Tape&, double, const Tape*) {
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
    Lowering::reject(1, "the expression must be a scalar, but is a vector");
  if (!result.vector && wanted == ResultKind::vector)
    Lowering::reject(1, "the expression must be a vector, but is a scalar");
  return builder.finish(result, std::string(text));
}

}  // namespace trammel
