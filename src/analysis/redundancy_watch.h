// Chooses, while the mechanism moves, which of its redundant constraint equations hold it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/initial_conditions.h"

namespace trammel {

/// Redundant equations are left out by State::dropped. Every new choice is told once by `warn` (which may be
/// empty).
class RedundancyWatch {
 public:
  /// The arguments must outlive the object; `report`: of the initial conditions.
  RedundancyWatch(const Model& model, InitialConditions& initial, const InitialReport& report,
                  std::function<void(const std::string&)> warn)
      : model_(model), initial_(initial), report_(report), warn_(std::move(warn)) {}

  /// Called before a step of size h: a row that vanishes where the step ends does not hold its bodies there,
  /// and its multiplier magnifies rounding. So the choice is judged at the place where the step leads, and
  /// other rows are taken in time; the motion up to here does not depend on the choice. Judged only after the
  /// mechanism has moved some degrees, beside the least weakness since the choice, whatever the size of
  /// steps. True where the choice is another one.
  bool look_ahead(State& state, double h);
  /// Chooses anew after a failed step, once at each time; false where no other choice is better.
  bool exchange(State& state);
  /// Dropped equations must stay satisfied: where one does not, chooses anew at the state; Failure(solver)
  /// where equations contradict each other. True where the choice is another one.
  bool renew(State& state);

  void archive(Archive& a) { a(exchange_time_, moved_, weakness_, announced_); }

 private:
  void tell_exchange(const State& state);

  const Model& model_;
  InitialConditions& initial_;
  const InitialReport& report_;
  std::function<void(const std::string&)> warn_;
  double exchange_time_ = -1;  ///< when the equations were last exchanged
  double moved_ = 0;           ///< since the choice was last judged [rad]
  double weakness_ = 0;        ///< the least since the choice, or where no other one was found; 0: not known
  std::vector<std::vector<unsigned char>> announced_;  ///< choices already told
};

}  // namespace trammel
