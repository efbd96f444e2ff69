// LINEAR: the model linearised at its present state; eigenvalues, modes, state matrices.
#pragma once

#include "session/command_row.h"

namespace trammel::commands {

void plan_linear(Planner& planner, const Command& command);
Next execute_linear(StageRunner& runner, const Stage& stage);

}  // namespace trammel::commands
