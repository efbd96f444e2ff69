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
  const int coordinates = model_.coordinates;
  const bool second_order = options_.form == HhtForm::second_order;
  for (int i = 0; i < coordinates; ++i)
    aux_begin_[i] = second_order ? begin_.a[i] + ratio * (aux_stored_[i] - begin_.a[i]) : begin_.a[i];
  for (std::size_t k = 0; k < model_.scalars.size(); ++k)
    aux_begin_[coordinates + k] = begin_.sdot[k] + ratio * (aux_stored_[coordinates + k] - begin_.sdot[k]);
  velocity_begin_ = begin_.v;
  if (!second_order || h_last_ == 0 || model_.multipliers == 0 || calm_steps_ < calm_steps_wanted) return;
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
  constexpr int enough = 8;  // iterations; at a convergence rate of ¼ they leave 1/65,000
  const double accuracy = 0.01 * std::cbrt(options_.error);
  const Coefficients c = coefficients(h);
  const int coordinates = model_.coordinates;
  const double ratio = h / h_last_, change = ratio * ratio - 1;
  if (std::abs(change) <= accuracy) return;
  const double bound = 20 * std::abs(change) / h_last_ * coordinate_norm(delta_.data()) / c.b;
  review_jacobian(h);
  const auto evaluate = [&] {
    const PhaseTimer timer(times ? &times->equations : nullptr);
    assembler_.evaluate(state, 4);
    assembler_.residual(state, c, residual_);
    assembler_.constraints(state, ConstraintLevel::acceleration, rows_);
    ++counters_.evaluations;
  };
  evaluate();
  if (!jacobian_valid_) {
    refresh_jacobian(state, c);
    jacobian_h_ = h;
  }
  impulse_forces_.assign(residual_.begin(), residual_.begin() + coordinates);
  impulse_rows_ = rows_;
  assembler_.constraints(state, ConstraintLevel::velocity, rows_);
  std::fill(residual_.begin(), residual_.end(), 0.0);
  for (int k = 0; k < model_.multipliers; ++k) {
    residual_[coordinates + k] = change / c.b * rows_[k];
    impulse_rows_[k] += c.a * residual_[coordinates + k];
  }
  std::fill(impulse_.begin(), impulse_.end(), 0.0);
  double first = 0, previous = 0;
  for (int iteration = 1;; ++iteration) {
    if (!system_.solve(residual_.data(), correction_.data()).ok()) return;
    for (int i = 0; i < coordinates; ++i) impulse_[i] += correction_[i];
    if (!(coordinate_norm(impulse_.data()) <= bound)) return;
    const double size = coordinate_norm(correction_.data());
    if (iteration == 1) first = size;
    // what is left: size ξ/(1 − ξ) with the rate ξ = size/previous
    if (size == 0 || (iteration > 1 && size * size <= (previous - size) * accuracy * first)) break;
    if (iteration == enough) break;
    previous = size;
    for (int i = 0; i < coordinates; ++i) state.a[i] += c.a * correction_[i];
    for (int k = 0; k < model_.multipliers; ++k) state.lambda[k] += correction_[coordinates + k];
    evaluate();
    for (int i = 0; i < coordinates; ++i) residual_[i] = impulse_forces_[i] - residual_[i];
    for (int k = 0; k < model_.multipliers; ++k)
      residual_[coordinates + k] = (impulse_rows_[k] - rows_[k]) / c.a;
    std::fill(residual_.begin() + model_.first_scalar(), residual_.end(), 0.0);
  }
  for (int i = 0; i < coordinates; ++i) velocity_begin_[i] += c.b * impulse_[i];
}

}  // namespace trammel
