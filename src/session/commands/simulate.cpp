#include "session/commands/simulate.h"

#include "analysis/analyses/kinematics.h"
#include "integrate/methods/list.h"
#include "session/planner.h"
#include "session/stages.h"

namespace trammel::commands {

namespace {

/// Warns of an interval that an analysis of one instant does not have.
void tell_idle_interval(Planner& planner, const Statement& simulate, const AnalysisRow& analysis) {
  for (const std::string_view name : {"END", "DURATION", "DTOUT", "STEPS"})
    if (const Argument* a = simulate.find(name))
      planner.diagnostics().warning(a->where, "SIMULATE/{}: {} has no effect{}", analysis.name, name,
                                    analysis.extent == Extent::either ? " without END or DURATION" : "");
}

}  // namespace

void plan_simulate(Planner& planner, const Command& command) {
  planner.begin_use();
  planner.begin_simulations();
  Stage stage = planner.stage_of(command);
  stage.analysis = analysis_of(command.statement);
  if (!simulates_in_time(command.statement))
    tell_idle_interval(planner, command.statement, *stage.analysis);
  else if (!planner.set_interval_of(stage, command))
    return planner.add_echo(command);
  planner.add(std::move(stage));
}

namespace {

/// Works out the interval from the present time, which the plan cannot know where sensors end simulations.
/// False, after a warning, where its END has passed already.
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

/// TRANSIENT is kinematics where constraints determine the motion, else dynamics.
const AnalysisRow* chosen(StageRunner& runner, const Stage& stage) {
  runner.update_model(stage);
  const Session& session = *runner.session();
  const InitialReport& report = runner.session()->initialize();
  if (report.degrees_of_freedom != 0 || session.model().coordinates == 0) return stage.analysis;
  const std::string why = KinematicAnalysis::obstacle(session.model(), report);
  if (why.empty()) return &kinematics_analysis;
  runner.log().note(fmt::format("TRANSIENT: nothing is free to move, but {}: dynamics is used.", why));
  return stage.analysis;
}

/// Warns of an analysis that does not suit the model.
void tell_doubts(StageRunner& runner, const Stage& stage) {
  const Session& session = *runner.session();
  const InitialReport& report = runner.session()->initialize();
  const bool nothing_free = report.degrees_of_freedom == 0 && session.model().coordinates > 0;
  if (nothing_free && stage.statement.has("DYNAMICS") &&
      KinematicAnalysis::obstacle(session.model(), report).empty())
    runner.log().warn(
        "The data set is kinematically determinate.  However, a dynamic analysis\nhas been requested.  "
        "SIMULATE/KINEMATICS or TRANSIENT finds the same motion\nwithout an integration error.");
  if (const IntegratorOptions& options = stage.settings.integrator;
      stage.integrates() && session.model().multipliers > 0)
    if (const std::string advice = method_of(options).advice(options); !advice.empty())
      runner.log().warn(advice);
}

}  // namespace

Next execute_simulate(StageRunner& runner, const Stage& planned) {
  Stage stage = planned;
  if (stage.takes_steps() && stage.ends_early && !still_to_come(runner, stage)) return Next::stage;
  if (stage.statement.has("TRANSIENT")) stage.analysis = chosen(runner, stage);
  runner.log().begin_stage(stage);
  runner.update_model(stage);
  runner.initialize();
  Session& session = *runner.session();
  runner.log().model_tables(session.model(), session.initialize());
  tell_doubts(runner, stage);
  if (stage.takes_steps()) return runner.begin_steps(std::move(stage));
  session.run(*stage.analysis);
  runner.log().end_stage(stage, session.state().t, session.counters());
  return runner.go_on();
}

}  // namespace trammel::commands
