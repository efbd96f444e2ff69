// The field tables: what a statement may contain. Reader, writer, checks and the statement reference
// are all driven by these tables; an element file holds its own.
#pragma once

#include <span>
#include <string_view>

namespace trammel {

/// What stands after an argument's name.
enum class FieldKind {
  flag,        ///< the name alone: GROUND
  integer,     ///< one or more integers
  real,        ///< one or more numbers; a trailing D means degrees where unit is "angle"
  id,          ///< id of another statement (named by Field::refers)
  ids,         ///< list of ids
  choice,      ///< one keyword out of Field::choices ("ON|OFF"), abbreviations allowed
  choices,     ///< keywords separated by colons out of Field::choices (EXACT=X:Y)
  logicals,    ///< T:F:T
  expression,  ///< a function expression: to the end of the statement, a backslash, or ,KEYWORD= at depth 0
  text,        ///< one word or file name
  long_text,   ///< the rest of the statement (COMMENT, STRING, TITLE)
};

/// How far the program takes an argument or a statement.
enum class Support {
  works,
  kept,         ///< stored for other uses (graphics), cannot change the answer: no notice
  no_effect,    ///< accepted with a notice: cannot change this run
  unsupported,  ///< recognised; stops the run with exit code 4 (or is dropped by --permissive)
};

struct Field {
  std::string_view name;
  FieldKind kind = FieldKind::flag;
  int min_count = 1, max_count = 1;  ///< values; a long_text with 0 may be empty, integers may be left out
  std::string_view refers{};         ///< statement keyword that an id names: "MARKER"
  std::string_view choices{};        ///< "HHT|GSTIFF|..."
  std::string_view default_value{};
  std::string_view unit{};   ///< "length", "mass", "angle", "force/length" ...
  std::string_view check{};  ///< ">0", ">=0", "in [-1/3,0]" ...
  std::string_view help{};
  /// Fields of one group exclude each other: "type". With a variant after a colon, fields of the same
  /// variant go together: "orientation:points" (ZG, XG) excludes "orientation:euler". Several groups are
  /// separated by blanks.
  std::string_view group{};
  bool required = false;  ///< in a group: at least one field of the group must stand
  Support support = Support::works;
  std::string_view alias{};  ///< other spellings ("A|B"); also for abbreviations that win (C of COMMENT)
  /// Names, separated by blanks, of arguments that must stand beside it; "A|B": one of these.
  std::string_view needs{};
  bool repeats = false;                    ///< may stand more than once (Y of SPLINE)
  std::string_view unsupported_choices{};  ///< those of `choices` that stop the run with exit code 4
  /// What a list has beyond max_count is left out with a notice; else it is an error.
  bool surplus = false;
  /// What an unsupported argument is part of ("friction in joints"): --permissive leaves out the argument,
  /// not the statement.
  std::string_view feature{};
  bool user_call = false;  ///< an expression that is USER(...) with numbers, for user code that is loaded

  /// Whether the name may stand without "=".
  constexpr bool may_be_bare() const { return kind == FieldKind::integer && min_count == 0; }
};

/// What kind of element a statement gives. Results are sorted by it, and all but the first two may go out of
/// force (ACTIVATE, DEACTIVATE).
enum class ElementClass {
  none,
  part,
  reaction_force,
  applied_force,
  contact,
  system_element,
  request,
  watch,  ///< looks at the motion, without results of its own
};

struct StatementSpec {
  std::string_view keyword;
  bool has_id = true;               ///< false: singleton (UNITS/, ACCGRAV/)
  std::span<const Field> fields{};  ///< empty: the arguments are kept as one text, unread
  Support support = Support::works;
  std::string_view help{};      ///< one sentence for the statement reference
  std::string_view equation{};  ///< the law, for the statement reference
  bool open = false;            ///< arguments that are not in the table are kept as they stand
  bool repeats = false;         ///< a singleton that may stand more than once (ENVIRONMENT)
  bool between_bodies = false;  ///< markers I (or a list) and J (or JFLOAT) are fixed on different bodies
  std::string_view force_function{};  ///< name of the function that reads its force: "BUSH" for BUSHING
  ElementClass element = ElementClass::none;  ///< of forces that are laws, applied_force without saying so
};

}  // namespace trammel
