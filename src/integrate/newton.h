// Newton's iteration (integrate/newton_iteration.h) with the KKT system of a model, on the processor: for
// initial conditions and other problems at one point of time. (The corrector of a step, which keeps its
// matrix over steps, is in integrate/corrector.h.)
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "integrate/observer.h"
#include "linear/system.h"
#include "model/model.h"

namespace trammel {

/// When pivots are chosen anew; otherwise those of the last matrix are used while they are large enough.
enum class FreshPivots { never, at_first, always };

struct NewtonProgress {
  int iteration = 0;    ///< 1, 2, ...
  double change = 0;    ///< size of the last correction, as returned by `apply`
  double previous = 0;  ///< the same of the iteration before
};

/// A system of equations r(x) = 0. All arrays have one entry per unknown of the model.
struct NewtonProblem {
  std::string what;  ///< begins messages, as "initial positions"
  int maxit = 25;
  FreshPivots pivots = FreshPivots::at_first;
  bool watched = true;         ///< by the observer; not where it is a part of another iteration
  double enough_residual = 0;  ///< stop with every |r| below this; 0: only corrections decide
  /// Asked after each residual, with the corrections so far: whether the present x is a solution.
  std::function<bool(const NewtonProgress&, std::span<const double> r)> solved;
  /// Evaluates r at the present x.
  std::function<void(std::span<double> r)> residual;
  /// ∂r/∂x at the last evaluation, in the order of the pattern.
  std::function<void(std::span<double> values)> tangent;
  /// x ← x + Δ, Δ possibly shortened to limits; returns the size of the change.
  std::function<double(std::span<const double> correction)> apply;
  std::function<bool(const NewtonProgress&)> converged;
  /// End of the message for a singular matrix.
  std::function<std::string(const SolveReport&)> when_singular;
  /// End of the message when maxit iterations did not converge; if empty, that is no failure.
  std::function<std::string(const NewtonProgress&)> when_not_converged;
};

/// In words, with the names of equation and variable.
std::string why_unsolved(const Model& model, const SolveReport& report);

class Newton {
 public:
  /// Model and system must outlive it; the system must have the model's pattern.
  Newton(const Model& model, GuardedSystem& system);

  /// Returns the number of iterations. Throws Failure(solver) that names the equation and variable of a
  /// singular pivot, or says that the iteration does not converge.
  int solve(const NewtonProblem& problem);

  SolveObserver* observer = nullptr;  ///< who watches; null: nobody

 private:
  struct Iteration;
  int iterate(const NewtonProblem& problem, NewtonProgress& progress);
  void correct(const NewtonProblem& problem, int iteration);

  const Model& model_;
  GuardedSystem& system_;
  std::vector<double> matrix_, residual_, correction_;
};

}  // namespace trammel
