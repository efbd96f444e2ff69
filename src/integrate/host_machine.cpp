#include "integrate/host_machine.h"

#include "integrate/phase_times.h"

namespace trammel {

bool HostMachine::evaluate(double t, const Coefficients& c, double* residual) {
  const PhaseTimer timer(times ? &times->equations : nullptr, equations_->waited());
  state->t = t;
  run_.flush();
  return has_value([&] { equations_->evaluate(*state, c, residual); });
}

bool HostMachine::evaluate_rates(double t, const Coefficients& c, double* residual, double* rows) {
  const PhaseTimer timer(times ? &times->equations : nullptr, equations_->waited());
  state->t = t;
  run_.flush();
  return has_value([&] { equations_->evaluate_rates(*state, c, residual, rows); });
}

bool HostMachine::velocity_rows(double* rows) {
  run_.flush();
  return has_value([&] { equations_->velocity_rows(*state, rows); });
}

bool HostMachine::mass_times_acceleration(double* out) {
  run_.flush();
  return has_value([&] { equations_->mass_times_acceleration(*state, out); });
}

bool HostMachine::factor(double t, const Coefficients& c, SolveReport& report) {
  state->t = t;
  run_.flush();
  const bool has_matrix = has_value([&] { report = equations_->factor(*state, c, times); });
  if (observer && has_matrix)
    observer->jacobian(
        {equations_->on_processor()->system().pattern(), equations_->on_processor()->matrix()});
  return has_matrix;
}

SolveReport HostMachine::solve(const double* b, double* x) {
  const PhaseTimer timer(times ? &times->solution : nullptr, equations_->waited());
  run_.flush();
  return equations_->solve(b, x);
}

bool HostMachine::leaps(double t, double h, bool evaluated) {
  state->t = t;
  run_.flush();
  bool leaps = false;
  return has_value([&] { leaps = equations_->leaps(*state, h, evaluated); }) && leaps;
}

void HostMachine::accept(double t) {
  state->t = t;
  run_.flush();
  equations_->accept(*state);
}

}  // namespace trammel
