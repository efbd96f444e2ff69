#include "expression/user_function.h"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace trammel {

namespace {

std::mutex& one_call_at_a_time() {
  static std::mutex mutex;
  return mutex;
}

using Lock = std::lock_guard<std::mutex>;

}  // namespace

double UserFunction::size_of(int k, const double* x) const {
  return std::max(std::fabs(x[k]), least_[k]);
}

const double* UserFunction::results_at(const double* x, int what) const {
  const bool known = at_.size() == least_.size() && what_ == what && std::equal(at_.begin(), at_.end(), x);
  if (known) return found_.data();
  at_.assign(x, x + arguments());
  what_ = what;
  found_.assign(results_, 0.0);
  complaint_.clear();
  call(at_.data(), what, found_.data(), complaint_);
  return found_.data();
}

double UserFunction::value(int result, const double* x) const {
  const Lock lock(one_call_at_a_time());
  return results_at(x, 0)[result];
}

double UserFunction::slope(int result, int k, const double* x) const {
  constexpr double part = 6e-6;  // ∛ε: what is cut off, h², and rounding, ε/h, are alike
  const Lock lock(one_call_at_a_time());
  if (derivatives_) return results_at(x, 1)[result];
  const int n = arguments();
  if (slopes_at_.size() != least_.size() || !std::equal(slopes_at_.begin(), slopes_at_.end(), x)) {
    slopes_at_.assign(x, x + n);
    slopes_.assign(static_cast<std::size_t>(n) * results_, 0.0);
    shifted_.assign(x, x + n);
    beside_.resize(results_);
    for (int j = 0; j < n; ++j) {
      const double step = part * size_of(j, x);
      shifted_[j] = x[j] + step;
      std::copy_n(results_at(shifted_.data(), 1), results_, beside_.data());
      const double above = shifted_[j];
      shifted_[j] = x[j] - step;
      const double* below = results_at(shifted_.data(), 1);
      for (int r = 0; r < results_; ++r)
        slopes_[static_cast<std::size_t>(j) * results_ + r] = (beside_[r] - below[r]) / (above - shifted_[j]);
      shifted_[j] = x[j];
    }
  }
  return slopes_[static_cast<std::size_t>(k) * results_ + result];
}

double UserFunction::curvature(int result, int j, int k, const double* x) const {
  constexpr double part = 1e-4;  // ε^{1/4}, as rounding is ε/h² here
  const Lock lock(one_call_at_a_time());
  if (derivatives_) return results_at(x, 2)[result];
  const double hj = part * size_of(j, x), hk = part * size_of(k, x);
  std::vector<double> at(x, x + arguments());
  double sum = 0;
  for (const int a : {1, -1})
    for (const int b : {1, -1}) {
      at.assign(x, x + arguments());
      at[j] += a * hj;
      at[k] += b * hk;
      sum += a * b * results_at(at.data(), 1)[result];
    }
  return sum / (4 * hj * hk);
}

}  // namespace trammel
