// What is tried where a step fails, before the run ends. Part of Dynamics.
#include "analysis/analyses/dynamics.h"

#include <utility>

#include "integrate/methods/list.h"

namespace trammel {

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

/// HHT passes a dead centre at any ERROR: it holds φ alone, and its first step is of second order. φ̇ = 0
/// leaves velocities open there, and steps of first order would have to be so short that rounding moves the
/// mechanism. False where `method` does without, as HHT itself.
bool Dynamics::take_hht(const std::string& method, const std::string& cause) {
  constexpr int outputs = 2;  // the first may come at once
  const IntegrationMethod& row = *find_integration_method(method);
  if (!row.chooses_order && !row.hht_passes_dead_centres) return false;
  outputs_with_hht_ = outputs;
  if (session_.events().warning)
    session_.events().warning(fmt::format("At time {:.9g} {}. HHT takes {}'s place there, for two outputs.",
                                          state_.t, cause, method));
  return true;
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
