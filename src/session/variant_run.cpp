#include "session/variant_run.h"

#include <mutex>

#include "base/clock.h"
#include "model/compile.h"
#include "session/failure.h"
#include "session/make_plan.h"

namespace trammel {

PreparedJob prepare_variant(const BatchSetting& setting, const Variant* variant) {
  const BatchOptions& options = setting.options;
  PreparedJob out;
  out.job = setting.deck;
  std::vector<Edit> edits = edits_of(options.job.sets);
  if (variant)
    for (Edit& edit : edits_of(setting.table, *variant)) edits.push_back(std::move(edit));
  prepare_job(out.job, options.job, edits);
  if (out.job.diagnostics.has_errors()) return out;
  const bool integrator_given = integrator_is_given(out.job);
  out.plan = make_plan(out.job, options.times, options.job.strict, options.job.permissive);
  for (const Stage& stage : out.plan.stages)
    if (stage.statement.spec && stage.statement.spec->keyword == "SAVE")
      out.job.diagnostics.unsupported(stage.where, "SAVE: the variants of a batch would write the same file");
  out.integrator_note = integrator_note(out.plan, integrator_given);
  out.model = compile(out.job.description, out.job.diagnostics, out.job.counted_angles);
  if (options.job.strict) raise_to_errors(out.job.diagnostics, Severity::warning);
  return out;
}

namespace {

/// Guards result files: the netCDF library serves one thread at a time.
std::mutex result_files;

}  // namespace

VariantRun::VariantRun(const BatchSetting& setting, const Variant& variant, bool again)
    : setting_(setting),
      variant_(variant),
      stages_(prepared_.job, log_, events(), setting.compute),
      again_(again) {}

VariantRun::~VariantRun() {
  const std::lock_guard lock(result_files);
  results_.reset();
}

/// Does `work`; an exception ends the variant as failed. Its wall time is added to the result.
template <class F>
void VariantRun::guarded(const F& work) {
  const Stopwatch begun;
  try {
    work();
  } catch (...) {
    const Failure failure = present_failure();
    failed(failure);
  }
  result_.seconds += begun.seconds();
}

bool VariantRun::run_to_steps() {
  if (ended_) return false;
  guarded([this] {
    if (!begun_) begin();
    begun_ = true;
    const std::vector<Stage>& stages = prepared_.plan.stages;
    auto next = Next::stage;
    while (next == Next::stage && next_stage_ < stages.size()) next = stages_.begin(stages[next_stage_++]);
    if (next != Next::steps) finish();
  });
  return !ended_;
}

void VariantRun::take_steps() {
  guarded([this] { end_steps(stages_.take_steps()); });
}

void VariantRun::steps_elsewhere(const std::function<std::optional<AnalysisEnd>()>& steps) {
  log_.steps_not_watched("a device");
  guarded([&] {
    if (const std::optional<AnalysisEnd> end = steps()) end_steps(*end);
  });
}

void VariantRun::end_steps(AnalysisEnd end) {
  if (!stages_.end_steps(end)) finish();
}

void VariantRun::fail(ExitCode code, const std::string& text) {
  guarded([&] { throw Failure(code, text); });
}

VariantResult VariantRun::result(const std::string& where) {
  result_.where = where;
  if (const Session* session = stages_.session()) {
    result_.begun = true;
    result_.end = session->present().t;
    result_.counters = session->counters();
  }
  if (watch_) result_.values = watch_->values();
  return std::move(result_);
}

void VariantRun::begin() {
  const bool full = setting_.options.full;
  if (full) {
    place_.take(prefix(), setting_.inputs);
    make_room(prefix() + ".msg");
    log_.open(prefix(), setting_.info);
  }
  prepared_ = prepare_variant(setting_, &variant_);
  log_.findings(prepared_.job);
  prepared_.job.diagnostics.stop_on_errors();
  for (const std::string& text : model_warnings(prepared_.model)) log_.warn(text);
  if (!prepared_.integrator_note.empty()) log_.note(prepared_.integrator_note);
  stages_.begin(std::move(prepared_.model), prepared_.plan.settings);
  watch_.emplace(setting_.watched, setting_.channels, stages_.channels());
  if (full) open_results();
}

void VariantRun::make_room(const std::string& path) const {
  if (again_)
    place_.refuse_input(path);
  else
    place_.make_room(path);
}

StageEvents VariantRun::events() {
  StageEvents events;
  events.record = [this](double t, StepKind kind, std::span<const double> values) {
    watch_->record(t, values);
    if (!results_) return;
    const std::lock_guard lock(result_files);
    results_->record(t, kind, values);
  };
  events.modes = [this](const ModeSet& set) {
    if (!results_) return;
    const std::lock_guard lock(result_files);
    results_->modes(set);
  };
  events.interrupted = setting_.interrupted;
  return events;
}

void VariantRun::open_results() {
  const BatchOptions& options = setting_.options;
  make_room(prefix() + extension_of(Format::native));
  const std::lock_guard lock(result_files);
  results_.emplace();
  RunInfo info = setting_.info;
  info.integrator = integrator_of(prepared_.plan);
  results_->open(stages_.channels(), info, prefix(), {Format::native},
                 output_options(prepared_.plan, options.single_precision, options.every));
}

std::vector<FileReport> VariantRun::close_results(bool successful) {
  if (!results_) return {};
  const std::lock_guard lock(result_files);
  results_->close(successful);
  return results_->files();
}

void VariantRun::finish() {
  ended_ = true;
  const bool interrupted = stages_.was_interrupted();
  if (interrupted && setting_.stopped_by() == 0)
    trammel::fail(ExitCode::io, "stopped, because the table of the batch cannot be written");
  result_.exit_code = interrupted ? setting_.stop_code() : 0;
  result_.status = interrupted ? VariantResult::Status::interrupted : VariantResult::Status::done;
  const std::vector<FileReport> files = close_results(!interrupted);
  note_warnings();
  stages_.tell_counters();
  log_.finish(stages_.session()->state().t, result_.exit_code, files);
}

/// Takes the warnings of the run into the result, before that of an interruption.
void VariantRun::note_warnings() {
  result_.warnings = log_.warnings();
  if (!stages_.session()) return;
  const std::string rounding = rounding_warning(stages_.session()->counters());
  if (!rounding.empty()) result_.warnings.push_back(rounding);
}

/// Ends a failed variant; computed results are kept.
void VariantRun::failed(const Failure& failure) {
  ended_ = true;
  result_.status = VariantResult::Status::failed;
  result_.exit_code = static_cast<int>(failure.code());
  result_.message = failure.what();
  note_warnings();
  log_.tell_error(failure);
  std::vector<FileReport> files;
  try {
    files = close_results(false);
    stages_.tell_counters();
  } catch (const std::exception&) {  // a full disk, again
  }
  log_.failed(result_.exit_code, files);
}

VariantResult run_variant(const BatchSetting& setting, const Variant& variant, bool again) {
  VariantRun run(setting, variant, again);
  while (run.run_to_steps()) run.take_steps();
  return run.result("cpu");
}

}  // namespace trammel
