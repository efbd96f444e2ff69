#include "session/stages.h"

#include <algorithm>

#include "dataset/changes.h"
#include "model/compile.h"
#include "session/model_changes.h"

namespace trammel {

StageRunner::StageRunner(Job& job, RunLog& log, StageEvents events, const ComputeSettings& compute)
    : job_(job), log_(log), events_(std::move(events)), compute_(compute) {}

void StageRunner::begin(Model model, const DynamicsSettings& settings) {
  simulation_ = make_simulation(std::move(model), settings);
  channels_ = simulation_->channels();
  log_.solver(*simulation_, compute_);
}

std::unique_ptr<Simulation> StageRunner::make_simulation(Model model, const DynamicsSettings& settings) {
  SimulationEvents events;
  events.record = [this](double t, StepKind kind, std::span<const double> values) {
    if (events_.record) events_.record(t, kind, in_columns(values));
    ++records_;
    log_.record(t, simulation_->counters());
  };
  events.times = events_.times;
  events.step = [this](const StepResult& s) { log_.step(s, simulation_->counters()); };
  events.warning = [this](const std::string& text) { log_.warn(text); };
  events.sensor = [this](const std::string& text) { log_.tell(text); };
  events.interrupted = events_.interrupted;
  auto simulation = std::make_unique<Simulation>(std::move(model), settings, std::move(events), compute_);
  if (events_.made) events_.made(*simulation);
  return simulation;
}

std::span<const double> StageRunner::in_columns(std::span<const double> values) {
  if (columns_.empty()) return values;
  for (std::size_t k = 0; k < columns_.size(); ++k) row_[k] = columns_[k] < 0 ? 0.0 : values[columns_[k]];
  return row_;
}

bool StageRunner::go_on() {
  was_interrupted_ = events_.interrupted && events_.interrupted();
  return !was_interrupted_;
}

bool StageRunner::run(const Stage& stage) {
  const Next next = begin(stage);
  return next == Next::steps ? end_steps(take_steps()) : next == Next::stage;
}

StageRunner::Next StageRunner::begin(const Stage& stage) {
  log_.echo(stage.echo);
  switch (stage.kind) {
    case Stage::Kind::command:
      break;
    case Stage::Kind::change:
      apply_change(job_.description, stage.statement, job_.diagnostics);
      note_renewal(stage.statement, renewed_);
      changed_ = true;
      break;
    case Stage::Kind::show:
      log_.statistics(simulation_->present().t, simulation_->counters(), records_);
      break;
    case Stage::Kind::info:
      update_model(stage);
      log_.tell(measured(job_.description, stage.statement, simulation_->present()));
      break;
    case Stage::Kind::initial_conditions:
    case Stage::Kind::dynamics:
      return simulate(stage);
  }
  return go_on() ? Next::stage : Next::end;
}

StageRunner::Next StageRunner::simulate(const Stage& given) {
  stage_ = given;
  Stage& stage = stage_;
  const bool dynamics = stage.kind == Stage::Kind::dynamics;
  if (dynamics && stage.ends_early && !still_to_come(stage)) return Next::stage;
  log_.begin_stage(stage);
  update_model(stage);
  initialize(stage);
  if (!dynamics) {
    simulation_->record_initial();
    log_.end_stage(simulation_->state().t, simulation_->counters());
    return go_on() ? Next::stage : Next::end;
  }
  if (stage.settings.hht.alpha > -0.05 && simulation_->model().multipliers > 0)
    log_.warn(fmt::format(
        "ALPHA = {:.4g} with constraints is weakly unstable: energy can grow; use ALPHA <= -0.05.",
        stage.settings.hht.alpha));
  if (events_.steps_due) events_.steps_due(*simulation_, stage);
  log_.begin_steps(stage);
  return Next::steps;
}

SimulationEnd StageRunner::take_steps() {
  return simulation_->dynamics(stage_.end, stage_.steps, stage_.output_step);
}

bool StageRunner::end_steps(SimulationEnd end) {
  log_.end_stage(simulation_->state().t, simulation_->counters());
  if (end == SimulationEnd::halted)
    log_.tell(fmt::format("{} ends the run (HALT).", simulation_->ended_by()->name.label()));
  if (end == SimulationEnd::returned)
    log_.tell(fmt::format("{} ends this simulation (RETURN).", simulation_->ended_by()->name.label()));
  was_interrupted_ = end == SimulationEnd::interrupted;
  return end == SimulationEnd::complete || end == SimulationEnd::returned;
}

/// Works out the interval from the present time, which no plan knows where sensors end simulations. False,
/// after a warning, when its END is reached already.
bool StageRunner::still_to_come(Stage& stage) {
  try {
    set_interval(stage, simulation_->present().t);
    return true;
  } catch (const Failure& failure) {
    log_.warn(
        fmt::format("{}: SIMULATE: {}: this command is left out", to_string(stage.where), failure.what()));
    return false;
  }
}

/// Brings the simulation up to what commands have made of the model and of the settings.
void StageRunner::update_model(const Stage& stage) {
  simulation_->set(stage.settings);
  if (!changed_) return;
  Diagnostics diagnostics;
  Model model = compile(job_.description, diagnostics);
  diagnostics.stop_on_errors();
  for (const Diagnostic& d : diagnostics.list()) log_.warn(to_string(d));
  auto next = make_simulation(std::move(model), stage.settings);
  if (initialized_) {
    const InitialReport& report = next->continue_from(*simulation_, renewed_);
    log_.initial_report(next->model(), report, next->state().t);
  }
  simulation_ = std::move(next);
  log_.solver(*simulation_, compute_);
  changed_ = false;
  renewed_ = {};
  match_columns();
}

void StageRunner::match_columns() {
  columns_ = match_channels(channels_, simulation_->channels());
  row_.assign(columns_.size(), 0.0);
  std::vector<unsigned char> kept(simulation_->channels().size(), 0);
  for (int place : columns_)
    if (place >= 0) kept[place] = 1;
  std::size_t at = 0;
  for (const Entity& e : simulation_->channels().entities)
    for (const Component& c : e.components)
      if (!kept[at++])
        log_.warn(
            fmt::format("{}.{} has no place in the result files, which are open since the first simulation.",
                        e.name(), c.name));
}

void StageRunner::initialize(const Stage& stage) {
  if (initialized_) return;
  const InitialReport& report = simulation_->initialize();
  initialized_ = true;
  log_.initial_report(simulation_->model(), report, simulation_->state().t);
  const Model& model = simulation_->model();
  if (stage.kind == Stage::Kind::dynamics && !stage.transient && report.degrees_of_freedom == 0 &&
      model.coordinates > 0)
    log_.note(
        "Nothing is free to move: motions and joints determine everything, and dynamics gives the "
        "reactions.");
}

void StageRunner::tell_counters() {
  if (simulation_ && simulation_->counters().steps > 0)
    log_.counters(simulation_->counters(), simulation_->linear_counters(),
                  simulation_->rounding_limited_step());
}

}  // namespace trammel
