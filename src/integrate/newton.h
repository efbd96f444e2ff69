// Newton's iteration (integrate/newton_iteration.h) with the KKT system of a model, on the processor: initial
// conditions, and whatever asks for one point at a time. (The corrector of a step, which keeps its matrix
// over steps, is another problem of the same iteration: integrate/corrector.h.)
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "linear/system.h"
#include "model/model.h"

namespace trammel {

/// Where pivots are chosen anew; elsewhere those of the matrix before are taken while they are good.
enum class FreshPivots { never, at_first, always };

/// How far an iteration has come.
struct NewtonProgress {
  int iteration = 0;    ///< 1, 2, ...
  double change = 0;    ///< of x in this iteration, as `apply` measures it
  double previous = 0;  ///< the same in the iteration before
};

/// One system of equations. All arrays have one entry per unknown of the model.
struct NewtonProblem {
  std::string what;  ///< begins the messages: "initial positions"
  int maxit = 25;
  FreshPivots pivots = FreshPivots::at_first;
  double enough_residual = 0;  ///< with every |r| below this nothing is done; 0: corrections decide
  /// Evaluates at x and fills r.
  std::function<void(std::span<double> r)> residual;
  /// ∂r/∂x at the last evaluation, in the order of the pattern.
  std::function<void(std::span<double> values)> tangent;
  /// x ← x + Δ, shortened by limits; returns the size of the change.
  std::function<double(std::span<const double> correction)> apply;
  /// Whether the iteration may end.
  std::function<bool(const NewtonProgress&)> converged;
  /// Ends the program's message where the matrix is singular.
  std::function<std::string(const SolveReport&)> when_singular;
  /// Ends the message where maxit iterations were not enough; without it they are.
  std::function<std::string(const NewtonProgress&)> when_not_converged;
};

class Newton {
 public:
  /// What it is made of must outlive it; the system must have the model's pattern.
  Newton(const Model& model, GuardedSystem& system);

  /// Iterations done. Throws Failure(solver) that names the equation and variable of a singular pivot, or
  /// says that it does not converge.
  int solve(const NewtonProblem& problem);

 private:
  struct Iteration;
  void correct(const NewtonProblem& problem, int iteration);

  const Model& model_;
  GuardedSystem& system_;
  std::vector<double> matrix_, residual_, correction_;
};

}  // namespace trammel
