// Polynomial extrapolation of past values (HHT paper, "The prediction stage").
#pragma once

#include "base/hd.h"
#include "integrate/step_terms.h"

namespace trammel {

/// Up to four past points of a vector function and their extrapolation.
class Predictor {
 public:
  /// Calls visit(array, n) for the n values of each point, the latest first.
  template <class Visit>
  void arrays(int n, Visit&& visit) {
    for (double*& v : value_) visit(v, n);
  }
  template <class Archive>
  void archive(Archive& a) {
    a(points_, time_);
  }
  TRAMMEL_HD void clear() { points_ = 0; }
  TRAMMEL_HD int points() const { return points_; }

  /// Makes room for a new point at time t, dropping the oldest; returns its values for the caller to fill.
  TRAMMEL_HD double* push(double t) {
    double* oldest = value_[3];
    for (int k = 3; k > 0; --k) {
      value_[k] = value_[k - 1];
      time_[k] = time_[k - 1];
    }
    value_[0] = oldest;
    time_[0] = t;
    if (points_ < 4) ++points_;
    return oldest;
  }
  /// Values of the k-th latest point (0: the latest).
  TRAMMEL_HD double* point(int k) const { return value_[k]; }
  TRAMMEL_HD double time(int k) const { return time_[k]; }

  /// The extrapolation to time t by the polynomial of at most `order` (0..3) through the latest points.
  TRAMMEL_HD Extrapolation at(double t, int order) const {
    Extrapolation e{{value_[0], value_[1], value_[2], value_[3]}, {}};
    set_weights(t, order, e.w);
    return e;
  }
  /// Squared errors of the extrapolations of order 0..3 to time t, of values that are yet to be given. Orders
  /// with too few points are replaced by the highest possible one.
  TRAMMEL_HD PredictorMisses misses(double t) const {
    PredictorMisses m{{value_[0], value_[1], value_[2], value_[3]}, {}, {}, {}, 0, nullptr};
    double w[4];
    set_weights(t, 1, w);
    for (int i = 0; i < 2; ++i) m.w1[i] = w[i];
    set_weights(t, 2, w);
    for (int i = 0; i < 3; ++i) m.w2[i] = w[i];
    set_weights(t, 3, m.w3);
    return m;
  }

 private:
  /// Lagrange weights at t of the points 0..order.
  TRAMMEL_HD void set_weights(double t, int order, double* weight) const {
    const int k = order < points_ - 1 ? order : points_ - 1;
    for (int i = 0; i < 4; ++i) weight[i] = i == 0 ? 1 : 0;
    TRAMMEL_ROLLED
    for (int i = 0; i <= k; ++i) {
      double w = 1;
      TRAMMEL_ROLLED
      for (int j = 0; j <= k; ++j)
        if (j != i) w *= (t - time_[j]) / (time_[i] - time_[j]);
      weight[i] = w;
    }
  }

  int points_ = 0;
  double time_[4] = {};
  double* value_[4] = {};
};

}  // namespace trammel
