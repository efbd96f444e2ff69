#include "analysis/statics/damped_motion.h"

#include <algorithm>
#include <cmath>

#include "analysis/settings.h"

namespace trammel {

namespace {

constexpr long most_steps = 100000;

/// The largest |q̈| of any coordinate.
double largest_acceleration(const State& state) {
  double largest = 0;
  for (const double a : state.a) largest = std::max(largest, std::abs(a));
  return largest;
}

/// HHT, which is dissipative. Errors of the motion do not matter, but the remainder of the corrector must not
/// keep accelerations above their limit, and a step must not pass what holds the body at last: its ERROR
/// falls with each stop, to that of a contact's depth. The first step moves by a thousandth of the arm.
IntegratorOptions options_of(const State& state, double arm, double acceleration_error, int stops) {
  IntegratorOptions o;
  o.method = "HHT";
  constexpr double least_error = 1e-8;
  o.error = std::max(least_error, std::ldexp(std::min(1e-3, 0.1 * acceleration_error), -stops));
  const double a = largest_acceleration(state);
  o.hinit = a > 0 ? std::sqrt(2e-3 * arm / a) : 1.0;
  o.hmax = 1e6 * o.hinit;
  o.hmin = 1e-12 * o.hinit;
  o.forces_may_stiffen = true;
  return o;
}

void scale_velocities(State& state, double factor) {
  for (double& v : state.v) v *= factor;
}

}  // namespace

EquilibriumReport damped_motion(ModelSystems& systems, InitialConditions& initial, const CountedTurns& turns,
                                State& state, const EquilibriumOptions& o,
                                const std::function<bool()>& interrupted) {
  const double begin = state.t;
  Assembler& assembler = systems.assembler();
  InitialReport unused;
  EquilibriumReport report;
  double highest = 0, before = 0,
         lost = 0;  // highest: the kinetic energy before the last stop or damping; lost: the sum of d h since
  int stops = 0;
  std::unique_ptr<Integrator> integrator;
  const auto start = [&] {
    initial.accelerations(state, unused);
    integrator.reset();
    integrator = systems.make_integrator(options_of(state, initial.arm(), o.acceleration_error, stops));
    integrator->start(state);
    before = 0;
  };
  start();
  while (true) {
    if (highest <= o.kinetic_energy_error && before == 0 &&
        largest_acceleration(state) <= o.acceleration_error)
      break;
    if (report.iterations >= most_steps || (o.settling_time > 0 && state.t - begin > o.settling_time))
      fail(ExitCode::solver,
           "STATICS: the damped motion is not at rest after {:.4g} of time and {} steps: the largest "
           "acceleration is {:.4g}, the last kinetic energy {:.4g}",
           state.t - begin, report.iterations, largest_acceleration(state), highest);
    if (interrupted && interrupted())
      fail(ExitCode::interrupted, "STATICS: interrupted after {} steps of the damped motion",
           report.iterations);
    const double longest = turns.longest_step(assembler.kinematics());
    const StepResult step = integrator->step(state, std::min(integrator->suggested_step(), longest));
    ++report.iterations;
    integrator->bring(state);
    assembler.evaluate(state, in_dynamics);
    const double energy = assembler.kinetic_energy();
    lost += o.global_damping * step.h;
    const bool falls = energy < before;
    if (!falls && lost < 0.1) {
      before = energy;
      continue;
    }
    highest = falls ? before : energy;
    scale_velocities(state, falls ? 0.0 : std::exp(-lost));
    stops += falls;
    lost = 0;
    start();
  }
  state.t = begin;
  initial.bring_back(state, ConstraintLevel::position, at_rest());
  return report;
}

}  // namespace trammel
