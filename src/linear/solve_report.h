// Outcome of a factorization or solve of the linear system, and the limits of its acceptance test.
#pragma once

#include "base/hd.h"

namespace trammel {

enum class SolveStatus {
  ok,
  singular,  ///< a pivot is below GuardLimits::pivot with every kind of pivoting: the system has no solution
  inaccurate,  ///< the residual stays above GuardLimits::accept
  not_finite,  ///< matrix or right-hand side holds NaN or infinity
  refused,     ///< by the guard of a group on a device, which has no fallback
};

/// Outcome of set_matrix() or solve(). Indices are those of the unpermuted matrix.
struct SolveReport {
  SolveStatus status = SolveStatus::ok;
  int row = -1;               ///< equation of the smallest pivot, or of an entry that is not finite
  int column = -1;            ///< its unknown
  double pivot = 0;           ///< its size relative to its column; set unless ok
  double backward_error = 0;  ///< of the solution (solve only), see GuardedSystem::solve
  TRAMMEL_HD bool ok() const { return status == SolveStatus::ok; }
  template <class Archive>
  void archive(Archive& a) {
    a(status, row, column, pivot, backward_error);
  }
};

/// Limits of the acceptance test, relative to the scaled matrix.
struct GuardLimits {
  double target = 1e-12;  ///< refine while the backward error is above
  double accept = 1e-10;  ///< still above it after refinement: factor with new pivots
  double pivot = 1e-13;   ///< a pivot below this fraction of its column's largest entry is rounding: ~1e3 u
  int refinements = 2;    ///< largest number of refinement steps per factorization
  double pivot_tolerance = 0.01;  ///< LinearSolver::factor(); 0.1 doubles the work on vehicles for nothing
};

}  // namespace trammel
