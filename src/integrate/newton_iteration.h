// Newton's iteration, the one of the program: initial conditions, states brought back onto the constraints
// and the corrector of a step are problems of it.
#pragma once

#include "base/hd.h"

namespace trammel {

/// What a part of an iteration says of the whole.
enum class NewtonVerdict {
  go_on,
  converged,
  failed,  ///< the problem knows why
};

/// x ← x + Δ with A Δ = −r(x), A ≈ ∂r/∂x. A problem has, for k = 1, 2, ... iterations,
///     NewtonVerdict evaluate(int k)    r at the present x; converged where there is nothing to correct
///     NewtonVerdict correct(int k)     Δ, with a matrix as new as the problem wants it
///     NewtonVerdict apply(int k)       x + Δ, and whether that is enough
/// go_on is given back where `maxit` iterations were not enough.
template <class Problem>
TRAMMEL_HD NewtonVerdict newton_iteration(Problem& problem, int maxit) {
  for (int k = 1; k <= maxit; ++k) {
    NewtonVerdict verdict = problem.evaluate(k);
    if (verdict == NewtonVerdict::go_on) verdict = problem.correct(k);
    if (verdict == NewtonVerdict::go_on) verdict = problem.apply(k);
    if (verdict != NewtonVerdict::go_on) return verdict;
  }
  return NewtonVerdict::go_on;
}

}  // namespace trammel
