// Initial positions: parts are moved until the constraints hold. Part of InitialConditions.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "analysis/exact_coordinates.h"
#include "analysis/initial_conditions.h"
#include "analysis/position_correction.h"

namespace trammel {

/// What assembly asks of EXACT coordinates.
struct InitialConditions::ExactUse {
  const ExactCoordinates& coordinates;
  std::vector<bool> drawn;  ///< to their values
  double tolerance = 1e-6;  ///< of their values: rad, or of the model's size
  bool weighted = true;     ///< W holds back all of them
};

/// First with all EXACT coordinates drawn to their values. Where the iteration finds no such positions, those
/// that the constraints ask for, with EXACT coordinates held back by W or else without; and from there as
/// many EXACT coordinates are drawn as can have their values, which is found out by halves.
void InitialConditions::assemble(State& state, InitialReport& report) {
  const ExactCoordinates exact(model_, given_, arm_);
  const std::vector<bool> none(exact.count(), false), all(exact.count(), true);
  if (exact.count() == 0) return find_positions(state, {.coordinates = exact, .drawn = none}, report);
  // What a dataset of four digits contradicts itself by is shared among all, with the least sum of squares.
  constexpr double rounded = 1e-4;
  if (draw_exact(state, {.coordinates = exact, .drawn = all, .tolerance = rounded}, report)) return;
  if (!draw_exact(state, {.coordinates = exact, .drawn = none}, report))
    find_positions(state, {.coordinates = exact, .drawn = none, .weighted = false}, report);
  int attempts = 64;  // each is an iteration: enough for some ten coordinates that cannot have their values
  std::vector<bool> drawn = none;
  std::vector<std::pair<std::size_t, std::size_t>> open = {{0, exact.count()}};
  while (!open.empty() && attempts-- > 0) {
    const auto [from, to] = open.back();
    open.pop_back();
    std::vector<bool> more = drawn;
    std::fill(more.begin() + from, more.begin() + to, true);
    if (draw_exact(state, {.coordinates = exact, .drawn = more}, report)) {
      drawn = more;
    } else if (const std::size_t middle = from + (to - from) / 2; middle > from) {
      open.emplace_back(middle, to);
      open.emplace_back(from, middle);
    }
  }
  rows_to_drop(state, positions_phase(), ConstraintFactorization::kThreshold);
}

/// Positions with what is asked of EXACT coordinates; false, with the state unchanged, where none are found.
bool InitialConditions::draw_exact(State& state, const ExactUse& use, InitialReport& report) {
  State tried = state;
  try {
    find_positions(tried, use, report);
  } catch (const Failure& failure) {
    if (failure.code() != ExitCode::solver) throw;
    return false;
  }
  const double size = model_size(tried);
  if (use.coordinates.farthest(use.drawn, assembler_.kinematics(), tried.q, size) > use.tolerance)
    return false;
  state = std::move(tried);
  return true;
}

/// [W Φqᵀ; Φq 0] [d; λ] = [−p; −φ] (primer, Eq. 33), with corrections d within ALIMIT and TLIMIT; p draws
/// EXACT coordinates to their values.
void InitialConditions::find_positions(State& state, const ExactUse& use, InitialReport& report) {
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
    use.coordinates.add_pull(use.drawn, assembler_.kinematics(), state.q, r);
  };
  positions.tangent = [&](std::span<double> values) {
    BodyWeights weights = unit_weights();
    if (use.weighted) use.coordinates.add_weights(assembler_.kinematics(), weights);
    assembler_.weighted_matrix(state, weights, values);
  };
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
    const std::string weak = weak_row(state, size);
    return weak.empty() ? worst_violation(state, positions_phase()) : weak;
  };
  report.position_iterations += newton_.solve(positions);
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

/// Where all constraints hold and the iteration goes on all the same: the row that changes least, for a
/// message; "" elsewhere.
std::string InitialConditions::weak_row(State& state, double size) {
  rows_to_drop(state, positions_phase(), ConstraintFactorization::kThreshold);
  if (violation(state, size) > options_.error) return "";
  const ConstraintRows rows = assembler_.jacobian_rows();
  int weakest = 0;
  double least = INFINITY;
  for (int r = 0; r < rows.rows(); ++r) {
    if (assembler_.masked(r) && !state.dropped[r]) continue;
    double largest = 0;
    for (int k = rows.row_start[r]; k < rows.row_start[r + 1]; ++k)
      largest = std::max(largest, std::abs(rows.value[k]));
    if (largest < least) least = largest, weakest = r;
  }
  return fmt::format(
      ", though all constraints hold there: equation {} hardly changes with the motion of its parts ({:.2g} "
      "per unit), as where axes are parallel or opposite that must not be; turn a part or a marker.",
      model_.equation_name(model_.coordinates + weakest), least);
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
