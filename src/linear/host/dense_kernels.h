// Dense kernels of our own factorizations, compiled for several instruction sets.
#pragma once

#include <cstddef>

#include "linear/host/block_schedule.h"
#include "linear/host/row_tables.h"

namespace trammel {

/// Rows of dense blocks are padded to a multiple of this; kernels process whole groups of rows.
constexpr int kRowGroup = 4;
constexpr int padded(int rows) {
  return (rows + kRowGroup - 1) / kRowGroup * kRowGroup;
}

/// Doubles that must be there behind an array: kernels read, and those of blocks write, whole registers.
constexpr int kBeyond = 16;

/// Doubles by which numbers that are read once from end to end are fetched ahead, where there are so many
/// that they do not stay in a core's cache (taken as 2 MB); else 0. Distances of 8 to 32 kB gave about the
/// same times (docs/linear_algebra.md).
constexpr int fetched_ahead(std::size_t doubles) {
  return doubles > 250'000 ? 2048 : 0;
}

/// Result of the LU of a diagonal block.
struct DensePivots {
  int off_diagonal = 0;  ///< pivots taken from another row
  bool singular = false;
};

/// Of residuals r = c - B y: sum and largest of |r_i|, and the largest |c_i| and column_largest[i] |y_i|.
struct ResidualExtent {
  double total = 0, largest = 0, scale = 0;
};

/// One set of kernels. Blocks are stored by columns with leading dimension `ld`, a multiple of kRowGroup.
/// Every entry of a result is one chain of operations in ascending k, whatever the shape of the block:
/// dividing a result into parts changes no bit. Fused multiply-add is used where the processor has it, so
/// bits differ between processors with and without; those of factorizations by blocks between all sets.
struct DenseKernels {
  const char* name;
  /// C(i, j) -= sum_k A(i, k) B(k, j), i < m, j < n, k < depth; m a multiple of kRowGroup;
  /// A(i, k) = a[i + k lda], B(k, j) = b[k b_row + j b_column], C(i, j) = c[i + j ldc].
  void (*subtract_product)(double* c, int ldc, const double* a, int lda, const double* b, int b_row,
                           int b_column, int m, int n, int depth);
  /// P D = L U in place, D n x n with padded rows: the diagonal entry is the pivot while it is at least
  /// `tolerance` times the largest entry on and below it, else that largest entry. Row k was exchanged with
  /// row exchange[k] >= k; inverse[k] = 1 / u_kk. A pivot that is zero or not finite sets `singular`; its
  /// column of L is set to zero and the elimination continues.
  DensePivots (*factor)(double* d, int ld, int n, double tolerance, int* exchange, double* inverse);
  /// V <- V L^-T, L the unit lower triangle of d (n x n, ldd), V m x n.
  void (*solve_lower)(double* v, int ldv, const double* d, int ldd, int m, int n);
  /// A <- A U^-1, U the upper triangle of d, inverse[k] = 1 / u_kk, A m x n.
  void (*solve_upper)(double* a, int lda, const double* d, int ldd, const double* inverse, int m, int n);
  /// X <- X U^-T, U as above, X m x n.
  void (*solve_upper_transposed)(double* x, int ldx, const double* d, int ldd, const double* inverse, int m,
                                 int n);
  /// Forward solve in one front for one right-hand side: x <- L_D^-1 x, w = -L x. D n x n (ldd), L and V m x
  /// n (ld), m padded; x has padded(n) values, w has m.
  void (*forward)(const double* d, int ldd, const double* l, int ld, int m, int n, double* x, double* w);
  /// Backward solve in one front: x <- U_D^-1 (x - V^T w).
  void (*backward)(const double* d, int ldd, const double* v, int ld, const double* inverse, int m, int n,
                   double* x, const double* w);
  /// Eliminates fronts [begin, end) of a schedule, pivots as in factor(); 1 / tolerance bounds the entries of
  /// L_D.
  DensePivots (*eliminate_blocks)(const BlockSchedule& schedule, int begin, int end,
                                  const BlockNumbers& numbers, const double* values, double tolerance);
  /// y <- L^-1 y and y <- U^-1 y for these fronts, y by slots.
  void (*forward_blocks)(const BlockSchedule& schedule, int begin, int end, const BlockNumbers& numbers,
                         double* y);
  void (*backward_blocks)(const BlockSchedule& schedule, int begin, int end, const BlockNumbers& numbers,
                          double* y);
  /// r = c - B y for groups [begin, end) of rows, and its extent. kBeyond doubles follow every vector.
  ResidualExtent (*subtract_rows)(const RowGroupTables& b, int begin, int end, const double* c,
                                  const double* y, const double* column_largest, double* r);
  /// w = |c| + |B||y| for these groups.
  void (*row_sizes)(const RowGroupTables& b, int begin, int end, const double* c, const double* y, double* w);
};

/// The fastest set that this processor can run, chosen once.
const DenseKernels& dense_kernels();
/// All sets that this processor can run, the portable one first.
const DenseKernels* const* all_dense_kernels(int& count);

}  // namespace trammel
