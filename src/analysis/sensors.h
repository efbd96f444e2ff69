// SENSORs: at which time inside a step does a watched expression f reach its value V?
//   EQ: f − V changes sign, or |f − V| <= ERROR at the end of the step;
//   GE: f − V rises through 0, or f − V >= −ERROR at the end of the step;   LE: the same with V − f.
// A sensor also acts where f comes to V inside the step, from the side that counts, and turns back: at the
// turning point if that is within ERROR of V, or where f − V first changes sign. A sensor acts when its
// condition becomes true: a condition that is true at the start of a simulation, or has been true since the
// sensor acted, must first be false.
//
// A step may be long compared to the course of f: a body that turns freely, or a function of TIME, sets no
// limit. So f is looked at inside of it, too, until the parabola of each part of the step says that f stays
// away from V there, or crosses it once; what happens in the parts, one after the other, is what happens in
// the step. Where f reads accelerations, forces or VARIABLEs, for which the equations are solved at each such
// place and at the ends of steps, places inside are only looked at where f at the end of a step is not about
// what the step before foretells.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
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
  using Tell = std::function<void(const std::string&)>;
  /// `point`: at which an analysis evaluates, and the sensors with it. `warning`, which may be empty, is told
  /// once of a function that changes too often in a step to be followed.
  SensorWatch(const Model& model, Assembler& assembler, const AnalysisPoint& point, Tell warning);

  bool empty() const { return model_.sensors.empty(); }
  /// At the start of a simulation: arms every sensor whose condition is false.
  void begin(const State& state);
  using StateAt = std::function<const State&(double)>;
  /// States at times inside of a step: as the step gives positions and velocities, and with accelerations,
  /// reactions and VARIABLEs that follow. Without the first of them steps are looked at from their ends
  /// alone.
  struct InsideStep {
    StateAt motion, solved;
  };
  /// After a step from time `t0` to `state`: the sensors that act in it, in order of time. Roots are found to
  /// 1e-9 of ERROR, or 1e-12 of the step.
  std::vector<SensorEvent> after_step(double t0, const State& state, const InsideStep& inside);
  /// Tells that the last step was cut off at `state`: of its `events` only the first `acted` were reached.
  void cut(const State& state, const std::vector<SensorEvent>& events, std::size_t acted);
  /// The value of the sensor's EVALUATE expression at the state.
  double evaluate(const Sensor& sensor, const State& state);

  void archive(Archive& a) { a(before_, older_, older_t_, armed_, armed_before_); }

 private:
  double deviation(const Sensor& sensor);
  double deviation_inside(const Sensor& sensor);
  /// d = f − V at the time t.
  struct Sample {
    double t, d;
  };
  /// d of all sensors at times of a step.
  using Known = std::map<double, std::vector<double>>;
  const std::vector<double>& known_at(double t, const StateAt& at, Known& known);
  bool is_foreseen(std::size_t sensor, Sample begin, Sample end) const;
  std::vector<Sample> course(std::size_t sensor, Sample begin, Sample end, const StateAt& at, Known& known);
  void watch(std::size_t sensor, const std::vector<Sample>& course, const StateAt& at,
             std::vector<SensorEvent>& events);
  std::optional<double> root(const Sensor& sensor, double t0, double d0, double t1, double d1,
                             const StateAt& at);
  bool may_turn(const Sensor& sensor, Sample older, Sample begin, Sample end) const;
  std::optional<Sample> turn(const Sensor& sensor, Sample begin, Sample end, const StateAt& at);
  std::optional<double> touch(const Sensor& sensor, Sample begin, Sample end, const StateAt& at);

  const Model& model_;
  Assembler& assembler_;
  const AnalysisPoint point_;
  Tell warning_;
  bool told_ = false;
  std::vector<char> solved_;    ///< of each sensor: reads_more_than_motion() of f
  std::vector<double> before_;  ///< f − V at the end of the last step
  std::vector<double> older_;   ///< f − V at the beginning of the last step; NaN: not known
  double older_t_ = 0;          ///< the time at which the last step began
  std::vector<unsigned char> armed_, armed_before_;
};

}  // namespace trammel
