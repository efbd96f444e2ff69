// Where a gap s − e vanishes whose magnitude s passes 0, or near it, within a step: the distance of points
// that fly past each other, |x|, √x. Not s is a parabola through the ends of three steps, but what it is made
// of.
#pragma once

#include "integrate/between_changes.h"

namespace trammel {

/// Courses of SwitchValues::folded and, behind it, of e.
struct FoldParts {
  Course part[4];
};

/// s² of a fold as a polynomial, and e.
class FoldCourse {
 public:
  TRAMMEL_HD FoldCourse(Fold::Of of, const FoldParts& from) : far_as_(from.part[3]) {
    if (of == Fold::root) {
      const Course& x = from.part[0];
      square_[0] = x.g, square_[1] = x.slope, square_[2] = x.bend;
      return;
    }
    for (int k = 0; k < 3; ++k) {
      const Course& p = from.part[k];
      square_[0] += p.g * p.g;
      square_[1] += 2 * p.g * p.slope;
      square_[2] += p.slope * p.slope + 2 * p.g * p.bend;
      square_[3] += 2 * p.slope * p.bend;
      square_[4] += p.bend * p.bend;
    }
  }

  /// In the middle of the first two changes from one time to another: where the gap vanishes, and where s is
  /// least inside, as a DM of 0 has no direction there, and its force does not tell that it acts. Infinite:
  /// there are none.
  TRAMMEL_HD double between(double from, double to) const {
    constexpr int intervals = 16;  // two turns of s within one are not seen
    double first = HUGE_VAL, begin = from;
    for (int k = 1; k <= intervals; ++k) {
      const double low = from + (k - 1) * (to - from) / intervals, high = from + k * (to - from) / intervals;
      const bool least = rate(low) < 0 && rate(high) >= 0, most = rate(low) > 0 && rate(high) <= 0;
      const double turn = least || most ? zero(low, high, [&](double u) { return rate(u); }) : high;
      const double ends[] = {turn, high};
      for (const double end : ends) {
        if (inside(begin) != inside(end)) {
          const double change = zero(begin, end, [&](double u) { return gap(u); });
          if (first < HUGE_VAL) return (first + change) / 2;
          first = change;
        }
        if (least && end == turn && first < HUGE_VAL && inside(end)) return (first + end) / 2;
        begin = end;
      }
    }
    return HUGE_VAL;
  }

 private:
  TRAMMEL_HD double gap(double u) const {
    const double s2 = square_[0] + u * (square_[1] + u * (square_[2] + u * (square_[3] + u * square_[4])));
    return std::sqrt(s2 > 0 ? s2 : 0) - far_as_.at(u);
  }
  TRAMMEL_HD bool inside(double u) const { return gap(u) < 0; }
  /// ds²/dt
  TRAMMEL_HD double rate(double u) const {
    return square_[1] + u * (2 * square_[2] + u * (3 * square_[3] + u * 4 * square_[4]));
  }
  /// Where a function changes its sign, by bisection: behind it.
  template <class F>
  TRAMMEL_HD static double zero(double low, double high, const F& f) {
    constexpr int halvings = 30;
    const bool below = f(low) < 0;
    for (int k = 0; k < halvings; ++k) {
      const double middle = (low + high) / 2;
      ((f(middle) < 0) == below ? low : high) = middle;
    }
    return high;
  }

  double square_[5] = {};
  Course far_as_;
};

/// between_changes_of() of a fold: a force that is passed leaves nothing behind, as a pulse does.
TRAMMEL_CALLED inline double between_folds(Fold::Of of, const FoldParts& from, double now, double soonest,
                                           double latest) {
  const double h = latest - now, middle = now + FoldCourse(of, from).between(-looks_back * h, ends_there * h);
  return middle > soonest ? middle : HUGE_VAL;
}

}  // namespace trammel
