// Which coordinates of a mechanism determine the others through φ = 0. Source: R. A. Wehage, E. J. Haug,
// Generalized coordinate partitioning for dimension reduction in analysis of constrained dynamic systems,
// J. Mech. Design 104 (1982).
#pragma once

#include <span>
#include <vector>

#include "base/archive.h"
#include "linear/redundancy.h"

namespace trammel {

/// Sparse elimination of Φq by rows, in an order without much fill; each row takes as dependent the
/// coordinate of its largest entry left, in units of `scale`. What no row takes is independent.
class CoordinatePartition {
 public:
  /// order[k]: the unknown, coordinate or multiplier, eliminated k-th in the mechanism's own order.
  void analyze(int coordinates, int multipliers, const std::vector<int>& order);

  /// Chooses; `held`: rows that do not count. `scale`: the unit of each coordinate. Returns the first row
  /// that depends on those before it, −1 if there is none. `changed` tells whether the choice is another one.
  int choose(const ConstraintRows& rows, std::span<const unsigned char> held, const double* scale,
             bool& changed);

  /// Per coordinate.
  const std::vector<unsigned char>& independent() const { return independent_; }
  void archive(Archive& a) { a(independent_); }

 private:
  struct Entry {
    int column;
    double value;
  };
  void gather(const ConstraintRows& rows, int row, const double* scale);
  void touch(int column);
  void eliminate();
  int pivot(double& largest) const;

  std::vector<int> row_order_;  ///< constraint rows, leaves of the mechanism first
  std::vector<int> place_;      ///< per coordinate: when the mechanism's order eliminates it
  std::vector<int> taken_by_;   ///< per coordinate: the eliminated row that took it, −1: none
  std::vector<int> start_;      ///< eliminated rows + 1: into entries_
  std::vector<Entry> entries_;  ///< of eliminated rows, the coordinate they take first
  std::vector<double> value_;   ///< per coordinate: the row under way
  std::vector<int> touched_;    ///< coordinates in it
  std::vector<unsigned char> is_touched_;
  std::vector<int> due_;  ///< eliminated rows to subtract, a heap, the earliest on top
  std::vector<unsigned char> independent_, before_;
};

}  // namespace trammel
