// What is recognised but not supported: told as errors of exit code 4, or dropped on request.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "dataset/commands.h"
#include "dataset/description.h"

namespace trammel {

/// Why a statement cannot run: "BEAM is not supported", "ROUTINE is not supported",
/// "FUNCTION=USER(...): user subroutines are not supported"; "" when it can.
std::string unsupported_reason(const Statement& statement);

/// One error per kind of unsupported statement, at its first place, with the count; a note for each kind
/// that is accepted without effect.
void report_unsupported(const Description& description, Diagnostics& diagnostics);
/// The same for commands, one error for each.
void report_unsupported(const CommandFile& commands, Diagnostics& diagnostics);

struct DroppedStatement {
  std::string keyword, label, reason;
  Location where;
};

/// A statement that refers, by an id or in an expression, to a dropped one or to another dependent.
struct Dependent {
  std::string label, on;  ///< "JOINT/3", "MARKER/12"
  Location where;
  bool dropped = false;  ///< with Dependents::drop
};

struct DropReport {
  std::vector<DroppedStatement> dropped;            ///< in file order
  std::vector<std::pair<std::string, int>> counts;  ///< keyword -> how many, in order of first appearance
  std::vector<Dependent> dependents;                ///< in the order in which they were found
};

enum class Dependents { keep, drop };

/// Takes unsupported statements out of the description. What depends on them is listed: kept, and then the
/// model will miss what they name; or dropped too.
DropReport drop_unsupported(Description& description, Dependents dependents);

/// The statements that an expression names: {"BEAM", 3}, {"MARKER", 201} ... as far as its ids are literal.
std::vector<std::pair<std::string_view, int>> named_in_expression(std::string_view expression);

}  // namespace trammel
