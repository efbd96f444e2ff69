// BdfMethod: errors of stiff motions. A formula y_{n+1} = y_p + ℓ_0 (h ẏ_{n+1} − h ẏ_p) whose truncation
// error is d errs at the end of the step not by d but by
//   e = d + ℓ_0 h J e,    e = (I − ℓ_0 h J)⁻¹ d,    J = ∂ẏ/∂y
// which is d where h J is small. What follows its loads, a velocity behind a stiff spring and damper or the
// rate in a fast filter, is the other way round: d changes with every change of the step and of the order by
// as much as the formula errs, and is no error of the step that shows it (it refused steps of any size); and
// e has the truncation error of the position over ℓ_0 h, which d does not show. Source: L. F. Shampine, L. S.
// Baca, "Error estimators for stiff differential equations" (1984); E. Hairer, G. Wanner, "Solving ordinary
// differential equations II", IV.8.
#pragma once

#include "integrate/methods/bdf_method.h"

namespace trammel {

/// e over ERROR of the formula of order k whose truncation error is d = factor (x, v, y) of positions,
/// velocities and states: of rates where they are controlled, and of states. `error` is d over ERROR.
/// Formulas from order 3 on, with which oscillations may grow, are held to d as well. d alone counts where
/// the equations have no value or the matrix is singular, in the first step, below 1e-6 ERROR, and above ten
/// ERROR: the matrix is that of the end of the step, which knows nothing of what was jumped over on the way,
/// and a bounce off a stiff stop would pass for what follows its loads.
template <class Core>
TRAMMEL_CALLED double BdfMethod::error_at_end(Core& core, int k, const double* x, const double* v,
                                              const double* y, double factor, double error) {
  // Steps grow tenfold at most, of which e hinders them from 1e-3 on: a thousand times d at least.
  constexpr double least_judged = 1e-6, most_judged = 10;
  if (!passes_errors_on(core.n) || starting || !(error >= least_judged && error <= most_judged)) return error;
  const auto positions = core.mean_squares_of(x);
  core.run.collect();
  const double of_positions = factor * root_of(*positions) / core.rules.error,
               at_end = worse(of_positions, controls_velocities ? rates_at_end(core, x, v, y, factor, error)
                                                                : states_at_end(core, y, factor, error));
  return k > OrderBound::damping_order ? worse(at_end, error) : at_end;
}

/// Of velocities, states and, as e_v/(ℓ_0 h), accelerations, where they are judged: e = d + ℓ_0 h δ, where δ
/// = (δq̈, δẊ) is the correction for the residual with q + d_q + ℓ_0 h d_v, q̇ + d_v and X + d_X. What of d_v
/// is against the constraints stays: reactions miss it.
template <class Core>
TRAMMEL_CALLED double BdfMethod::rates_at_end(Core& core, const double* x, const double* v, const double* y,
                                              double factor, double error) {
  const ModelSizes& n = core.n;
  const StateArrays& now = core.motion.now;
  const Coefficients c = core.coefficients(h);
  // A change as small as ERROR stays where the residual is linear.
  const double scale = factor / most(1.0, error);
  double *const of_v = kept + n.coordinates, *const of_s = of_v + n.coordinates;
  core.run.copy(kept, now.q, n.coordinates);
  core.run.copy(of_v, now.v, n.coordinates);
  core.run.copy(of_s, now.s, n.scalars);
  core.run(AddMultiple{x, scale, now.q}, n.coordinates);
  core.run(AddMultiple{v, scale * c.b, now.q}, n.coordinates);
  core.run(AddMultiple{v, scale, now.v}, n.coordinates);
  core.run(AddMultiple{y, scale, now.s}, n.scalars);
  const bool has_value = core.compute_residual(c);
  core.run.copy(now.q, kept, n.coordinates);
  core.run.copy(now.v, of_v, n.coordinates);
  core.run.copy(now.s, of_s, n.scalars);
  double *const residual = core.motion.residual, *const correction = core.motion.correction;
  core.run(TakeMultiple{residual, -factor / scale, residual}, n.unknowns());
  core.run(FillValues{residual + n.coordinates, 0.0}, n.multipliers);
  const bool solved = has_value && core.run.solve(residual, correction).ok();
  if (core.n.has_delays) core.compute_residual(c);
  core.failure.end = StepEnd::accepted;
  if (!solved) return error;

  core.run(TakeMultiple{v, factor, of_v}, n.coordinates);
  core.run(AddMultiple{correction, c.b, of_v}, n.coordinates);
  core.run(TakeMultiple{y, factor, of_s}, n.scalars);
  core.run(AddMultiple{correction + n.first_scalar(), c.state, of_s}, n.scalars);
  const auto velocities = mean_squares_beside(core, of_v, now.v, n.bodies);
  const auto of_rates = mean_squares_beside(core, of_v, now.a, judges_accelerations() ? n.bodies : 0);
  const auto states =
      core.run.reduce(StateError{of_s, now.s, 1, core.run.differential(), core.motion.state_unit}, n.scalars);
  core.run.collect();
  const double unit = core.rules.error,
               of_motion = worse(root_of(*velocities), nonnegative(states->at.value)) / unit;
  if (!judges_accelerations()) return of_motion;
  const double of_accelerations = root_of(*of_rates) / (c.b * unit);
  return worse(of_motion, accelerations.without_rounding(of_accelerations, rounding_gain(), c.b));
}

/// Of states alone: as the rows of states are linear in Ẋ, e = ℓ_0 h α with A α = d_X/(ℓ_0 h) in these rows.
template <class Core>
TRAMMEL_CALLED double BdfMethod::states_at_end(Core& core, const double* y, double factor, double error) {
  const ModelSizes& n = core.n;
  const double l0h = core.coefficients(h).state;
  double *const residual = core.motion.residual, *const alpha = core.motion.correction;
  core.run(FillValues{residual, 0.0}, n.first_scalar());
  core.run(TakeMultiple{y, factor / l0h, residual + n.first_scalar()}, n.scalars);
  if (!core.run.solve(residual, alpha).ok()) return error;
  const auto states = core.run.reduce(StateError{alpha + n.first_scalar(), core.motion.now.s, l0h,
                                                 core.run.differential(), core.motion.state_unit},
                                      n.scalars);
  core.run.collect();
  return nonnegative(states->at.value) / core.rules.error;
}

}  // namespace trammel
