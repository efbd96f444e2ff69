// Checks of what was read: one statement by its field table and rules, a whole description by its ids.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "dataset/description.h"

namespace trammel {

/// Whether a number fulfils Field::check (">0", ">=0", "in [-1/3,0]", "" for anything).
/// An unreadable check throws: the tables are tested for it.
bool fulfils(std::string_view check, double value);

/// Whether a statement has the arguments that Field::needs asks for; the first that is missing ("VELOCITY or
/// ACCELERATION") goes to `missing`.
bool has_needed(const Statement& statement, const Field& field, std::string* missing = nullptr);

/// Ranges, ids of references, mutually exclusive arguments; with `whole` also missing arguments and the
/// rules of the statement. A redefinition names only what it changes, so it is not whole.
void check_statement(const Statement& statement, bool whole, Diagnostics& diagnostics);

/// Rules of single statements that no table expresses (in rules.cpp).
void check_rules(const Statement& statement, Diagnostics& diagnostics);

/// Duplicate statements, ids that do not exist, exactly one ground, markers on the right bodies. Absent
/// statements (Description::absent) count as existing. Stops when `diagnostics` are full.
void check_description(const Description& description, Diagnostics& diagnostics);

}  // namespace trammel
