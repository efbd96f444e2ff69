// The linear system for integrators and analyses: scaling, factorization, and solves that are checked.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/archive.h"
#include "base/parallel.h"
#include "linear/host/row_groups.h"
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
  long solves = 0;            ///< right-hand sides solved
  long refinements = 0;       ///< refinement steps
  long guard_trips = 0;       ///< fixed pivots or a solution rejected and the matrix factored with new pivots
  long full_pivotings = 0;    ///< matrix rescaled and factored with full partial pivoting
  SystemCounters& operator+=(const SystemCounters& c);
};

/// Pivots that were given up.
struct PivotsLost {
  Pivot smallest;           ///< among them
  bool kept = false;        ///< they were those of an earlier matrix, else chosen for this one
  bool inaccurate = false;  ///< they were large enough, and the solution was not accurate
  bool found_others = false;
};

/// A x = b with A of a fixed pattern. set_matrix() allocates only for the first matrix, when it chooses new
/// pivots, and after forget_matrix(), solve() only when a solution is rejected. The object keeps
/// the scaled matrix, so solves with an old matrix are checked against that matrix.
class GuardedSystem {
 public:
  /// `solver`: a name of linear_solvers(), or "auto" for the one that suits the order (preferred_solver()).
  /// Throws Failure(usage) for an unknown name.
  explicit GuardedSystem(const std::string& solver = "auto");

  /// Sets the threads for later calls; null: none. The bits of solutions do not depend on them.
  void use(std::shared_ptr<ThreadPool> pool);

  /// Takes a new pattern: ordering (from the graph, unless given), symbolic analysis; resets scaling and
  /// counters.
  void analyze(const SparsePattern& pattern, const MechanismGraph& graph);
  void analyze(const SparsePattern& pattern, const MechanismGraph& graph, const EliminationOrder& order);
  /// The same for the pattern and order that `other` has analyzed; tables that do not change are shared.
  void analyze_as(const GuardedSystem& other);
  /// Fixes the scaling; the default is kkt_scaling() of the first matrix and of every one that is set as
  /// `fresh`.
  void set_scaling(const Scaling& scaling);

  /// Sets the matrix (pattern().nonzeros() values) and factors it: with the present pivots, or with new ones
  /// when there are none, when `fresh`, or when a pivot has become small. ok, singular or not_finite.
  SolveReport set_matrix(const double* values, bool fresh = false);

  /// Gives up the matrix, its factors and their memory until the next set_matrix(), which chooses pivots
  /// anew.
  /// Solvers that cannot share an analysis (KLU) keep the memory of factors.
  void forget_matrix();

  /// x = A^-1 b (n values each, may be the same array). With the scaled system B y = c, B = R A C, c = R b, x
  /// = C y the solution is accepted when for every row i of r = c - B y
  ///     |r_i| <= tol w_i + 8 u max_k w_k,   w = |B||y| + |c|,   u = 2^-53,
  /// tol = target after up to two steps of refinement, accept at worst; the smallest such tol is the backward
  /// error reported (after Arioli, Demmel, Duff: Solving sparse linear systems with sparse backward error,
  /// SIAM J. Matrix Anal. Appl. 10, 1989). If rejected, the matrix is factored with new pivots, then rescaled
  /// and factored with full partial pivoting. If that fails, too, the report says so and x is zero.
  SolveReport solve(const double* b, double* x);

  /// Saves the matrix and the one in which its pivots were chosen; restores the bits of the factors by
  /// factoring both, after analyze() of the same pattern.
  void archive(Archive& a);

  bool has_matrix() const { return state_ == State::factored; }
  const SparsePattern& pattern() const { return analyzed_->pattern; }
  /// The elimination order, its expected cost, and the other candidates.
  const EliminationOrder& order() const { return analyzed_->order; }
  const std::string& solver_name() const { return solver_name_; }
  /// As given to the constructor: a name, or "auto".
  const std::string& wanted_solver() const { return wanted_; }
  const Scaling& scaling() const { return scaling_; }
  const SystemCounters& counters() const { return counters_; }
  FactorInfo info() const { return solver_->info(); }
  GuardLimits limits;
  /// Called where pivots are given up and others have been looked for; may be empty.
  std::function<void(const PivotsLost&)> on_pivots_lost;

 private:
  enum class State { empty, analyzed, factored, refused };
  enum Pivoting : int { fixed_pivots, fresh_pivots, full_pivoting };  ///< attempts, in this order

  struct Analyzed {
    SparsePattern pattern;
    MechanismGraph graph;
    EliminationOrder order;
  };

  void begin();
  void make_room();
  bool scale_matrix(const double* values);
  void rescale_matrix();
  bool factor_with(Pivoting pivoting);
  bool factor_from(int pivoting, bool inaccurate = false);
  double residual();
  double backward_error();
  void scale(const std::vector<double>& s, const double* b, double* x);
  template <class System>
  friend double guarded_answer(System& system, const GuardLimits& limits);
  double first_answer();
  double refined();
  void take_back() { y_ = kept_; }
  SolveReport refuse(SolveStatus status);

  std::string wanted_;       ///< solver name or "auto"
  std::string solver_name_;  ///< of the solver in use
  std::shared_ptr<ThreadPool> pool_;
  Parallel parallel_;
  std::unique_ptr<LinearSolver> solver_;
  std::shared_ptr<const Analyzed> analyzed_ = std::make_shared<Analyzed>();
  Scaling scaling_;
  bool scaled_ = false, scaling_given_ = false;
  State state_ = State::empty;
  Pivoting pivoting_ = fresh_pivots;  ///< how the present factors were computed
  Pivot pivot_;                       ///< smallest pivot of the last factorization
  std::vector<double> value_;         ///< nnz: the scaled matrix
  std::vector<double> pivot_value_;   ///< nnz: the matrix in which pivots were chosen, where
  bool pivots_of_value_ = false;      ///< that is not value_ itself
  double pivot_tolerance_ = 0;        ///< tolerance with which they were chosen
  RowGroups rows_;                    ///< the scaled matrix for residuals
  // Vectors of n values, and kBeyond more for the kernels:
  std::vector<double> column_largest_;  ///< largest entry of each scaled column
  std::vector<double> c_, y_, r_, w_;   ///< scaled right-hand side, solution, residual, |B||y| + |c|
  std::vector<double> kept_;            ///< the solution before a refinement step
  SolveReport refusal_;                 ///< why the present matrix was refused
  SystemCounters counters_;
};

}  // namespace trammel
