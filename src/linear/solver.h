// The contract of a direct solver for the sparse system matrix, and the list of the solvers there are.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "linear/pattern.h"

namespace trammel {

class ThreadPool;

enum class FactorStatus {
  ok,
  singular,  ///< a pivot is zero or not finite: fixed pivots no longer fit, or the matrix is singular
  out_of_memory,
};

/// A pivot and where it stands in the matrix as given (not permuted).
struct Pivot {
  int row = -1;
  int column = -1;
  double relative = 0;  ///< |pivot| / magnitude of its column
  template <class Archive>
  void archive(Archive& a) {
    a(row, column, relative);
  }
};

/// Facts about the present factors.
struct FactorInfo {
  long nonzeros = 0;            ///< nnz(L) + nnz(U), unit diagonal of L not counted
  int off_diagonal_pivots = 0;  ///< pivots not taken from the diagonal of the ordered matrix
  double flops = 0;             ///< of one factorization
  double rcond = 0;             ///< min |u_kk| / max |u_kk|: crude, an upper bound in practice
};

/// LU of one pattern, many values. n unknowns; `values` follow SparsePattern::row. Not thread-safe; one
/// object per thread. The matrix is expected to be scaled: no scaling is done inside.
class LinearSolver {
 public:
  virtual ~LinearSolver() = default;

  /// Symbolic analysis for an elimination order (order[k] = unknown eliminated as k-th, for rows and
  /// columns alike). Drops existing factors. Throws Failure(internal) if the pattern or order is invalid.
  virtual void analyze(const SparsePattern& pattern, const std::vector<int>& order) = 0;
  /// Factors with fresh pivoting; a diagonal entry is kept as pivot while it is at least `tolerance`
  /// times the largest entry left in its column. Allocates.
  virtual FactorStatus factor(const double* values, double tolerance = 0.01) = 0;
  /// Factors again what factor() factored, with the pivots chosen there, or (multifrontal) with pivots from
  /// the same rows by the same tolerance. No allocation. Says nothing about accuracy: the caller has to
  /// look at the residual. `singular` when there is nothing to repeat.
  virtual FactorStatus refactor(const double* values) = 0;
  /// b <- A^-1 b with the present factors (n values). No allocation.
  virtual void solve(double* b) const = 0;
  /// The same for `columns` right-hand sides, `stride` >= n apart. The first call may allocate.
  virtual void solve_many(double* b, int columns, int stride) const;
  /// The pivot that is smallest against `column_magnitude` (n values, in columns of the matrix); also
  /// when factor() found the matrix singular.
  virtual Pivot smallest_pivot(const double* column_magnitude) const = 0;
  virtual FactorInfo info() const = 0;

  /// Threads to work with, shared with whoever else holds the pool, or none. Solvers that have no use for
  /// them ignore it. No bit of any result depends on the number of threads. Allocates.
  virtual void set_pool(std::shared_ptr<ThreadPool> pool);
  /// A pool of the solver's own.
  void set_threads(int threads);
};

struct SolverKind {
  std::string name;
  std::unique_ptr<LinearSolver> (*make)();
};
/// All solvers there are, the default one first. The test battery runs over this list.
const std::vector<SolverKind>& linear_solvers();
/// Adds a solver of another library (a device's, a test's); one of the same name is replaced. Before threads
/// are started.
void register_linear_solver(const SolverKind& kind);
/// Solver by name; throws Failure(usage) naming those that exist.
std::unique_ptr<LinearSolver> make_linear_solver(const std::string& name);

/// Throws Failure(internal) unless `order` is a permutation of 0..n-1.
void check_order(const std::vector<int>& order, int n);
/// Throws Failure(internal) unless the columns are sorted, without duplicates and within 0..n-1.
void check_pattern(const SparsePattern& pattern);

}  // namespace trammel
