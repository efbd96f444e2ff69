#include "analysis/simulation.h"
#include "integrate/methods/list.h"

#include <algorithm>
#include <cmath>

namespace trammel {

Simulation::Simulation(Model model, const DynamicsSettings& settings, SimulationEvents events,
                       const ComputeSettings& compute)
    : model_(std::move(model)),
      settings_(settings),
      events_(std::move(events)),
      share_reactions_(compute.share_reactions),
      pool_(compute.threads > 1 ? std::make_shared<ThreadPool>(compute.threads) : nullptr),
      channels_(make_channels(model_)),
      assembler_(model_, Parallel(pool_.get())),
      system_(compute.linear_solver),
      initial_system_(compute.linear_solver),
      initial_(model_, assembler_, initial_system_, settings.initial),
      state_(model_),
      values_(channels_.size()),
      warnings_(model_, events_.warning),
      sensors_(model_, assembler_),
      redundancy_(model_, initial_, report_, events_.warning) {
  assembler_.on_extrapolation([this](const SplineRange& range) { warnings_.extrapolation(range, state_.t); });
  assembler_.on_zero_by_zero(
      [this](int tape, const std::string& place) { warnings_.zero_by_zero(tape, place, state_.t); });
  for (GuardedSystem* system : {&system_, &initial_system_}) system->use(pool_);
  system_.analyze(assembler_.pattern(), assembler_.graph());
  initial_system_.analyze(assembler_.pattern(), assembler_.graph(), system_.order());
  if (compute.device) compute_on(compute.device, compute.device_solver);
}

void Simulation::compute_on(std::shared_ptr<Device> device, const TrammelSolverApi* solver) {
  auto equations = std::make_shared<DeviceEquations>(model_, assembler_, *device, solver);
  integrator_.reset();
  device_equations_ = std::move(equations);
  device_ = std::move(device);
}

SystemCounters Simulation::linear_counters() const {
  SystemCounters sum = linear_before_;
  if (device_equations_) sum += device_equations_->counters();
  return sum += system_.counters();
}

const InitialReport& Simulation::initialize() {
  if (initialized_) return report_;
  state_ = initial_.as_given(0.0);
  report_ = initial_.run(state_);
  initialized_ = consistent_ = true;
  return report_;
}

const InitialReport& Simulation::continue_from(const Simulation& before, const Renewed& renewed) {
  warnings_.go_on_from(before.warnings_);
  continue_model(model_, before.model_, before.state_, renewed);
  state_ = initial_.as_given(before.state_.t);
  continue_state(state_, model_, before.model_, before.state_);
  report_ = initial_.run(state_, Beginning::of_motion_before);
  initialized_ = consistent_ = true;
  counters_ = before.counters_;
  linear_before_ = before.linear_counters();
  return report_;
}

void Simulation::record_initial() {
  initialize();
  State state = state_;
  record(state, StepKind::initial_conditions);
  initial_record_due_ = false;
}

void Simulation::record(const State& state, StepKind kind) {
  if (!events_.record) return;
  if (share_reactions_ && !report_.redundant.empty()) {
    record_shared(state);
  } else {
    assembler_.evaluate(state, in_dynamics);
    gather_channels(model_, assembler_, state, values_);
  }
  events_.record(state.t, kind, values_);
}

/// The channels with reactions shared among redundant equations; forces that requests read follow these.
void Simulation::record_shared(const State& state) {
  State shared = state;
  initial_.share_reactions(shared);
  assembler_.evaluate(shared, in_dynamics);
  const std::span<const double> wrench = assembler_.wrenches();
  for (std::size_t k = 0; k < model_.scalars.size(); ++k) {
    const Scalar& s = model_.scalars[k];
    if (s.kind == ScalarKind::force_output) shared.s[k] = wrench[12 * s.element + s.component];
  }
  assembler_.evaluate(shared, in_dynamics);
  gather_channels(model_, assembler_, shared, values_);
}

/// The integrator goes on where it can, or starts.
void Simulation::begin_steps(const IntegratorOptions& options) {
  if (integrator_ && at_last_step_ && integrator_->go_on(options)) return;
  start_integrator(options);
}

void Simulation::start_integrator(const IntegratorOptions& wanted) {
  if (!consistent_) initial_.reconcile(state_);
  consistent_ = true;
  const IntegratorOptions options = with_first_step(wanted, report_.least_step);
  counters_before_ = counters_;
  integrator_.reset();  // its arrays, before the next one's
  integrator_ = device_equations_ ? make_integrator(model_, device_equations_, options)
                                  : make_integrator(model_, assembler_, system_, options);
  integrator_->sum_times(events_.times);
  assembler_.tapes().accept(assembler_.reads(), state_);
  integrator_->start(state_);
}

void Simulation::advance_counters() {
  counters_ = counters_before_;
  counters_ += integrator_->counters();
}

double Simulation::step_limit(double target) const {
  const IntegratorOptions& options = integrator_->options();
  return step_towards(target - state_.t, integrator_->suggested_step(), options.hmax, options.fixed_step());
}

/// A step on the way to `target`, which the last one meets. Where the choice of redundant equations defeats
/// it another choice is tried.
StepResult Simulation::step(double target) {
  while (true) {
    try {
      const double limit = step_limit(target);
      if (!device_equations_ && redundancy_.look_ahead(state_, limit)) integrator_->forget_jacobian(state_);
      return step_once(target, limit);
    } catch (const Failure& failure) {
      if (failure.code() != ExitCode::solver || model_.multipliers == 0) throw;
      integrator_->bring(state_);
      if (exchange_redundant()) continue;
      const std::string cause = initial_.dead_centre(state_);
      if (cause.empty()) throw;
      throw Failure(failure.code(), fmt::format("{}\nAt time {:.9g} {}.", failure.what(), state_.t, cause));
    }
  }
}

bool Simulation::exchange_redundant() {
  if (!redundancy_.exchange(state_)) return false;
  start_integrator(going_on_with(integrator_->options(), integrator_->suggested_step()));
  return true;
}

/// A step that fails has its counts, too.
StepResult Simulation::step_once(double target, double limit) {
  const IntegratorOptions& options = integrator_->options();
  try {
    const StepResult result = integrator_->step(state_, limit, std::min(options.hmax, target - state_.t));
    at_last_step_ = true;
    consistent_ = false;
    report_.least_step = 0;  // it has left the singular position
    if (arrived(state_.t, target, result.h)) state_.t = target;
    advance_counters();
    return result;
  } catch (const Failure&) {
    advance_counters();
    throw;
  }
}

Schedule Simulation::begin_dynamics(double end, int steps, double output_step) {
  initialize();
  ended_by_ = nullptr;
  const Schedule outputs{state_.t, output_step > 0 ? output_step : (end - state_.t) / steps, end, steps};
  if (!(outputs.interval > 0))
    fail(ExitCode::input, "SIMULATE: END = {:.9g} is not after the present time {:.9g}", end, state_.t);
  record(state_, initial_record_due_ ? StepKind::initial_conditions : StepKind::dynamics);
  initial_record_due_ = false;
  assembler_.evaluate(state_, in_dynamics);
  counters_before_ = counters_;
  return outputs;
}

bool Simulation::record_taken() {
  record(state_, StepKind::dynamics);
  return report_.redundant.empty() || initial_.redundant_rows_hold(state_);
}

void Simulation::take_counters(const StepState& steps) {
  counters_ = counters_before_;
  counters_ += steps.counters;
  rounding_step_ = steps.rounding.largest_step;
  state_.t = steps.motion.t;
}

SimulationEnd Simulation::dynamics(double end, int steps, double output_step) {
  Schedule outputs = begin_dynamics(end, steps, output_step);
  begin_steps(with_output_step(settings_, outputs.interval));
  sensors_.begin(state_);
  while (!outputs.done()) {
    const double target = outputs.next();
    while (state_.t < target) {
      if (events_.interrupted && events_.interrupted()) {
        integrator_->bring(state_);
        return SimulationEnd::interrupted;
      }
      const StepResult result = step(settings_.interpolate ? outputs.end : target);
      if (events_.step) events_.step(result);
      if (outputs.next() <= state_.t || !sensors_.empty()) integrator_->bring(state_);
      if (!sensors_.empty() && watch_sensors(outputs)) {
        if (ended_by_) return ended_by_->halt ? SimulationEnd::halted : SimulationEnd::returned;
        break;  // output times or the state may be others now
      }
    }
    record_outputs(outputs, state_.t);
  }
  return SimulationEnd::complete;
}

/// Records every output time up to `until`, which the last step has reached.
void Simulation::record_outputs(Schedule& outputs, double until) {
  for (; !outputs.done() && outputs.next() <= until; ++outputs.k) {
    record_output(outputs.next());
    if (redundancy_.renew(state_)) integrator_->forget_jacobian(state_);
  }
}

/// Lets sensors act that the last step has come upon. True when one has changed the course of things.
bool Simulation::watch_sensors(Schedule& outputs) {
  State inside;
  const double begin = integrator_->step_start_time(), h = state_.t - begin;
  const auto at = [&](double t) -> const State& { return inside = inside_step(t); };
  const std::vector<SensorEvent> events = sensors_.after_step(begin, state_, at);
  for (std::size_t k = 0; k < events.size();) {
    const double t = events[k].t;
    record_outputs(outputs, std::nextafter(t, begin));
    IntegratorOptions options =
        going_on_with(with_output_step(settings_, outputs.interval), integrator_->suggested_step());
    bool cut = false;
    std::size_t acted = k;
    // What acts within rounding of the same time acts together.
    for (; acted < events.size() && events[acted].t <= t + 1e-9 * h; ++acted)
      cut = act(model_.sensors[events[acted].sensor], t, outputs, options) || cut;
    if (cut) {
      go_on_from(t, events, acted);
      if (ended_by_) {
        record(state_, StepKind::dynamics);
        return true;
      }
      start_integrator(options);
      return true;
    }
    k = acted;
  }
  return false;
}

/// True when the present step must end at t.
bool Simulation::act(const Sensor& sensor, double t, Schedule& outputs, IntegratorOptions& options) {
  if (events_.sensor)
    events_.sensor(fmt::format("Sensor/{} has become active at time = {:.7g}.", sensor.name.id, t));
  const bool ends = sensor.halt || sensor.ends_command;
  if (ends && !(ended_by_ && ended_by_->halt)) ended_by_ = &sensor;
  const bool output_time = !outputs.done() && outputs.next() == t;  // has its record anyway
  if (sensor.print && !ends && !output_time) record_output(t);
  if (sensor.output_step > 0 && t < outputs.end) {
    if (output_time) record_output(t);
    const double count = std::max(1.0, std::ceil((outputs.end - t) / sensor.output_step - 1e-6));
    if (count > 1e8)
      fail(ExitCode::input, "Sensor/{}: DT = {:.3g} gives {:.3g} output steps", sensor.name.id,
           sensor.output_step, count);
    outputs = {t, sensor.output_step, outputs.end, static_cast<int>(count)};
    options = going_on_with(with_output_step(settings_, sensor.output_step), options.hinit);
  }
  if (sensor.restart) options.hinit = with_output_step(settings_, outputs.interval).hinit;
  if (sensor.step_size > 0) options.hinit = std::clamp(sensor.step_size, options.hmin, options.hmax);
  if (sensor.codgen) {
    linear_before_ = linear_counters();
    system_.analyze(assembler_.pattern(), assembler_.graph());
    if (device_equations_) device_equations_->analyze();
  }
  return ends || sensor.restart || sensor.codgen || sensor.output_step > 0 || sensor.step_size > 0 ||
         sensor.evaluate >= 0;
}

/// The state at t, inside or at the end of the last step, becomes the present one; sensors have evaluated.
void Simulation::go_on_from(double t, const std::vector<SensorEvent>& events, std::size_t acted) {
  at_last_step_ = false;
  if (t < state_.t) {
    state_ = inside_step(t);
    for (DelayBuffer& d : state_.delays) d.truncate_after(t);
  }
  initial_.reconcile(state_);
  consistent_ = true;
  bool jump = false;
  std::vector<std::pair<int, double>> values;
  for (std::size_t k = 0; k < acted; ++k) {
    const Sensor& s = model_.sensors[events[k].sensor];
    if (s.evaluate >= 0) values.emplace_back(s.scalar, sensors_.evaluate(s, state_));
  }
  for (const auto& [scalar, value] : values) {
    jump = jump || state_.s[scalar] != value;
    state_.s[scalar] = value;
  }
  if (jump) initial_.reconcile(state_);  // forces that read it have changed
  sensors_.cut(state_, events, acted);
}

/// Records the state at t, inside or at the end of the last step; on the constraints where steps do not end
/// at outputs.
void Simulation::record_output(double t) {
  if (!settings_.interpolate && t == state_.t) return record(state_, StepKind::dynamics);
  State s = t < state_.t ? inside_step(t) : state_;
  initial_.reconcile(s);
  record(s, StepKind::dynamics);
}

}  // namespace trammel
