#include "app/run.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <ctime>
#include <filesystem>

#include "analysis/simulation.h"
#include "app/version.h"
#include "base/text.h"
#include "output/message_file.h"
#include "output/output_set.h"
#include "output/progress.h"
#include "output/status_file.h"

namespace trammel {

namespace fs = std::filesystem;

namespace {

volatile std::sig_atomic_t caught_signal = 0;

extern "C" void on_signal(int signal) {
  if (caught_signal != 0) {  // the second one ends at once
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  caught_signal = signal;
}

/// END, DURATION, STEPS, DTOUT of one SIMULATE command.
struct Interval {
  double end = 0;
  int steps = 1;
};

class Run {
 public:
  explicit Run(const RunOptions& options) : options_(options) {}

  int execute() {
    try {
      return guarded();
    } catch (const Failure& failure) {
      return failed(failure.code(), failure.what());
    } catch (const std::exception& error) {
      return failed(ExitCode::internal, std::string("internal error: ") + error.what());
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  int guarded() {
    job_ = load_job(options_.job);
    open_messages();
    job_.diagnostics.stop_on_errors();
    Model model = compile(job_.description, job_.diagnostics);
    DynamicsSettings settings = read_settings(job_.description, job_.diagnostics);
    job_.diagnostics.stop_on_errors();
    if (options_.job.strict && !settings.warnings.empty())
      fail(ExitCode::unsupported, "INTEGRATOR: {} (--strict)", settings.warnings.front());
    say_what_was_found();
    SimulationEvents events;
    events.record = [this](double t, StepKind kind, std::span<const double> v) { record(t, kind, v); };
    events.step = [this](const StepResult& s) { stepped(s); };
    events.warning = [this](const std::string& text) { warn(text); };
    events.interrupted = [] { return caught_signal != 0; };
    simulation_.emplace(std::move(model), settings, std::move(events));
    if (options_.dry_run) return dry_run();
    open_results();
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    run_commands(settings);
    return finish();
  }

  // ---- files

  std::string output_path() const {
    const std::string prefix = options_.prefix.empty() ? job_.commands.output_prefix : options_.prefix;
    return (fs::path(options_.directory) / prefix).string();
  }

  void open_messages() {
    if (options_.dry_run) return;
    prefix_ = output_path();
    if (fs::path(prefix_).filename().empty()) prefix_ += stem_of(options_.job.file);
    const fs::path folder = fs::path(prefix_).parent_path();
    std::error_code error;
    if (!folder.empty()) fs::create_directories(folder, error);
    info_.title = job_.description.title;
    info_.version = program_version();
    info_.build = program_build();
    info_.command_line = options_.command_line;
    info_.input_file = job_.commands.model;
    info_.integrator = "HHT I3";
    info_.backend = "cpu";
    describe_process(info_);
    messages_.open(prefix_ + ".msg", info_);
    messages_.model_title(job_.description.title);
    status_.emplace(prefix_ + ".status.json");
    run_status_.program_version = program_version();
    run_status_.command_line = options_.command_line;
    run_status_.input_file = job_.commands.model;
  }

  void open_results() {
    std::vector<Format> formats;
    if (options_.formats.empty()) {
      formats.push_back(Format::native);
      if (const Statement* o = job_.description.find("OUTPUT"); o && o->has("REQSAVE")) formats.push_back(Format::request);
      if (const Statement* r = job_.description.find("RESULTS"); r && r->has("XRF")) formats.push_back(Format::results);
    }
    for (const std::string& name : options_.formats) {
      if (name == "none") continue;
      const auto format = parse_format(name);
      if (!format) fail(ExitCode::usage, "--formats: \"{}\" is none of nc, req, res, none", name);
      formats.push_back(*format);
    }
    results_.open(simulation_->channels(), info_, prefix_, formats);
  }

  // ---- what the user is told

  void say(const std::string& text) {
    if (options_.quiet) return;
    if (progress_) progress_->clear();
    fmt::print("{}\n", text);
  }

  void warn(const std::string& text) {
    if (messages_.is_open()) messages_.warning(text);
    say("warning: " + text);
  }

  void say_what_was_found() {
    for (const Diagnostic& d : job_.diagnostics.list()) {
      if (d.severity == Severity::warning) warn(to_string(d));
      if (d.severity == Severity::note && messages_.is_open()) messages_.note(to_string(d));
    }
    for (const DroppedStatement& d : job_.dropped.dropped)
      warn(fmt::format("{}: {} is left out: {}", to_string(d.where), d.label, d.reason));
    for (const Dependent& d : job_.dropped.dependents)
      warn(fmt::format("{}: {} is left out because it depends on {}", to_string(d.where), d.label, d.on));
  }

  void say_initial_report(const InitialReport& report) {
    const Model& model = simulation_->model();
    std::vector<RedundantEquation> redundant;
    for (int row : report.redundant) {
      const std::string name = model.equation_name(model.coordinates + row);
      const std::size_t blank = name.find(' ');
      redundant.push_back({blank == std::string::npos ? name : name.substr(blank + 1), name.substr(0, blank)});
    }
    messages_.degrees_of_freedom(report.degrees_of_freedom, simulation_->state().t, redundant);
    for (const std::string& note : report.notes) warn(note);
    if (!redundant.empty())
      say(fmt::format("{} redundant constraint equations are dropped; {} names them. Reactions there are 0.", redundant.size(), messages_.path()));
  }

  // ---- commands

  void run_commands(DynamicsSettings settings) {
    if (!job_.has_command_file) {
      if (!options_.end)
        fail(ExitCode::usage, "a dataset alone does not say how long to simulate: give --end, and --dtout or --steps, or run a command file (.acf)");
      simulate(interval_of(nullptr), settings);
      return;
    }
    const Command* last = nullptr;
    for (const Command& c : job_.commands.commands)
      if (c.statement.spec->keyword == "SIMULATE") last = &c;
    for (const Command& c : job_.commands.commands) {
      messages_.command(c.echo);
      const std::string_view keyword = c.statement.spec->keyword;
      if (keyword == "STOP") return;
      if (keyword == "SIMULATE") {
        if (!simulate(c, &c == last, settings)) return;
      } else if (keyword == "INTEGRATOR" || keyword == "IC" || keyword == "OUTPUT" || keyword == "RESULTS") {
        job_.description.redefine(c.statement);
        Diagnostics diagnostics;
        settings = read_settings(job_.description, diagnostics);
        diagnostics.stop_on_errors();
        if (options_.job.strict && !settings.warnings.empty())
          fail(ExitCode::unsupported, "{}: INTEGRATOR: {} (--strict)", to_string(c.where), settings.warnings.front());
        simulation_->set(settings);
      }
    }
  }

  bool simulate(const Command& c, bool last, const DynamicsSettings& settings) {
    if (c.statement.has("INITIAL_CONDITIONS")) {
      say_initial_report(simulation_->initialize());
      return true;
    }
    Interval interval = interval_of(&c.statement);
    if (last && (options_.end || options_.dtout || options_.steps)) interval = interval_of(nullptr, &interval);
    return simulate(interval, settings);
  }

  /// From a SIMULATE statement, or from the command line over `base`.
  Interval interval_of(const Statement* s, const Interval* base = nullptr) const {
    const double now = simulation_->state().t;
    Interval out;
    double dtout = 0;
    int steps = 0;
    if (s) {
      out.end = s->has("DURATION") ? now + s->real("DURATION", 0) : s->real("END", 0);
      dtout = s->real("DTOUT", 0);
      steps = s->integer("STEPS", 0);
    } else {
      out.end = options_.end.value_or(base ? base->end : 0);
      dtout = options_.dtout.value_or(0);
      steps = options_.steps.value_or(base && !options_.dtout ? base->steps : 0);
    }
    if (!(out.end > now)) fail(ExitCode::input, "SIMULATE: END = {:.9g} is not after the present time {:.9g}", out.end, now);
    const double count = steps > 0 ? steps : dtout > 0 ? std::max(1.0, std::round((out.end - now) / dtout)) : 100;
    if (count > 1e8) fail(ExitCode::input, "SIMULATE: {:.3g} output steps are more than 100 million; choose a larger DTOUT", count);
    out.steps = static_cast<int>(count);
    return out;
  }

  bool simulate(const Interval& interval, const DynamicsSettings& settings) {
    SimulationHeader header;
    const HhtOptions& o = settings.hht;
    header.error = o.error;
    header.corrector = o.modified_corrector ? "modified" : "original";
    messages_.begin_simulation(header);
    for (const std::string& warning : settings.warnings)
      if (std::find(said_.begin(), said_.end(), warning) == said_.end()) {
        said_.push_back(warning);
        warn(warning);
      }
    if (o.alpha > -0.05 && simulation_->model().multipliers > 0)
      warn(fmt::format("ALPHA = {:.4g} with constraints is weakly unstable: energy can grow; use ALPHA <= -0.05.", o.alpha));
    const bool first = !started_;
    started_ = true;
    run_status_.start = simulation_->state().t;
    run_status_.end = interval.end;
    if (first) say_initial_report(simulation_->initialize());
    messages_.begin_steps(header);
    row_every_ = std::max(1, interval.steps / 10);
    records_ = -1;
    if (!options_.quiet) progress_.emplace(stdout, simulation_->state().t, interval.end, progress_options_for(stdout));
    const SimulationEnd end = simulation_->dynamics(interval.end, interval.steps);
    if (progress_) progress_->finish(simulation_->state().t, last_step_, simulation_->counters().steps);
    progress_.reset();
    messages_.end_simulation();
    return end == SimulationEnd::complete;
  }

  // ---- events

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  void record(double t, StepKind kind, std::span<const double> values) {
    results_.record(t, kind, values);
    if (++records_ % row_every_ != 0) return;
    const HhtCounters& c = simulation_->counters();
    messages_.step({t, last_step_, c.evaluations, c.steps, c.steps > 0 ? 2 : 1, elapsed()});
  }

  void stepped(const StepResult& step) {
    last_step_ = step.h;
    if (progress_) progress_->update(step.t, step.h, simulation_->counters().steps);
    update_status(false);
  }

  void update_status(bool now) {
    if (!status_) return;
    if (simulation_) {
      run_status_.t = simulation_->state().t;
      run_status_.steps = simulation_->counters().steps;
    }
    run_status_.step_size = last_step_;
    status_->update(run_status_, now);
  }

  // ---- ends

  int dry_run() {
    const InitialReport& report = simulation_->initialize();
    say(fmt::format("{}: {} moving parts, {} constraint equations ({} redundant), {} degrees of freedom; initial conditions found. Nothing was written (--dry-run).",
                    options_.job.file, simulation_->model().bodies.size(), simulation_->model().multipliers, report.redundant.size(), report.degrees_of_freedom));
    return 0;
  }

  int finish() {
    const int signal = caught_signal;
    const int code = signal == SIGINT ? 130 : signal == SIGTERM ? 143 : 0;
    results_.close(code == 0);
    const HhtCounters& c = simulation_->counters();
    if (code != 0) {
      const std::string text = fmt::format("stopped by a signal at time {:.9g}; results up to there are kept", simulation_->state().t);
      messages_.warning(text);
      say(text);
    }
    messages_.note(fmt::format("{} steps, {} rejected (error {}, corrector {}), {} evaluations, {} Jacobians, {} factorizations.", c.steps,
                               c.rejected_error + c.rejected_corrector, c.rejected_error, c.rejected_corrector, c.evaluations, c.jacobians,
                               simulation_->linear_counters().factorizations + simulation_->linear_counters().refactorizations));
    messages_.finish(elapsed(), double(std::clock()) / CLOCKS_PER_SEC);
    run_status_.state = code == 0 ? "finished" : "stopped";
    close_status(code);
    say(fmt::format("{} steps, {} evaluations, {} Jacobians in {:.3g} s; results in {}.*", c.steps, c.evaluations, c.jacobians, elapsed(), prefix_));
    return code;
  }

  void close_status(int code) {
    if (!status_) return;
    run_status_.exit_code = code;
    for (const FileReport& f : results_.files()) run_status_.files.push_back({f.path, f.bytes});
    run_status_.files.push_back({messages_.path(), messages_.size()});
    update_status(true);
  }

  int failed(ExitCode code, const std::string& text) {
    if (progress_) progress_->clear();
    fmt::print(stderr, "{}\n", text);
    // What was computed is kept; a second failure here (a full disk) must not hide the first.
    try {
      if (results_.is_open()) results_.close(false);
      if (messages_.is_open()) {
        messages_.error(text);
        messages_.finish(elapsed(), double(std::clock()) / CLOCKS_PER_SEC);
      }
      run_status_.state = "failed";
      run_status_.message = text;
      close_status(static_cast<int>(code));
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
    }
    return static_cast<int>(code);
  }

  const RunOptions& options_;
  Job job_;
  RunInfo info_;
  std::string prefix_;
  MessageFile messages_;
  OutputSet results_;
  std::optional<StatusFile> status_;
  RunStatus run_status_;
  std::optional<Progress> progress_;
  std::optional<Simulation> simulation_;
  std::vector<std::string> said_;
  Clock::time_point start_ = Clock::now();
  double last_step_ = 0;
  int row_every_ = 1;
  long records_ = -1;
  bool started_ = false;
};

}  // namespace

int run_command(const RunOptions& options) { return Run(options).execute(); }

}  // namespace trammel
