// The linear system as integrators and analyses use it: scaled, factored, solved, and every answer checked.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/archive.h"
#include "base/parallel.h"
#include "linear/ordering.h"
#include "linear/pattern.h"
#include "linear/scaling.h"
#include "linear/solve_report.h"
#include "linear/solver.h"

namespace trammel {

/// Counted since analyze().
struct SystemCounters {
  long factorizations = 0;    ///< with fresh pivoting
  long refactorizations = 0;  ///< with fixed pivots
  long solves = 0;            ///< right-hand sides answered
  long refinements = 0;       ///< refinement steps
  long guard_trips = 0;       ///< fixed pivots or an answer refused, matrix factored afresh
  long full_pivotings = 0;    ///< matrix rescaled and factored with full partial pivoting
  SystemCounters& operator+=(const SystemCounters& c);
};

/// A x = b with A of a fixed pattern. All storage is made in analyze(); set_matrix() allocates only when
/// it factors afresh, solve() only when the guard trips. The object keeps the (scaled) matrix it was
/// given, so many solves with a frozen matrix are checked against that matrix.
class GuardedSystem {
 public:
  /// `solver`: a name of linear_solvers(), or "auto" for the one that suits the order (preferred_solver()).
  /// Throws Failure(usage) for a name that does not exist.
  explicit GuardedSystem(const std::string& solver = "auto");

  /// Threads for what follows; null: none. No bit of any answer depends on them.
  void use(std::shared_ptr<ThreadPool> pool);

  /// New pattern: order (from the graph, unless given), symbolic analysis. Forgets scaling and counters.
  void analyze(const SparsePattern& pattern, const MechanismGraph& graph);
  void analyze(const SparsePattern& pattern, const MechanismGraph& graph, const EliminationOrder& order);
  /// Fixes the scaling; otherwise it is kkt_scaling() of the first matrix and of every one set as fresh.
  void set_scaling(const Scaling& scaling);

  /// Takes the matrix (pattern().nonzeros() values) and factors it: with the pivots there are, afresh
  /// when there are none, when `fresh`, or when a pivot has become small. ok, singular or not_finite.
  SolveReport set_matrix(const double* values, bool fresh = false);

  /// x = A^-1 b (n values each, may be the same array). With the scaled system B y = c, B = R A C,
  /// c = R b, x = C y the answer is accepted when for every row i of r = c - B y
  ///     |r_i| <= tol w_i + 8 u max_k w_k,   w = |B||y| + |c|,   u = 2^-53,
  /// tol = target after up to two steps of refinement, accept at worst; the smallest such tol is the
  /// backward error reported (after Arioli, Demmel, Duff: Solving sparse linear systems with sparse
  /// backward error, SIAM J. Matrix Anal. Appl. 10, 1989). If refused, the matrix is factored afresh with
  /// pivoting, then rescaled with full partial pivoting. If nothing helps the report says so and x is zero.
  SolveReport solve(const double* b, double* x);

  /// Saves the matrix, and the one whose pivots it has; restores the bits of the factors by factoring both,
  /// after analyze() of the same pattern.
  void archive(Archive& a);

  bool has_matrix() const { return state_ == State::factored; }
  const SparsePattern& pattern() const { return pattern_; }
  /// The order, what it is expected to cost, and which others there were.
  const EliminationOrder& order() const { return order_; }
  const std::string& solver_name() const { return solver_name_; }
  const Scaling& scaling() const { return scaling_; }
  const SystemCounters& counters() const { return counters_; }
  FactorInfo info() const { return solver_->info(); }
  GuardLimits limits;

 private:
  enum class State { empty, analyzed, factored, refused };
  enum Pivoting : int { fixed_pivots, fresh_pivots, full_pivoting };  ///< what is tried, in this order

  void turn_to_rows();
  bool scale_matrix(const double* values);
  void rescale_matrix();
  bool factor_with(Pivoting pivoting);
  void take_row_values();
  bool factor_from(int pivoting);
  double residual();
  template <class System>
  friend double guarded_answer(System& system, const GuardLimits& limits);
  double first_answer();
  double refined();
  void take_back() { y_ = kept_; }
  SolveReport refuse(SolveStatus status);

  std::string wanted_;       ///< solver by name or "auto"
  std::string solver_name_;  ///< of the present one
  std::shared_ptr<ThreadPool> pool_;
  Parallel parallel_;
  std::unique_ptr<LinearSolver> solver_;
  SparsePattern pattern_;
  MechanismGraph graph_;
  EliminationOrder order_;
  Scaling scaling_;
  bool scaled_ = false, scaling_given_ = false;
  State state_ = State::empty;
  Pivoting pivoting_ = fresh_pivots;                     ///< how the present factors were made
  Pivot pivot_;                                          ///< smallest pivot of the last factorization
  std::vector<double> value_;                            ///< nnz: the scaled matrix
  std::vector<double> pivot_value_;                      ///< nnz: the one in which pivots were chosen
  double pivot_tolerance_ = 0;                           ///< and how
  std::vector<int> row_start_, row_column_, row_place_;  ///< n + 1, nnz, nnz: by rows; place in value_
  std::vector<double> row_value_;                        ///< nnz: value_ by rows
  std::vector<double> column_largest_;                   ///< n: largest entry of each scaled column
  std::vector<double> c_, y_, r_, w_;  ///< n: scaled right-hand side, answer, residual, |B||y| + |c|
  std::vector<double> kept_;           ///< n: the answer before a refinement step
  SolveReport refusal_;                ///< why the present matrix was refused
  SystemCounters counters_;
};

}  // namespace trammel
