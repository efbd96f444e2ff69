#include "integrate/newton.h"

#include <algorithm>
#include <cmath>

#include "base/diagnostics.h"
#include "integrate/newton_iteration.h"

namespace trammel {

Newton::Newton(const Model& model, GuardedSystem& system) : model_(model), system_(system) {}

/// Adapts a NewtonProblem to newton_iteration().
struct Newton::Iteration {
  Newton& newton;
  const NewtonProblem& problem;
  NewtonProgress progress{};

  NewtonVerdict evaluate(int) {
    std::vector<double>& residual = newton.residual_;
    std::fill(residual.begin(), residual.end(), 0.0);
    problem.residual(residual);
    const auto enough = [&](double r) { return std::abs(r) < problem.enough_residual; };  // false for NaN
    const bool nothing_to_do =
        problem.enough_residual > 0 && std::all_of(residual.begin(), residual.end(), enough);
    return nothing_to_do ? NewtonVerdict::converged : NewtonVerdict::go_on;
  }
  NewtonVerdict correct(int k) {
    progress.iteration = k;
    newton.correct(problem, k);
    return NewtonVerdict::go_on;
  }
  NewtonVerdict apply(int) {
    progress.previous = progress.change;
    progress.change = problem.apply(newton.correction_);
    return problem.converged && problem.converged(progress) ? NewtonVerdict::converged : NewtonVerdict::go_on;
  }
};

int Newton::solve(const NewtonProblem& problem) {
  matrix_.resize(system_.pattern().nonzeros());
  residual_.resize(model_.unknowns());
  correction_.resize(model_.unknowns());
  Iteration iteration{*this, problem};
  const bool ended = newton_iteration(iteration, problem.maxit) == NewtonVerdict::converged;
  if (!ended && problem.when_not_converged)
    fail(ExitCode::solver, "{} do not converge in {} iterations{}", problem.what,
         iteration.progress.iteration, problem.when_not_converged(iteration.progress));
  return iteration.progress.iteration;
}

/// Solves A Δ = −r.
void Newton::correct(const NewtonProblem& problem, int iteration) {
  problem.tangent(matrix_);
  for (double& r : residual_) r = -r;
  const bool fresh =
      problem.pivots == FreshPivots::always || (problem.pivots == FreshPivots::at_first && iteration == 1);
  SolveReport solved = system_.set_matrix(matrix_.data(), fresh);
  if (solved.ok()) solved = system_.solve(residual_.data(), correction_.data());
  if (solved.ok()) return;
  fail(ExitCode::solver, "{}: the equations are singular (equation {}, variable {}){}", problem.what,
       model_.equation_name(solved.row), model_.unknown_name(solved.column),
       problem.when_singular ? problem.when_singular(solved) : "");
}

}  // namespace trammel
