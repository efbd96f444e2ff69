// States at output times that are found one by one, each from those before: kinematics, quasi-statics.
#pragma once

#include "analysis/redundancy_watch.h"
#include "analysis/sensors.h"
#include "analysis/session.h"
#include "integrate/schedule.h"

namespace trammel {

/// Output at the time where it begins + k · output_step and, as the last one, at its end. Sensors act at
/// their times: those that end it leave a record there.
class Sequence : public Analysis {
 public:
  AnalysisEnd go_on() override;
  void archive(Archive& a) override;
  const Sensor* ended_by() const override { return ended_by_; }

 protected:
  Sequence(Session& session, StepKind kind);
  /// The first record is the present state.
  void begin_outputs(const AnalysisPlan& plan);
  double output_step() const { return outputs_.interval; }
  /// Takes a state of the sequence to a time ahead of it, not beyond `target`. Throws Failure(solver).
  virtual void advance(State& state, double target) = 0;
  /// The session's state is that.
  virtual void arrive() = 0;

  Session& session_;
  State& state_;  ///< the session's
  InitialConditions& initial_;
  StepCounters cost_;  ///< of the step under way

 private:
  void step();
  bool watch_sensors(const State& begin);
  void change_outputs(const Sensor& sensor);

  const StepKind kind_;
  SensorWatch sensors_;
  RedundancyWatch redundancy_;
  Schedule outputs_;
  const Sensor* ended_by_ = nullptr;
};

}  // namespace trammel
