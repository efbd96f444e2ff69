// The times, known in advance, at which function expressions of a model change their law
// (expression/break_points.h), and at which velocities of motions, or forces and states that are given as
// functions of time, jump (expression/corners.h).
#pragma once

#include <cmath>

#include "expression/break_points.h"
#include "expression/corners.h"
#include "model/model.h"

namespace trammel {

/// How far from a break the step before it ends and the next one begins: each reads functions as they are on
/// its side, whatever they are at the break, so this is more than rounding.
inline double beside(double t) {
  return t == 0 ? 1e-300 : 4e-15 * std::fabs(t);
}
inline double just_before(double t) {
  return t - beside(t);
}
inline double just_after(double t) {
  return t + beside(t);
}

class KnownBreaks {
 public:
  explicit KnownBreaks(const Model& model);

  /// The first such time after t; infinite: none.
  double after(double t) {
    if (t < from_ || t >= next_) find(t);
    return next_;
  }

  /// The first time in a span at which a function of time that the equations read, or its slope, jumps by
  /// more than `jump` and no break is known; infinite: none.
  double corner(TimeSpan span, double jump);
  /// Whether any may.
  bool watches_corners() const { return !cornered_.empty(); }

 private:
  void find(double t);

  const Model& model_;
  std::vector<int> derivatives_;  ///< per tape: that are to be smooth; −1: no motion follows it
  std::vector<int> cornered_;     ///< tapes of equations that may have corners
  std::vector<SplineView> splines_;
  std::vector<TimeJet> registers_;
  double from_ = 0, next_ = 0;  ///< no break lies between these times; both 0 at first
};

}  // namespace trammel
