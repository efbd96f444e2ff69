// The history of DELAY: accepted values of an expression.
#pragma once

#include <vector>

#include "expression/functions.h"

namespace trammel {

/// A delay buffer as plain pointers: n times, increasing, and the values. Where a time stands twice the value
/// jumps, from that of the first to that of the second.
struct DelayView {
  const double* time = nullptr;
  const double* value = nullptr;
  int n = 0;
  int cubic = 1;  ///< interpolation: 1 cubic through four points, 0 linear
};

/// The accepted (time, value) pairs of one DELAY: part of the state that a restart needs.
class DelayBuffer {
 public:
  /// Appends an accepted value. A repeated time (an analysis that starts where the last one ended) replaces
  /// the value, or is a jump where the value is another one; an earlier time is a defect:
  /// Failure(ExitCode::internal).
  void append(double time, double value);
  /// Adds a point between the first and the last one.
  void insert(double time, double value);
  /// In the interval before the point at `time` the value stays as at its beginning, and jumps at its end.
  void jump_at(double time);
  /// Appends the value at the end of a step and drops points that are older than the delay `longest` needs.
  void accept(double time, double value, double longest);
  /// Drops the points after `time`, from which a step is repeated.
  void truncate_after(double time);
  /// Drops the points that are not needed for times from `time` on (some before it are kept for the cubic)
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

/// How many points before an interval are looked at for two that serve its cubic.
constexpr int delay_reach = 8;

/// The cubic in an interval `width` long that begins with point k has besides its ends up to two points
/// before it: their numbers come in `found`. None is nearer to the next one than a quarter of the interval:
/// errors of close points would be as much larger in it as it is longer. None lies before a jump. Points
/// after the interval take no part, so that the past stays as it was.
TRAMMEL_HD inline int points_before(const double* time, int k, double width, int* found) {
  int m = 0, next = k;
  for (int i = k - 1; i >= 0 && i >= k - delay_reach && m < 2; --i) {
    if (time[i] == time[i + 1]) break;
    if (time[next] - time[i] >= 0.25 * width) found[m++] = next = i;
  }
  return m;
}

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
///   u in the present step, from the last accepted point on: interpolated between accepted points and (now,
///     e), so the result and its derivatives depend on e.
///   u between accepted points: interpolated between accepted points only.
///   u before the first accepted point: the first value; without points: e.
/// Cubic interpolation uses the ends of the interval and points_before() it; error O(h⁴), continuous but for
/// jumps, with small kinks in the slope at accepted points.
template <class S>
TRAMMEL_HD S delayed_value(const DelayView& past, const S& e, const S& u, const S& now) {
  const double at = value_of(u);
  if (past.n == 0 || at >= value_of(now)) return e;
  if (at < past.time[0]) return S(past.value[0]);
  const bool in_step = at >= past.time[past.n - 1];
  int k = past.n - 1;  // of the interval's beginning
  if (!in_step) {
    k = 0;
    for (int high = past.n - 1; high - k > 1;) {
      const int middle = (k + high) / 2;
      (past.time[middle] <= at ? k : high) = middle;
    }
  }
  const double end = in_step ? value_of(now) : past.time[k + 1];
  int before[2];
  const int more = past.cubic ? points_before(past.time, k, end - past.time[k], before) : 0;
  S t[4], y[4];
  t[0] = S(past.time[k]), y[0] = S(past.value[k]);
  t[1] = in_step ? now : S(end), y[1] = in_step ? e : S(past.value[k + 1]);
  for (int m = 0; m < more; ++m) t[2 + m] = S(past.time[before[m]]), y[2 + m] = S(past.value[before[m]]);
  return lagrange(t, y, 2 + more, u);
}

}  // namespace functions
}  // namespace trammel
