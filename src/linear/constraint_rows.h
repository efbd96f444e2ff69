// Rows of the constraint Jacobian.
#pragma once

#include <vector>

namespace trammel {

/// The constraint Jacobian by rows, in any units: rows and columns are scaled inside.
struct ConstraintRows {
  int columns = 0;
  std::vector<int> row_start{0};  ///< rows + 1
  std::vector<int> column;        ///< no duplicates within a row
  std::vector<double> value;
  std::vector<int> group;  ///< per row: index of its joint, motion, ..., from 0
  std::vector<int> body;   ///< per column: index of its body (or state), from 0; empty: unknown
  std::vector<int>
      priority;  ///< per row: within its group, rows of lower priority are dropped first; may be empty
  std::vector<double>
      weight;  ///< per column: W_j > 0 of the norm d^T W d; empty: chosen so that entries are ~ 1
  /// Per row: whether it is a function of how two bodies stand to each other, that motions of both together
  /// leave as it is; empty: not known of any.
  std::vector<unsigned char> balanced;
  int rows() const { return static_cast<int>(row_start.size()) - 1; }
};

}  // namespace trammel
