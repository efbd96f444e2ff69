#include "integrate/methods/independent_motion.h"

#include <algorithm>

namespace trammel {

namespace {

/// Whether the equations are linear in accelerations, multipliers, rates and algebraic scalars, with the mass
/// matrix and ones: nothing reads these.
bool accelerations_are_linear(const Model& model) {
  if (!model.flexible_bodies.empty()) return false;  // their mass matrix is no block per body
  for (const Scalar& s : model.scalars)
    if (s.kind != ScalarKind::variable && s.kind != ScalarKind::differential &&
        s.kind != ScalarKind::motion_rate)
      return false;
  for (std::size_t k = 0; k < model.tapes.size(); ++k) {
    if (!model.tape_in_equations[k]) continue;
    const Tape& tape = model.tapes[k];
    if (!tape.rates.empty()) return false;
    for (const TapeMarker& m : tape.markers)
      if (m.level >= 3) return false;
    for (const int s : tape.states)
      if (!model.scalars[s].differential()) return false;
  }
  return true;
}

/// A velocity that the constraints change at once is an impact, of which the integration of independent
/// coordinates knows nothing: the dependent ones would follow, and energy come from nowhere.
void refuse_corners(const Model& model) {
  if (const ConstraintElement* contact = model.contact_with_corners())
    fail(ExitCode::unsupported,
         "{}: ABAM and RKF45 do not take the impacts at the corners of a curve of ORDER=2; "
         "take HHT, RADAU or GSTIFF I3, or a curve of ORDER=4",
         contact->name.label());
}

void set_block(std::array<double, 36>& w, int at, const Mat3d& m) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) w[6 * (at + r) + at + c] = m(r, c);
}

}  // namespace

IndependentMotion::IndependentMotion(HostEquations& equations)
    : equations_(equations),
      dependent_(equations.system().wanted_solver()),
      linear_(accelerations_are_linear(equations.model())),
      unit_(equations.model()),
      inertia_(equations.model()),
      values_(equations.assembler().pattern().nonzeros()),
      held_(equations.model().multipliers) {
  const Model& model = equations.model();
  refuse_corners(model);
  // From the tips to ground, not to the middle of chains: a joint's outer body has the dependent coordinates.
  const EliminationOrder order = order_unknowns(equations.assembler().graph());
  dependent_.analyze(equations.assembler().pattern(), equations.assembler().graph(), order);
  partition_.analyze(model.coordinates, model.multipliers, order.unknowns);
  for (std::size_t b = 0; b < unit_.bodies.size(); ++b) {
    unit_[b].fill(0);
    inertia_[b].fill(0);
    for (int k = 0; k < 6; ++k) unit_[b][7 * k] = 1;
    set_block(inertia_[b], 0, model.bodies[b].mass * Mat3d::identity());
  }
}

/// At the state, where the constraints are evaluated.
int IndependentMotion::choose(const State& state, const double* scale, bool& changed) {
  Assembler& assembler = equations_.assembler();
  assembler.evaluate_constraints(state, in_dynamics);
  for (std::size_t r = 0; r < held_.size(); ++r) held_[r] = assembler.masked(static_cast<int>(r));
  return partition_.choose(assembler.jacobian_rows(), held_, scale, changed);
}

SolveReport IndependentMotion::set_dependent_matrix(const State& state) {
  const SparsePattern& pattern = equations_.assembler().pattern();
  equations_.assembler().weighted_matrix(state, unit_, values_);
  const std::vector<unsigned char>& independent = partition_.independent();
  const int coordinates = equations_.model().coordinates;
  for (int j = 0; j < pattern.n; ++j)
    for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
      const int row = pattern.row[k];
      if (row < coordinates && independent[row]) values_[k] = row == j;
    }
  return dependent_.set_matrix(values_.data());
}

/// At the point of the last evaluation. The mass matrix stands for the tangent where that is all of it.
SolveReport IndependentMotion::factor_accelerations(const State& state, const Coefficients& c,
                                                    PhaseTimes* times) {
  if (!linear_) return equations_.factor(state, c, times);
  Assembler& assembler = equations_.assembler();
  {
    const PhaseTimer timer(times ? &times->tangent : nullptr);
    const Model& model = equations_.model();
    for (std::size_t b = 0; b < inertia_.bodies.size(); ++b) {
      const Mat3d& A = assembler.kinematics().body(static_cast<int>(b)).A;
      set_block(inertia_[b], 3, A * model.bodies[b].inertia * transpose(A));
    }
    assembler.weighted_matrix(state, inertia_, values_);
  }
  const PhaseTimer timer(times ? &times->factorization : nullptr);
  return equations_.system().set_matrix(values_.data());
}

/// Rows without effect are λ = 0.
void IndependentMotion::held_rows(const State& state, double* rows) const {
  for (std::size_t r = 0; r < held_.size(); ++r)
    if (equations_.assembler().masked(static_cast<int>(r))) rows[r] = state.lambda[r];
}

}  // namespace trammel
