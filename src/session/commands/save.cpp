#include "session/commands/save.h"

#include "session/planner.h"
#include "session/stages.h"

namespace trammel::commands {

void plan_save(Planner& planner, const Command& command) {
  planner.begin_use();
  planner.save(command.statement);
  planner.add(planner.stage_of(command));
}

Next execute_save(StageRunner& runner, const Stage& stage) {
  runner.save_system(stage);
  return runner.go_on();
}

void plan_reload(Planner& planner, const Command& command) {
  planner.begin_use();
  if (!planner.reload(command.statement)) return planner.add_echo(command);
  Stage stage = planner.stage_of(command);
  stage.changes_model = true;
  planner.add(std::move(stage));
}

Next execute_reload(StageRunner& runner, const Stage& stage) {
  runner.reload_system(stage);
  return runner.go_on();
}

}  // namespace trammel::commands
