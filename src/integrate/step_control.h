// Step sizes: from the estimated local error (Eq. 38b of the HHT paper), and after failures.
#pragma once

#include <cmath>

#include "base/hd.h"

namespace trammel {

TRAMMEL_HD inline double least(double a, double b) {
  return b < a ? b : a;
}
TRAMMEL_HD inline double most(double a, double b) {
  return a < b ? b : a;
}
TRAMMEL_HD inline double limited(double x, double low, double high) {
  return x < low ? low : high < x ? high : x;
}

struct StepControl {
  static constexpr double failure_shrink = 0.25;                // factor of a step whose corrector failed
  static constexpr double safety = 0.9, smallest_shrink = 0.2;  // Eq. 38b

  double last_h = 0;               ///< of the last accepted step; 0: none yet
  double next_h = 0;               ///< suggested size of the next one
  double error_ratio = 0;          ///< estimated local error of the last converged attempt over ERROR
  int steps_since_failure = 1000;  ///< accepted steps since the corrector last failed
  bool rebased = false;            ///< bodies were, at the end of the last accepted step
  template <class Archive>
  void archive(Archive& a) {
    a(last_h, next_h, error_ratio, steps_since_failure, rebased);
  }

  /// The step size to try after one of size h whose error was too large.
  TRAMMEL_HD double after_error(double h) const {
    return h * limited(safety / std::cbrt(error_ratio), smallest_shrink, 0.9);
  }

  /// The step size after an accepted step h: h_new = s h / Θ^{1/6} = s h / (e/ε)^{1/3} (Eq. 38b).
  TRAMMEL_HD double suggested(double h) const {
    constexpr double largest_growth = 2.0;
    constexpr double grows_most_below = 0.091;             // just below (safety / largest_growth)³
    constexpr double smallest_change = 0.9;                // so that one reduction serves several steps
    constexpr double keep_above = 0.95, keep_below = 1.1;  // h is kept for factors between these
    double factor = error_ratio > grows_most_below ? safety / std::cbrt(error_ratio) : largest_growth;
    factor = limited(factor, smallest_shrink, largest_growth);
    if (factor > keep_above && factor < keep_below) factor = 1;
    if (factor < 1) factor = least(factor, smallest_change);
    return h * factor;
  }
};

}  // namespace trammel
