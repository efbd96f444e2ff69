#include "integrate/predictor.h"

#include <algorithm>
#include <cmath>

namespace trammel {

void Predictor::resize(int n) {
  n_ = n;
  points_ = 0;
  for (auto& v : value_) v.assign(n, 0.0);
}

double* Predictor::push(double t) {
  std::rotate(value_.begin(), value_.end() - 1, value_.end());
  std::rotate(time_.begin(), time_.end() - 1, time_.end());
  time_[0] = t;
  points_ = std::min(points_ + 1, 4);
  return value_[0].data();
}

/// Lagrange weights of the points 0..order at t: the Newton form written for all components at once.
std::array<double, 4> Predictor::weights(double t, int order) const {
  const int k = std::min(order, points_ - 1);
  std::array<double, 4> weight{1, 0, 0, 0};
  for (int i = 0; i <= k; ++i) {
    double w = 1;
    for (int j = 0; j <= k; ++j)
      if (j != i) w *= (t - time_[j]) / (time_[i] - time_[j]);
    weight[i] = w;
  }
  return weight;
}

void Predictor::predict(double t, int order, double* out) const {
  const std::array<double, 4> w = weights(t, order);
  const double *u0 = value_[0].data(), *u1 = value_[1].data(), *u2 = value_[2].data(), *u3 = value_[3].data();
  for (int c = 0; c < n_; ++c) out[c] = w[0] * u0[c] + w[1] * u1[c] + w[2] * u2[c] + w[3] * u3[c];
}

void Predictor::add_misses(double t, int first, std::span<const double> value,
                           std::array<double, 4>& sum) const {
  const std::array<double, 4> w1 = weights(t, 1), w2 = weights(t, 2), w3 = weights(t, 3);
  for (std::size_t c = 0; c < value.size(); ++c) {
    const std::size_t at = first + c;
    const double u0 = value_[0][at], u1 = value_[1][at], u2 = value_[2][at], u3 = value_[3][at];
    const double miss0 = value[c] - u0, miss1 = value[c] - (w1[0] * u0 + w1[1] * u1),
                 miss2 = value[c] - (w2[0] * u0 + w2[1] * u1 + w2[2] * u2),
                 miss3 = value[c] - (w3[0] * u0 + w3[1] * u1 + w3[2] * u2 + w3[3] * u3);
    sum[0] += miss0 * miss0;
    sum[1] += miss1 * miss1;
    sum[2] += miss2 * miss2;
    sum[3] += miss3 * miss3;
  }
}

}  // namespace trammel
