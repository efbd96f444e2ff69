// INTEGRATOR, IC, KINEMATICS, EQUILIBRIUM, OUTPUT, RESULTS: settings that the dataset may give as well.
#pragma once

#include "dataset/changes.h"
#include "session/planner.h"
#include "session/settings_list.h"
#include "session/stages.h"

namespace trammel::commands {

/// INTEGRATOR, IC, KINEMATICS, EQUILIBRIUM: they hold for the stages that follow.
inline void plan_analysis_setting(Planner& planner, const Command& command) {
  apply_change(planner.description(), command.statement, planner.diagnostics());
  planner.read_settings_at(command.where);
  if (command.statement.has("LIST"))
    planner.add(planner.stage_of(command));
  else
    planner.add_echo(command);
}

/// LIST: writes the settings in force.
inline Next execute_analysis_setting(StageRunner& runner, const Stage& stage) {
  const std::string_view keyword = stage.statement.spec->keyword;
  runner.log().settings(keyword, settings_list(keyword, stage.settings));
  return runner.go_on();
}

/// OUTPUT, RESULTS: they hold for the whole run.
inline void plan_file_setting(Planner& planner, const Command& command) {
  apply_change(planner.description(), command.statement, planner.diagnostics());
  if (planner.simulates())
    planner.diagnostics().warning(
        command.where, "{}: the result files are open since the first SIMULATE; this has no effect",
        command.statement.label());
  else
    planner.read_files();
  planner.add_echo(command);
}

}  // namespace trammel::commands
