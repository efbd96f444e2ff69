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
  const Session& session = *runner.session();
  runner.log().statistics(session.present().t, session.counters(), runner.records());
  return runner.go_on();
}

}  // namespace trammel::commands
