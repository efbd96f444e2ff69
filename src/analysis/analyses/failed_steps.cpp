// What is tried where a step fails, before the run ends. Part of Dynamics.
#include "analysis/analyses/dynamics.h"

#include <utility>

#include "integrate/methods/list.h"

namespace trammel {

/// Behind a new choice of redundant equations. Those of decks with few digits contradict each other a little:
/// where what they differ by is more than a small part of ERROR, steps begin anew, on those that hold now.
void Dynamics::go_on_with_other_rows() {
  constexpr double small = 0.01;
  if (!initial_.kept_rows_miss(state_, small * integrator_->options().error))
    return integrator_->forget_jacobian(state_);
  initial_.reconcile(state_, 0);
  start_integrator(going_on_with(integrator_->options(), integrator_->suggested_step()));
}

bool Dynamics::exchange_redundant() {
  if (!redundancy_.exchange(state_)) return false;
  start_integrator(going_on_with(integrator_->options(), integrator_->suggested_step()));
  return true;
}

/// An error near ERROR that no step size makes smaller is neither that of the formula nor a jump: past points
/// hand it on. Steps begin anew where they stopped, on the constraints, once between two outputs.
bool Dynamics::begin_anew() {
  constexpr double near = 5;  // ERROR, of the body whose error is largest
  const double error = integrator_->steps().failure.error;
  if (!(error > 1 && error < near) || std::exchange(began_anew_, true)) return false;
  if (session_.events().warning)
    session_.events().warning(fmt::format(
        "At time {:.9g} steps of any size have {:.2f} ERROR: {} begins anew there, without past points.",
        state_.t, error, integrator_->options().method));
  start_integrator(options_of_steps(outputs_));
  return true;
}

/// Another method takes the place of `method` for two outputs, with a warning. False where `method` does
/// without.
bool Dynamics::take_other(const std::string& other, const std::string& method, const std::string& cause) {
  constexpr int outputs = 2;  // the first may come at once
  const IntegrationMethod& row = *find_integration_method(method);
  if (!row.chooses_order && !row.leaves_dead_centres) return false;
  stand_in_ = other;
  outputs_with_other_ = outputs;
  counters_looked_ = session_.counters();
  if (session_.events().warning)
    session_.events().warning(fmt::format("At time {:.9g} {}. {} takes {}'s place there, for two outputs.",
                                          state_.t, cause, other, method));
  return true;
}

/// The method that steps begin with at a dead centre, at any ERROR: it holds φ alone, and its first step is
/// of second order. φ̇ = 0 leaves velocities open there, and steps of first order would have to be so short
/// that rounding moves the mechanism.
bool Dynamics::begin_at_dead_centre(const std::string& method, const std::string& cause) {
  return take_other("HHT", method, cause);
}

/// Beside a dead centre, a time t from it, errors of positions are errors of velocities by 1/t and of
/// accelerations by 1/t², which past points hand on: steps of any size are refused, and those that pass lead
/// nearer and are shorter, until rounding is all they find. RADAU knows no past points and is as exact as
/// what it stands in for; in its own place HHT begins.
bool Dynamics::pass_dead_centre(const std::string& cause) {
  const std::string method = integrator_->options().method;
  if (!(method == "RADAU" ? begin_at_dead_centre(method, cause) : take_other("RADAU", method, cause)))
    return false;
  start_integrator(options_of_steps(outputs_));
  return true;
}

/// Another method passes a dead centre where attempts are refused and steps are so short that many of them
/// are nothing beside a longer one; HHT does in RADAU's place as soon as a few are refused, as nearer to the
/// dead centre it might not begin any more.
void Dynamics::leave_dead_centre() {
  constexpr long looked_at = 16, a_quarter = 4, a_few = 8;  // steps, attempts
  constexpr double nothing = 0.01;
  const auto refused = [](const StepCounters& c) { return c.rejected_corrector + c.rejected_error; };
  if (session_.model().multipliers == 0) return;
  const StepCounters& counters = session_.counters();
  const bool stands_in = outputs_with_other_ > 0;
  const bool many = refused(counters) - refused(counters_looked_) >= (stands_in ? a_few : a_quarter);
  if (stands_in ? !many || stand_in_ != "RADAU" : counters.steps < counters_looked_.steps + looked_at) return;
  const bool go_well = !many || (!stands_in && state_.t - looked_ > nothing * longest_step_);
  counters_looked_ = counters;
  looked_ = state_.t;
  if (go_well) return;
  bring();
  const std::string cause = initial_.dead_centre(state_);
  if (cause.empty()) return;
  failure_before_.reset();
  pass_dead_centre(cause);
}

/// Once: the corrector has refused a good part of many attempts at steps.
void Dynamics::tell_refusals() {
  constexpr long many = 10'000;
  const StepCounters& counters = session_.counters();
  if (told_refusals_ || counters.rejected_corrector < many ||
      3 * counters.rejected_corrector < counters.steps)
    return;
  told_refusals_ = true;
  if (session_.events().warning)
    session_.events().warning(
        fmt::format("At time {:.9g} the corrector has refused {} attempts at steps, beside {} steps: "
                    "something jumps, such as a force by SIGN or IF of a velocity, which STEP makes smooth, "
                    "or {}{} is not for this model. HHT and GSTIFF, I3 bear more; `trammel doctor` names "
                    "what does not converge.",
                    state_.t, counters.rejected_corrector, counters.steps, integrator_->options().method,
                    integrator_->options().stabilized ? ", SI2" : ""));
}

}  // namespace trammel
