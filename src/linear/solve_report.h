// What becomes of a linear system, and what its guard lets pass.
#pragma once

#include "base/hd.h"

namespace trammel {

enum class SolveStatus {
  ok,
  singular,    ///< a pivot is below GuardLimits::pivot whatever the pivoting; the system has no answer
  inaccurate,  ///< the residual stays above GuardLimits::accept
  not_finite,  ///< matrix or right-hand side holds NaN or infinity
  refused,     ///< by the guard of a group on a device, which has no other way to an answer
};

/// What became of set_matrix() or solve(). Indices are those of the matrix as given.
struct SolveReport {
  SolveStatus status = SolveStatus::ok;
  int row = -1;               ///< equation of the smallest pivot; set unless ok
  int column = -1;            ///< unknown of the smallest pivot; set unless ok
  double pivot = 0;           ///< its size relative to its column; set unless ok
  double backward_error = 0;  ///< of the answer (solve only), see GuardedSystem::solve
  TRAMMEL_HD bool ok() const { return status == SolveStatus::ok; }
  template <class Archive>
  void archive(Archive& a) {
    a(status, row, column, pivot, backward_error);
  }
};

/// Limits of the guard, all relative to the scaled matrix.
struct GuardLimits {
  double target = 1e-12;          ///< refine while the backward error is above
  double accept = 1e-10;          ///< above it after refinement: factor afresh
  double pivot = 1e-13;           ///< a pivot this small against its column is rounding noise: ~1e3 u
  int refinements = 2;            ///< at most, per factorization
  double pivot_tolerance = 0.01;  ///< LinearSolver::factor; 0.1 doubles the work on vehicles for nothing
};

}  // namespace trammel
