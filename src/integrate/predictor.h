// Polynomial extrapolation of past values (HHT paper, "The prediction stage").
#pragma once

#include <array>

#include "device/executor.h"
#include "integrate/hht_kernels.h"

namespace trammel {

/// Up to four past points of a vector function and their extrapolation, where the executor runs.
class Predictor {
 public:
  /// Room for n values; the executor must stay.
  void resize(Executor& run, int n);
  void clear() { points_ = 0; }
  int points() const { return points_; }

  /// Makes room for a new point at time t, dropping the oldest, and returns its values to be filled.
  double* push(double t);
  /// Values of the k-th point back, 0 the latest.
  double* point(int k) const { return value_[k]; }
  double time(int k) const { return time_[k]; }

  /// The extrapolation to time t by the polynomial of at most `order` (0..3) through the latest points.
  Extrapolation at(double t, int order) const;
  /// The squares of what the extrapolations of order 0..3 to time t miss of value_i, entries from `first` on.
  /// Orders that have too few points count as the highest there is.
  PredictorMisses misses(double t, int first, const double* value) const;

 private:
  std::array<double, 4> weights(double t, int order) const;

  int points_ = 0;
  std::array<double, 4> time_{};
  std::array<double*, 4> value_{};
};

}  // namespace trammel
