// SIMULATE: runs an analysis of the model (initial conditions, statics, or a simulation in time).
#pragma once

#include "session/command_row.h"

namespace trammel::commands {

void plan_simulate(Planner& planner, const Command& command);
Next execute_simulate(StageRunner& runner, const Stage& stage);

}  // namespace trammel::commands
