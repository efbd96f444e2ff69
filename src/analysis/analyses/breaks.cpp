// Where steps end, and what happens where functions of time change their law. Part of Dynamics.
#include "analysis/analyses/dynamics.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "integrate/methods/list.h"

namespace trammel {

namespace {

/// Whether a method's error control holds velocities to ERROR, and not positions alone.
bool controls_velocities(const IntegratorOptions& options) {
  return options.stabilized || method_of(options).explicit_forces;
}

/// What steps may pass of functions of time; of velocities what feels_jump() does.
Unnoticed unnoticed_by(const IntegratorOptions& options) {
  const double root = std::cbrt(options.error);
  const IntegrationMethod& method = method_of(options);
  const bool of_positions =
      !options.fixed_step() && (method.second_order || (method.si2_stands_in && !options.stabilized));
  return {options.error, (method.explicit_forces ? 1 : 10) * options.error,
          of_positions ? 0.1 * root * root : 0.0};
}

}  // namespace

/// The least jump of a velocity that a method feels: of a position's, in a step of the present size, those
/// that control positions alone.
double Dynamics::least_jump() const {
  const IntegratorOptions& options = integrator_->options();
  return controls_velocities(options) ? options.error : options.error / integrator_->suggested_step();
}

bool Dynamics::meets_breaks(const DynamicsSettings& settings, const AnalysisPlan& plan) {
  if (!settings.break_points) return false;
  if (breaks_.after(state_.t) < plan.end || breaks_.watches_corners() || courses_.has_switches() ||
      approach_.has_turning_data() || !histories_.empty())
    return true;
  if (!courses_.any()) return false;
  const IntegratorOptions options = with_output_step(settings, plan.interval(state_.t));
  Unnoticed unnoticed = unnoticed_by(options);
  unnoticed.bend = 0;  // steps of HMAX are longer than those that are taken
  return !options.fixed_step() && courses_.unresolved({state_.t, plan.end}, options.hmax, unnoticed) >= 0;
}

/// Steps of a fixed size do not become shorter for functions of time; once, and with the name of one.
void Dynamics::tell_unresolved_courses() {
  const IntegratorOptions& options = integrator_->options();
  if (!options.fixed_step() || !courses_.any() || std::exchange(told_unresolved_, true)) return;
  const int tape = courses_.unresolved({state_.t, outputs_.end}, options.hinit, unnoticed_by(options));
  if (tape < 0 || !session_.events().warning) return;
  session_.events().warning(fmt::format(
      "{}: steps of a fixed size, here {:.3g}, are too long for its course in time; what comes and "
      "goes within a step is not seen.",
      session_.model().tape_owner(tape), options.hinit));
}

/// Finds the next break that is known, or a corner of a function of time that comes before, within a step of
/// the present size. Of forces that jump the same number is taken as of motions, in their units: pass_break()
/// finds out whether it matters. Returns up to where such a step, to the next output at most, resolves
/// functions of time; infinite: all of it does.
double Dynamics::find_breaks(double output) {
  const double t = state_.t, h = integrator_->suggested_step();
  break_ = breaks_.after(t);
  constexpr double nearest = 1e-9, passed = 16;  // of a step; distances behind a corner that was met
  const double begin = t + std::max(passed * beside(t), nearest * h);
  const auto until = [&](TimeSpan step) {
    if (!(step.begin < step.end)) return step.end;
    if (courses_.any())
      step.end = courses_.resolved_until(step, outputs_.end, unnoticed_by(integrator_->options()));
    return histories_.resolved_until(state_, step, integrator_->options().error);
  };
  TimeSpan ahead{begin, std::min(t + h, just_before(break_))};
  const TimeSpan step{begin, std::min(ahead.end, output)};
  double resolved = until(step);
  if (resolved < step.end)
    ahead.end = std::min(ahead.end, resolved + (resolved - begin));
  else
    resolved = HUGE_VAL;
  if (!(ahead.begin < ahead.end)) return resolved;
  double corner = std::min(courses_.first_switch(ahead),
                           histories_.next_jump(state_, ahead, integrator_->options().error));
  if (breaks_.watches_corners()) corner = std::min(corner, breaks_.corner(ahead, least_jump()));
  if (!(corner < break_)) return resolved;
  break_ = corner;
  const TimeSpan to_corner{begin, just_before(corner)};  // up to there all may be resolved
  return until(to_corner) == to_corner.end ? HUGE_VAL : resolved;
}

/// Where the next step may end at the latest: an output, unless that is recorded inside of one, a known
/// break, or one that the motion approaches, and where functions of time ask for a shorter step.
double Dynamics::target() {
  break_ = HUGE_VAL;
  double output = output_ahead(outputs_.end), resolved = HUGE_VAL;
  const bool fixed = integrator_->options().fixed_step();
  if (!fixed && session_.settings().break_points) {
    resolved = find_breaks(output);
    if (const double later = output_ahead(break_ < outputs_.end ? just_before(break_) : outputs_.end);
        later > output) {
      output = later;
      resolved = find_breaks(output);
    }
  }
  const double known = std::min({output, just_before(break_), resolved});
  const double end = fixed ? output : end_of_approach(known);
  const bool to_output = end == output || arrived(end, output, 0);  // rounding between them is no step
  too_near_ = to_output ? 0 : end == just_before(break_) ? near_break : near_law_change;
  return to_output ? output : end;
}

/// Where a step to `known` at the latest ends for what the motion approaches.
double Dynamics::end_of_approach(double known) {
  if (!looks_ahead(integrator_->options())) return known;
  const auto ends = !session_.settings().break_points                ? Approach::Ends::passages
                    : method_of(integrator_->options()).second_order ? Approach::Ends::passages_and_between
                                                                     : Approach::Ends::all;
  const double h = integrator_->suggested_step(), latest = std::min(state_.t + h, known);
  return std::min({known, foreseen_until_, approach_.end_of_step(state_.t, h, latest, ends)});
}

/// The step that ended just before a break ends there, or at the output time which rounding tells from it.
void Dynamics::meet_break() {
  if (state_.t != just_before(break_)) return;
  const double output = outputs_.next();
  state_.t = output > just_before(break_) && output <= just_after(break_) ? output : break_;
  at_break_ = true;
}

/// A simulation that begins at a break begins with functions as they are after it, also where the one before
/// has not met it.
void Dynamics::begin_at_break() {
  if (at_break_ || !session_.settings().break_points || integrator_->options().fixed_step()) return;
  constexpr double near = 1e-6;  // of a step before the present time, from where breaks are looked through
  const double t = state_.t, behind = near * integrator_->suggested_step();
  break_ = breaks_.after(t - behind);
  while (break_ < just_before(t)) break_ = breaks_.after(break_);
  at_break_ = break_ <= just_after(t);
  if (at_break_ || !breaks_.watches_corners()) return;
  const double corner = breaks_.corner({t - behind, t + behind}, least_jump());
  constexpr double found = 1e-9;  // of `behind`, to which the search tells a corner near 0
  if (std::fabs(corner - t) > std::max(beside(t), found * behind)) return;
  break_ = t;
  at_break_ = true;
}

/// On from a break, with functions as they are after it. Where they jump, the integrator begins anew; where a
/// motion's velocity does, with the velocities that impulses of the constraints give.
void Dynamics::pass_break() {
  at_break_ = false;
  if (state_.t < just_before(break_) || state_.t > just_after(break_)) return;  // a sensor has cut the step
  bring();
  State before = state_, after = state_;
  after.t = just_after(break_);
  state_.t = after.t;
  elsewhere_ = true;  // what is evaluated from here on are these two
  try {
    initial_.reconcile(after);
    // What the method has left of the constraints' equations of velocities is no jump: compared is with the
    // functions as they were.
    if (!velocity_jump(before, after).empty()) {
      before.t = just_before(break_);
      initial_.reconcile(before);
    }
  } catch (const Failure&) {
    return;  // the next step fails, and says at what
  }
  if (const std::string jumps = velocity_jump(before, after); !jumps.empty()) {
    if (session_.events().warning && !std::exchange(told_jump_, true))
      session_.events().warning(
          fmt::format("At time {:.9g} a motion jumps: the constraints ask for another velocity of {} at "
                      "once, as in an impact. "
                      "Give motions functions that are twice differentiable. Further jumps are not told.",
                      break_, jumps));
    if (position_jumps(before, after)) return;  // no method goes on from there
  } else if (!feels_jump(before, after)) {
    return;
  }
  state_ = std::move(after);
  start_integrator(going_on(integrator_->suggested_step()));
}

/// The coordinate whose position or velocity the constraints change most, if that is more than ERROR: in a
/// position after a step of the present size or, of methods that control velocities, in these (relative above
/// 1, as ERROR is). What accelerations change between both times is no jump. "": none.
std::string Dynamics::velocity_jump(const State& before, const State& after) const {
  const IntegratorOptions& options = integrator_->options();
  const bool of_velocities = controls_velocities(options);
  const double h = integrator_->suggested_step(), between = after.t - before.t;
  double worst = options.error;
  int at = -1;
  for (std::size_t k = 0; k < after.q.size(); ++k) {
    const double moved = std::max(std::fabs(before.a[k]), std::fabs(after.a[k])) * between;
    const double change = std::max(0.0, std::fabs(after.v[k] - before.v[k]) - moved);
    const double of_velocity = of_velocities ? change / std::max(1.0, std::fabs(after.v[k])) : change * h;
    const double jump = std::fabs(after.q[k] - before.q[k]) + of_velocity;
    if (jump > worst) worst = jump, at = static_cast<int>(k);
  }
  return at < 0 ? "" : session_.model().unknown_name(at);
}

/// Whether the constraints move coordinates at once, by more than ERROR.
bool Dynamics::position_jumps(const State& before, const State& after) const {
  for (std::size_t k = 0; k < after.q.size(); ++k)
    if (std::fabs(after.q[k] - before.q[k]) > integrator_->options().error) return true;
  return false;
}

/// Whether a step of the present size that took no notice would have an error beyond ERROR: Δa h²/2 of
/// positions, Δṡ h of states, and Δa h of velocities: with explicit methods, whose steps begin with the
/// accelerations that they have; with others beyond ten times ERROR, also where no control of errors sees it,
/// as it stays in the motion.
bool Dynamics::feels_jump(const State& before, const State& after) const {
  const IntegratorOptions& options = integrator_->options();
  const double h = integrator_->suggested_step(), error = options.error;
  const double of_velocity = method_of(options).explicit_forces ? error : 10 * error;
  for (std::size_t k = 0; k < after.a.size(); ++k) {
    const double jump = std::fabs(after.a[k] - before.a[k]) * h;
    if (jump * h > 2 * error || jump > of_velocity * std::max(1.0, std::fabs(after.v[k]))) return true;
  }
  for (std::size_t k = 0; k < after.sdot.size(); ++k)
    if (std::fabs(after.sdot[k] - before.sdot[k]) * h > error * std::max(1.0, std::fabs(after.s[k])))
      return true;
  return false;
}

}  // namespace trammel
