// Interface of direct solvers for the sparse system matrix, and the list of solvers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "linear/pattern.h"

namespace trammel {

class ThreadPool;

enum class FactorStatus {
  ok,
  singular,  ///< a pivot is zero or not finite: the fixed pivots no longer fit, or the matrix is singular
  out_of_memory,
};

/// A pivot and its position in the unpermuted matrix.
struct Pivot {
  int row = -1;
  int column = -1;
  double relative = 0;  ///< |pivot| / magnitude of its column
  template <class Archive>
  void archive(Archive& a) {
    a(row, column, relative);
  }
};

struct FactorInfo {
  long nonzeros = 0;            ///< nnz(L) + nnz(U), unit diagonal of L not counted
  int off_diagonal_pivots = 0;  ///< pivots not taken from the diagonal of the ordered matrix
  double flops = 0;             ///< operations of one factorization
  double rcond = 0;             ///< min |u_kk| / max |u_kk|: a crude estimate, in practice an upper bound
};

/// LU of matrices with one pattern. n unknowns; `values` are parallel to SparsePattern::row. Not thread-safe:
/// one object per thread. The matrix must be scaled by the caller.
class LinearSolver {
 public:
  virtual ~LinearSolver() = default;

  /// Symbolic analysis for an elimination order (order[k] = unknown eliminated k-th, for rows and columns
  /// alike). Discards existing factors. Throws Failure(internal) if the pattern or order is invalid.
  virtual void analyze(const SparsePattern& pattern, const std::vector<int>& order) = 0;
  /// A solver without factors for the same pattern and order, which shares what analyze() has made; null
  /// where this kind of solver cannot share it.
  virtual std::unique_ptr<LinearSolver> with_same_analysis() const { return nullptr; }
  /// Factors with new pivots; a diagonal entry is the pivot while it is at least `tolerance` times the
  /// largest remaining entry of its column. Allocates.
  virtual FactorStatus factor(const double* values, double tolerance = 0.01) = 0;
  /// Factors other values with the pivots of the last factor(), or (multifrontal) with pivots from the same
  /// rows by the same tolerance. No allocation. Does not check accuracy: the caller has to check the
  /// residual. `singular` when there has been no factor().
  virtual FactorStatus refactor(const double* values) = 0;
  /// x = A^-1 b with the present factors (n values each, may be the same array). No allocation.
  virtual void solve(const double* b, double* x) const = 0;
  void solve(double* b) const { solve(b, b); }
  /// b <- A^-1 b for `columns` right-hand sides, `stride` >= n apart. The first call may allocate.
  virtual void solve_many(double* b, int columns, int stride) const;
  /// The smallest pivot relative to `column_magnitude` (n values, by columns of the matrix); also valid when
  /// factor() found the matrix singular.
  virtual Pivot smallest_pivot(const double* column_magnitude) const = 0;
  virtual FactorInfo info() const = 0;

  /// Sets the threads to work with; null: none. The pool may be shared; solvers without parallel code ignore
  /// it. The bits of results do not depend on the number of threads. Allocates.
  virtual void set_pool(std::shared_ptr<ThreadPool> pool);
  /// Sets a pool of this solver's own.
  void set_threads(int threads);
};

struct SolverKind {
  std::string name;
  std::unique_ptr<LinearSolver> (*make)();
};
/// All solvers; preferred_solver() tells which is for what. The tests of solvers run over this list.
const std::vector<SolverKind>& linear_solvers();
/// Their names, separated by commas.
std::string linear_solver_names();
/// Adds a solver of another library (a device's, a test's); one of the same name is replaced. Call it before
/// threads are started.
void register_linear_solver(const SolverKind& kind);
/// Solver by name; throws Failure(usage) listing the names for an unknown one.
std::unique_ptr<LinearSolver> make_linear_solver(const std::string& name);

/// Throws Failure(internal) unless `order` is a permutation of 0..n-1.
void check_order(const std::vector<int>& order, int n);
/// Throws Failure(internal) unless the columns are sorted, without duplicates and within 0..n-1.
void check_pattern(const SparsePattern& pattern);

}  // namespace trammel
