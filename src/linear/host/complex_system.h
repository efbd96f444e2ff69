// Complex linear systems with the pattern of a real one, by SuiteSparse KLU.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "base/archive.h"
#include "linear/pattern.h"
#include "linear/scaling.h"
#include "linear/solve_report.h"

namespace trammel {

/// A x = b with complex A, guarded as GuardedSystem (linear/system.h) guards a real one: fixed pivots while
/// they are large enough, each solution checked by its residual, then new pivots, then partial pivoting.
/// Solutions and matrices are allocated in analyze(), factors where pivots are chosen.
class ComplexSystem {
 public:
  using Number = std::complex<double>;

  ComplexSystem();
  ~ComplexSystem();
  ComplexSystem(const ComplexSystem&) = delete;
  ComplexSystem& operator=(const ComplexSystem&) = delete;

  /// order[k]: the unknown eliminated k-th. Throws Failure(internal) for an invalid pattern or order.
  void analyze(const SparsePattern& pattern, const std::vector<int>& order);
  /// Sets the matrix (a value per entry of the pattern) and factors it, rows and columns scaled by the
  /// factors of a real matrix of the same mechanism. ok, singular or not_finite.
  SolveReport set_matrix(const Number* values, const Scaling& scaling);
  /// x = A⁻¹ b, a value per unknown, may be the same array. Where it is refused x is zero.
  SolveReport solve(const Number* b, Number* x);
  /// Saves the matrix and the one in which its pivots were chosen; restores the bits of the factors.
  void archive(Archive& a);
  GuardLimits limits;

 private:
  struct Factors;
  enum Pivoting : int { fixed_pivots, fresh_pivots, partial_pivoting, none };

  bool factor_with(int pivoting);
  bool factor_from(int pivoting);
  SolveReport refuse(SolveStatus status);
  double residual();
  template <class System>
  friend double guarded_answer(System& system, const GuardLimits& limits);
  double first_answer();
  double refined();
  void take_back() { y_ = kept_; }

  std::unique_ptr<Factors> factors_;
  SparsePattern pattern_;
  Scaling scaling_;
  int pivoting_ = none;  ///< how the present factors were computed
  double pivot_tolerance_ = 0;
  std::vector<Number> value_, pivot_value_;  ///< scaled; present, and that of the pivots
  std::vector<double> column_largest_, w_;
  std::vector<Number> c_, y_, r_, kept_;
  SolveReport refusal_;
};

}  // namespace trammel
