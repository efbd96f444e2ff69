#include "integrate/newton.h"

#include <algorithm>
#include <cmath>

#include "base/diagnostics.h"

namespace trammel {

Newton::Newton(const Model& model, GuardedSystem& system) : model_(model), system_(system) {}

int Newton::solve(const NewtonProblem& problem) {
  matrix_.resize(system_.pattern().nonzeros());
  residual_.resize(model_.unknowns());
  correction_.resize(model_.unknowns());
  NewtonProgress progress;
  while (true) {
    std::fill(residual_.begin(), residual_.end(), 0.0);
    problem.residual(residual_);
    const auto enough = [&](double r) { return std::abs(r) < problem.enough_residual; };  // NaN is not
    if (problem.enough_residual > 0 && std::all_of(residual_.begin(), residual_.end(), enough)) break;
    ++progress.iteration;
    correct(problem, progress.iteration);
    progress.previous = progress.change;
    progress.change = problem.apply(correction_);
    if (problem.converged && problem.converged(progress)) break;
    if (progress.iteration < problem.maxit) continue;
    if (!problem.when_not_converged) break;
    fail(ExitCode::solver, "{} do not converge in {} iterations{}", problem.what, progress.iteration,
         problem.when_not_converged(progress));
  }
  return progress.iteration;
}

/// A Δ = −r.
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
