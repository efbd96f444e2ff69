// SIMULATE: initial conditions, or a simulation in time.
#pragma once

#include "session/command_row.h"

namespace trammel::commands {

void plan_simulate(Planner& planner, const Command& command);
Next execute_simulate(StageRunner& runner, const Stage& stage);

}  // namespace trammel::commands
