// What a step of another size than the last asks for: the method remembers accelerations and velocities that
// belong to the size of the step that made them.
#include <cmath>

#include "integrate/hht.h"

namespace trammel {

namespace {

/// Steps since the corrector failed at a position that no new Jacobian mends (nearly singular, where φ̇ is
/// rounding), before velocities are touched again.
constexpr int calm_steps_wanted = 100;

}  // namespace

/// Matches what was stored at n to the step h that comes after a step h'.
void Hht::change_step(State& state, double h) {
  // a_n ← q̈_n + (h/h')(a_n − q̈_n): the auxiliary accelerations belong to the time t_n − αh'
  const double ratio = h_last_ > 0 ? h / h_last_ : 1.0;
  run_(MatchStep{begin_.a, aux_stored_, aux_begin_, formulas_.second_order ? ratio : 0.0}, coordinates_);
  run_(MatchStep{begin_.sdot, aux_stored_ + coordinates_, aux_begin_ + coordinates_, ratio}, scalars_);
  run_.copy(velocity_begin_, begin_.v, coordinates_);
  if (!formulas_.second_order || h_last_ == 0 || multipliers_ == 0 || calm_steps_ < calm_steps_wanted) return;
  try {
    scale_velocity_defect(state, h);
  } catch (const Failure& failure) {  // the matrix is singular at t_n: the step itself may get over it
    if (failure.code() != ExitCode::solver) throw;
    jacobian_valid_ = false;
  }
}

/// In constrained directions the formulas settle at q̇_n = q̇(t_n) − C h² q⃛ with C of the local error, so that
/// φ̇ = −C h² Φq q⃛. A step of another size needs the defect of its own size: the difference, divided by βh,
/// would be an error of first order in a_{n+1} and λ. q̇_n gets the impulse M Δ + Φqᵀ μ = 0 that makes
/// φ̇ ← (h/h')² φ̇; with x = Δ/(γh), and the residual R and φ̈ that are linear in q̈ and λ,
///     R(q̈ + x, λ + μ) = R(q̈, λ),    φ̈(q̈ + x) − φ̈(q̈) = ((h/h')² − 1) φ̇/(γh).
/// The matrix of the corrector, old as it may be, solves these to a hundredth of ε^{1/3} ~ h, which leaves an
/// error of second order; an impulse in another direction would push along the freedoms. It is at most
/// C |h² − h'²| q⃛, known from the last error estimate; where it comes out larger it is left out.
void Hht::scale_velocity_defect(State& state, double h) {
  const double accuracy = 0.01 * std::cbrt(options_.error);
  const Coefficients c = coefficients(h);
  const double ratio = h / h_last_, change = ratio * ratio - 1;
  if (std::abs(change) <= accuracy) return;
  const double bound = 20 * std::abs(change) / h_last_ * norm_of(delta_) / c.b;
  review_jacobian(h);
  evaluate_rates(state, c);
  if (!jacobian_valid_) {
    refresh_jacobian(state, c);
    jacobian_h_ = h;
  }
  run_.copy(impulse_forces_, residual_, coordinates_);
  run_.copy(impulse_rows_, rows_, multipliers_);
  equations_->velocity_rows(state, rows_);
  run_(FillValues{residual_, 0.0}, model_.unknowns());
  run_(TakeMultiple{rows_, change / c.b, residual_ + coordinates_}, multipliers_);
  run_(AddMultiple{residual_ + coordinates_, c.a, impulse_rows_}, multipliers_);
  run_(FillValues{impulse_, 0.0}, coordinates_);
  if (solve_impulse(state, c, bound, accuracy))
    run_(AddMultiple{impulse_, c.b, velocity_begin_}, coordinates_);
}

/// False where the impulse is larger than the bound, or there is no answer.
bool Hht::solve_impulse(State& state, const Coefficients& c, double bound, double accuracy) {
  constexpr int enough = 8;  // iterations; at a convergence rate of ¼ they leave 1/65,000
  double first = 0, previous = 0;
  for (int iteration = 1;; ++iteration) {
    if (!equations_->solve(residual_, correction_).ok()) return false;
    run_(AddMultiple{correction_, 1.0, impulse_}, coordinates_);
    const auto whole = squares_of(impulse_), last = squares_of(correction_);
    run_.collect();
    if (!(std::sqrt(whole->x) <= bound)) return false;
    const double size = std::sqrt(last->x);
    if (iteration == 1) first = size;
    // what is left: size ξ/(1 − ξ) with the rate ξ = size/previous
    if (size == 0 || (iteration > 1 && size * size <= (previous - size) * accuracy * first)) return true;
    if (iteration == enough) return true;
    previous = size;
    run_(AddMultiple{correction_, c.a, now_.a}, coordinates_);
    run_(AddMultiple{correction_ + coordinates_, 1.0, now_.lambda}, multipliers_);
    evaluate_rates(state, c);
    run_(Difference{impulse_forces_, 1.0, residual_}, coordinates_);
    run_.copy(residual_ + coordinates_, rows_, multipliers_);
    run_(Difference{impulse_rows_, 1 / c.a, residual_ + coordinates_}, multipliers_);
    run_(FillValues{residual_ + model_.first_scalar(), 0.0}, scalars_);
  }
}

/// Residual and φ̈ at the present state.
void Hht::evaluate_rates(const State& state, const Coefficients& c) {
  const PhaseTimer timer(times ? &times->equations : nullptr);
  equations_->evaluate_rates(state, c, residual_, rows_);
  ++counters_.evaluations;
}

}  // namespace trammel
