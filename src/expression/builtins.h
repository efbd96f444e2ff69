// The functions that an expression may call: one row per function, for the compiler and for the reference.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expression/ops.h"
#include "expression/tape.h"

namespace trammel {

enum class BuiltinKind {
  op,              ///< `op` on the arguments
  measure,         ///< `measure` of markers
  vector_measure,  ///< three measures, `measure` the first of them
  unit_axis,       ///< three components of one measure
  orientation,     ///< ORIENT(27, c, i, j)
  spline,          ///< `op` on x, z, spline id, order
  delay,           ///< DELAY
  density,         ///< INVPSD
  system,          ///< built by the Resolver out of the model's elements
};

/// roles: what each argument is; the last letter holds for all that follow.
///   e an expression; i j k l the marker's role (i must be given, the others may be 0 = ground);
///   n an integer constant; c a numeric constant.
struct Builtin {
  std::string_view name;
  BuiltinKind kind;
  Op op;
  Measure measure;
  int min_arguments, max_arguments;
  std::string_view roles;
  std::string_view signature;  ///< "STEP(x, x0, h0, x1, h1)"
  std::string_view formula;    ///< its value, in one line
  std::string_view help;       ///< what it is for and what to beware of, in one line
  bool supported = true;       ///< false: known, and refused with exit code 4

  char role(int argument) const {
    return roles[static_cast<std::size_t>(argument) < roles.size() ? argument : roles.size() - 1];
  }
};

std::span<const Builtin> builtins();
/// nullptr when there is none of that (upper case) name.
const Builtin* find_builtin(std::string_view name);
/// Of constants, TIME, IF and all builtins.
std::vector<std::string_view> function_names();

/// A rule on arguments that can be checked when they are constants.
struct ParameterRule {
  enum Kind { less, positive, not_negative } kind;
  Op op;
  int a, b;  ///< argument positions; b only for `less`: a < b
  std::string_view text;
};
std::span<const ParameterRule> parameter_rules();

/// The function reference as Markdown, made from the table: chapters with heads `###`.
std::string function_reference();

}  // namespace trammel
