// When a simulation gives results, and how its steps get there.
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

/// The most that a fixed step is stretched to, to meet an output time.
TRAMMEL_HD inline double longest_fixed_step(double h) {
  return h * (1 + 1e-3);
}

/// The longest step on the way over `left` to an output time: steps land there, equal and none longer than
/// suggested; fixed ones are cut, or stretched by what is no step of its own, at the end alone: a step of
/// what rounding leaves over would amplify rounding.
TRAMMEL_HD inline double step_towards(double left, double suggested, double hmax, bool fixed) {
  const double h = hmax < suggested ? hmax : suggested;
  if (fixed) return left > longest_fixed_step(h) ? h : left;
  const double count = std::ceil(left / h * (1 - 1e-9));
  return left / (count > 1 ? count : 1.0);
}

/// Whether a step of h that ended at t has arrived.
TRAMMEL_HD inline bool arrived(double t, double target, double h) {
  return std::fabs(target - t) <= 1e-9 * h;
}

}  // namespace trammel
