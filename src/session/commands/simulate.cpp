#include "session/commands/simulate.h"

#include "integrate/methods/list.h"
#include "session/planner.h"
#include "session/stages.h"

namespace trammel::commands {

void plan_simulate(Planner& planner, const Command& command) {
  planner.begin_use();
  planner.begin_simulations();
  Stage stage = planner.stage_of(command);
  stage.analysis = analysis_of(command.statement);
  if (stage.takes_steps() && !planner.set_interval_of(stage, command)) return planner.add_echo(command);
  planner.add(std::move(stage));
}

namespace {

/// Works out the interval from the present time, which no plan knows where sensors end simulations. False,
/// after a warning, when its END is reached already.
bool still_to_come(StageRunner& runner, Stage& stage) {
  try {
    set_interval(stage, runner.session()->present().t);
    return true;
  } catch (const Failure& failure) {
    runner.log().warn(
        fmt::format("{}: SIMULATE: {}: this command is left out", to_string(stage.where), failure.what()));
    return false;
  }
}

void find_initial_conditions(StageRunner& runner, const Stage& stage) {
  const InitialReport* report = runner.initialize();
  if (!report) return;
  const bool nothing_free = report->degrees_of_freedom == 0 && runner.session()->model().coordinates > 0;
  if (nothing_free && stage.takes_steps() && !stage.statement.has("TRANSIENT"))
    runner.log().note(
        "Nothing is free to move: motions and joints determine everything, and dynamics gives the "
        "reactions.");
}

}  // namespace

Next execute_simulate(StageRunner& runner, const Stage& planned) {
  Stage stage = planned;
  if (stage.takes_steps() && stage.ends_early && !still_to_come(runner, stage)) return Next::stage;
  runner.log().begin_stage(stage);
  runner.update_model(stage);
  find_initial_conditions(runner, stage);
  Session& session = *runner.session();
  runner.log().model_tables(session.model(), session.initialize());
  if (!stage.takes_steps()) {
    session.run(*stage.analysis);
    runner.log().end_stage(session.state().t, session.counters());
    return runner.go_on();
  }
  if (const IntegratorOptions& options = stage.settings.integrator; session.model().multipliers > 0)
    if (const std::string advice = method_of(options).advice(options); !advice.empty())
      runner.log().warn(advice);
  return runner.begin_steps(std::move(stage));
}

}  // namespace trammel::commands
