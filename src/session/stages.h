// Carries out the stages of a plan: simulations, changes of the model, INFO, SHOW.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "session/run_log.h"

namespace trammel {

/// What the stages tell while they run; the account goes to the RunLog.
struct StageEvents {
  /// Values of the channels at the first simulation; those that a change of the model has ended are 0.
  std::function<void(double t, StepKind kind, std::span<const double> values)> record;
  std::function<void(Simulation&)> made;  ///< a new simulation, before it begins
  /// Steps are due: initial conditions are found, and nothing is recorded of them yet.
  std::function<void(Simulation&, const Stage&)> steps_due;
  std::function<bool()> interrupted;  ///< true: finish the step and stop
  PhaseTimes* times = nullptr;        ///< where the steps' time is summed; null: nowhere
};

class StageRunner {
 public:
  /// Changes of the model are made in job.description.
  StageRunner(Job& job, RunLog& log, StageEvents events, const ComputeSettings& compute);

  /// The model as it is at the first stage.
  void begin(Model model, const DynamicsSettings& settings);
  /// False when the run ends here: interrupted, or by a sensor. Throws Failure(solver) with the records up to
  /// there delivered.
  bool run(const Stage& stage);

  /// The parts of run(), for steps that are taken elsewhere: all before them, they themselves, all after.
  enum class Next { stage, steps, end };
  Next begin(const Stage& stage);
  SimulationEnd take_steps();
  bool end_steps(SimulationEnd end);
  /// The stage whose steps are due, with its interval worked out.
  const Stage& present() const { return stage_; }

  /// Whether that was why run() gave false.
  bool was_interrupted() const { return was_interrupted_; }
  /// Counters of the steps, if there were any, to the log.
  void tell_counters();

  /// The present simulation; null before begin().
  Simulation* simulation() { return simulation_.get(); }
  /// Channels of the records: those of the model at begin().
  const Channels& channels() const { return channels_; }

 private:
  std::unique_ptr<Simulation> make_simulation(Model model, const DynamicsSettings& settings);
  std::span<const double> in_columns(std::span<const double> values);
  bool go_on();
  Next simulate(const Stage& stage);
  bool still_to_come(Stage& stage);
  void update_model(const Stage& stage);
  void match_columns();
  void initialize(const Stage& stage);

  Job& job_;
  RunLog& log_;
  StageEvents events_;
  const ComputeSettings& compute_;
  std::unique_ptr<Simulation> simulation_;
  Channels channels_;
  std::vector<int> columns_;  ///< their places in the channels of a changed model; empty: the same
  std::vector<double> row_;
  std::uint64_t records_ = 0;
  Renewed renewed_;       ///< by changes since the last simulation
  bool changed_ = false;  ///< the model, since then
  Stage stage_;           ///< whose steps are due
  bool initialized_ = false, was_interrupted_ = false;
};

}  // namespace trammel
