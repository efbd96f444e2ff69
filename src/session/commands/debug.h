// DEBUG: reports about the iterations that follow.
#pragma once

#include "session/planner.h"

namespace trammel::commands {

/// Appends the command to the DEBUG statements of the dataset, so that it adds to their words or takes them
/// back.
inline void plan_debug(Planner& planner, const Command& command) {
  planner.description().statements.push_back(command.statement);
  planner.add_echo(command);
}

}  // namespace trammel::commands
