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

void Predictor::predict(double t, int order, double* out) const {
  const int k = std::min(order, points_ - 1);
  // Lagrange weights of the points 0..k at t: the Newton form written for all components at once.
  double weight[4] = {1, 0, 0, 0};
  for (int i = 0; i <= k; ++i) {
    double w = 1;
    for (int j = 0; j <= k; ++j)
      if (j != i) w *= (t - time_[j]) / (time_[i] - time_[j]);
    weight[i] = w;
  }
  for (int c = 0; c < n_; ++c) {
    double sum = 0;
    for (int i = 0; i <= k; ++i) sum += weight[i] * value_[i][c];
    out[c] = sum;
  }
}

}  // namespace trammel
