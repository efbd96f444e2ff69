// From an expression's tree to its tape: what each node becomes. Internal to compile.cpp and lower_calls.cpp.
#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expression/builder.h"
#include "expression/builtins.h"
#include "expression/parse.h"

namespace trammel {

class Resolver;  // compile.h

/// One expression: its value is that of a node, with those below it.
class Lowering {
 public:
  Lowering(const ExpressionTree& tree, Resolver& resolver, TapeBuilder& builder,
           std::map<const Node*, int>& buffers)
      : tree_(tree), resolver_(resolver), builder_(builder), buffers_(buffers) {}
  TapeValue value(int k);

  [[noreturn]] static void reject(int column, const std::string& text, const std::string& hint = {}) {
    throw ExpressionError(column, text, ExitCode::input, hint);
  }
  static int as_integer(double value, int column, std::string_view what);

 private:
  static constexpr double largest_integer = 2147483647;  ///< limit of ids, too

  /// Calls the resolver; adds the position to the message of its Failure.
  template <class Question>
  static auto ask(int column, const Question& question) {
    try {
      return question();
    } catch (const ExpressionError&) {
      throw;
    } catch (const Failure& refusal) {
      throw ExpressionError(column, refusal.what(), refusal.code());
    }
  }
  /// Runs `build` with the builder's column set to that of a node.
  template <class Build>
  TapeValue at(int column, const Build& build) {
    const int outer = builder_.set_column(column);
    const TapeValue result = build();
    builder_.set_column(outer);
    return result;
  }

  Register scalar(int k, std::string_view what);
  double constant(int k, std::string_view what);
  int integer(int k, std::string_view what) { return as_integer(constant(k, what), tree_[k].column, what); }
  TapeValue name(const Node& node);
  [[noreturn]] void unknown(const Node& node, std::string_view what);
  TapeValue negate(const Node& node);
  TapeValue vector(const Node& node);
  /// A chain a + b + c ... is a tree as deep as it is long: traversed with a list, not by recursion.
  TapeValue binary_chain(int k);
  TapeValue binary(const Node& node, const TapeValue& a, const TapeValue& b);
  Register dot(const TapeValue& a, const TapeValue& b);
  TapeValue cross(const TapeValue& a, const TapeValue& b);
  TapeValue sign_if(const Node& node);

  // ---- calls: lower_calls.cpp

  TapeValue call(const Node& node);
  static std::string wanted_count(const Builtin& row);
  static std::string what(const Builtin& row, int k);
  std::vector<Register> scalars(const Node& node, const Builtin& row);
  void check_rules(const Node& node, const Builtin& row, std::span<const Register> list);
  TapeValue operation(const Node& node, const Builtin& row);
  /// Index in the marker table of the marker that argument k names; 0 is ground.
  int marker(const Node& node, const Builtin& row, int k);
  using Operands = std::array<int, 4>;  ///< markers i, j, k, l
  Operands operands(const Node& node, const Builtin& row);
  static Measure later(Measure first, int places);
  Register leaf(const Node& node, Measure measure, const Operands& at, int component);
  /// `size` leaves: consecutive measures (DX, DY, DZ) or components of one measure (UVX).
  TapeValue measure(const Node& node, const Builtin& row, int size);
  TapeValue orientation(const Node& node, const Builtin& row);
  int spline_index(const Node& node, const Builtin& row, int k);
  /// The optional fourth argument of a spline function.
  int derivative_order(const Node& node, const Builtin& row);
  /// INTERP(x, method, id, order): a spline of a file by straight lines (method 1) or as CUBSPL (3).
  TapeValue history(const Node& node, const Builtin& row);
  TapeValue spline(const Node& node, const Builtin& row);
  TapeValue density(const Node& node, const Builtin& row);
  /// e(u) at u = TIME - max(delay, 0) if u >= 0, else the history expression with u in place of TIME; at
  /// rest, where MODE is 5 or 6, the past is the present.
  TapeValue delay(const Node& node);
  /// The buffer of a DELAY in the text: one, however often its instructions are built.
  int delay_buffer(const Node& node, int id, double longest, bool constant_lag);
  TapeValue system(const Node& node, const Builtin* row);

  const ExpressionTree& tree_;
  Resolver& resolver_;
  TapeBuilder& builder_;
  std::map<const Node*, int>& buffers_;
};

}  // namespace trammel
