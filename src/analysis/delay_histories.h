// Histories of DELAYs between the ends of steps.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "assemble/assembler.h"
#include "base/archive.h"
#include "expression/time_ranges.h"

namespace trammel {

/// Steps are as long as the errors of states allow. What a DELAY looks back at is no state: a function of
/// time alone, a switch, a VARIABLE may change between the ends of a step as it likes. So after a step the
/// history gets points inside of it, until its cubics are right to ERROR at a place of each interval, or the
/// intervals that are left are so short that their part of an integral over the step is: there the value
/// jumps.
class DelayHistories {
 public:
  using Tell = std::function<void(const std::string&)>;
  /// `warning` may be empty.
  DelayHistories(const Model& model, Assembler& assembler, Tell warning);

  bool empty() const { return model_.delays.empty(); }
  /// Whether any delay is not a constant.
  bool vary() const;
  /// Whether an argument reads accelerations, rates, VARIABLEs or forces, which a state inside of a step has
  /// only roughly before its equations are solved.
  bool need_solutions() const { return need_solutions_; }
  /// `hmax`, or the shortest delay, where that is less: what is looked back at lies before the step then, not
  /// in its coarse present. Of a delay that varies half is taken, as it may become shorter in the step. One
  /// below a thousandth of `hmax` is left alone. The assembler has evaluated at the present state.
  double longest_step(double hmax) const;
  /// What a step looks back at is known before it. The first time in a span at which a DELAY of the motion
  /// meets a jump of its history that is more than unnoticed(); infinite: none does. One that varies
  /// is not followed, here nor below.
  double next_jump(const State& state, TimeSpan span, double error) const;
  /// Up to where a step from span.begin resolves the histories that it looks back at: no point of them is
  /// further from the parabola through the values at the step's ends and in its middle than 0.15 of their
  /// range, nor further beyond the ends than 0.2 of the range in the last three steps of this size, or than
  /// unnoticed(). span.end where all of it does, and where a billionth of it does not.
  double resolved_until(const State& state, TimeSpan span, double error) const;
  /// After a step that ended at `state`, whose histories have its end: true when one of them got more points.
  /// `inside(t)` is the state at a time in the step, whose histories are those of `state` or, unless
  /// need_solutions(), any: `state` has none then while it is called. `error`: ERROR. The assembler has
  /// evaluated elsewhere.
  /// Where an argument has no value, or changes more often than points are kept, or where a delay was so
  /// short that the step looked back into itself and missed by more than ERROR, a warning says so, once.
  bool fill(State& state, double error, const std::function<State(double)>& inside);
  void archive(Archive& a) {
    for (ValueRange& r : range_) a(r.low, r.high);
  }

 private:
  struct Point {
    double t, value;
  };
  struct Step {
    State& state;
    double error;
    const std::function<State(double)>& inside;
    std::map<double, std::vector<double>> known;  ///< values of all arguments at a time
  };
  bool fill_one(std::size_t delay, Step& step);
  void widen(std::size_t delay, double value);
  /// Whether a constant delay of the motion looks back into a past that is known, before a step.
  bool follows(std::size_t delay, const State& state, TimeSpan step) const;
  static bool resolved(const DelayBuffer& past, TimeSpan step, double enough);
  /// What of a history is nothing to the steps that look back at it: a thousandth of its range, or `error`,
  /// of values up to 1, and of smaller ones this part.
  double unnoticed(std::size_t delay, double error) const;
  double lag_of(const Delay& delay) const;
  double looked_back_at(std::size_t delay, const State& state, double lag) const;
  State state_at(double t, Step& step) const;
  double value_at(std::size_t delay, double t, Step& step);
  void tell(std::size_t delay, double t, const std::string& what);

  const Model& model_;
  Assembler& assembler_;
  Tell warning_;
  std::vector<unsigned char> moves_;  ///< per DELAY: the motion depends on it
  std::vector<ValueRange> range_;     ///< of its values up to now
  bool need_solutions_ = false;
  bool told_ = false;  ///< that a history is coarse
};

}  // namespace trammel
