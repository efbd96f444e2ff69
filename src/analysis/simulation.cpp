#include "analysis/simulation.h"

#include <algorithm>
#include <cmath>

namespace trammel {

Simulation::Simulation(Model model, const DynamicsSettings& settings, SimulationEvents events)
    : model_(std::move(model)),
      settings_(settings),
      events_(std::move(events)),
      channels_(make_channels(model_)),
      assembler_(model_),
      initial_(model_, assembler_, initial_system_, settings.initial),
      state_(model_),
      values_(channels_.size()),
      extrapolated_(model_.splines.size()) {
  assembler_.tapes().on_extrapolation = [this](const SplineRange& range) { warn_of_extrapolation(range); };
  system_.analyze(assembler_.pattern(), assembler_.graph());
  initial_system_.analyze(assembler_.pattern(), assembler_.graph(), system_.order());
}

const InitialReport& Simulation::initialize() {
  if (initialized_) return report_;
  state_ = initial_.as_given(0.0);
  report_ = initial_.run(state_);
  initialized_ = true;
  return report_;
}

void Simulation::record(State& state, StepKind kind) {
  if (!events_.record) return;
  assembler_.set_phase(state, phase_dynamics);
  assembler_.evaluate(state, 4);
  gather_channels(model_, assembler_, state, values_);
  events_.record(state.t, kind, values_);
}

void Simulation::start_integrator(const HhtOptions& options) {
  counters_before_ = counters_;
  hht_ = std::make_unique<Hht>(model_, assembler_, system_, options);
  assembler_.tapes().accept(assembler_.reads(), state_);
  hht_->start(state_);
}

void Simulation::advance_counters() {
  const HhtCounters& c = hht_->counters();
  counters_ = counters_before_;
  counters_.steps += c.steps;
  counters_.rejected_error += c.rejected_error;
  counters_.rejected_corrector += c.rejected_corrector;
  counters_.evaluations += c.evaluations;
  counters_.iterations += c.iterations;
  counters_.jacobians += c.jacobians;
  counters_.rebases += c.rebases;
}

SimulationEnd Simulation::dynamics(double end, int steps, double output_step) {
  const bool first = !initialized_;
  initialize();
  const double begin = state_.t, interval = output_step > 0 ? output_step : (end - begin) / steps;
  if (!(interval > 0))
    fail(ExitCode::input, "SIMULATE: END = {:.9g} is not after the present time {:.9g}", end, begin);
  record(state_, first ? StepKind::initial_conditions : StepKind::dynamics);
  assembler_.set_phase(state_, phase_dynamics);
  assembler_.evaluate(state_, 4);
  start_integrator(with_output_step(settings_, interval));
  const HhtOptions& options = hht_->options();
  for (int k = 1; k <= steps; ++k) {
    const double target = k == steps ? end : begin + k * interval;
    while (state_.t < target) {
      if (events_.interrupted && events_.interrupted()) return SimulationEnd::interrupted;
      double limit = options.hmax;
      if (!settings_.interpolate) {
        // Equal steps to the output time, none longer than suggested.
        const double left = target - state_.t, h = std::min(hht_->suggested_step(), options.hmax);
        limit = left / std::max(1.0, std::ceil(left / h * (1 - 1e-9)));
        if (options.fixed_step() && left > h * (1 + 1e-9)) limit = h;
      }
      const StepResult result = hht_->step(state_, limit);
      advance_counters();
      if (!settings_.interpolate && std::abs(target - state_.t) <= 1e-9 * result.h) state_.t = target;
      if (events_.step) events_.step(result);
    }
    if (state_.t > target)
      record_interpolated(target);
    else
      record(state_, StepKind::dynamics);
    watch_redundant();
  }
  return SimulationEnd::complete;
}

/// Once per spline; trial values of the corrector count, so the place may be a little off.
void Simulation::warn_of_extrapolation(const SplineRange& range) {
  if (!events_.warning || extrapolated_[range.spline]) return;
  extrapolated_[range.spline] = 1;
  const SplineTable& s = model_.splines[range.spline];
  const bool in_x = range.x < s.x.front() || range.x > s.x.back();
  const std::vector<double>& grid = in_x || s.z.empty() ? s.x : s.z;
  events_.warning(
      fmt::format("An out-of-range {0} value has been used in the spline calculation at time {1:.6g}.\n"
                  "Extrapolation is required for SPLINE/{2}.\n"
                  "The {0} value ({3:.6g}) should be between {4:.6g} and {5:.6g}",
                  &grid == &s.x ? "X" : "Z", state_.t, s.id, &grid == &s.x ? range.x : range.z, grid.front(),
                  grid.back()));
}

/// Quintic Hermite interpolation of q, q̇, q̈ over the last step, then back onto the constraints;
/// λ and the scalar states linearly as starting values.
void Simulation::record_interpolated(double t) {
  const Hht::StepStart& b = hht_->step_start();
  State s = state_;
  const double h = state_.t - b.t, u = (t - b.t) / h;
  s.t = t;
  const double u2 = u * u, u3 = u2 * u, u4 = u3 * u, u5 = u4 * u;
  const double f1 = 10 * u3 - 15 * u4 + 6 * u5, g0 = u - 6 * u3 + 8 * u4 - 3 * u5,
               g1 = -4 * u3 + 7 * u4 - 3 * u5;
  const double k0 = 0.5 * (u2 - 3 * u3 + 3 * u4 - u5), k1 = 0.5 * (u3 - 2 * u4 + u5);
  const double F1 = 30 * u2 - 60 * u3 + 30 * u4, G0 = 1 - 18 * u2 + 32 * u3 - 15 * u4,
               G1 = -12 * u2 + 28 * u3 - 15 * u4;
  const double K0 = 0.5 * (2 * u - 9 * u2 + 12 * u3 - 5 * u4), K1 = 0.5 * (3 * u2 - 8 * u3 + 5 * u4);
  for (std::size_t i = 0; i < s.q.size(); ++i) {
    const double dq = state_.q[i] - b.q[i];
    s.q[i] =
        b.q[i] + f1 * dq + h * (g0 * b.v[i] + g1 * state_.v[i]) + h * h * (k0 * b.a[i] + k1 * state_.a[i]);
    s.v[i] = F1 * dq / h + G0 * b.v[i] + G1 * state_.v[i] + h * (K0 * b.a[i] + K1 * state_.a[i]);
    s.a[i] = b.a[i] + u * (state_.a[i] - b.a[i]);
  }
  const auto blend = [&](std::vector<double>& out, const std::vector<double>& from,
                         const std::vector<double>& to) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = from[i] + u * (to[i] - from[i]);
  };
  blend(s.lambda, b.lambda, state_.lambda);
  blend(s.s, b.s, state_.s);
  blend(s.sdot, b.sdot, state_.sdot);
  for (std::size_t k = 0; k < model_.scalars.size(); ++k)
    if (model_.scalars[k].differential())  // cubic Hermite
      s.s[k] = b.s[k] + (3 * u2 - 2 * u3) * (state_.s[k] - b.s[k]) +
               h * ((u - 2 * u2 + u3) * b.sdot[k] + (u3 - u2) * state_.sdot[k]);
  initial_.reconcile(s);
  record(s, StepKind::dynamics);
  assembler_.set_phase(state_, phase_dynamics);
}

/// Dropped rows must stay satisfied; one that does not asks for a new analysis, and contradicting ones
/// end the run.
void Simulation::watch_redundant() {
  if (report_.redundant.empty()) return;
  if (initial_.redundant_rows_hold(state_)) return;
  const std::vector<unsigned char> before = state_.dropped;
  initial_.recheck_redundancy(state_);
  if (state_.dropped == before) return;
  if (events_.warning)
    events_.warning(
        fmt::format("At time {:.9g} a redundant equation was no longer satisfied; other equations are "
                    "dropped from there on.",
                    state_.t));
  hht_->forget_jacobian();
}

}  // namespace trammel
