// StepCore: what the corrector leaves of forces: last corrections of accelerations and multipliers, and
// residuals, beside the forces on every body. Included by integrate/corrector.h.
#pragma once

#include "integrate/step_core.h"

namespace trammel {

/// Whether the last correction is small beside the forces on every body, too: `change` is that of
/// accelerations and multipliers, over what is allowed. Its effect on positions and states, h²Δ and hΔ,
/// vanishes with the step: at steps far below those that ERROR needs for a body, an old Jacobian could leave
/// large errors in its accelerations and reactions. Tested last because rounding, which grows with 1/h², may
/// prevent it: corrections with a fresh Jacobian that no longer shrink are accepted.
template <class Method, class Machine>
TRAMMEL_CALLED bool StepCore<Method, Machine>::forces_settled(double change, bool fresh_now) {
  constexpr double unknown_rate = 0.5, stalled_rate = 0.5;
  const double before = corrector.change_of_forces;
  corrector.change_of_forces = change;
  const double rate = fresh_now || (before <= 0 && jacobian.rate <= 0) ? unknown_rate
                      : before > 0                                     ? change / before
                                   : jacobian.expected_rate(jacobian.rate);
  if (change * rate <= 1 - rate) return true;
  if (before <= 0 || rate <= stalled_rate) return corrector.iterations == rules.maxit;
  if (jacobian.fresh || !jacobian.pattern.adaptive) return true;
  jacobian.shorten_life();
  return false;
}

/// Whether the forces on every body were in balance before the last correction already, `left` over what may
/// be left. A matrix that was made where a stop is closed takes any residual for the small displacement that
/// the stop would give way by, so that where it is open a correction tells nothing; nor does one where forces
/// grow as an exponential, whatever the matrix. What remains is seen by another evaluation alone. A residual
/// that stays asks for a new matrix, and one that stays with a new matrix is rounding.
template <class Method, class Machine>
TRAMMEL_HD bool StepCore<Method, Machine>::forces_balanced(double left, bool fresh_now) {
  constexpr double stays = 0.5;  // Newton's iteration leaves 1/e of powers and exponentials
  const double before = corrector.unbalanced;
  corrector.unbalanced = left;
  if (left <= 1) return true;
  if (!(before > 0) || left <= stays * before) return false;
  if (fresh_now) return true;
  jacobian.valid = false;
  return false;
}

/// A millionth of the largest acceleration, and what moves bodies by half a unit of rounding of positions in
/// a step of size h.
template <class Method, class Machine>
TRAMMEL_HD LeastAcceleration StepCore<Method, Machine>::least_acceleration(double h) const {
  constexpr double share = 1e-6, rounding_units = 0.5;
  return {share * corrector.acceleration,
          rounding_units * unit_roundoff * most(1.0, rounding.size) / coefficients(h).c};
}

/// What the forces on each body are like at present.
template <class Method, class Machine>
TRAMMEL_HD BodyForces StepCore<Method, Machine>::body_forces() const {
  return {{run.places(), motion.now.a, run.cos_theta()},
          run.body_rows(),
          motion.now.lambda,
          motion.begin.lambda,
          corrector.least};
}

/// The last correction of accelerations and multipliers of bodies beside their forces, over what is allowed:
/// of accelerations of those whose error is so far below ERROR that steps are a fifth of the size that it
/// would allow.
template <class Method, class Machine>
TRAMMEL_CALLED double StepCore<Method, Machine>::change_of_forces() {
  const double far_below = 0.01 * rules.error;
  const auto largest =
      run.reduce(ForceChange{body_forces(),
                             {run.places(), motion.delta_before, motion.weight, run.cos_theta(),
                              method.leaves_out_quasi_static_modes()},
                             motion.correction,
                             rules.modified_corrector ? nullptr : motion.correction + n.coordinates,
                             far_below * far_below,
                             rules.acceleration_tolerance,
                             rules.algebraic_tolerance},
                 n.bodies);
  run.collect();
  return nonnegative(largest->at.value);
}

/// The largest residual of the last evaluation over what may be left: of a body what makes a hundredth of its
/// acceleration, or in the step of the velocity that ERROR allows; of VARIABLEs and the like a hundredth.
template <class Method, class Machine>
TRAMMEL_CALLED double StepCore<Method, Machine>::unbalanced_forces(double h) {
  constexpr double share = 0.01;
  const auto of_bodies = run.reduce(Unbalanced{body_forces().acceleration,
                                               motion.residual,
                                               share,
                                               {share * rules.error / h, corrector.least.rounding}},
                                    n.bodies);
  const auto of_scalars = run.reduce(ScalarMeasure{motion.residual + n.first_scalar(), motion.now.s,
                                                   run.differential(), 0, 1, share, motion.state_unit},
                                     n.scalars);
  run.collect();
  return worse(nonnegative(of_bodies->at.value), nonnegative(of_scalars->at.value));
}

}  // namespace trammel
