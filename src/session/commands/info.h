// INFO: six numbers of one marker relative to another.
#pragma once

#include "session/command_row.h"
#include "session/model_changes.h"
#include "session/planner.h"
#include "session/stages.h"

namespace trammel::commands {

/// False for an INFO that cannot be answered.
inline bool markers_are_there(Planner& planner, const Statement& info) {
  bool all = true;
  for (const Argument& a : info.arguments) {
    if (a.field->refers.empty()) continue;
    const int id = static_cast<int>(a.numbers.front());
    if (planner.present().find(a.field->refers, id)) continue;
    all = false;
    if (!planner.present().find_absent(a.field->refers, id))
      planner.diagnostics().error(a.where, "INFO: marker {} does not exist", id);
    else if (planner.permissive())
      planner.diagnostics().warning(a.where, "INFO: marker {} is left out; this command is left out", id);
  }
  return all;
}

inline void plan_info(Planner& planner, const Command& command) {
  planner.begin_use();
  if (markers_are_there(planner, command.statement))
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
