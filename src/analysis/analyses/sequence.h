// Base of kinematics and quasi-statics: states are found one after another in time, each from those before,
// and recorded at output times.
#pragma once

#include "analysis/delay_histories.h"
#include "analysis/redundancy_watch.h"
#include "analysis/sensors.h"
#include "analysis/session.h"
#include "integrate/schedule.h"

namespace trammel {

/// Output at the times begin + k · output_step and, as the last one, at the end. Sensors act at their times:
/// those that end the sequence leave a record there.
class Sequence : public Analysis {
 public:
  AnalysisEnd go_on() override;
  void archive(Archive& a) override;
  const Sensor* ended_by() const override { return ended_by_; }

 protected:
  Sequence(Session& session, StepKind kind);
  /// Sets the output times, and records the present state as the first.
  void begin_outputs(const AnalysisPlan& plan);
  double output_step() const { return outputs_.interval; }
  const DelayHistories& histories() const { return histories_; }
  /// Moves a state of the sequence to a later time, not beyond `target`. Throws Failure(solver).
  virtual void advance(State& state, double target) = 0;
  /// What a state satisfies that `advance` has reached, again after values that functions read have changed.
  /// Throws Failure(solver).
  virtual void settle(State& state) = 0;
  /// Tells the session what its state, just reached, satisfies.
  virtual void arrive() = 0;

  Session& session_;
  State& state_;  ///< the state of the session
  InitialConditions& initial_;
  StepCounters cost_;  ///< counters of the present step

 private:
  void step();
  void remember(const State& begin);
  State inside_step(const State& begin, double t);
  bool watch_sensors(const State& begin);
  bool act(std::span<const SensorEvent> events, State& there);
  void change_outputs(const Sensor& sensor, double t);

  const StepKind kind_;
  SensorWatch sensors_;
  RedundancyWatch redundancy_;
  DelayHistories histories_;
  Schedule outputs_;
  const Sensor* ended_by_ = nullptr;
};

}  // namespace trammel
