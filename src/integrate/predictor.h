// Polynomial extrapolation of past values (HHT paper, "The prediction stage").
#pragma once

#include <array>
#include <vector>

namespace trammel {

/// Up to four past points of a vector function and their extrapolation. No allocation after size().
class Predictor {
 public:
  void resize(int n);
  void clear() { points_ = 0; }
  int points() const { return points_; }
  int size() const { return n_; }

  /// Makes room for a new point at time t, dropping the oldest, and returns its values to be filled.
  double* push(double t);
  /// Values of the k-th point back, 0 the latest.
  double* point(int k) { return value_[k].data(); }
  const double* point(int k) const { return value_[k].data(); }
  double time(int k) const { return time_[k]; }

  /// Writes the extrapolation to time t by the polynomial of at most `order` (0..3) through the latest
  /// points.
  void predict(double t, int order, double* out) const;

 private:
  int n_ = 0, points_ = 0;
  std::array<double, 4> time_{};
  std::array<std::vector<double>, 4> value_;
};

}  // namespace trammel
