#include "app/run.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "app/model_changes.h"
#include "app/output_statements.h"
#include "app/run_log.h"
#include "app/signals.h"
#include "app/version.h"
#include "base/text.h"
#include "dataset/changes.h"
#include "model/compile.h"

namespace trammel {

namespace fs = std::filesystem;

namespace {

constexpr int most_threads = 256;

void check_options(const RunOptions& o) {
  if (o.job.strict && o.job.permissive) fail(ExitCode::usage, "--strict and --permissive exclude each other");
  if (o.dtout && o.steps) fail(ExitCode::usage, "--dtout and --steps exclude each other");
  if (o.end && !std::isfinite(*o.end)) fail(ExitCode::usage, "--end: a finite time is needed");
  if (o.dtout && !(*o.dtout > 0 && std::isfinite(*o.dtout)))
    fail(ExitCode::usage, "--dtout must be positive");
  check_every(o.every);
  if (o.compute.threads < 1 || o.compute.threads > most_threads)
    fail(ExitCode::usage, "-j must be between 1 and {}", most_threads);
  if (o.compute.linear_solver != "auto") make_linear_solver(o.compute.linear_solver);  // exists
  if (o.steps && *o.steps < 1) fail(ExitCode::usage, "--steps must be 1 or more");
}

/// A prefix from a command file: backslashes are slashes, and a path with a drive letter keeps its last name.
std::string native_prefix(std::string prefix) {
  std::replace(prefix.begin(), prefix.end(), '\\', '/');
  if (prefix.size() > 1 && prefix[1] == ':') prefix = fs::path(prefix).filename().string();
  return prefix;
}

/// Longest time results are held back [s]: TRAMMEL_FLUSH_SECONDS, else 2.
OutputOptions output_options(const Plan& plan, const RunOptions& run) {
  OutputOptions options;
  options.results = plan.results;
  options.table = plan.table;
  options.single_precision = run.single_precision;
  options.every = run.every;
  if (const char* text = std::getenv("TRAMMEL_FLUSH_SECONDS")) {
    const auto seconds = parse_number(text);
    if (!seconds || !(*seconds >= 0))
      fail(ExitCode::usage, "TRAMMEL_FLUSH_SECONDS: \"{}\" is no time in seconds", text);
    options.flush_seconds = *seconds;
  }
  return options;
}

class Run {
 public:
  explicit Run(const RunOptions& options) : options_(options), log_(options.quiet) {}

  int execute() {
    try {
      return guarded();
    } catch (const Failure& failure) {
      return failed(failure.code(), failure.what());
    } catch (const std::bad_alloc&) {
      return failed(ExitCode::internal, "out of memory");
    } catch (const std::exception& error) {
      return failed(ExitCode::internal, std::string("defect of the program: ") + error.what());
    }
  }

 private:
  int guarded() {
    check_options(options_);
    if (!options_.log_json.empty()) log_.open_json(options_.log_json, options_.command_line);
    formats_ = formats_named(options_.formats);
    job_ = load_job(options_.job);
    if (!job_.has_command_file && !options_.end && !options_.dry_run)
      fail(ExitCode::usage,
           "{}: a dataset does not say how long to simulate; give --end 1 (and --dtout or --steps), or run a "
           "command file (.acf)",
           job_.file);
    open_log();
    job_.diagnostics.stop_on_errors();
    plan_ = make_plan(job_, {options_.end, options_.dtout, options_.steps}, options_.job.strict,
                      options_.job.permissive);
    Model model = compile(job_.description, job_.diagnostics);
    say_what_was_found();
    job_.diagnostics.stop_on_errors();
    for (const std::string& text : model_warnings(model)) log_.warn(text);
    simulation_ = make_simulation(std::move(model), plan_.settings);
    log_.solver(simulation_->system(), options_.compute);
    if (options_.dry_run) return dry_run();
    open_results();
    for (const Stage& stage : plan_.stages)
      if (!run_stage(stage)) break;
    return finish();
  }

  // ---- files

  void open_log() {
    if (options_.dry_run) return;
    std::string name = options_.prefix.empty() ? native_prefix(job_.commands.output_prefix) : options_.prefix;
    fs::path prefix = fs::path(options_.directory) / name;
    if (prefix.filename().empty() || fs::is_directory(prefix)) prefix /= stem_of(job_.file);
    prefix_ = prefix.string();
    const fs::path folder = prefix.parent_path();
    std::error_code error;
    if (!folder.empty()) fs::create_directories(folder, error);
    if (error) throw Failure(ExitCode::io, io_error_text("make the folder", folder.string(), error.value()));
    info_.title = job_.description.title;
    info_.command_line = options_.command_line;
    info_.input_file = job_.commands.model.empty() ? job_.file : job_.commands.model;
    describe_run(info_);
    log_.open(prefix_, info_);
  }

  void open_results() {
    if (options_.formats.empty()) formats_ = plan_.formats;
    const auto wanted = [&](Format format) {
      return std::find(formats_.begin(), formats_.end(), format) != formats_.end();
    };
    for (const Format format : {Format::request, Format::table})
      if (wanted(format) && simulation_->model().requests.empty())
        log_.note(
            fmt::format("The model has no REQUEST: the {} file holds no results.", extension_of(format)));
    if ((options_.single_precision || options_.every > 1) && !wanted(Format::native))
      log_.warn("--single and --every are for the .nc file, which --formats leaves out.");
    open_channels_ = simulation_->channels();
    if (wanted(Format::table))
      for (const std::string& text : table_warnings(open_channels_, plan_.table)) log_.warn(text);
    results_.open(open_channels_, info_, prefix_, formats_, output_options(plan_, options_));
  }

  // ---- what the user is told

  void say_what_was_found() {
    for (const Diagnostic& d : job_.diagnostics.list()) {
      if (d.severity == Severity::warning) log_.warn(to_string(d));
      if (d.severity == Severity::note) log_.note(to_string(d));
    }
    for (const DroppedStatement& d : job_.dropped.dropped)
      log_.warn(fmt::format("{}: {} is left out: {}", to_string(d.where), d.label, d.reason));
    for (const Dependent& d : job_.dropped.dependents)
      log_.warn(
          fmt::format("{}: {} is left out because it depends on {}", to_string(d.where), d.label, d.on));
    for (const std::string& text : job_.edits) log_.note("Changed by --set: " + text);
  }

  // ---- the simulation

  std::unique_ptr<Simulation> make_simulation(Model model, const DynamicsSettings& settings) {
    SimulationEvents events;
    events.record = [this](double t, StepKind kind, std::span<const double> values) {
      results_.record(t, kind, in_columns(values));
      log_.record(t, simulation_->counters());
    };
    if (options_.stats) events.times = &times_;
    events.step = [this](const StepResult& s) { log_.step(s, simulation_->counters()); };
    events.warning = [this](const std::string& text) { log_.warn(text); };
    events.sensor = [this](const std::string& text) { log_.tell(text); };
    events.interrupted = [] { return SignalGuard::caught() != 0; };
    return std::make_unique<Simulation>(std::move(model), settings, std::move(events), options_.compute);
  }

  /// The values of the open result files; channels that a change of the model has ended are 0.
  std::span<const double> in_columns(std::span<const double> values) {
    if (columns_.empty()) return values;
    for (std::size_t k = 0; k < columns_.size(); ++k) row_[k] = columns_[k] < 0 ? 0.0 : values[columns_[k]];
    return row_;
  }

  /// False when the run ends here: by a signal, or by a sensor.
  bool run_stage(const Stage& stage) {
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
        log_.statistics(simulation_->present().t, simulation_->counters(), results_.records());
        break;
      case Stage::Kind::info:
        update_model(stage);
        log_.tell(measured(job_.description, stage.statement, simulation_->present()));
        break;
      case Stage::Kind::initial_conditions:
      case Stage::Kind::dynamics:
        return simulate(stage);
    }
    return SignalGuard::caught() == 0;
  }

  bool simulate(Stage stage) {
    const bool dynamics = stage.kind == Stage::Kind::dynamics;
    if (dynamics && stage.ends_early && !still_to_come(stage)) return true;
    log_.begin_stage(stage);
    update_model(stage);
    initialize(stage);
    if (!dynamics) {
      simulation_->record_initial();
      log_.end_stage(simulation_->state().t, simulation_->counters());
      return SignalGuard::caught() == 0;
    }
    if (stage.settings.hht.alpha > -0.05 && simulation_->model().multipliers > 0)
      log_.warn(fmt::format(
          "ALPHA = {:.4g} with constraints is weakly unstable: energy can grow; use ALPHA <= -0.05.",
          stage.settings.hht.alpha));
    log_.begin_steps(stage);
    const SimulationEnd end = simulation_->dynamics(stage.end, stage.steps, stage.output_step);
    log_.end_stage(simulation_->state().t, simulation_->counters());
    if (end == SimulationEnd::halted)
      log_.tell(fmt::format("{} ends the run (HALT).", simulation_->ended_by()->name.label()));
    if (end == SimulationEnd::returned)
      log_.tell(fmt::format("{} ends this simulation (RETURN).", simulation_->ended_by()->name.label()));
    return end == SimulationEnd::complete || end == SimulationEnd::returned;
  }

  /// Works out the interval from the present time, which no plan knows where sensors end simulations. False,
  /// after a warning, when its END is reached already.
  bool still_to_come(Stage& stage) {
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
  void update_model(const Stage& stage) {
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
    log_.solver(simulation_->system(), options_.compute);
    changed_ = false;
    renewed_ = {};
    match_columns();
  }

  void match_columns() {
    columns_ = match_channels(open_channels_, simulation_->channels());
    row_.assign(columns_.size(), 0.0);
    std::vector<unsigned char> kept(simulation_->channels().size(), 0);
    for (int place : columns_)
      if (place >= 0) kept[place] = 1;
    std::size_t at = 0;
    for (const Entity& e : simulation_->channels().entities)
      for (const Component& c : e.components)
        if (!kept[at++])
          log_.warn(fmt::format(
              "{}.{} has no place in the result files, which are open since the first simulation.", e.name(),
              c.name));
  }

  void initialize(const Stage& stage) {
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

  // ---- ends

  int dry_run() {
    const InitialReport& report = simulation_->initialize();
    for (const std::string& note : report.notes) log_.warn(note);
    const Model& model = simulation_->model();
    log_.say(fmt::format(
        "{}: {} moving parts, {} constraint equations ({} redundant), {} degrees of freedom; initial "
        "conditions found. Nothing was written (--dry-run).",
        job_.file, model.bodies.size(), model.coordinates - report.gruebler, report.redundant.size(),
        report.degrees_of_freedom));
    log_.finish(simulation_->state().t, 0, {});
    return 0;
  }

  int finish() {
    const int signal = SignalGuard::caught();
    const int code = signal == 0 ? 0 : 128 + signal;
    results_.close(code == 0);
    const HhtCounters& c = simulation_->counters();
    tell_counters();
    log_.finish(simulation_->state().t, code, results_.files());
    if (options_.stats) log_.phases(times_);
    log_.say(fmt::format("{} steps, {} evaluations, {} Jacobians in {:.3g} s; results in {}.*", c.steps,
                         c.evaluations, c.jacobians, log_.elapsed(), prefix_));
    return code;
  }

  void tell_counters() {
    if (simulation_ && simulation_->counters().steps > 0)
      log_.counters(simulation_->counters(), simulation_->linear_counters(),
                    simulation_->rounding_limited_step());
  }

  /// What was computed is kept.
  int failed(ExitCode code, const std::string& text) {
    log_.tell_error(text);
    try {
      if (results_.is_open()) results_.close(false);
      tell_counters();
    } catch (const std::exception&) {  // a full disk, again
    }
    log_.failed(static_cast<int>(code), results_.files());
    return static_cast<int>(code);
  }

  const RunOptions& options_;
  PhaseTimes times_;
  SignalGuard signals_;
  RunLog log_;
  Job job_;
  Plan plan_;
  RunInfo info_;
  std::string prefix_;
  std::vector<Format> formats_;
  OutputSet results_;
  std::unique_ptr<Simulation> simulation_;
  Channels open_channels_;    ///< of the result files
  std::vector<int> columns_;  ///< their places in the channels of a changed model; empty: the same
  std::vector<double> row_;
  Renewed renewed_;       ///< by changes since the last simulation
  bool changed_ = false;  ///< the model, since then
  bool initialized_ = false;
};

}  // namespace

int run_command(const RunOptions& options) {
  return Run(options).execute();
}

}  // namespace trammel
