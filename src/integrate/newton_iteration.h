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

/// The parts of an iteration, in their order.
enum class NewtonPart { evaluate, correct, apply };

/// Where an iteration is: the part that is next, of iteration k.
struct NewtonPlace {
  int k = 1;
  NewtonPart next = NewtonPart::evaluate;
  /// After a part that ended with `go_on`.
  TRAMMEL_HD void move_on() {
    if (next == NewtonPart::apply) ++k;
    next = next == NewtonPart::evaluate  ? NewtonPart::correct
           : next == NewtonPart::correct ? NewtonPart::apply
                                         : NewtonPart::evaluate;
  }
};

/// x ← x + Δ with A Δ = −r(x), A ≈ ∂r/∂x. A problem has, for the iterations k = 1, 2, ...,
///     NewtonVerdict evaluate(int k)    r at the present x; converged if no correction is needed
///     NewtonVerdict correct(int k)     Δ, with a matrix as new as the problem requires
///     NewtonVerdict apply(int k)       x + Δ, and whether that has converged
/// and, if it can be watched, observe(int k, bool corrected), after each. It begins at `at`, where others may
/// have brought it. Returns go_on when `maxit` iterations were not enough.
template <class Problem>
TRAMMEL_HD NewtonVerdict newton_iteration(Problem& problem, int maxit, NewtonPlace at = {}) {
  for (; at.k <= maxit; at = {at.k + 1}) {
    NewtonVerdict verdict = NewtonVerdict::go_on;
    if (at.next == NewtonPart::evaluate) verdict = problem.evaluate(at.k);
    if (verdict == NewtonVerdict::go_on && at.next != NewtonPart::apply) verdict = problem.correct(at.k);
    const bool corrected = verdict == NewtonVerdict::go_on;
    if (corrected) verdict = problem.apply(at.k);
    if constexpr (requires { problem.observe(at.k, corrected); }) problem.observe(at.k, corrected);
    if (verdict != NewtonVerdict::go_on) return verdict;
  }
  return NewtonVerdict::go_on;
}

}  // namespace trammel
