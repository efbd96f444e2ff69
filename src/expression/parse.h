// Parser: text of a function expression -> tree.
//
//   expr    := term { ('+'|'-') term }
//   term    := unary { ('*'|'/'|'%') unary }
//   unary   := ('-'|'+') unary | power
//   power   := primary [ '**' unary ]                     -A**2 = -(A**2),  A**B**C = A**(B**C)
//   primary := number ['D'] | name [ '(' args ')' ] | '(' expr ')' | '[' expr ',' expr ',' expr ']'
//            | 'IF' '(' expr ':' expr ',' expr ',' expr ')'
//
// Names are case-insensitive; blanks and line ends only separate numbers and names; `* *` is `**`. D after a
// number is an exponent if digits (with or without a sign) follow, else degrees.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"

namespace trammel {

/// An invalid expression: code() input (3), or unsupported (4) for known functions that are not available
/// yet. what() ends with the position: `unknown function "STEPP" at column 7 (did you mean STEP?)`.
class ExpressionError : public Failure {
 public:
  ExpressionError(int column, const std::string& text, ExitCode code = ExitCode::input,
                  const std::string& hint = {});
  int column() const { return column_; }
  /// The message without position and hint.
  const std::string& reason() const { return reason_; }

 private:
  int column_;
  std::string reason_;
};

enum class NodeKind { number, name, call, negate, binary, vector, sign_if };

struct Node {
  NodeKind kind = NodeKind::number;
  int column = 1;          ///< from 1
  double value = 0;        ///< number: its value, degrees converted to radians
  std::string name;        ///< name, call: upper case
  char op = 0;             ///< binary: + - * / % and ^ for **
  std::vector<int> child;  ///< call: arguments; negate 1; binary 2; vector 3; sign_if: e, e < 0, e = 0, e > 0
};

/// A tree as a list of nodes that refer to each other by index: copying and destroying need no recursion.
struct ExpressionTree {
  std::vector<Node> nodes;
  int root = 0;
  const Node& operator[](int k) const { return nodes[k]; }
};

constexpr int max_expression_length = 1000000;  ///< characters
constexpr int max_expression_depth = 200;       ///< nested parentheses, signs, powers and calls

/// Throws ExpressionError.
ExpressionTree parse_expression(std::string_view text);

}  // namespace trammel
