#include "api/api_model.h"

#include <algorithm>
#include <cmath>

#include "dataset/changes.h"
#include "dataset/check.h"
#include "dataset/permissive.h"
#include "dataset/reader.h"
#include "model/compile.h"
#include "session/make_plan.h"
#include "session/model_changes.h"
#include "session/run.h"

namespace trammel {

namespace {

ApiOptions checked(ApiOptions options) {
  check_threads(options.compute.threads);
  check_linear_solver(options.compute.linear_solver);
  if (options.job.strict && options.job.permissive)
    fail(ExitCode::usage, "strict and permissive exclude each other");
  return options;
}

Job job_of_text(const std::string& name, std::string_view dataset) {
  Job job;
  job.file = job.commands.model = name;
  job.commands.output_prefix = stem_of(name);
  job.description = parse_dataset(std::string(dataset), name, job.diagnostics);
  job.read = true;
  return job;
}

/// The settings of the first analysis of the plan; without any those at the start.
const DynamicsSettings& first_settings(const Plan& plan) {
  for (const Stage& stage : plan.stages)
    if (stage.analysis) return stage.settings;
  return plan.settings;
}

}  // namespace

ApiRun::ApiRun(Job prepared, const ComputeSettings& compute, Listener listener, const StageEvents& events)
    : job(std::move(prepared)), log(std::move(listener)), stages(job, log, events, compute) {}

ApiModel::ApiModel(const std::string& file, ApiOptions options) : options_(checked(std::move(options))) {
  options_.job.file = file;
  deck_ = read_job(options_.job);
  changes_ = options_.job.sets;
  run_ = prepared(changes_);
}

ApiModel::ApiModel(const std::string& name, std::string_view dataset, ApiOptions options)
    : options_(checked(std::move(options))) {
  options_.job.file = name;
  deck_ = job_of_text(name, dataset);
  changes_ = options_.job.sets;
  run_ = prepared(changes_);
}

/// Prepares the deck with the changes as `trammel run` does, up to its first command.
std::unique_ptr<ApiRun> ApiModel::prepared(const std::vector<std::string>& changes) const {
  auto* self = const_cast<ApiModel*>(this);  // the events change the model
  auto run = std::make_unique<ApiRun>(deck_, options_.compute, self->listener(), self->events());
  Job& job = run->job;
  JobOptions options = options_.job;
  options.sets = changes;
  prepare_job(job, options, edits_of(options.sets));
  if (!job.read) job.diagnostics.stop_on_errors();
  const bool integrator_given = integrator_is_given(job);
  auto [plan, model] = plan_and_compile(job, {}, options.strict, options.permissive);
  run->log.findings(job);
  job.diagnostics.stop_on_errors();
  for (const std::string& text : model_warnings(model)) run->log.warn(text);
  if (const std::string note = integrator_note(plan, integrator_given); !note.empty()) run->log.tell(note);
  run->plan = std::move(plan);
  run->settings = first_settings(run->plan);
  run->stages.begin(std::move(model), run->plan.settings);
  return run;
}

Listener ApiModel::listener() {
  Listener listener;
  listener.say = [this](const std::string& text) {
    if (listeners.text) listeners.text(listeners.text_user, text.c_str());
  };
  return listener;
}

StageEvents ApiModel::events() {
  StageEvents events;
  events.record = [this](double t, StepKind, std::span<const double> values) {
    if (listeners.record && listeners.record(listeners.record_user, t, values.data(), values.size()) != 0)
      stop_ = true;
  };
  events.made = [this](Session&) { recorded_ = nullptr; };
  // Called before every step, and after every command.
  events.interrupted = [this] { return stop_ || (allowed_ >= 0 && allowed_-- == 0); };
  return events;
}

void ApiModel::require_idle() const {
  if (busy_) fail(ExitCode::usage, "the model is being simulated: this cannot be asked by what hears of it");
}

// ---- changes

void ApiModel::change(const std::string& text) {
  require_idle();
  if (run_->begun) return change_present(edits_of({text}).front());
  std::vector<std::string> changes = changes_;
  changes.push_back(text);
  run_ = prepared(changes);
  changes_ = std::move(changes);
  recorded_ = nullptr;
  channels_.reset();
}

/// Changes the model in use, as a redefinition among the commands does. All mistakes are found before
/// anything is changed.
void ApiModel::change_present(const Edit& edit) {
  Statement change = parse_redefinition(edit.text, edit.origin);
  if (change.spec->keyword == "UNITS")
    fail(ExitCode::input, "UNITS: they cannot change once the model is in use");
  Description changed = run_->job.description;
  Diagnostics found;
  apply_change(changed, change, found);
  found.stop_on_errors();
  check_description(changed, found);
  report_unsupported(changed, found);
  found.stop_on_errors();
  compile(changed, found);
  DynamicsSettings settings = run_->settings;
  const bool of_settings = change.spec->keyword == "INTEGRATOR" || change.spec->keyword == "IC";
  if (of_settings) settings = read_settings(changed, found, options_.job.permissive);
  settings.initial.keep_exact = options_.job.strict;
  found.stop_on_errors();

  const std::string before = save();
  try {
    under_way([&] {
      run_->stages.change(change);
      run_->settings = settings;
      run_->how = TRAMMEL_NONE;
      run_->stages.update_model(stage_of_own());
    });
    session();     // fails where there are no accelerations
  } catch (...) {  // the initial conditions of the changed model have failed
    const std::exception_ptr why = std::current_exception();
    restore(before);
    std::rethrow_exception(why);
  }
}

// ---- state

Session& ApiModel::unassembled() {
  return *run_->stages.session();
}

Session& ApiModel::session() {
  run_->begun = true;
  run_->stages.initialize();  // does nothing after the first call
  Session& session = *run_->stages.session();
  if (!session.at_rest()) session.require_accelerations();
  return session;
}

double ApiModel::time() const {
  return run_->stages.session()->present().t;
}

const Channels& ApiModel::record_channels() {
  return run_->stages.channels();
}

const std::vector<ChannelRef>& ApiModel::channels() {
  if (!channels_) channels_ = list_channels(record_channels());
  return *channels_;
}

std::span<const double> ApiModel::values() {
  Session& session = this->session();
  if (recorded_ != &session) {
    recorder_ = std::make_unique<Recorder>(session.model(), session.assembler(), session.initial(),
                                           session.report(), options_.compute.share_reactions);
    columns_ = match_channels(record_channels(), session.channels());
    recorded_ = &session;
  }
  const std::span<const double> present = recorder_->values(session.state(), in_dynamics);
  // With shared reactions the recorder has evaluated another state.
  if (options_.compute.share_reactions) session.assembler().evaluate(session.state(), in_dynamics);
  values_.resize(columns_.size());
  for (std::size_t k = 0; k < columns_.size(); ++k) values_[k] = columns_[k] < 0 ? 0.0 : present[columns_[k]];
  return values_;
}

namespace {

/// Brings the state onto the constraints, repeatedly until positions stop changing.
void settle(Session& session, State& state) {
  constexpr int at_most = 10;
  double size = 1;
  for (const double q : session.state().q) size = std::max(size, std::abs(q));
  for (int k = 0; k < at_most; ++k) {
    const std::vector<double> before = state.q;
    session.initial().reconcile(state);
    double change = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
      change = std::max(change, std::abs(state.q[i] - before[i]));
    if (!(change <= 1e-9 * size)) continue;
    session.assembler().evaluate(state, in_dynamics);
    session.assembler().current_angles(state, state.angle);
    return;
  }
  fail(ExitCode::solver, "the constraints cannot be satisfied from the coordinates that were set");
}

}  // namespace

void ApiModel::set(std::span<const double> coordinates, std::span<const double> velocities) {
  require_idle();
  Session& session = this->session();
  State next = session.state();
  if (!coordinates.empty()) next.q.assign(coordinates.begin(), coordinates.end());
  if (!velocities.empty()) next.v.assign(velocities.begin(), velocities.end());
  for (const std::vector<double>* list : {&next.q, &next.v})
    for (const double x : *list)
      if (!std::isfinite(x)) fail(ExitCode::usage, "a coordinate or velocity is not a finite number");
  try {
    settle(session, next);
  } catch (...) {
    session.assembler().evaluate(session.state(), in_dynamics);
    throw;
  }
  session.move_to(std::move(next));
  run_->how = TRAMMEL_NONE;
}

namespace {

void take_over(std::vector<double>& values, const double* given) {
  if (given) values.assign(given, given + values.size());
}

}  // namespace

/// Evaluates at a point (null: the present state) and calls `use`; then evaluates at the present state again,
/// from which steps continue.
template <class Use>
void ApiModel::at(const trammel_point* point, const Use& use) {
  Session& session = this->session();
  Assembler& assembler = session.assembler();
  State state = session.state();
  if (point) {
    state.t = point->time;
    take_over(state.q, point->coordinates), take_over(state.v, point->velocities);
    take_over(state.a, point->accelerations), take_over(state.lambda, point->multipliers);
    take_over(state.s, point->scalars), take_over(state.sdot, point->rates);
  }
  try {
    assembler.evaluate(state, in_dynamics);
    use(assembler, state);
  } catch (...) {
    assembler.evaluate(session.state(), in_dynamics);
    throw;
  }
  assembler.evaluate(session.state(), in_dynamics);
}

void ApiModel::residual(const trammel_point* point, const Coefficients& coefficients, std::span<double> out) {
  at(point,
     [&](const Assembler& assembler, const State& state) { assembler.residual(state, coefficients, out); });
}

void ApiModel::tangent(const trammel_point* point, const Coefficients& coefficients, std::span<double> out) {
  at(point, [&](Assembler& assembler, const State& state) { assembler.tangent(state, coefficients, out); });
}

}  // namespace trammel
