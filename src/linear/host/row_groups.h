// A matrix by groups of neighbouring rows, so that r = c - B y takes whole registers.
#pragma once

#include <vector>

#include "base/parallel.h"
#include "linear/host/row_tables.h"
#include "linear/pattern.h"

namespace trammel {

class RowGroups {
 public:
  /// Divides the rows into groups so that the registers to be read are fewest; O(nonzeros).
  void analyze(const SparsePattern& pattern);
  /// Takes values in the order of the pattern.
  void take(const Parallel& parallel, const std::vector<double>& value);

  int count() const { return static_cast<int>(group_.size()) - 1; }
  RowGroupTables tables() const { return {group_.data(), column_.data(), value_.data()}; }
  /// w <- w + |B||y| for groups [begin, end).
  void add_sizes(int begin, int end, const double* y, double* w) const;

 private:
  std::vector<RowGroup> group_;  ///< one more closes the list
  std::vector<int> column_;
  std::vector<double> value_;
  std::vector<int> target_;  ///< nonzero of the pattern -> index in value_
};

}  // namespace trammel
