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

/// What a span of time may err by that ends at t: four times the distance between two such numbers.
TRAMMEL_HD inline double rounding_of_time(double t) {
  return 0x1p-50 * std::fabs(t);
}
/// Whether steps that end at t are of one size, as far as times can tell.
TRAMMEL_HD inline bool same_size(double h, double other, double t) {
  return std::fabs(h - other) <= 1e-9 * other + rounding_of_time(t);
}

/// A step of size h, or half of `left` where h would leave less than half of itself: a short step amplifies
/// what the steps before it left in positions, and rounding, by 1/h² in accelerations.
TRAMMEL_HD inline double without_remainder(double h, double left) {
  return h > left / 1.5 ? 0.5 * left : h;
}

/// The size of the next step from t on the way to an output time: steps end there exactly, are equal, and
/// none exceeds `suggested` by more than times can tell (late in a long simulation two steps would else
/// become three, and these four). Fixed steps are changed at the end only: stretched by a remainder too small
/// for a step of its own, or the last two are halves of what is left.
TRAMMEL_HD inline double step_towards(double t, double output, double suggested, double hmax, bool fixed) {
  const double h = hmax < suggested ? hmax : suggested, left = output - t;
  if (fixed) return left > longest_fixed_step(h) ? without_remainder(h, left) : left;
  // Of each step half of the rounding that arrived() lets pass: its end is rounded, too.
  const double count = std::ceil(left * (1 - 1e-9) / (h + 0.5 * rounding_of_time(output)));
  return left / (count > 1 ? count : 1.0);
}

/// A step from t of the size that is suggested, or `limit`. Late in a simulation, where times tell a step to
/// less than 1e-9 of it, that is also `limit` where it is longer by rounding alone: left over at every
/// output, that would add up to time in which nothing moves.
TRAMMEL_HD inline double step_within(double suggested, double limit, double t) {
  const bool late = rounding_of_time(t) > 1e-9 * limit;
  return suggested > limit || (late && same_size(suggested, limit, t)) ? limit : suggested;
}

/// Whether a step of size h that ended at t has reached `target`, as far as times can tell: what is left of a
/// step that stood for all that step_towards() had before it is rounding of t, and a step of that size would
/// make accelerations of rounding.
TRAMMEL_HD inline bool arrived(double t, double target, double h) {
  return std::fabs(target - t) <= 1e-9 * h + rounding_of_time(target);
}

}  // namespace trammel
