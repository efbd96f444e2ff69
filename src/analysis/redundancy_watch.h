// Which of the redundant equations hold the mechanism, looked at while it moves.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/initial_conditions.h"

namespace trammel {

/// Redundant equations are left out by State::dropped. Everything here is told once by `warn` (which may be
/// empty).
class RedundancyWatch {
 public:
  /// All that is referred to must outlive the object; `report` is that of the initial conditions.
  RedundancyWatch(const Model& model, InitialConditions& initial, const InitialReport& report,
                  std::function<void(const std::string&)> warn)
      : model_(model), initial_(initial), report_(report), warn_(std::move(warn)) {}

  /// A row that vanishes where a step ends does not hold its bodies there, and its multiplier magnifies
  /// rounding: at the place where the next step of h leads other rows are taken in time. The motion up to
  /// here does not depend on them. True where the choice is another one. The choice is looked at only after
  /// the mechanism has moved some degrees.
  bool look_ahead(State& state, double h);
  /// Chooses anew where a step failed, once at a time; false where no other choice is better.
  bool exchange(State& state);
  /// Equations left out must stay satisfied; one that does not asks for a new analysis, and contradicting
  /// ones end the run. True where the choice is another one.
  bool renew(State& state);

  void archive(Archive& a) { a(exchange_time_, moved_, announced_); }

 private:
  void tell_exchange(const State& state);

  const Model& model_;
  InitialConditions& initial_;
  const InitialReport& report_;
  std::function<void(const std::string&)> warn_;
  double exchange_time_ = -1;                          ///< when the equations were last exchanged
  double moved_ = 0;                                   ///< since the choice was looked at [rad]
  std::vector<std::vector<unsigned char>> announced_;  ///< choices of which it was said
};

}  // namespace trammel
