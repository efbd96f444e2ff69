#include "app/run.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "app/run_log.h"
#include "app/signals.h"
#include "app/version.h"
#include "base/text.h"
#include "model/compile.h"

namespace trammel {

namespace fs = std::filesystem;

namespace {

/// --formats, in full or nothing; an unknown name stops before anything is read.
std::vector<Format> formats_named(const std::vector<std::string>& names) {
  std::vector<Format> formats;
  bool none = false;
  for (const std::string& name : names) {
    if (equal_ignoring_case(trim(name), "none")) {
      none = true;
      continue;
    }
    const auto format = parse_format(trim(name));
    if (!format)
      fail(ExitCode::usage, "--formats: \"{}\" is no format; choose from {} (comma between), or none", name,
           fmt::join(format_names(), ", "));
    formats.push_back(*format);
  }
  if (none && !formats.empty())
    fail(ExitCode::usage, "--formats: \"none\" stands alone; leave it out or the others");
  return formats;
}

void check_options(const RunOptions& o) {
  if (o.job.strict && o.job.permissive) fail(ExitCode::usage, "--strict and --permissive exclude each other");
  if (o.dtout && o.steps) fail(ExitCode::usage, "--dtout and --steps exclude each other");
  if (o.end && !std::isfinite(*o.end)) fail(ExitCode::usage, "--end: a finite time is needed");
  if (o.dtout && !(*o.dtout > 0 && std::isfinite(*o.dtout)))
    fail(ExitCode::usage, "--dtout must be positive");
  if (o.every < 1) fail(ExitCode::usage, "--every must be 1 or more");
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
    make_simulation(std::move(model));
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
    info_.version = program_version();
    info_.build = program_build();
    info_.command_line = options_.command_line;
    info_.input_file = job_.commands.model.empty() ? job_.file : job_.commands.model;
    info_.integrator = "HHT I3";
    info_.backend = "cpu";
    describe_process(info_);
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
    results_.open(simulation_->channels(), info_, prefix_, formats_, output_options(plan_, options_));
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

  void make_simulation(Model model) {
    SimulationEvents events;
    events.record = [this](double t, StepKind kind, std::span<const double> values) {
      results_.record(t, kind, values);
      log_.record(t, simulation_->counters());
    };
    events.step = [this](const StepResult& s) { log_.step(s, simulation_->counters()); };
    events.warning = [this](const std::string& text) { log_.warn(text); };
    events.interrupted = [] { return SignalGuard::caught() != 0; };
    simulation_.emplace(std::move(model), plan_.settings, std::move(events));
  }

  /// False when a signal has stopped it.
  bool run_stage(const Stage& stage) {
    log_.echo(stage.echo);
    if (stage.kind == Stage::Kind::command) return SignalGuard::caught() == 0;
    simulation_->set(stage.settings);
    log_.begin_stage(stage);
    initialize(stage);
    if (stage.kind == Stage::Kind::initial_conditions) {
      record_initial_conditions();
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
    return end == SimulationEnd::complete;
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

  void record_initial_conditions() {
    State state = simulation_->state();
    Assembler& assembler = simulation_->assembler();
    assembler.set_phase(state, phase_dynamics);
    assembler.evaluate(state, 4);
    std::vector<double> values(simulation_->channels().size());
    gather_channels(simulation_->model(), assembler, state, values);
    results_.record(state.t, StepKind::initial_conditions, values);
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
  SignalGuard signals_;
  RunLog log_;
  Job job_;
  Plan plan_;
  RunInfo info_;
  std::string prefix_;
  std::vector<Format> formats_;
  OutputSet results_;
  std::optional<Simulation> simulation_;
  bool initialized_ = false;
};

}  // namespace

int run_command(const RunOptions& options) {
  return Run(options).execute();
}

}  // namespace trammel
