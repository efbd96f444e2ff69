// Command files of control loops, and the error that the integrator may make in them.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace trammel_test {

/// So many SIMULATE commands of an interval each, what `change` says before the k-th.
inline std::string loop(int commands, double interval, const std::function<std::string(int)>& change) {
  std::string text;
  for (int k = 0; k < commands; ++k)
    text += change(k) + fmt::format("SIMULATE/DYNAMICS, END={:.17g}, STEPS=1\n", (k + 1) * interval);
  return text;
}

/// What the steps of HHT add up to by theory (docs/theory.md, 6), α = −0.3. A step is as long as its error of
/// position, (1/12 + α²/4) h³ q⃛, allows: ERROR in the mean of all coordinates of parts; or a third of an
/// interval, where it begins anew. In the velocities it errs by (1/12 − α/2 − α²) h³ q⁗.
class StepErrors {
 public:
  StepErrors(double error, double interval, int coordinates)
      : error_(error * std::sqrt(coordinates)), interval_(interval) {}

  /// Accelerations at the beginning, in the middle and at the end of an interval.
  void add(const std::vector<double> (&a)[3]) {
    double third = 0, fourth = 0;
    for (std::size_t k = 0; k < a[0].size(); ++k) {
      third = std::max(third, std::fabs(a[2][k] - a[0][k]) / interval_);
      fourth = std::max(fourth, std::fabs(a[2][k] - 2 * a[1][k] + a[0][k]) * 4 / (interval_ * interval_));
    }
    const double h = std::min(interval_ / 3, std::cbrt(error_ / ((1.0 / 12 + alpha * alpha / 4) * third)));
    velocity_ += (1.0 / 12 - alpha / 2 - alpha * alpha) * h * h * fourth * interval_;
  }
  /// The errors of all steps, as if none took another back.
  double of_velocity() const { return velocity_; }

 private:
  static constexpr double alpha = -0.3;
  double error_, interval_, velocity_ = 0;
};

}  // namespace trammel_test
