// Commands that a run only repeats in the message file.
#pragma once

#include "session/planner.h"

namespace trammel::commands {

inline void plan_echo(Planner& planner, const Command& command) {
  planner.add_echo(command);
}

}  // namespace trammel::commands
