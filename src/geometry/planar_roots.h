// Roots of functions that bend one way.
#pragma once

#include <cmath>

#include "base/hd.h"

namespace trammel {

/// f(t) and f'(t).
struct ValueAndSlope {
  double value, slope;
};

/// Roots between 0 and 1, in order; `rising`: f is negative before.
struct Roots {
  int count = 0;
  double t[2] = {};
  bool rising[2] = {};
};

namespace detail {

/// The root between `low` and `high`, where f has different signs; of f ≥ 0 the sign is +.
template <class F>
TRAMMEL_HD double bracketed_root(F&& f, double low, double high, bool low_positive, double t) {
  for (int k = 0; k < 100; ++k) {
    const ValueAndSlope at = f(t);
    ((at.value >= 0) == low_positive ? low : high) = t;
    double next = t - at.value / at.slope;
    if (!(next >= low && next <= high)) next = 0.5 * (low + high);
    if (std::fabs(next - t) <= 1e-16 + 2e-16 * t || !(high - low > 1e-16)) return next;
    t = next;
  }
  return t;
}

}  // namespace detail

/// The roots of f, t ↦ ValueAndSlope, whose second derivative does not change its sign between 0 and 1. The
/// signs at 0 and at 1 alone say whether their number is odd.
template <class F>
TRAMMEL_HD Roots roots_of(F&& f) {
  const ValueAndSlope first = f(0.0), last = f(1.0);
  const bool positive = first.value >= 0;
  Roots out;
  const auto add = [&](double low, double high, bool low_positive, double start) {
    out.t[out.count] = detail::bracketed_root(f, low, high, low_positive, start);
    out.rising[out.count++] = !low_positive;
  };
  if (positive != (last.value >= 0)) {
    add(0, 1, positive, first.value / (first.value - last.value));
    return out;
  }
  // Two roots need an extremum beyond zero. What lies below the tangents of both ends is no part of f.
  double low = 0, high = 1;
  ValueAndSlope a = first, b = last;
  const double side = positive ? 1 : -1;
  for (int k = 0; k < 60 && side * a.slope < 0 && side * b.slope > 0; ++k) {
    const double meet = (b.value - a.value + a.slope * low - b.slope * high) / (a.slope - b.slope);
    if (side * (a.value + a.slope * (meet - low)) > 0) break;
    double t = low - a.slope * (high - low) / (b.slope - a.slope);
    if (!(t > low && t < high) || k % 4 == 3) t = 0.5 * (low + high);
    if (!(t > low && t < high)) break;
    const ValueAndSlope at = f(t);
    if ((at.value >= 0) != positive) {
      add(0, t, positive, 0.5 * t);
      add(t, 1, !positive, 0.5 * (t + 1));
      break;
    }
    (side * at.slope < 0 ? low : high) = t;
    (side * at.slope < 0 ? a : b) = at;
  }
  return out;
}

}  // namespace trammel
