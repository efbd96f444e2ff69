// Output times of a simulation, and the step sizes that reach them.
#pragma once

#include <cmath>

#include "base/hd.h"

namespace trammel {

/// Output times begin + k interval, the last one at the end.
struct Schedule {
  double begin = 0, interval = 0, end = 0;
  int steps = 0, k = 1;
  TRAMMEL_HD double next() const { return k == steps ? end : begin + k * interval; }
  TRAMMEL_HD bool done() const { return k > steps; }
  template <class Archive>
  void archive(Archive& a) {
    a(begin, interval, end, steps, k);
  }
};

/// The largest size to which a fixed step h may be stretched to end at an output time.
TRAMMEL_HD inline double longest_fixed_step(double h) {
  return h * (1 + 1e-3);
}

/// The size of the next step, `left` before an output time: steps end there exactly, are equal, and none
/// exceeds `suggested`. Fixed steps are changed at the end only, cut, or stretched by a remainder too small
/// for a step of its own (which would amplify rounding).
TRAMMEL_HD inline double step_towards(double left, double suggested, double hmax, bool fixed) {
  const double h = hmax < suggested ? hmax : suggested;
  if (fixed) return left > longest_fixed_step(h) ? h : left;
  const double count = std::ceil(left / h * (1 - 1e-9));
  return left / (count > 1 ? count : 1.0);
}

/// A step of size h, or half of `left` where h would leave less than half of itself: a short step amplifies
/// what the steps before it left in positions, and rounding, by 1/h² in accelerations.
TRAMMEL_HD inline double without_remainder(double h, double left) {
  return h > left / 1.5 ? 0.5 * left : h;
}

/// Whether a step of size h that ended at t has reached `target`, as far as times can tell: what is left of a
/// step that stood for all of step_towards()'s `left` is rounding of t, and a step of that size would make
/// accelerations of rounding.
TRAMMEL_HD inline bool arrived(double t, double target, double h) {
  constexpr double rounding = 0x1p-50;  // of a time, four times the distance between two of them
  return std::fabs(target - t) <= 1e-9 * h + rounding * std::fabs(target);
}

}  // namespace trammel
