// Statements that are recognised but not supported: errors of exit code 4, or dropped on request.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "dataset/commands.h"
#include "dataset/statement_index.h"

namespace trammel {

/// Why a statement cannot run: "BEAM is not supported", "ROUTINE is not supported",
/// "FUNCTION=USER(...): user subroutines are not supported"; "" when it can.
std::string unsupported_reason(const Statement& statement);
/// The same for a statement of a description, where it may depend on other statements.
std::string unsupported_reason(const Description& description, const StatementIndex& statements,
                               const Statement& statement);

/// Whether an expression is USER(...), as a whole.
bool is_user_call(std::string_view expression);

/// One error per kind of unsupported statement, at its first place, with the count; a note for each kind
/// that is accepted without effect.
void report_unsupported(const Description& description, Diagnostics& diagnostics);
/// The same for commands, one error for each.
void report_unsupported(const CommandFile& commands, Diagnostics& diagnostics);

struct DroppedStatement {
  std::string keyword, label, reason;
  Location where;
  bool wrong = false;  ///< a mistake; else unsupported
};

/// A statement that refers, by an id or in an expression, to a dropped one or to another dependent.
struct Dependent {
  std::string label, on;  ///< "JOINT/3", "MARKER/12"
  Location where;
  bool dropped = false;  ///< with Dependents::drop
};

struct DropReport {
  std::vector<DroppedStatement> dropped;            ///< in file order
  std::vector<std::pair<std::string, int>> counts;  ///< keyword -> how many unsupported, in file order
  std::vector<Dependent> dependents;                ///< in the order in which they were found

  void add(DroppedStatement statement);
  void append(const DropReport& later);
};

enum class Dependents { keep, drop };

/// Takes unsupported statements out of the description; they become absent. The statements that depend on
/// them are listed: `keep` leaves them, and the model will miss what they name; `drop` takes them out too. A
/// statement depends on what it names, an ARRAY of states or outputs on its system.
DropReport drop_unsupported(Description& description, Dependents dependents);

/// Which wrong statements are dropped: only elements (those with an id), or settings (UNITS, INTEGRATOR) as
/// well.
enum class Wrong { elements, all };

/// The same for the statements that errors are about: the statement on the error's line, or the one of which
/// a command on that line changed an argument. These errors are taken out of `found`; those about the deck as
/// a whole, or about lines that name no element, stay.
DropReport drop_wrong(Description& description, Diagnostics& found, Wrong which);

/// The first statement that `statement` names, by an id or in an expression, and that is absent; nullptr:
/// none.
const Absence* absent_mention(const Description& description, const Statement& statement);

/// The statements that an expression names: {"BEAM", 3}, {"MARKER", 201} ... as far as its ids are literal.
std::vector<std::pair<std::string_view, int>> named_in_expression(std::string_view expression);

}  // namespace trammel
