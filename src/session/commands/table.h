// Every command of a command file, and what a run does with it.
#pragma once

#include <span>

#include "session/command_row.h"

namespace trammel {

std::span<const CommandRow> command_table();

/// The row of a keyword; one that has none is a statement of the dataset, which the command redefines.
const CommandRow& command_row(std::string_view keyword);

}  // namespace trammel
