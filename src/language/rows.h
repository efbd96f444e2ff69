// Rows that stand in the tables of several statements.
#pragma once

#include "language/field.h"

namespace trammel::statements {

using enum FieldKind;
using enum Support;

inline constexpr Field takes_action{
    .name = "I", .kind = id, .refers = "MARKER", .help = "marker that takes the action", .required = true};
inline constexpr Field takes_reaction{
    .name = "J", .kind = id, .refers = "MARKER", .help = "marker that takes the reaction", .required = true};
inline constexpr Field floating_reaction{.name = "JFLOAT",
                                         .kind = id,
                                         .refers = "MARKER",
                                         .help = "floating marker of the body that takes the reaction",
                                         .required = true};
inline constexpr Field axes_of_components{
    .name = "RM",
    .kind = id,
    .refers = "MARKER",
    .check = ">=0",
    .help = "marker along whose axes the components are given; ground if absent"};

/// An expression that is 0 where it is not given.
constexpr Field component(std::string_view name, std::string_view unit, std::string_view help,
                          std::string_view group, bool required = false) {
  return {.name = name,
          .kind = expression,
          .default_value = "0",
          .unit = unit,
          .help = help,
          .group = group,
          .required = required};
}

/// A number that is 0 where it is not given.
constexpr Field coefficient(std::string_view name, std::string_view unit, std::string_view check,
                            std::string_view help, std::string_view group = {}, std::string_view needs = {}) {
  return {.name = name,
          .kind = real,
          .default_value = "0",
          .unit = unit,
          .check = check,
          .help = help,
          .group = group,
          .needs = needs};
}

/// The same for three axes.
constexpr Field coefficients(std::string_view name, std::string_view unit, std::string_view check,
                             std::string_view help) {
  return {.name = name,
          .kind = real,
          .min_count = 3,
          .max_count = 3,
          .default_value = "0,0,0",
          .unit = unit,
          .check = check,
          .help = help};
}

constexpr Field damping_ratio(std::string_view group = "damping", std::string_view needs = {}) {
  return coefficient("CRATIO", "time", ">=0", "damping is CRATIO times stiffness", group, needs);
}

inline constexpr Field user_routine{
    .name = "ROUTINE", .kind = text, .help = "user subroutine", .support = unsupported};
/// The library of FUNCTION=USER(...) and the function in it, where such code is loaded.
inline constexpr Field loaded_routine{
    .name = "ROUTINE", .kind = text, .help = "library::function of FUNCTION=USER(...)", .needs = "FUNCTION"};
constexpr Field loaded_function(std::string_view group) {
  return {.name = "FUNCTION",
          .kind = expression,
          .help = "USER(r1, ...): by user code, with these numbers",
          .group = group,
          .needs = "ROUTINE",
          .user_call = true};
}
constexpr Field user_function(std::string_view group) {
  return {
      .name = "FUNCTION", .kind = expression, .help = "USER(...)", .group = group, .support = unsupported};
}

}  // namespace trammel::statements
