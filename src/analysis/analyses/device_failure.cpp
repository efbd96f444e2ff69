// A device that fails during dynamics: the state that the processor keeps to continue from. Part of Dynamics.
#include "analysis/analyses/dynamics.h"

namespace trammel {

void Dynamics::bring() {
  integrator_->bring(state_);
  brought_ = true;
}

/// Called where the present state is on the processor and all outputs up to its time are recorded: keeps
/// them, with the size of the next step.
void Dynamics::keep(double step) {
  if (session_.systems().on_device()) kept_ = {state_, break_, at_break_, step};
}

/// Goes back to the kept state, with steps on the processor from there; false where the failure is not of a
/// device, or ends the run.
bool Dynamics::leave_device(const Failure& failure) {
  const auto& agrees = session_.events().device_failed;
  if (failure.code() != ExitCode::backend || !session_.systems().on_device()) return false;
  if (!agrees || !agrees(failure, kept_.state.t)) return false;
  integrator_.reset();
  session_.systems().leave_device();
  state_ = kept_.state;
  break_ = kept_.break_at;
  at_break_ = kept_.at_break;
  return true;
}

}  // namespace trammel
