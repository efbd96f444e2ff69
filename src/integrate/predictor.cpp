#include "integrate/predictor.h"

#include <algorithm>

namespace trammel {

void Predictor::resize(Executor& run, int n) {
  points_ = 0;
  for (double*& v : value_) v = run.room(n);
}

double* Predictor::push(double t) {
  std::rotate(value_.begin(), value_.end() - 1, value_.end());
  std::rotate(time_.begin(), time_.end() - 1, time_.end());
  time_[0] = t;
  points_ = std::min(points_ + 1, 4);
  return value_[0];
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

Extrapolation Predictor::at(double t, int order) const {
  const std::array<double, 4> w = weights(t, order);
  return {{value_[0], value_[1], value_[2], value_[3]}, {w[0], w[1], w[2], w[3]}};
}

PredictorMisses Predictor::misses(double t, int first, const double* value) const {
  PredictorMisses m{{value_[0], value_[1], value_[2], value_[3]}, {}, {}, {}, first, value};
  std::copy_n(weights(t, 1).begin(), 2, m.w1);
  std::copy_n(weights(t, 2).begin(), 3, m.w2);
  std::copy_n(weights(t, 3).begin(), 4, m.w3);
  return m;
}

}  // namespace trammel
