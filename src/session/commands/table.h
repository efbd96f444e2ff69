// The table of all commands of a command file.
#pragma once

#include <span>

#include "session/command_row.h"

namespace trammel {

std::span<const CommandRow> command_table();

/// The row of a keyword; for a keyword without one the row of redefinitions: the command redefines a
/// statement of the dataset.
const CommandRow& command_row(std::string_view keyword);

}  // namespace trammel
