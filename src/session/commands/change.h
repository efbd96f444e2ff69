// Changes of the model: ACTIVATE, DEACTIVATE, and redefinitions such as PART/2, MASS=3.5.
#pragma once

#include "dataset/changes.h"
#include "dataset/permissive.h"
#include "session/command_row.h"
#include "session/planner.h"
#include "session/stages.h"

namespace trammel::commands {

/// With --permissive: the missing element that keeps the change from being made; "" if there is none.
inline std::string missing_for(const Description& description, const Statement& change) {
  const std::string missing = missing_target(description, change);
  if (!missing.empty()) return missing;
  const Absence* named = absent_mention(description, change);
  if (!named) return {};
  return (named->label.empty() ? "what it names" : named->label) + " is left out";
}

/// Before the model is first used the change is made at once; later it becomes a stage.
inline void plan_change(Planner& planner, const Command& command) {
  const Statement& change = command.statement;
  const std::string missing = planner.permissive() ? missing_for(planner.present(), change) : "";
  if (!missing.empty()) {
    planner.diagnostics().warning(change.where, "{}: {}; this command is left out", change.label(), missing);
    return planner.add_echo(command);
  }
  if (planner.in_use() && change.spec->keyword == "UNITS") {
    planner.diagnostics().error(change.where, "UNITS: they cannot change once the model is in use");
    return planner.add_echo(command);
  }
  planner.change(change);
  if (!planner.in_use()) return planner.add_echo(command);
  Stage stage = planner.stage_of(command);
  stage.changes_model = true;
  planner.add(std::move(stage));
}

inline Next execute_change(StageRunner& runner, const Stage& stage) {
  runner.change(stage.statement);
  return runner.go_on();
}

}  // namespace trammel::commands
