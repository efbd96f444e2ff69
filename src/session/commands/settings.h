// INTEGRATOR, IC, OUTPUT, RESULTS: settings, which the dataset may give as well.
#pragma once

#include "dataset/changes.h"
#include "session/planner.h"

namespace trammel::commands {

/// INTEGRATOR, IC: for what follows.
inline void plan_analysis_setting(Planner& planner, const Command& command) {
  apply_change(planner.description(), command.statement, planner.diagnostics());
  planner.read_settings_at(command.where);
  planner.add_echo(command);
}

/// OUTPUT, RESULTS: for the whole run.
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
