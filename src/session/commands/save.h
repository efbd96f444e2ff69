// SAVE/SYSTEM and RELOAD/SYSTEM: model and state, to a file and back.
#pragma once

#include "session/command_row.h"

namespace trammel::commands {

void plan_save(Planner& planner, const Command& command);
Next execute_save(StageRunner& runner, const Stage& stage);
void plan_reload(Planner& planner, const Command& command);
Next execute_reload(StageRunner& runner, const Stage& stage);

}  // namespace trammel::commands
