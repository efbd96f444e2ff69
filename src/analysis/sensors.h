// SENSORs: at which time inside a step does a watched expression f reach its value V?
//   EQ: f − V changes sign, or |f − V| <= ERROR at the end of the step;
//   GE: f − V rises through 0, or f − V >= −ERROR at the end of the step;   LE: the same with V − f.
// A sensor also acts where f comes to V inside the step, from the side that counts, and turns back: at the
// turning point if that is within ERROR of V, or where f − V first changes sign. A sensor acts when its
// condition becomes true: a condition that is true at the start of a simulation, or has been true since the
// sensor acted, must first be false at the end of a step.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "assemble/assembler.h"
#include "base/archive.h"

namespace trammel {

struct SensorEvent {
  int sensor = 0;  ///< index in Model::sensors
  double t = 0;
};

/// Sensors whose times are no more than this part of a step apart act at the same time.
constexpr double same_time = 1e-9;

class SensorWatch {
 public:
  /// `point`: at which an analysis evaluates, and the sensors with it.
  SensorWatch(const Model& model, Assembler& assembler, const AnalysisPoint& point)
      : model_(model), assembler_(assembler), point_(point) {}

  bool empty() const { return model_.sensors.empty(); }
  /// At the start of a simulation: arms every sensor whose condition is false.
  void begin(const State& state);
  /// After a step from time `t0` to `state`: the sensors that act in it, in order of time. `at(t)` gives the
  /// state at a time inside the step. Roots are found to 1e-9 of ERROR, or 1e-12 of the step.
  std::vector<SensorEvent> after_step(double t0, const State& state,
                                      const std::function<const State&(double)>& at);
  /// Tells that the last step was cut off at `state`: of its `events` only the first `acted` were reached.
  void cut(const State& state, const std::vector<SensorEvent>& events, std::size_t acted);
  /// The value of the sensor's EVALUATE expression at the state.
  double evaluate(const Sensor& sensor, const State& state);

  void archive(Archive& a) { a(before_, older_, older_t_, armed_, armed_before_); }

 private:
  double deviation(const Sensor& sensor);
  using StateAt = std::function<const State&(double)>;
  /// d = f − V at the time t.
  struct Sample {
    double t, d;
  };
  std::optional<double> root(const Sensor& sensor, double t0, double d0, double t1, double d1,
                             const StateAt& at);
  bool may_turn(std::size_t sensor, Sample begin, Sample end) const;
  std::optional<Sample> turn(const Sensor& sensor, Sample begin, Sample end, const StateAt& at);
  std::optional<double> touch(const Sensor& sensor, Sample begin, Sample end, const StateAt& at);

  const Model& model_;
  Assembler& assembler_;
  const AnalysisPoint point_;
  std::vector<double> before_;  ///< f − V at the end of the last step
  std::vector<double> older_;   ///< f − V at the beginning of the last step; NaN: not known
  double older_t_ = 0;          ///< the time at which the last step began
  std::vector<unsigned char> armed_, armed_before_;
};

}  // namespace trammel
