// Newton's iteration, used for initial conditions, for states projected back onto the constraints, and for
// the corrector of a step.
#pragma once

#include "base/hd.h"

namespace trammel {

/// Outcome of one part of an iteration.
enum class NewtonVerdict {
  go_on,
  converged,
  failed,  ///< `problem` knows the reason
};

/// x ← x + Δ with A Δ = −r(x), A ≈ ∂r/∂x. A problem has, for the iterations k = 1, 2, ...,
///     NewtonVerdict evaluate(int k)    r at the present x; converged if no correction is needed
///     NewtonVerdict correct(int k)     Δ, with a matrix as new as the problem requires
///     NewtonVerdict apply(int k)       x + Δ, and whether that has converged
/// and, if it can be watched, observe(int k, bool corrected), after each. Returns go_on when `maxit`
/// iterations were not enough.
template <class Problem>
TRAMMEL_HD NewtonVerdict newton_iteration(Problem& problem, int maxit) {
  for (int k = 1; k <= maxit; ++k) {
    NewtonVerdict verdict = problem.evaluate(k);
    if (verdict == NewtonVerdict::go_on) verdict = problem.correct(k);
    const bool corrected = verdict == NewtonVerdict::go_on;
    if (corrected) verdict = problem.apply(k);
    if constexpr (requires { problem.observe(k, corrected); }) problem.observe(k, corrected);
    if (verdict != NewtonVerdict::go_on) return verdict;
  }
  return NewtonVerdict::go_on;
}

}  // namespace trammel
