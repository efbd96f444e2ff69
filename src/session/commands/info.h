// INFO: six numbers of one marker relative to another.
#pragma once

#include "session/command_row.h"
#include "session/commands/references.h"
#include "session/model_changes.h"
#include "session/planner.h"
#include "session/stages.h"

namespace trammel::commands {

inline void plan_info(Planner& planner, const Command& command) {
  planner.begin_use();
  if (references_are_there(planner, command.statement))
    planner.add(planner.stage_of(command));
  else
    planner.add_echo(command);
}

inline Next execute_info(StageRunner& runner, const Stage& stage) {
  runner.update_model(stage);
  runner.log().tell(measured(runner.description(), stage.statement, runner.session()->present()));
  return runner.go_on();
}

}  // namespace trammel::commands
