// The parabola that a step takes a course for, and how far from it the course may be. Header for
// analysis/time_courses.h and analysis/delay_histories.h.
#pragma once

#include <algorithm>

#include "expression/time_ranges.h"

namespace trammel {

/// Through three values, at the ends of a span and in its middle.
struct StepParabola {
  /// A course that a step resolves is within this part of its range in the step from the parabola, and beyond
  /// the values at its ends by no more than this part of a range.
  static constexpr double off_range = 0.15, beyond_ends = 0.2;

  TimeSpan span;
  double begin, middle, end;

  double at(double t) const {
    const double u = 2 * (t - span.begin) / (span.end - span.begin) - 1;
    return middle + u * (slope() + u * bend());
  }
  ValueRange over(TimeSpan part) const {
    const double a = at(part.begin), b = at(part.end);
    ValueRange out{std::min(a, b), std::max(a, b)};
    if (bend() == 0) return out;
    const double top = -slope() / (2 * bend());
    const double t = span.begin + 0.5 * (top + 1) * (span.end - span.begin);
    if (t > part.begin && t < part.end) {
      out.low = std::min(out.low, at(t));
      out.high = std::max(out.high, at(t));
    }
    return out;
  }

 private:
  double slope() const { return 0.5 * (end - begin); }
  double bend() const { return 0.5 * (end + begin) - middle; }
};

}  // namespace trammel
