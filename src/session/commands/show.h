// SHOW: statistics of the run so far.
#pragma once

#include "session/command_row.h"
#include "session/planner.h"
#include "session/stages.h"

namespace trammel::commands {

inline void plan_show(Planner& planner, const Command& command) {
  planner.add(planner.stage_of(command));
}

inline Next execute_show(StageRunner& runner, const Stage&) {
  Simulation& simulation = *runner.simulation();
  runner.log().statistics(simulation.present().t, simulation.counters(), runner.records());
  return runner.go_on();
}

}  // namespace trammel::commands
