// Corners of curves of ORDER=2, at which the velocities of contacts on them jump. Part of Dynamics.
#include "analysis/analyses/dynamics.h"

#include "integrate/methods/list.h"
#include "model/explicit_order.h"

namespace trammel {

/// The step that passes a corner finds the places behind it, which the impulse of the next line's normal
/// gives them, but its velocities are differences of places over the step: across that line they have the gap
/// to the line before over h, of any size. Impulses of the constraints take it from them, and steps begin
/// anew.
void Dynamics::meet_corner() {
  if (curve_places_.empty()) return;
  bring();
  constexpr double sharp = 0.87;  // cos 30°; at 60° and below velocities of HHT and I3 were still right
  at_corner_ = session_.assembler().sharpest_corner(curve_places_, state_.angle) < sharp;
  if (!at_corner_) return;
  elsewhere_ = true;
  initial_.reconcile(state_);
}

void Dynamics::pass_corner() {
  at_corner_ = false;
  start_integrator(going_on(integrator_->suggested_step()));
}

/// Methods that hold errors of velocities have no step over a corner, however short: HHT, which does not, has
/// their place for two outputs. False where no contact is at a corner, or states read accelerations or
/// reactions, whose impulse there a step does not tell.
bool Dynamics::step_over_corner() {
  const std::string method = integrator_->options().method;
  if (curve_places_.empty() || method == "HHT" || outputs_with_other_ > 0 ||
      first_state_of_solutions(session_.model()) >= 0)
    return false;
  const std::string contact = session_.assembler().contact_at_corner(state_.angle);
  if (contact.empty() || !take_other("HHT", method, contact + " is at a corner of its curve of ORDER=2"))
    return false;
  start_integrator(options_of_steps(outputs_));
  return true;
}

}  // namespace trammel
