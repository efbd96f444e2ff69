// The history of DELAY: accepted values of an expression.
#pragma once

#include <vector>

#include "expression/functions.h"

namespace trammel {

/// A delay buffer as plain pointers: n accepted times, increasing, and the values.
struct DelayView {
  const double* time = nullptr;
  const double* value = nullptr;
  int n = 0;
  int cubic = 1;  ///< interpolation: 1 cubic through four points, 0 linear
};

/// The accepted (time, value) pairs of one DELAY: part of the state that a restart needs.
class DelayBuffer {
 public:
  /// Appends an accepted value. A repeated time replaces the value (an analysis that starts where the last
  /// one ended); an earlier time is a defect: Failure(ExitCode::internal).
  void append(double time, double value);
  /// Appends the value at the end of a step and drops points that are older than the delay `longest` needs.
  void accept(double time, double value, double longest);
  /// Drops the points after `time`, from which a step is repeated.
  void truncate_after(double time);
  /// Drops the points that are not needed for times from `time` on (three before it are kept for the cubic)
  /// once they are the larger part of the buffer: it holds at most twice what is needed, and a point is moved
  /// once on average.
  void drop_before(double time);
  void clear();

  DelayView view(bool cubic = true) const {
    return {time_.data(), value_.data(), static_cast<int>(time_.size()), cubic ? 1 : 0};
  }
  template <class Archive>
  void archive(Archive& a) {
    a(time_, value_, forgets_);
  }
  /// Whether points have been dropped that were older than needed.
  bool forgets() const { return forgets_; }
  const std::vector<double>& times() const { return time_; }
  const std::vector<double>& values() const { return value_; }

 private:
  std::vector<double> time_, value_;
  bool forgets_ = false;
};

namespace functions {

/// Lagrange interpolation through m (1 to 4) points (t_k, y_k) at u.
template <class S>
TRAMMEL_HD S lagrange(const S* t, const S* y, int m, const S& u) {
  S sum = S(0.0);
  for (int k = 0; k < m; ++k) {
    S weight = S(1.0);
    for (int l = 0; l < m; ++l)
      if (l != k) weight = weight * ((u - t[l]) / (t[k] - t[l]));
    sum = sum + weight * y[k];
  }
  return sum;
}

/// Value at a past time `u` of an expression whose value at the present time `now` is e.
///   u >= now (delay 0 or negative): e.
///   u in the present step, after the last accepted point: interpolated between the last accepted points and
///     (now, e), so the result and its derivatives depend on e.
///   u between accepted points: interpolated between accepted points only.
///   u before the first accepted point: the first value; without points: e.
/// Cubic interpolation uses the four nearest points (fewer if there are not as many); error O(h⁴),
/// continuous, with small kinks in the slope at accepted points.
template <class S>
TRAMMEL_HD S delayed_value(const DelayView& past, const S& e, const S& u, const S& now) {
  const double at = value_of(u);
  if (past.n == 0 || at >= value_of(now)) return e;
  if (at < past.time[0]) return S(past.value[0]);
  S t[4], y[4];
  int m = 0;
  const int width = past.cubic ? 4 : 2;
  const bool in_step = at > past.time[past.n - 1];
  int first = past.n - (width - 1);  // window of the present step: the last width - 1 accepted points
  int count = width - 1;
  if (!in_step) {
    int k = 0, high = past.n - 1;
    while (high - k > 1) {
      const int middle = (k + high) / 2;
      (past.time[middle] <= at ? k : high) = middle;
    }
    first = k - (width / 2 - 1);
    count = width;
    if (first + count > past.n) first = past.n - count;
  }
  if (first < 0) {
    if (in_step) count += first;
    first = 0;
  }
  for (int k = first; k < first + count && k < past.n; ++k, ++m) {
    t[m] = S(past.time[k]);
    y[m] = S(past.value[k]);
  }
  if (in_step) {
    t[m] = now;
    y[m++] = e;
  }
  return lagrange(t, y, m, u);
}

}  // namespace functions
}  // namespace trammel
