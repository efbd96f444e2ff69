// Table of the functions of expressions, one row per function, for the compiler and for the reference.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expression/ops.h"
#include "expression/tape.h"

namespace trammel {

enum class BuiltinKind {
  op,              ///< `op` of the arguments
  measure,         ///< `measure` of markers
  vector_measure,  ///< three measures, `measure` the first of them
  unit_axis,       ///< three components of one measure
  orientation,     ///< ORIENT(27, c, i, j)
  spline,          ///< `op` on x, z, spline id, order
  history,         ///< INTERP
  delay,           ///< DELAY
  density,         ///< INVPSD
  system,          ///< built by the Resolver from the model's elements
};

/// roles: the kind of each argument; the last letter applies to all further ones.
///   e an expression; i j k l a marker by role (i is required, 0 = ground for the others);
///   n an integer constant; c a numeric constant.
struct Builtin {
  std::string_view name;
  BuiltinKind kind;
  Op op;
  Measure measure;
  int min_arguments, max_arguments;
  std::string_view roles;
  std::string_view signature;  ///< "STEP(x, x0, h0, x1, h1)"
  std::string_view formula;    ///< value, in one line
  std::string_view help;       ///< purpose and caveats, in one line
  bool supported = true;       ///< false: recognised, but refused with exit code 4

  char role(int argument) const {
    return roles[static_cast<std::size_t>(argument) < roles.size() ? argument : roles.size() - 1];
  }
};

std::span<const Builtin> builtins();
/// nullptr when no builtin has that (upper case) name.
const Builtin* find_builtin(std::string_view name);
/// Names of constants, TIME, IF and all builtins.
std::vector<std::string_view> function_names();

/// A condition on arguments that is checked when they are constants.
struct ParameterRule {
  enum Kind { less, positive, not_negative } kind;
  Op op;
  int a, b;  ///< argument positions; b only for `less`: a < b
  std::string_view text;
};
std::span<const ParameterRule> parameter_rules();

/// The function reference as Markdown, generated from the table: chapters with headings `###`.
std::string function_reference();

}  // namespace trammel
