// The longest step over which counted angles can be followed: AX, AY, AZ and the angles of joints and forces
// are continued by whole turns from step to step, which is only right as long as none turns by half a turn in
// one. Where no force depends on them no error of the step would say so: a body that spins freely is
// integrated without error in steps of any length.
#pragma once

#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "assemble/kinematics.h"
#include "model/model.h"

namespace trammel {

class CountedTurns {
 public:
  /// The model must outlive it.
  explicit CountedTurns(const Model& model);
  /// The step [time] in which the fastest counted angle turns by less than half a turn, a fifth of that kept
  /// in reserve, if the bodies go on with their present angular velocities and accelerations; infinite where
  /// none is counted or none turns.
  double longest_step(const Kinematics& now) const;
  /// The same for parts that go on turning as they did from `then` to `now`, in the time h.
  double longest_step(const Kinematics& then, const Kinematics& now, double h) const;
  /// The angular speeds of the pairs relative to each other [rad/time], into `out`.
  void speeds(const Kinematics& now, std::vector<double>& out) const;
  /// The largest turn of a pair in a step of size h [rad], by the mean of its speeds before and after it.
  double turned(const std::vector<double>& before, const Kinematics& after, double h) const;
  /// So many times longest_step() is still below half a turn: what a step may exceed it by without losing
  /// one.
  static constexpr double reserve = 1.2;
  /// The turn that longest_step() allows [rad]: four fifths of half a turn.
  static constexpr double longest_turn = 0.8 * std::numbers::pi;
  /// The two markers between which the fastest counted angle is, where one is counted: "MARKER/2 and
  /// MARKER/1".
  std::string fastest(const Kinematics& now) const;
  /// Two markers between which an angle is counted, one of which turns by more than `largest_turn` from one
  /// state to another; "": there are none.
  std::string turned_far(const Kinematics& from, const Kinematics& to) const;
  /// By so much [rad] each of two markers may turn at once, and the angle between them is still counted.
  static constexpr double largest_turn = 0.5 * longest_turn;
  /// Two markers, an angle between which has counted more than half a turn from one state to another; "":
  /// there are none. `from`, `to`: State::angle.
  std::string wound(const std::vector<double>& from, const std::vector<double>& to) const;
  bool empty() const { return pairs_.empty(); }

 private:
  using Pair = std::pair<int, int>;
  double longest_step(const Kinematics& now, const Pair& pair) const;
  double speed(const Kinematics& now, const Pair& pair) const;
  std::string names(const Pair& pair) const;

  const Model& model_;
  std::vector<Pair> pairs_;                     ///< markers between which angles are counted
  std::vector<std::pair<int, Pair>> counters_;  ///< the first entry of State::angle of each, in order
};

}  // namespace trammel
