// INFO: six numbers of one marker relative to another.
#pragma once

#include "session/command_row.h"
#include "session/model_changes.h"
#include "session/planner.h"
#include "session/stages.h"

namespace trammel::commands {

/// False for a command that cannot be carried out, since what it names does not exist.
inline bool references_are_there(Planner& planner, const Statement& command) {
  bool all = true;
  for (const Argument& a : command.arguments) {
    if (a.field->refers.empty()) continue;
    const int id = static_cast<int>(a.numbers.front());
    if (planner.present().find(a.field->refers, id)) continue;
    all = false;
    if (!planner.present().find_absent(a.field->refers, id))
      planner.diagnostics().error(a.where, "{}: {}/{} does not exist", command.spec->keyword, a.field->refers,
                                  id);
    else if (planner.permissive())
      planner.diagnostics().warning(a.where, "{}: {}/{} is left out; this command is left out",
                                    command.spec->keyword, a.field->refers, id);
  }
  return all;
}

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
