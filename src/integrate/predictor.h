// Polynomial extrapolation of past values (HHT paper, "The prediction stage").
#pragma once

#include <array>
#include <span>
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

  /// Adds to sum[k] the squares of what the extrapolations of order k = 0..3 to time t miss of `value`, over
  /// components [first, first + count). Orders that have too few points count as the highest there is.
  void add_misses(double t, int first, std::span<const double> value, std::array<double, 4>& sum) const;

 private:
  std::array<double, 4> weights(double t, int order) const;

  int n_ = 0, points_ = 0;
  std::array<double, 4> time_{};
  std::array<std::vector<double>, 4> value_;
};

}  // namespace trammel
