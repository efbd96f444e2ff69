// DEBUG: what is told of the iterations that follow.
#pragma once

#include "session/planner.h"

namespace trammel::commands {

/// Behind the DEBUG statements of the dataset, whose words it takes back or adds to.
inline void plan_debug(Planner& planner, const Command& command) {
  planner.description().statements.push_back(command.statement);
  planner.add_echo(command);
}

}  // namespace trammel::commands
