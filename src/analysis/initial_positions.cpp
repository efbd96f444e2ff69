// Initial positions: parts are moved until the constraints hold. Part of InitialConditions.
#include <algorithm>
#include <cmath>

#include "analysis/initial_conditions.h"
#include "analysis/position_correction.h"

namespace trammel {

/// [W Φqᵀ; Φq 0] [d; λ] = [0; −φ] (primer, Eq. 33), with corrections d within ALIMIT and TLIMIT.
void InitialConditions::assemble(State& state, InitialReport& report) {
  const BodyWeights weights = position_weights();
  const double size = model_size(state);
  constexpr double rounding = 1e-14;  // after so small a correction another would be rounding
  // On the way a row is left out that depends on others as nearly as the broken mechanism allows. Where the
  // iteration ends it may not depend on them, and not hold: from there only rows are left out that depend on
  // others to rounding.
  bool near_dependence = true;
  NewtonProblem positions;
  positions.what = "initial positions";
  positions.maxit = options_.maxit;
  positions.pivots = FreshPivots::always;  // each iteration may leave out other rows
  positions.residual = [&](std::span<double> r) {
    rows_to_drop(state, positions_phase(),
                 near_dependence ? assembly_threshold(state, size) : ConstraintFactorization::kThreshold);
    assembler_.constraints(state, ConstraintLevel::position, multipliers_of(r));
  };
  positions.tangent = [&](std::span<double> values) { assembler_.weighted_matrix(state, weights, values); };
  positions.apply = [&](std::span<const double> d) { return apply_positions(state, d, size); };
  positions.converged = [&](const NewtonProgress& p) {
    const bool last_twice = p.iteration > 1 && p.previous < options_.error;
    return p.change < rounding ||
           (p.change < options_.error && (last_twice || p.iteration == options_.maxit));
  };
  positions.when_singular = [](const SolveReport&) {
    return "; the mechanism may be at a dead centre or over-constrained there";
  };
  positions.when_not_converged = [&](const NewtonProgress&) {
    return worst_violation(state, positions_phase());
  };
  report.position_iterations = newton_.solve(positions);
  rows_to_drop(state, positions_phase(), ConstraintFactorization::kThreshold);
  if (violation(state, size, RowsOf::held) > options_.consistency) {
    near_dependence = false;
    report.position_iterations += newton_.solve(positions);
    rows_to_drop(state, positions_phase(), ConstraintFactorization::kThreshold);
  }
  check_dropped(state);
  if (violation(state, size, RowsOf::held) > options_.consistency)
    fail(ExitCode::solver,
         "the mechanism is not assembled: equations depend on each other on the way to it{}",
         worst_violation(state, positions_phase()));
}

/// Adds the correction, scaled so that no rotation exceeds ALIMIT and no translation TLIMIT; returns the
/// largest rotation [rad], or translation over the model's size, of the scaled correction.
double InitialConditions::apply_positions(State& state, std::span<const double> correction, double size) {
  const Kinematics& at = assembler_.kinematics();
  const CorrectionSize wanted = size_of_correction(model_, at, correction);
  const double scale = wanted.within({options_.alimit, options_.tlimit});
  correct_positions(model_, at, correction, scale, state);
  return scale * std::max(wanted.translation / size, wanted.rotation);
}

/// The largest violation of φ, for a message: ". The largest ... ".
std::string InitialConditions::worst_violation(const State& state, Phase phase) {
  std::vector<double> phi(model_.multipliers);
  assembler_.evaluate_constraints(state, initially(phase));
  assembler_.all_constraints(state, phi);
  int worst = -1;
  for (int r = 0; r < model_.multipliers; ++r)
    if (worst < 0 || std::abs(phi[r]) > std::abs(phi[worst])) worst = r;
  if (worst < 0) return ".";
  return fmt::format(
      ". The largest violation is {:.6g} in {}; bring the parts nearer to their assembled places, or free "
      "EXACT coordinates.",
      std::abs(phi[worst]), model_.equation_name(model_.coordinates + worst));
}

}  // namespace trammel
