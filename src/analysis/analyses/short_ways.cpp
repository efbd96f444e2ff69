// What is too short for a step: velocities that a method forms from positions err by what its corrector
// leaves of these over the size h of the step, accelerations and reactions by that over h². Part of Dynamics.
#include "analysis/analyses/dynamics.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "integrate/methods/list.h"

namespace trammel {

namespace {

/// Whether rates that change from `before` to `after` within d leave the second order of a series below
/// `error`, relative above 1 as ERROR is.
bool hardly_change(const std::vector<double>& before, const std::vector<double>& after,
                   const std::vector<double>& value, double d, double error) {
  for (std::size_t k = 0; k < before.size(); ++k)
    if (!(std::fabs(after[k] - before[k]) * d <= 2 * error * std::max(1.0, std::fabs(value[k]))))
      return false;
  return true;
}

}  // namespace

bool Dynamics::ends_with_remainder(const AnalysisPlan& plan) const {
  const double interval = plan.interval(state_.t), last = state_.t + (plan.steps - 1) * interval;
  return plan.steps > 1 && plan.end - last < near_break * interval;
}

/// The state at t, inside the last step or the short way that took its place, of which differences tell
/// nothing.
State Dynamics::inside_step(double t) const {
  State s;
  if (short_way_) {
    s = moved_on(session_.model(), *short_way_, t - short_way_->t);
    s.t = t;
  } else {
    s = state_inside_step(session_.model(), integrator_->step_start(), state_, t);
    integrator_->refine_inside(s);
  }
  return s;
}

/// The output at which a step is to end, if none ends at `stop` before. Outputs that are nearer to a stop (a
/// break, the end), or to the present time behind one, than a part of a step are recorded inside of steps.
double Dynamics::output_ahead(double stop) const {
  if (session_.settings().interpolate) return outputs_.end;
  if (method_of(integrator_->options()).bears_short_steps && !is_short_way_) return outputs_.next();
  const double h = usual_step();
  Schedule ahead = outputs_;
  for (; ahead.k < ahead.steps; ++ahead.k) {
    const double output = ahead.next();
    const bool behind_stop = output - state_.t < too_near_ * h;
    const bool before_stop = output < stop && stop - output < near_break * h;
    if (!behind_stop && !before_stop) break;
  }
  return ahead.next();
}

/// What nearness of outputs and of the end is measured by: a step, or the output step where that is shorter,
/// unless all of the simulation is a short way.
double Dynamics::usual_step() const {
  const double h = integrator_->suggested_step();
  return is_short_way_ ? h : std::min(h, outputs_.interval);
}

/// Whether steps of a simulation that goes on are so much shorter than the last one that what this left of
/// the constraints' equations of velocities, over their size, would be in accelerations and reactions.
bool Dynamics::are_far_shorter(const IntegratorOptions& options) const {
  if (session_.model().multipliers == 0 || method_of(options).explicit_forces) return false;
  const double to_output = session_.settings().interpolate ? HUGE_VAL : outputs_.interval;
  return std::min(options.hmax, to_output) < near_break * integrator_->steps().result.h;
}

/// The integrator goes on where it can, or begins anew. Steps that are far shorter begin anew with positions
/// on the constraints to rounding; where all of the simulation is a short way there are none, and the
/// integrator stays as it is.
void Dynamics::begin_steps(const IntegratorOptions& options) {
  is_short_way_ = false;
  if (!integrator_ || !session_.was_moved_by(*this)) return start_integrator(options);
  const bool shorter = are_far_shorter(options);
  const double last = integrator_->steps().result.h;
  const bool is_where_it_led = at_last_step_ || short_way_;
  if (shorter && is_where_it_led && outputs_.end - outputs_.begin < shortest_step * last) {
    IntegratorOptions as_before = options;
    as_before.hmax = std::max(options.hmax, last);
    is_short_way_ = integrator_->go_on(as_before);
    if (is_short_way_) return watch_steps(false);
  }
  if (!shorter && at_last_step_ && integrator_->go_on(options)) return watch_steps(false);
  if (shorter) {
    bring();
    initial_.reconcile(state_, 0);
  }
  start_integrator(options);
}

/// On to a stop, if that is nearer than a hundredth of a step, by (31d) of docs/theory.md,
///
///   q₁ = q + d q̇ + d²/6 (2 q̈ + q̈₁),  q̇₁ = q̇ + d/2 (q̈ + q̈₁),  X₁ = X + d/2 (Ẋ + Ẋ₁),
///
/// then onto the constraints. False: it is no such stop, or rates change by too much up to there.
bool Dynamics::go_short_way(double stop) {
  const double d = stop - state_.t;
  const IntegratorOptions& options = integrator_->options();
  if (stop != outputs_.end && stop != just_before(break_)) return false;
  if ((options.fixed_step() && !is_short_way_) || !(d < shortest_step * usual_step())) return false;
  bring();
  elsewhere_ = true;
  State there = moved_on(session_.model(), state_, d);
  there.t = stop;
  try {
    initial_.reconcile(there);
    if (!hardly_change(state_.a, there.a, there.v, d, options.error) ||
        !hardly_change(state_.sdot, there.sdot, there.s, d, options.error))
      return false;
    for (std::size_t i = 0; i < there.q.size(); ++i) {
      const double change = there.a[i] - state_.a[i];
      there.q[i] += d * d / 6 * change;
      there.v[i] += d / 2 * change;
    }
    for (std::size_t k = 0; k < there.s.size(); ++k)
      if (session_.model().scalars[k].differential()) there.s[k] += d / 2 * (there.sdot[k] - state_.sdot[k]);
    initial_.reconcile(there);
  } catch (const Failure& failure) {
    if (failure.code() != ExitCode::solver) throw;
    return false;  // a step is to find out
  }
  short_way_ = std::exchange(state_, std::move(there));
  at_last_step_ = false;
  session_.moved(*this, true);
  meet_break();
  return true;
}

}  // namespace trammel
