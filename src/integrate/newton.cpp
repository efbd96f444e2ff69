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
  NewtonProgress& progress;

  NewtonVerdict evaluate(int) {
    std::vector<double>& residual = newton.residual_;
    std::fill(residual.begin(), residual.end(), 0.0);
    problem.residual(residual);
    if (problem.solved && problem.solved(progress, residual)) return NewtonVerdict::converged;
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
  void observe(int k, bool corrected) const {
    if (!newton.observer) return;
    IterationSeen seen{.iteration = k, .residual = {newton.residual_}, .sign = 1, .new_jacobian = corrected};
    if (corrected) {
      seen.correction = {newton.correction_};
      seen.sign = -1;
      if (k > 1 && progress.previous > 0) seen.rate = progress.change / progress.previous;
    }
    newton.observer->iteration(seen);
  }
};

int Newton::solve(const NewtonProblem& problem) {
  if (observer && !problem.watched) {
    Newton unwatched(model_, system_);
    return unwatched.solve(problem);
  }
  NewtonProgress progress;
  if (!observer) return iterate(problem, progress);
  try {
    iterate(problem, progress);
  } catch (const Failure&) {
    observer->point({problem.what, progress.iteration, false});
    throw;
  }
  observer->point({problem.what, progress.iteration, true});
  return progress.iteration;
}

int Newton::iterate(const NewtonProblem& problem, NewtonProgress& progress) {
  matrix_.resize(system_.pattern().nonzeros());
  residual_.resize(model_.unknowns());
  correction_.resize(model_.unknowns());
  Iteration iteration{*this, problem, progress};
  const bool ended = newton_iteration(iteration, problem.maxit) == NewtonVerdict::converged;
  constexpr int many = 1'000'000;  // numbers: between two solutions others can use that memory
  if (matrix_.size() > many) matrix_ = std::vector<double>();
  if (!ended && problem.when_not_converged)
    fail(ExitCode::solver, "{} do not converge in {} iterations{}", problem.what, progress.iteration,
         problem.when_not_converged(progress));
  return progress.iteration;
}

std::string why_unsolved(const Model& model, const SolveReport& report) {
  const std::string equation = model.equation_name(report.row), variable = model.unknown_name(report.column);
  if (report.status != SolveStatus::not_finite)
    return fmt::format("the equations are singular (equation {}, variable {})", equation, variable);
  if (report.row < 0) return "a residual is no finite number";
  return fmt::format(
      "the derivative of {} by {} is no finite number; look for a distance or speed (DM, VM, VR) of markers "
      "that coincide, a root of 0, or a force along the line between such markers",
      equation, variable);
}

/// Solves A Δ = −r.
void Newton::correct(const NewtonProblem& problem, int iteration) {
  problem.tangent(matrix_);
  for (double& r : residual_) r = -r;
  const bool fresh =
      problem.pivots == FreshPivots::always || (problem.pivots == FreshPivots::at_first && iteration == 1);
  if (observer) observer->jacobian({system_.pattern(), matrix_});
  SolveReport solved = system_.set_matrix(matrix_.data(), fresh);
  if (solved.ok()) solved = system_.solve(residual_.data(), correction_.data());
  if (solved.ok()) return;
  const bool singular = solved.status != SolveStatus::not_finite;
  const std::string equation = model_.equation_name(solved.row),
                    variable = model_.unknown_name(solved.column);
  throw Failure(ExitCode::solver,
                fmt::format("{}: {}{}", problem.what, why_unsolved(model_, solved),
                            singular && problem.when_singular ? problem.when_singular(solved) : ""),
                {{"equation", equation}, {"variable", variable}, {"pivot", solved.pivot}});
}

}  // namespace trammel
