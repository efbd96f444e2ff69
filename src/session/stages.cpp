#include "session/stages.h"

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

Next StageRunner::go_on() {
  was_interrupted_ = events_.interrupted && events_.interrupted();
  return was_interrupted_ ? Next::end : Next::stage;
}

bool StageRunner::run(const Stage& stage) {
  const Next next = begin(stage);
  return next == Next::steps ? end_steps(take_steps()) : next == Next::stage;
}

Next StageRunner::begin(const Stage& stage) {
  log_.echo(stage.echo);
  return stage.row && stage.row->execute ? stage.row->execute(*this, stage) : go_on();
}

Next StageRunner::begin_steps(Stage stage) {
  stage_ = std::move(stage);
  if (events_.steps_due) events_.steps_due(*simulation_, stage_);
  log_.begin_steps(stage_);
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

void StageRunner::change(const Statement& statement) {
  apply_change(job_.description, statement, job_.diagnostics);
  note_renewal(statement, renewed_);
  changed_ = true;
}

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

const InitialReport* StageRunner::initialize() {
  if (initialized_) return nullptr;
  const InitialReport& report = simulation_->initialize();
  initialized_ = true;
  log_.initial_report(simulation_->model(), report, simulation_->state().t);
  return &report;
}

void StageRunner::tell_counters() {
  if (simulation_ && simulation_->counters().steps > 0)
    log_.counters(simulation_->counters(), simulation_->linear_counters(),
                  simulation_->rounding_limited_step());
}

}  // namespace trammel
