// One statement's text -> Statement, driven by the field tables.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "dataset/description.h"
#include "dataset/lines.h"

namespace trammel {

/// The field of the one argument of a statement without a table (BEAM, GRAPHICS ...): its arguments as
/// written, unread, physical lines separated by newlines. Its name is empty.
const Field& raw_field();

/// A statement keyword without slash and arguments: "END", "STOP".
std::string_view leading_word(std::string_view text);

/// Reads the arguments of one statement whose keyword is looked up in `known`.
/// `file`: its name. Mistakes go to `diagnostics`, as file:line: STATEMENT/id: what is wrong.
/// Returns false when the statement is unknown or its id unreadable: `statement` is then of no use.
/// `sound`: whether every argument was understood. The arguments take the memory of those that `statement`
/// had.
bool parse_statement(const RawStatement& raw, const SharedName& file, std::span<const StatementSpec> known,
                     Diagnostics& diagnostics, Statement& statement, bool& sound);

/// Warns of the first statement in the rest of a file, which stands behind `word` (END or STOP, at `end`);
/// false where none is left but the same word.
bool note_unread(StatementLines& lines, const std::string& file, std::string_view word, const Location& end,
                 Diagnostics& diagnostics);

}  // namespace trammel
