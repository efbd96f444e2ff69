#include "session/stages.h"

#include <filesystem>

#include "analysis/analyses/list.h"
#include "dataset/changes.h"
#include "integrate/device_equations.h"
#include "model/compile.h"
#include "session/model_changes.h"
#include "session/saved_file.h"

namespace trammel {

StageRunner::StageRunner(Job& job, RunLog& log, StageEvents events, const ComputeSettings& compute)
    : job_(job), log_(log), events_(std::move(events)), compute_(compute) {}

void StageRunner::begin(Model model, const DynamicsSettings& settings) {
  session_ = make_session(std::move(model), settings);
  channels_ = session_->shared_channels();
  log_.solver(*session_, compute_);
}

std::unique_ptr<Session> StageRunner::make_session(Model model, const DynamicsSettings& settings) {
  SessionEvents events;
  events.incidents = events_.incidents;
  events.record = [this](double t, StepKind kind, std::span<const double> values) {
    if (events_.record) events_.record(t, kind, in_columns(values));
    ++records_;
    log_.requests(t, session_->channels(), values);
    log_.record(t, session_->counters());
  };
  events.times = events_.times;
  events.device_failed = events_.device_failed;
  events.step = [this](const StepResult& s) { log_.step(s, session_->counters()); };
  events.note = [this](const std::string& text) { log_.tell(text); };
  events.message = [this](std::string_view lines) { log_.message(lines); };
  events.warning = [this](const std::string& text) { log_.warn(text); };
  events.spline_outside = [this](const SplineOutside& found) { log_.spline_outside(found); };
  events.pivots_lost = [this](const PivotsLost& lost, const Model& of, double t) {
    log_.pivots_lost(of, lost, t);
  };
  events.sensor = [this](const std::string& text) { log_.tell(text); };
  events.interrupted = events_.interrupted;
  events.save_due = events_.save_due;
  events.save = events_.save;
  ComputeSettings compute = compute_;
  if (session_) compute.structure = session_->assembler().structure();
  auto session = std::make_unique<Session>(std::move(model), settings, std::move(events), compute);
  if (events_.made) events_.made(*session);
  return session;
}

void StageRunner::watch(Session& session, const Stage& stage) {
  SolveObserver* log = log_.watch(session.model(), stage.debug);
  session.observe(events_.observer ? events_.observer : log);
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
  if (!stage_.integrates()) {
    log_.begin_steps(stage_);
    return end_steps(take_steps()) ? Next::stage : Next::end;
  }
  if (events_.steps_due) events_.steps_due(*session_, stage_);
  const ModelSystems& systems = session_->systems();
  if (systems.steps_on_device(stage_.settings.integrator))
    log_.steps_not_watched(systems.on_device()->device().backend());
  log_.begin_steps(stage_);
  return Next::steps;
}

AnalysisEnd StageRunner::take_steps() {
  return session_->run(*stage_.analysis, stage_.plan());
}

bool StageRunner::end_steps(AnalysisEnd end) {
  log_.end_stage(stage_, session_->state().t, session_->counters());
  if (end == AnalysisEnd::halted)
    log_.tell(fmt::format("{} ends the run (HALT).",
                          session_->analysis(*stage_.analysis).ended_by()->name.label()));
  if (end == AnalysisEnd::returned)
    log_.tell(fmt::format("{} ends this simulation (RETURN).",
                          session_->analysis(*stage_.analysis).ended_by()->name.label()));
  was_interrupted_ = end == AnalysisEnd::interrupted;
  return end == AnalysisEnd::complete || end == AnalysisEnd::returned;
}

void StageRunner::change(const Statement& statement) {
  apply_change(job_.description, statement, job_.diagnostics);
  note_renewal(statement, renewed_);
  changed_ = true;
}

void StageRunner::update_model(const Stage& stage) {
  session_->set(stage.settings);
  if (!changed_) return watch(*session_, stage);
  Diagnostics diagnostics;
  job_.counted_angles.merge(counted_angles(session_->model()));
  Model model = compile(job_.description, diagnostics, job_.counted_angles);
  diagnostics.stop_on_errors();
  for (const Diagnostic& d : diagnostics.list()) log_.warn(to_string(d));
  auto next = make_session(std::move(model), stage.settings);
  watch(*next, stage);
  if (initialized_) {
    const InitialReport& report = next->continue_from(*session_, renewed_);
    log_.initial_report(next->model(), report, next->state().t);
  }
  session_ = std::move(next);
  log_.solver(*session_, compute_);
  changed_ = false;
  renewed_ = {};
  match_columns();
}

std::string StageRunner::path_of(std::string_view file) const {
  return (std::filesystem::path(job_.folder) / file).string();
}

void StageRunner::check_file(const Stage& stage) const {
  const Statement& s = stage.statement;
  const bool writes = s.spec && (s.spec->keyword == "SAVE" || s.spec->keyword == "LINEAR") && s.has("FILE");
  if (writes && events_.refuse_file) events_.refuse_file(path_of(s.text("FILE")));
}

void StageRunner::save_system(const Stage& stage) {
  update_model(stage);
  const std::string path = path_of(stage.statement.text("FILE"));
  Archive a;
  archive_system(a, stage);
  write_saved(path, a.bytes());
  log_.tell(fmt::format("SAVE to {} successful.  System time is {:.9g}", path, session_->present().t));
}

void StageRunner::reload_system(const Stage& stage) {
  const std::string path = path_of(stage.statement.text("FILE"));
  try {
    Archive a(read_saved(path));
    archive_system(a, stage);
  } catch (const Failure& failure) {
    throw Failure(failure.code(), fmt::format("RELOAD: {}", failure.what()));
  }
  log_.tell(fmt::format(
      "RELOAD from {} successful.  System time is now {:.9g}; settings of INTEGRATOR are those of this "
      "command file",
      path, session_->present().t));
  log_.solver(*session_, compute_);
  match_columns();
}

void StageRunner::archive(Archive& a, const Stage& stage) {
  a.section("stage");
  if (a.restores()) stage_ = stage;
  std::string analysis(stage_.analysis ? stage_.analysis->name : "");
  a(analysis);
  for (const AnalysisRow* row : analyses())
    if (row->name == analysis) stage_.analysis = row;
  bool of_own_deck = job_.description.file == job_.commands.model;  // which may lie elsewhere now
  a(stage_.begin, stage_.end, stage_.steps, stage_.output_step, records_, linears_, of_own_deck);
  archive_system(a, stage_, of_own_deck);
  if (a.restores()) match_columns();
}

AnalysisEnd StageRunner::go_on_steps() {
  return session_->analysis(*stage_.analysis).go_on();
}

/// Saves or restores the description and its session.
void StageRunner::archive_system(Archive& a, const Stage& stage, bool of_own_deck) {
  trammel::archive(a, job_.description);
  if (of_own_deck) job_.description.file = job_.commands.model;
  a(initialized_);
  std::set<CountedAngle> counted;
  if (!a.restores()) counted = counted_angles(session_->model());
  a(counted);
  if (a.restores()) {
    Diagnostics diagnostics;
    Model model = compile(job_.description, diagnostics, counted);
    diagnostics.stop_on_errors();
    session_ = make_session(std::move(model), stage.settings);
    watch(*session_, stage);
    changed_ = false;
    renewed_ = {};
  }
  session_->archive(a, analyses());
}

void StageRunner::match_columns() {
  columns_ = match_channels(*channels_, session_->channels());
  row_.assign(columns_.size(), 0.0);
  std::vector<unsigned char> kept(session_->channels().size(), 0);
  for (int place : columns_)
    if (place >= 0) kept[place] = 1;
  std::size_t at = 0;
  for (const Entity& e : session_->channels().entities)
    for (const Component& c : e.components)
      if (!kept[at++])
        log_.warn(
            fmt::format("{}.{} has no place in the result files, which are open since the first simulation.",
                        e.name(), c.name));
}

const InitialReport* StageRunner::initialize() {
  if (initialized_) return nullptr;
  const InitialReport& report = session_->initialize();
  initialized_ = true;
  log_.initial_report(session_->model(), report, session_->state().t);
  return &report;
}

void StageRunner::tell_counters() {
  if (session_ && session_->counters().steps > 0)
    log_.counters(session_->counters(), session_->systems().counters(), session_->rounding_limited_step());
}

}  // namespace trammel
