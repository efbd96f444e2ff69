#include "study/trial_runs.h"

#include <cstdlib>
#include <filesystem>

#include "base/clock.h"
#include "integrate/methods/list.h"
#include "session/failure.h"
#include "session/make_plan.h"

namespace trammel {

namespace fs = std::filesystem;

StepSettings step_settings(const RunOptions& options) {
  Job job = load_job(options.job);
  check_end_is_known(job, options.times);
  const Plan plan = plan_and_compile(job, options.times, options.job.strict, options.job.permissive).plan;
  job.diagnostics.stop_on_errors();
  StepSettings out;
  out.prefix = output_prefix(job, options.prefix, options.directory);
  const Stage* first = nullptr;
  for (const Stage& stage : plan.stages) {
    if (!stage.integrates()) continue;
    const IntegratorOptions o = with_output_step(stage.settings, stage.output_step);
    if (!first) {
      first = &stage;
      out.integrator = o.method + (o.stabilized ? fmt::format(" {}", o.formulation()) : "");
      out.error = o.error;
      out.hmax = o.hmax;
      out.fixed = o.fixed_step();
    }
    out.several = out.several || o.error != out.error || o.hmax != out.hmax;
  }
  if (!first) fail(ExitCode::usage, "{}: no simulation in time, whose results could be measured", job.file);
  return out;
}

std::string integrator_statement(const StepSettings& deck, const IntegratorTuning& tuning) {
  std::string method = deck.integrator;
  if (!tuning.method.empty()) method = tuning.method + (tuning.stabilized ? " SI2" : "");
  const std::size_t space = method.find(' ');
  std::string text = "INTEGRATOR/" + method.substr(0, space);
  if (space != std::string::npos) text += ", SI2";
  if (deck.fixed && tuning.method.empty())
    return text + fmt::format(", HINIT={:.3g}, HMIN={:.3g}, HMAX={:.3g}", deck.hmax * tuning.step_factor,
                              deck.hmax * tuning.step_factor, deck.hmax * tuning.step_factor);
  text += fmt::format(", ERROR={:.3g}", (tuning.error > 0 ? tuning.error : deck.error) * tuning.error_factor);
  if (tuning.step_factor != 1 && !tuning.no_hmax)
    text += fmt::format(", HMAX={:.3g}", deck.hmax * tuning.step_factor);
  if (tuning.interpolate) text += ", INTERPOLATE=ON";
  return text;
}

Trial run_trial(RunOptions options, const IntegratorTuning& tuning, const Listener& listener) {
  Trial trial;
  trial.tuning = options.job.tuning = tuning;
  Listener hears;
  hears.error = [&](const std::string& text) { trial.failure = text; };
  double from = 0;
  hears.begin_steps = [&](double begin, double end) {
    from = begin;
    call(listener.begin_steps, begin, end);
  };
  hears.step = listener.step;
  hears.end_steps = [&](double t, double h, long long steps) {
    trial.steps = steps;
    trial.time += t - from;
    call(listener.end_steps, t, h, steps);
  };
  trial.results = (fs::path(options.directory) / (options.prefix + ".nc")).string();
  const Stopwatch begun;
  trial.code = run_job(options, hears);
  trial.seconds = begun.seconds();
  return trial;
}

TrialFolder::TrialFolder() {
  std::error_code error;
  std::string name = (fs::temp_directory_path(error) / "trammel-XXXXXX").string();
  if (error || !mkdtemp(name.data()))
    fail(ExitCode::io, "no folder for trial runs can be made ({}); set TMPDIR to a folder with room", name);
  path_ = name;
}

TrialFolder::~TrialFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

RunOptions TrialFolder::options_of_next(RunOptions options) {
  options.directory = path_;
  options.prefix = std::to_string(++runs_);
  options.formats = {"nc"};
  options.single_precision = false;
  options.every = 1;
  options.log_json.clear();
  options.stats = false;
  options.checkpoint_seconds = 0;
  options.resume = false;
  return options;
}

}  // namespace trammel
