#include "session/stage.h"

#include <algorithm>
#include <cmath>

namespace trammel {

namespace {

constexpr double most_steps = 1e8;

/// Sets the output times begin + k·step, the last one at the end. Steps are equal where STEPS is given or
/// DTOUT divides the interval (to 1e-6 of a step: decks give END and DTOUT with few digits).
void set_output_steps(Stage& stage, const Interval& g) {
  const double interval = stage.end - stage.begin;
  double count = g.steps ? *g.steps : default_steps;
  stage.output_step = 0;
  if (g.dtout) {
    const double ratio = interval / *g.dtout;
    count = std::max(1.0, std::ceil(ratio - 1e-6));
    if (std::abs(ratio - count) > 1e-6) stage.output_step = std::min(*g.dtout, interval);
  }
  if (!(count <= most_steps))
    fail(ExitCode::input, "{:.3g} output steps are more than 100 million; choose a larger DTOUT", count);
  stage.steps = static_cast<int>(count);
  if (stage.output_step == 0) stage.output_step = interval / count;
}

}  // namespace

void set_interval(Stage& stage, double now) {
  const Interval& g = stage.interval;
  stage.begin = now;
  stage.end = g.duration ? now + *g.duration : g.end.value_or(now);
  if (!std::isfinite(stage.end))
    fail(ExitCode::input, "the end is beyond the largest number, 1.8E308; give an earlier END, or DURATION");
  if (!(stage.end > now))
    fail(ExitCode::input, "END = {:.9g} is not after the present time {:.9g}; give a later END, or DURATION",
         stage.end, now);
  set_output_steps(stage, g);
}

}  // namespace trammel
