#include "app/variant_run.h"

#include <chrono>
#include <mutex>
#include <optional>

#include "app/signals.h"
#include "app/stages.h"
#include "model/compile.h"

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
  out.plan = make_plan(out.job, options.times, options.job.strict, options.job.permissive);
  out.model = compile(out.job.description, out.job.diagnostics);
  return out;
}

namespace {

/// The netCDF library serves one thread at a time.
std::mutex result_files;

class VariantRun {
 public:
  VariantRun(const BatchSetting& setting, const Variant& variant)
      : setting_(setting), variant_(variant), stages_(prepared_.job, log_, events(), setting.compute) {}
  ~VariantRun() {
    const std::lock_guard lock(result_files);
    results_.reset();
  }

  VariantResult execute() {
    const auto start = std::chrono::steady_clock::now();
    try {
      go();
    } catch (const Failure& failure) {
      failed(failure.code(), failure.what());
    } catch (const std::bad_alloc&) {
      failed(ExitCode::internal, "out of memory");
    } catch (const std::exception& error) {
      failed(ExitCode::internal, std::string("defect of the program: ") + error.what());
    }
    if (const Simulation* simulation = stages_.simulation()) {
      result_.begun = true;
      result_.end = simulation->present().t;
      result_.counters = simulation->counters();
    }
    if (watch_) result_.values = watch_->values();
    result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(result_);
  }

 private:
  void go() {
    const bool full = setting_.options.full;
    if (full) log_.open(prefix(), setting_.info);
    prepared_ = prepare_variant(setting_, &variant_);
    log_.findings(prepared_.job);
    prepared_.job.diagnostics.stop_on_errors();
    for (const std::string& text : model_warnings(prepared_.model)) log_.warn(text);
    stages_.begin(std::move(prepared_.model), prepared_.plan.settings);
    watch_.emplace(setting_.watched, setting_.channels, stages_.channels());
    if (full) open_results();
    for (const Stage& stage : prepared_.plan.stages)
      if (!stages_.run(stage)) break;
    finish();
  }

  std::string prefix() const { return setting_.prefix + "_" + variant_.name; }

  StageEvents events() {
    StageEvents events;
    events.record = [this](double t, StepKind kind, std::span<const double> values) {
      watch_->record(t, values);
      if (!results_) return;
      const std::lock_guard lock(result_files);
      results_->record(t, kind, values);
    };
    events.interrupted = setting_.interrupted;
    return events;
  }

  void open_results() {
    const BatchOptions& options = setting_.options;
    const std::lock_guard lock(result_files);
    results_.emplace();
    results_->open(stages_.channels(), setting_.info, prefix(), {Format::native},
                   output_options(prepared_.plan, options.single_precision, options.every));
  }

  std::vector<FileReport> close_results(bool successful) {
    if (!results_) return {};
    const std::lock_guard lock(result_files);
    results_->close(successful);
    return results_->files();
  }

  void finish() {
    const bool interrupted = stages_.was_interrupted();
    const int signal = SignalGuard::caught();
    if (interrupted && signal == 0)
      fail(ExitCode::io, "stopped, because the table of the batch cannot be written");
    result_.exit_code = interrupted ? 128 + signal : 0;
    result_.status = interrupted ? VariantResult::Status::interrupted : VariantResult::Status::done;
    const std::vector<FileReport> files = close_results(!interrupted);
    note_warnings();
    stages_.tell_counters();
    log_.finish(stages_.simulation()->state().t, result_.exit_code, files);
  }

  /// Those of the run, not that it was stopped.
  void note_warnings() {
    result_.warnings = log_.warnings();
    if (!stages_.simulation()) return;
    const std::string rounding = rounding_warning(stages_.simulation()->counters());
    if (!rounding.empty()) result_.warnings.push_back(rounding);
  }

  /// What was computed is kept.
  void failed(ExitCode code, const std::string& text) {
    result_.status = VariantResult::Status::failed;
    result_.exit_code = static_cast<int>(code);
    result_.message = text;
    note_warnings();
    log_.tell_error(text);
    std::vector<FileReport> files;
    try {
      files = close_results(false);
      stages_.tell_counters();
    } catch (const std::exception&) {  // a full disk, again
    }
    log_.failed(result_.exit_code, files);
  }

  const BatchSetting& setting_;
  const Variant& variant_;
  RunLog log_{true, true};
  PreparedJob prepared_;
  std::optional<Watch> watch_;
  std::optional<OutputSet> results_;
  VariantResult result_;
  StageRunner stages_;
};

}  // namespace

VariantResult run_variant(const BatchSetting& setting, const Variant& variant) {
  return VariantRun(setting, variant).execute();
}

}  // namespace trammel
