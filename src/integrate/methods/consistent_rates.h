// Rates of a state from the equations at one time, where those of a formula lack what its last step left:
// by iteration with the corrector's matrix, which for short steps is that of these equations.
#pragma once

#include <cmath>

#include "integrate/step_data.h"

namespace trammel {

/// The largest mean square of x beside `size`, both velocities or both accelerations, of so many bodies.
template <class Core>
TRAMMEL_HD auto mean_squares_beside(Core& core, const double* x, const double* size, int bodies) {
  return core.run.reduce(VelocityMeanSquare{core.run.places(), x, size, core.run.cos_theta()}, bodies);
}
/// Its root, times `factor`, over ERROR.
template <class Core>
TRAMMEL_HD double error_beside(Core& core, const double* x, const double* size, double factor) {
  const auto largest = mean_squares_beside(core, x, size, core.n.bodies);
  core.run.collect();
  return factor * root_of(*largest) / core.rules.error;
}

/// q̇ with φ̇ = 0, by impulses of the constraints, M δ + Φqᵀ μ = 0, with the corrector's matrix. `h`: its step
/// [time]. False where φ̇ has no value, a solution fails or corrections do not shrink; q̇ is then as far as it
/// came.
template <class Core>
TRAMMEL_CALLED bool make_velocities_consistent(Core& core, double h) {
  const StepMotion& at = core.motion;
  const ModelSizes& n = core.n;
  const Coefficients c = core.coefficients(h);
  constexpr int enough = 8;
  constexpr double exact = 0.01;  // of ERROR, the last correction
  double before = INFINITY;
  for (int k = 0; k < enough && before > exact; ++k) {
    if (!core.evaluate_rates(c) || !core.run.velocity_rows(at.rows)) return false;
    core.run(FillValues{at.residual, 0.0}, n.unknowns());
    core.run(TakeMultiple{at.rows, -1 / c.b, at.residual + n.coordinates}, n.multipliers);
    if (!core.run.solve(at.residual, at.correction).ok()) return false;
    const double left = error_beside(core, at.correction, at.now.v, c.b);
    if (!(left < before)) return false;
    core.run(AddMultiple{at.correction, c.b, at.now.v}, n.coordinates);
    before = left;
  }
  return true;
}

/// q̈, λ, Ẋ and algebraic scalars of the present q, q̇, X, with φ̈ = 0. `h`: the step of the matrix. Where a
/// function has no value, the matrix is singular or corrections do not shrink, they stay as far as they came:
/// the step that follows is judged as any other.
template <class Core>
TRAMMEL_CALLED void make_accelerations_consistent(Core& core, double h) {
  const StepMotion& at = core.motion;
  const ModelSizes& n = core.n;
  constexpr int enough = 8;
  constexpr double exact = 0.01;  // of ERROR, the last correction
  double before = INFINITY;
  for (int k = 0; k < enough && before > exact; ++k) {
    if (!core.evaluate_rates(core.coefficients(h))) return;
    core.run.copy(at.residual + n.coordinates, at.rows, n.multipliers);
    core.run(TakeMultiple{at.residual, -1, at.residual}, n.unknowns());
    if (!core.run.solve(at.residual, at.correction).ok()) return;
    const double left = error_beside(core, at.correction, at.now.a, 1);
    if (!(left < before)) return;
    core.run(AddMultiple{at.correction, 1, at.now.a}, n.coordinates);
    core.run(AddMultiple{at.correction + n.coordinates, 1, at.now.lambda}, n.multipliers);
    core.run(CorrectRates{at.correction + n.first_scalar(), core.run.differential(), at.now.s, at.now.sdot},
             n.scalars);
    before = left;
  }
}

/// Both, at the beginning of a step of size h, with a new matrix, which that step can use. False where there
/// is none, or no consistent velocity; the state is as it was then.
template <class Core>
TRAMMEL_CALLED bool make_rates_consistent(Core& core, double h) {
  const StateArrays &now = core.motion.now, &begin = core.motion.begin;
  const ModelSizes& n = core.n;
  const bool has_matrix = core.refresh_jacobian(core.coefficients(h), h);
  core.jacobian.valid = has_matrix;
  if (!has_matrix || !make_velocities_consistent(core, h)) {
    core.run.copy(now.v, begin.v, n.coordinates);
    return false;
  }
  make_accelerations_consistent(core, h);
  core.run.copy(begin.v, now.v, n.coordinates);
  core.run.copy(begin.a, now.a, n.coordinates);
  core.run.copy(begin.lambda, now.lambda, n.multipliers);
  core.run.copy(begin.s, now.s, n.scalars);
  core.run.copy(begin.sdot, now.sdot, n.scalars);
  return true;
}

}  // namespace trammel
