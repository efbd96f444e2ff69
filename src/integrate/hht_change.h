// HhtCore: what a step of another size than the last asks for: the method remembers accelerations and
// velocities that belong to the size of the step that made them. Included by integrate/hht_definitions.h.
#pragma once

#include "integrate/hht_core.h"

namespace trammel {

/// Matches what was stored at n to the step h that comes after a step h'.
template <class Machine>
TRAMMEL_CALLED void HhtCore<Machine>::change_step(double h) {
  // Steps since the corrector failed at a position that no new Jacobian mends (nearly singular, where φ̇ is
  // rounding), before velocities are touched again.
  constexpr int calm_steps_wanted = 100;
  // a_n ← q̈_n + (h/h')(a_n − q̈_n): the auxiliary accelerations belong to the time t_n − αh'
  const bool second_order = rules_.formulas.second_order;
  const double ratio = h_last_ > 0 ? h / h_last_ : 1.0;
  run_(MatchStep{begin_.a, aux_stored_, aux_begin_, second_order ? ratio : 0.0}, n_.coordinates);
  run_(MatchStep{begin_.sdot, aux_stored_ + n_.coordinates, aux_begin_ + n_.coordinates, ratio}, n_.scalars);
  run_.copy(velocity_begin_, begin_.v, n_.coordinates);
  if (!second_order || h_last_ == 0 || n_.multipliers == 0 || calm_steps_ < calm_steps_wanted) return;
  if (scale_velocity_defect(h) || end_ == StepEnd::refused) return;
  jacobian_valid_ = false;  // the matrix is singular at t_n: the step itself may get over it
  end_ = StepEnd::accepted;
}

/// In constrained directions the formulas settle at q̇_n = q̇(t_n) − C h² q⃛ with C of the local error, so that
/// φ̇ = −C h² Φq q⃛. A step of another size needs the defect of its own size: the difference, divided by βh,
/// would be an error of first order in a_{n+1} and λ. q̇_n gets the impulse M Δ + Φqᵀ μ = 0 that makes
/// φ̇ ← (h/h')² φ̇; with x = Δ/(γh), and the residual R and φ̈ that are linear in q̈ and λ,
///     R(q̈ + x, λ + μ) = R(q̈, λ),    φ̈(q̈ + x) − φ̈(q̈) = ((h/h')² − 1) φ̇/(γh).
/// The matrix of the corrector, old as it may be, solves these to a hundredth of ε^{1/3} ~ h, which leaves an
/// error of second order; an impulse in another direction would push along the freedoms. It is at most
/// C |h² − h'²| q⃛, known from the last error estimate; where it comes out larger it is left out. False where
/// there is no value or no matrix.
template <class Machine>
TRAMMEL_CALLED bool HhtCore<Machine>::scale_velocity_defect(double h) {
  const double accuracy = 0.01 * std::cbrt(rules_.error);
  const Coefficients c = coefficients(h);
  const double ratio = h / h_last_, change = ratio * ratio - 1;
  if (std::fabs(change) <= accuracy) return true;
  const double bound = 20 * std::fabs(change) / h_last_ * norm_of(delta_) / c.b;
  review_jacobian(h);
  if (!evaluate_rates(c)) return false;
  if (!jacobian_valid_) {
    if (!refresh_jacobian(c)) return false;
    jacobian_h_ = h;
  }
  run_.copy(impulse_forces_, residual_, n_.coordinates);
  run_.copy(impulse_rows_, rows_, n_.multipliers);
  if (!run_.velocity_rows(rows_)) return stop(StepEnd::no_value);
  run_(FillValues{residual_, 0.0}, n_.unknowns());
  run_(TakeMultiple{rows_, change / c.b, residual_ + n_.coordinates}, n_.multipliers);
  run_(AddMultiple{residual_ + n_.coordinates, c.a, impulse_rows_}, n_.multipliers);
  run_(FillValues{impulse_, 0.0}, n_.coordinates);
  if (solve_impulse(c, bound, accuracy)) run_(AddMultiple{impulse_, c.b, velocity_begin_}, n_.coordinates);
  return end_ == StepEnd::accepted;
}

/// False where the impulse is larger than the bound, or there is no answer.
template <class Machine>
TRAMMEL_CALLED bool HhtCore<Machine>::solve_impulse(const Coefficients& c, double bound, double accuracy) {
  constexpr int enough = 8;  // iterations; at a convergence rate of ¼ they leave 1/65,000
  double first = 0, previous = 0;
  for (int iteration = 1;; ++iteration) {
    const SolveReport report = run_.solve(residual_, correction_);
    if (report.status == SolveStatus::refused) return stop(StepEnd::refused);
    if (!report.ok()) return false;
    run_(AddMultiple{correction_, 1.0, impulse_}, n_.coordinates);
    const auto whole = squares_of(impulse_), last = squares_of(correction_);
    run_.collect();
    if (!(std::sqrt(whole->x) <= bound)) return false;
    const double size = std::sqrt(last->x);
    if (iteration == 1) first = size;
    // what is left: size ξ/(1 − ξ) with the rate ξ = size/previous
    if (size == 0 || (iteration > 1 && size * size <= (previous - size) * accuracy * first)) return true;
    if (iteration == enough) return true;
    previous = size;
    run_(AddMultiple{correction_, c.a, now_.a}, n_.coordinates);
    run_(AddMultiple{correction_ + n_.coordinates, 1.0, now_.lambda}, n_.multipliers);
    if (!evaluate_rates(c)) return false;
    run_(Difference{impulse_forces_, 1.0, residual_}, n_.coordinates);
    run_.copy(residual_ + n_.coordinates, rows_, n_.multipliers);
    run_(Difference{impulse_rows_, 1 / c.a, residual_ + n_.coordinates}, n_.multipliers);
    run_(FillValues{residual_ + n_.first_scalar(), 0.0}, n_.scalars);
  }
}

/// Residual and φ̈ at the present state.
template <class Machine>
TRAMMEL_HD bool HhtCore<Machine>::evaluate_rates(const Coefficients& c) {
  if (!run_.evaluate_rates(t_, c, residual_, rows_)) return stop(StepEnd::no_value);
  ++counters_.evaluations;
  return true;
}

}  // namespace trammel
