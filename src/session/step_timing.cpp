#include "session/step_timing.h"
#include "base/clock.h"
#include "integrate/device_equations.h"
#include "integrate/methods/list.h"

#include <algorithm>
#include <optional>

namespace trammel {
namespace {

/// A second copy of what a simulation integrates with. Models with DELAY, whose buffers would have to be
/// filled first, are never timed: no device computes them.
struct Trial {
  Trial(const StepsDue& due, Device* device, const IntegratorOptions& options)
      : model(due.session.model()),
        pool(due.compute.threads > 1 ? std::make_shared<ThreadPool>(due.compute.threads) : nullptr),
        assembler(model, Parallel(pool.get()), due.session.assembler().structure()),
        system(due.compute.linear_solver),
        state(due.session.state()) {
    if (assembler.couples_what_is_near()) {
      assembler.evaluate_equations(state, in_dynamics);
      assembler.couple_what_is_near();
    }
    if (device) {
      integrator =
          make_integrator(model, std::make_shared<DeviceEquations>(model, assembler, *device), options);
    } else {
      system.use(pool);
      system.analyze(assembler.pattern(), assembler.graph(), assembler.structure()->order());
      integrator = make_integrator(model, assembler, system, options);
    }
    integrator->start(state);
  }

  const Model& model;
  std::shared_ptr<ThreadPool> pool;
  Assembler assembler;
  GuardedSystem system;
  State state;
  std::unique_ptr<Integrator> integrator;
};

/// The output times of the simulation from its present time on.
Schedule outputs_of(const StepsDue& due) {
  const Stage& stage = due.stage;
  const double now = due.session.state().t;
  return {now, stage.plan().interval(now), stage.end, stage.steps};
}

IntegratorOptions options_of(const StepsDue& due, const Schedule& outputs) {
  const double least = due.session.initialize().least_step;  // found earlier
  return with_first_step(with_output_step(due.stage.settings, outputs.interval), least);
}

}  // namespace

std::vector<double> time_steps(const StepsDue& due, const std::shared_ptr<Device>& device) {
  Schedule outputs = outputs_of(due);
  const IntegratorOptions options = options_of(due, outputs);
  Trial trial(due, device.get(), options);
  State& state = trial.state;
  std::vector<double> seconds;
  for (double all = 0; !outputs.done() && seconds.size() < most_timed_steps && all < most_timed_seconds;
       all += seconds.back()) {
    const double target = due.stage.settings.interpolate ? outputs.end : outputs.next();
    const double limit =
        step_towards(state.t, target, trial.integrator->suggested_step(), options.hmax, options.fixed_step());
    const Stopwatch begun;
    const StepResult step = trial.integrator->step(state, limit, target - state.t);
    if (arrived(state.t, target, step.h)) state.t = target;
    if (outputs.next() <= state.t || !trial.model.sensors.empty()) trial.integrator->bring(state);
    seconds.push_back(begun.seconds());
    while (!outputs.done() && outputs.next() <= state.t) ++outputs.k;
  }
  return seconds;
}

}  // namespace trammel
