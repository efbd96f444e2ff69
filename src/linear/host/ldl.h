// Up-looking sparse L D L^T of a symmetric matrix; the caller decides on every pivot as it is formed.
#pragma once

#include <span>
#include <vector>

#include "base/buckets.h"

namespace trammel {

/// Upper triangle of a symmetric matrix in elimination order: column k holds, for rows i < k, the index of
/// their value; the diagonal is kept apart.
struct UpperTriangle {
  int n = 0;
  struct Entry {
    int row;     ///< i < k
    int source;  ///< index into the values given to factor()
  };
  std::vector<int> start;  ///< n + 1
  std::vector<Entry> entry;
};

/// A = L D L^T, L unit lower triangular by columns (Davis: Algorithm 849: a concise sparse Cholesky
/// package, ACM TOMS 31, 2005). Pivots may be dropped: a dropped row and column are left out of the
/// elimination and of solves, as if the matrix did not have them.
class UpLookingLdl {
 public:
  /// Elimination tree and storage. O(nnz(L)). Throws Failure(solver) when L would not fit 32-bit indices.
  void analyze(UpperTriangle pattern);

  /// The pivot of column k of the remaining matrix and the sum of the magnitudes it was formed from.
  struct PivotValue {
    double value, formed_from;
  };
  /// Factors; `keep(k, pivot)` returns false to drop k. `diagonal` has n values. Allocates nothing.
  template <class Keep>
  void factor(const std::vector<double>& diagonal, const std::vector<double>& values, Keep keep) {
    forget_rows();
    for (int& k = factored_; k < upper_.n; ++k) {
      const PivotValue pivot = eliminate_row(k, diagonal[k], values, true);
      kept_[k] = keep(k, pivot);
      pivot_[k] = pivot.value;
    }
  }
  /// x <- A^-1 x over the rows kept; x is zero in dropped rows. n values, in elimination order.
  void solve(std::vector<double>& x) const;
  /// The z with sum_j A_ij z_j = A_ik for all kept i < k, over kept j < k: the coefficients of row k as a
  /// combination of the rows before it. Returns the j of which z_j is more than 1e-14 of the largest, and
  /// sets these of its n values; valid until the next call. Costs what their rows of L have entries, and a
  /// pass over L at the first call since a row was factored. Uses scratch, hence not const.
  std::span<const int> combination(int k, const std::vector<double>& values, std::vector<double>& z);

  bool kept(int k) const { return kept_[k] != 0; }
  long nonzeros() const { return static_cast<long>(index_.size()); }

 private:
  void forget_rows();
  void collect_rows();
  /// Row k of L by a sparse triangular solve; stored if `store`, else left in row_/entry_.
  PivotValue eliminate_row(int k, double diagonal, const std::vector<double>& values, bool store);

  struct RowEntry {
    int column, place;  ///< in value_
  };

  UpperTriangle upper_;
  std::vector<int> parent_, first_, count_, index_;  ///< columns of L: offset, entries so far
  std::vector<double> value_, pivot_;
  std::vector<char> kept_;
  std::vector<int> mark_, row_, path_;  ///< scratch: pattern of the row being formed has its mark
  std::vector<double> work_, entry_;
  int row_count_ = 0, last_mark_ = 0;
  int factored_ = 0, collected_ = 0;  ///< rows so far, and of them in rows_
  Buckets<RowEntry> rows_;            ///< of L, for combination()
};

}  // namespace trammel
