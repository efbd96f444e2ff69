// A Description is what a dataset says, statement by statement, with names: text, editable.
// compile() (module model) turns it into an immutable Model.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "dataset/numbers.h"
#include "language/field.h"

namespace trammel {

/// The name of a file, one for all that is read from it.
using SharedName = std::shared_ptr<const std::string>;

/// A place in an input file, as Location has it.
struct DeckPlace {
  SharedName file;  ///< null: no place
  int line = 0;

  const std::string& name() const {
    static const std::string none;
    return file ? *file : none;
  }
  operator Location() const { return {name(), line}; }
};

/// One argument as read. Only the members that the field's kind needs are filled.
struct Argument {
  const Field* field = nullptr;
  DeckPlace where;
  Numbers numbers;                 ///< integer, real (angles in radians), id, ids, logicals (0/1)
  std::vector<std::string> words;  ///< choice, choices (full spelling, upper case)
  std::string text;                ///< expression, text, long_text; for USER(...) the call as written
                                   ///< text with several values (CNAMES): in words, case kept
};

struct Statement {
  const StatementSpec* spec = nullptr;
  int id = 0;             ///< 0 for singletons
  std::string view_name;  ///< from the comment adams_view_name='...'; empty if none
  DeckPlace where;
  std::vector<Argument> arguments;
  bool active = true;  ///< DEACTIVATE: keeps its place and has no effect

  /// The argument of that (full) name; nullptr if absent. SPLINE's repeated Y: the first one.
  const Argument* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  double real(std::string_view name, double fallback) const;
  /// Without a fallback: what the field table states as the default.
  double real(std::string_view name) const;
  int integer(std::string_view name, int fallback) const;
  std::optional<int> id_of(std::string_view name) const;
  /// The chosen keyword of a choice field, or "".
  std::string_view word(std::string_view name) const;
  std::string_view text(std::string_view name) const;
  /// The name of the argument of a group that the statement has ("REVOLUTE" for the group "type"), or "".
  std::string_view chosen(std::string_view group) const;
  /// "JOINT/3", or "JOINT/3 (hinge)" with a view name; "UNITS" for singletons.
  std::string label() const;
};

/// A statement that the file has and the description lacks, or has in part: left out, or not understood. No
/// message may say that it does not exist.
struct Absence {
  std::string_view keyword;  ///< empty: not understood; it may be any statement with that id
  int id = 0;                ///< 0: none, or not understood
  std::string label;         ///< "JOINT/3", or as written: "JONT/3"; empty for what names no element
  Location where;            ///< none for what the description has in part
};

struct Description {
  std::string title;
  std::string file;
  std::vector<Statement> statements;  ///< in file order
  std::vector<Absence> absent;

  const Statement* find(std::string_view keyword, int id = 0) const;
  /// The absence of a statement that find() does not find; nullptr: it does not exist.
  const Absence* find_absent(std::string_view keyword, int id = 0) const;
  /// All statements of a keyword in file order.
  std::vector<const Statement*> all(std::string_view keyword) const;
  /// Adds a statement, or, if keyword and id exist, replaces the arguments it names (a redefinition).
  /// Arguments that the new ones exclude are taken out: a new REULER ends ZG and XG.
  void redefine(Statement statement);
};

}  // namespace trammel
