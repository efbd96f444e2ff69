#include "session/plan.h"

#include <cmath>
#include <cstdlib>

#include "base/text.h"

namespace trammel {

void check_times(const TimeOptions& o) {
  if (o.dtout && o.steps) fail(ExitCode::usage, "--dtout and --steps exclude each other");
  if (o.end && !std::isfinite(*o.end)) fail(ExitCode::usage, "--end: a finite time is needed");
  if (o.dtout && !(*o.dtout > 0 && std::isfinite(*o.dtout)))
    fail(ExitCode::usage, "--dtout must be positive");
  if (o.steps && *o.steps < 1) fail(ExitCode::usage, "--steps must be 1 or more");
}

void check_end_is_known(const Job& job, const TimeOptions& options) {
  if (!job.has_command_file && !options.end)
    fail(ExitCode::usage,
         "{}: a dataset does not say how long to simulate; give --end 1 (and --dtout or --steps), or run a "
         "command file (.acf)",
         job.file);
}

OutputOptions output_options(const Plan& plan, bool single_precision, int every) {
  OutputOptions options;
  options.results = plan.results;
  options.table = plan.table;
  options.single_precision = single_precision;
  options.every = every;
  if (const char* text = std::getenv("TRAMMEL_FLUSH_SECONDS")) {
    const auto seconds = parse_number(text);
    if (!seconds || !(*seconds >= 0))
      fail(ExitCode::usage, "TRAMMEL_FLUSH_SECONDS: \"{}\" is no time in seconds", text);
    options.flush_seconds = *seconds;
  }
  return options;
}

bool Plan::begins_with_motion() const {
  const auto first = std::find_if(stages.begin(), stages.end(), [](const Stage& s) { return s.analysis; });
  return first != stages.end() && first->integrates();
}

long long Plan::records() const {
  long long n = 0;
  for (const Stage& stage : stages) n += stage.takes_steps() ? stage.steps + 1 : stage.finds_state() ? 1 : 0;
  return n;
}

long long Plan::kept_records(int every) const {
  // Number kept of n records of a simulation: the first, every `every`-th after it, the last.
  const auto kept = [every](long long n) {
    return n == 0 ? 0 : 1 + (n - 1) / every + ((n - 1) % every != 0 ? 1 : 0);
  };
  long long sum = 0;
  for (const Stage& stage : stages)
    sum += stage.takes_steps() ? kept(stage.steps + 1) : stage.finds_state() ? 1 : 0;
  return sum;
}

}  // namespace trammel
