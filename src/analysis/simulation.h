// A model in time: initial conditions, then dynamics from output to output.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "analysis/continuation.h"
#include "analysis/dense_output.h"
#include "analysis/expression_warnings.h"
#include "analysis/initial_conditions.h"
#include "analysis/redundancy_watch.h"
#include "analysis/result_channels.h"
#include "analysis/sensors.h"
#include "analysis/settings.h"
#include "integrate/device_equations.h"
#include "integrate/integrator.h"
#include "integrate/schedule.h"
#include "output/step_kind.h"

namespace trammel {

/// What a simulation tells while it runs. Every function may be empty.
struct SimulationEvents {
  std::function<void(double t, StepKind kind, std::span<const double> values)> record;
  std::function<void(const StepResult&)> step;
  std::function<void(const std::string&)> warning;
  std::function<void(const std::string&)> sensor;  ///< "Sensor/3 has become active at time = 1.5."
  std::function<bool()> interrupted;               ///< true: finish the step and stop
  PhaseTimes* times = nullptr;                     ///< where the steps' time is summed; null: nowhere
};

enum class SimulationEnd {
  complete,
  interrupted,  ///< by SimulationEvents::interrupted
  returned,     ///< by a sensor with RETURN: the next command follows
  halted,       ///< by a sensor with HALT: no command follows
};

class Simulation {
 public:
  Simulation(Model model, const DynamicsSettings& settings, SimulationEvents events,
             const ComputeSettings& compute = {});
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  const Model& model() const { return model_; }
  /// Of steps on a device: as of the last record, but for the time.
  const State& state() const { return state_; }
  /// The present state, or before initialize() that of the dataset (not assembled, accelerations 0).
  State present() const { return initialized_ ? state_ : initial_.as_given(0.0); }
  Assembler& assembler() { return assembler_; }
  /// The linear system of the steps: which solver, which order.
  const GuardedSystem& system() const { return system_; }
  /// The equations of the steps where these are computed on a device; else null.
  const DeviceEquations* on_device() const { return device_equations_.get(); }
  const Channels& channels() const { return channels_; }
  /// Computes the steps of the next dynamics() on the device, with the linear solver of another library
  /// unless null. Throws as DeviceEquations does; the simulation then stays where it was.
  void compute_on(std::shared_ptr<Device> device, const TrammelSolverApi* solver = nullptr);
  /// Settings for the next dynamics().
  void set(const DynamicsSettings& settings) { settings_ = settings; }

  /// Initial conditions at t = 0 (once; later calls return the first report).
  const InitialReport& initialize();
  /// In place of initialize(): initial conditions at the time of `before`, a simulation of the model before a
  /// change, from where its parts and states are (continue_model()). Counters go on. Throws Failure as
  /// initialize() does, and Failure(unsupported) where a state cannot be carried over.
  const InitialReport& continue_from(const Simulation& before, const Renewed& renewed);
  /// Delivers the present state as a record: initial conditions, computed if they are not yet.
  void record_initial();
  /// Integrates to `end` with output at the present time + k · output_step and, as the last of `steps`, at
  /// `end`; output_step = 0: `steps` equal intervals. The first record is the present state, as initial
  /// conditions where these have just been found. Sensors act at their times; those that end it leave a
  /// record there. Where the last dynamics() ended the integrator goes on, with its history and its step:
  /// many short simulations are the same motion as a long one. Throws Failure(solver) with the records up to
  /// there delivered.
  SimulationEnd dynamics(double end, int steps, double output_step = 0);

  /// For an integrator elsewhere that does the steps of dynamics(): what comes before them, with the first
  /// record. Gives the times of the others.
  Schedule begin_dynamics(double end, int steps, double output_step = 0);
  /// Its options.
  IntegratorOptions step_options(const Schedule& outputs) const {
    return with_output_step(settings_, outputs.interval);
  }
  /// Records an output time that it has reached: `fill(State&)` puts the state there. False where a redundant
  /// equation no longer holds: what the integrator did from there on is of no use.
  template <class Fill>
  bool take_output(const Fill& fill) {
    fill(state_);
    return record_taken();
  }
  /// What it has done up to where it is.
  void take_counters(const StepState& steps);
  /// Whether a spline that was read outside its data was told.
  bool told_extrapolation() const { return warnings_.extrapolated(); }

  /// The sensor that ended the last dynamics(); nullptr: none.
  const Sensor* ended_by() const { return ended_by_; }

  const StepCounters& counters() const { return counters_; }
  /// Of the steps, with those of the simulation that this one continues.
  SystemCounters linear_counters() const;
  /// Largest step of the last dynamics() that met the limit of rounding; 0: none did.
  double rounding_limited_step() const {
    return integrator_ ? integrator_->rounding_limited_step() : rounding_step_;
  }

 private:
  void record(const State& state, StepKind kind);
  void record_shared(const State& state);
  void record_output(double t);
  State inside_step(double t) const {
    return state_inside_step(model_, integrator_->step_start(), state_, t);
  }
  StepResult step(double target);
  double step_limit(double target) const;
  StepResult step_once(double target, double limit);
  bool exchange_redundant();
  void record_outputs(Schedule& outputs, double until);
  bool watch_sensors(Schedule& outputs);
  bool act(const Sensor& sensor, double t, Schedule& outputs, IntegratorOptions& options);
  void go_on_from(double t, const std::vector<SensorEvent>& events, std::size_t acted);
  bool record_taken();
  void advance_counters();
  void start_integrator(const IntegratorOptions& wanted);
  void begin_steps(const IntegratorOptions& options);

  Model model_;
  DynamicsSettings settings_;
  SimulationEvents events_;
  bool share_reactions_ = false;      ///< of redundant rows, in records
  std::shared_ptr<ThreadPool> pool_;  ///< null: one thread
  Channels channels_;
  Assembler assembler_;
  GuardedSystem system_, initial_system_;
  InitialConditions initial_;
  InitialReport report_;
  State state_;
  std::shared_ptr<Device> device_;  ///< null: steps are computed on the processor
  std::shared_ptr<DeviceEquations> device_equations_;
  std::unique_ptr<Integrator> integrator_;
  StepCounters counters_, counters_before_;
  SystemCounters linear_before_;  ///< of solvers, or elimination orders, before the present one
  double rounding_step_ = 0;      ///< of an integrator elsewhere
  std::vector<double> values_;
  ExpressionWarnings warnings_;
  SensorWatch sensors_;
  const Sensor* ended_by_ = nullptr;
  RedundancyWatch redundancy_;
  bool initialized_ = false;
  bool consistent_ = false;         ///< the present state satisfies φ = 0, φ̇ = 0, φ̈ = 0 to rounding
  bool at_last_step_ = false;       ///< the present state is where the integrator's last step ended
  bool initial_record_due_ = true;  ///< initial conditions were found and not yet recorded
};

}  // namespace trammel
