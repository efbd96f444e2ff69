// The acceptance test of solutions, shared by the linear systems on the processor, on a device, and in a
// group of a device's threads.
#pragma once

#include <cmath>

#include "base/hd.h"
#include "linear/solve_report.h"

namespace trammel {

/// What rounding may leave of a row of c − B y where the largest of all |B||y| + |c| is `largest`. Numbers
/// near the least ones have no digits left: so far below rows that are scaled to 1, nothing is more than
/// rounding.
TRAMMEL_HD inline double rounding_of(double largest) {
  constexpr double units = 8 * 0x1p-53, least = 1e-290;
  return units * largest > least ? units * largest : least;
}

/// Solves B y = c with steps of refinement; returns the backward error of y (GuardedSystem::solve()), NaN or
/// infinite where anything is not finite. A system has
///     double first_answer()    y = B⁻¹ c; its backward error
///     double refined()         y ← y + B⁻¹ r; its backward error
///     void take_back()         restores the y before the last refinement
template <class System>
TRAMMEL_HD double guarded_answer(System& system, const GuardLimits& limits) {
  double error = system.first_answer();
  for (int step = 0; step < limits.refinements && error > limits.target && error < INFINITY; ++step) {
    const double refined = system.refined();
    if (!(refined < error)) {
      system.take_back();
      break;
    }
    error = refined;
  }
  return error;
}

}  // namespace trammel
