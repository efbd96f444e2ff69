// A device that fails in the middle of dynamics: what the processor keeps to go on from. Part of Dynamics.
#include "analysis/analyses/dynamics.h"

namespace trammel {

void Dynamics::bring() {
  integrator_->bring(state_);
  brought_ = true;
}

/// The present state is here, and all outputs up to its time are recorded.
void Dynamics::keep(double step) {
  if (session_.systems().on_device()) kept_ = {state_, break_, at_break_, step};
}

/// Back to what is kept, for the processor; false where it is no failure of a device, or ends the run.
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
