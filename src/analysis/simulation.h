// A model in time: initial conditions, then dynamics from output to output.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "analysis/initial_conditions.h"
#include "analysis/result_channels.h"
#include "analysis/settings.h"
#include "integrate/hht.h"
#include "output/step_kind.h"

namespace trammel {

/// What a simulation tells while it runs. Every function may be empty.
struct SimulationEvents {
  std::function<void(double t, StepKind kind, std::span<const double> values)> record;
  std::function<void(const StepResult&)> step;
  std::function<void(const std::string&)> warning;
  std::function<bool()> interrupted;  ///< true: finish the step and stop
};

enum class SimulationEnd { complete, interrupted };

class Simulation {
 public:
  Simulation(Model model, const DynamicsSettings& settings, SimulationEvents events);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  const Model& model() const { return model_; }
  const State& state() const { return state_; }
  Assembler& assembler() { return assembler_; }
  const Channels& channels() const { return channels_; }
  /// Settings for the next dynamics().
  void set(const DynamicsSettings& settings) { settings_ = settings; }

  /// Initial conditions at t = 0 (once; later calls return the first report).
  const InitialReport& initialize();
  /// Integrates to `end` with output at the present time + k · output_step and, as the last of `steps`, at
  /// `end`; output_step = 0: `steps` equal intervals. The first record is the present state.
  /// Throws Failure(solver) with the records up to there delivered.
  SimulationEnd dynamics(double end, int steps, double output_step = 0);

  const HhtCounters& counters() const { return counters_; }
  const SystemCounters& linear_counters() const { return system_.counters(); }
  /// Largest step of the last dynamics() that met the limit of rounding; 0: none did.
  double rounding_limited_step() const { return hht_ ? hht_->rounding_limited_step() : 0; }

 private:
  void record(State& state, StepKind kind);
  void record_interpolated(double t);
  void watch_redundant();
  void warn_of_extrapolation(const SplineRange& range);
  void advance_counters();
  void start_integrator(const HhtOptions& options);

  Model model_;
  DynamicsSettings settings_;
  SimulationEvents events_;
  Channels channels_;
  Assembler assembler_;
  GuardedSystem system_, initial_system_;
  InitialConditions initial_;
  InitialReport report_;
  State state_;
  std::unique_ptr<Hht> hht_;
  HhtCounters counters_, counters_before_;
  std::vector<double> values_;
  std::vector<unsigned char> extrapolated_;  ///< per spline: told
  bool initialized_ = false;
};

}  // namespace trammel
