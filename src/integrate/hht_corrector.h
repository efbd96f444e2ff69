// HhtCore: the corrector, Newton with a Jacobian that is kept over iterations and steps. Included by
// integrate/hht_definitions.h.
#pragma once

#include "integrate/hht_core.h"

namespace trammel {

template <class Machine>
TRAMMEL_HD bool HhtCore<Machine>::compute_residual(const Coefficients& c) {
  if (!run_.evaluate(t_, c, residual_)) return stop(StepEnd::no_value);
  ++counters_.evaluations;
  return true;
}

/// The largest residuals of each kind of equation.
template <class Machine>
TRAMMEL_CALLED void HhtCore<Machine>::measure_residual() {
  const double* scalar = residual_ + n_.first_scalar();
  const auto force = run_.reduce(LargestEntry{residual_}, n_.coordinates);
  const auto constraint = run_.reduce(LargestEntry{residual_ + n_.coordinates}, n_.multipliers);
  const auto of_scalars = run_.reduce(LargestEntry{scalar}, n_.scalars);
  const auto relative = run_.reduce(LargestRelative{scalar, begin_.s}, n_.scalars);
  run_.collect();
  force_residual_ = force->at;
  constraint_residual_ = constraint->at;
  scalar_residual_ = of_scalars->at;
  scalar_relative_ = relative->at;
}

template <class Machine>
TRAMMEL_HD bool HhtCore<Machine>::refresh_jacobian(const Coefficients& c) {
  if (!run_.factor(t_, c, report_)) return stop(StepEnd::no_value);
  ++counters_.jacobians;
  if (report_.status == SolveStatus::refused) return stop(StepEnd::refused);
  if (!report_.ok()) return stop(StepEnd::singular);
  jacobian_valid_ = jacobian_fresh_ = true;
  jacobian_age_ = 0;
  last_rate_ = -1;
  return true;
}

/// A Jacobian that made convergence slow (or fail) after k steps gives the next one k − 1 steps to live;
/// after eight that lived through their time without trouble, that time is doubled.
template <class Machine>
TRAMMEL_HD void HhtCore<Machine>::jacobian_trouble() {
  const int life = jacobian_life_ < jacobian_age_ ? jacobian_life_ : jacobian_age_;
  jacobian_life_ = life > 1 ? life - 1 : 0;
  calm_lives_ = 0;
  jacobian_valid_ = false;
}

/// Whether the Jacobian's time is over before the step begins: by age, or by a change of h.
template <class Machine>
TRAMMEL_HD void HhtCore<Machine>::review_jacobian(double h) {
  constexpr int calm_lives_wanted = 8;  // Jacobians without trouble before their lifetime is doubled
  if (jacobian_age_ > jacobian_life_ && rules_.pattern.adaptive) {
    jacobian_valid_ = false;
    if (++calm_lives_ >= calm_lives_wanted) {
      jacobian_life_ = 2 * jacobian_life_ + 1;
      calm_lives_ = 0;
    }
  }
  if (h > 2 * jacobian_h_ || h < 0.5 * jacobian_h_) jacobian_valid_ = false;
}

/// Whether this iteration takes a new Jacobian: none there, PATTERN says T, or the old one is too slow.
template <class Machine>
TRAMMEL_HD bool HhtCore<Machine>::jacobian_wanted() const {
  const bool too_slow =
      !jacobian_fresh_ && rules_.pattern.adaptive && iterations_ > patience && last_rate_ > 0.5 * slow_rate;
  return !jacobian_valid_ || rules_.pattern.wants(iterations_) || too_slow;
}

/// The largest multiplier and m|ẍ| at the beginning of the step: units of rounding.
template <class Machine>
TRAMMEL_CALLED void HhtCore<Machine>::measure_start() {
  const auto force = run_.reduce(InertiaForce{run_.places(), begin_.a}, n_.bodies);
  const auto lambda = run_.reduce(LargestEntry{begin_.lambda}, n_.multipliers);
  run_.collect();
  inertia_force_ = most(0.0, force->at.value);
  lambda_scale_ = most(0.0, lambda->at.value);
}

/// False where it does not converge, or with end_ set where it cannot go on.
template <class Machine>
TRAMMEL_CALLED bool HhtCore<Machine>::correct(double h) {
  constexpr double rounding_units = 10;  // constraint values below this many u·size are rounding
  constexpr double force_units = 1e3;    // force residuals below this many u·(largest force) are rounding
  constexpr double stalled_force_units = 1e8;  // the same once corrections with a fresh Jacobian stop
                                               // shrinking: near a singular position rounding in λ comes back
                                               // through K
  constexpr double far_below = 0.01;  // of ERROR in the step before: steps are a fifth of what ERROR asks for
  const Coefficients c = coefficients(h);
  review_jacobian(h);
  double previous = 0;  // measure of the last iteration with the present matrix
  acceleration_change_ = 0;
  measure_start();
  for (iterations_ = 1; iterations_ <= rules_.maxit; ++iterations_) {
    if (!compute_residual(c)) return false;
    if (!rules_.formulas.second_order && !blend_internal_forces()) return false;
    measure_residual();
    rounding_limited_ = iterations_ > 1 && constraint_rounding_units(c) <= 10 * rounding_units;
    const bool stalled = iterations_ > 2 && jacobian_fresh_ && record_.convergence_rate > 0.5;
    const bool at_rounding = constraint_rounding_units(c) <= rounding_units &&
                             solved_to_rounding(stalled ? stalled_force_units : force_units);
    if (iterations_ > 1 && at_rounding) return previous <= 1 || rounding_allowed(h);
    const bool fresh_now = jacobian_wanted();
    if (fresh_now) {
      if (!refresh_jacobian(c)) return false;
      jacobian_h_ = h;
      previous = 0;
    }
    if (!solve_correction()) return false;
    apply(h);
    const double measure = correction_measure(h);
    record_.iteration = iterations_;
    record_.new_jacobian = fresh_now;
    record_.convergence_rate = previous > 0 ? measure / previous : -1;
    const Verdict verdict = judge(measure, previous, fresh_now);
    if (verdict == Verdict::converged && (error_ratio_ > far_below || accelerations_settled(fresh_now)))
      return true;
    if (record_.convergence_rate > 0.5 && stalled_at_rounding(c)) {
      note_rounding(h, rounding_of_correction(h));
      return true;
    }
    if (verdict == Verdict::failed) return false;
    previous = measure;
  }
  return false;
}

/// Notes what rounding leaves in the positions, in units of ERROR: the correction that a residual which is
/// all rounding asks for. False where that is too much: the step ends too near a singular position.
template <class Machine>
TRAMMEL_HD bool HhtCore<Machine>::rounding_allowed(double h) {
  // Near a singular position, where Φq has a singular value σ, rounding displaces the mechanism by N =
  // u·size/σ; another branch of φ = 0 is σ·size away. N may be this part of √u·size, so that N/(σ·size) stays
  // below 1e-9 and velocities N/h below those of the motion. A step that ends nearer is taken again with
  // another size.
  constexpr double singular_share = 3e-5, root_of_roundoff = 0x1.6a09e667f3bcdp-27;
  if (!solve_correction()) return false;
  const double error = rounding_of_correction(h);
  if (!(error * rules_.error <= singular_share * root_of_roundoff * most(1.0, size_))) return false;
  note_rounding(h, error);
  return true;
}

/// Local error that the last correction, which is all rounding, leaves in positions, in units of ERROR.
template <class Machine>
TRAMMEL_HD double HhtCore<Machine>::rounding_of_correction(double h) {
  const auto squares = squares_of(correction_);
  run_.collect();
  return position_measure(squares->x, h);
}

/// The largest error that the last correction leaves in states with a rate, in units of ERROR.
template <class Machine>
TRAMMEL_HD auto HhtCore<Machine>::scalar_measure_of(double h) {
  return run_.reduce(ScalarMeasure{correction_ + n_.first_scalar(), now_.s, run_.differential(),
                                   formulas().gamma * h, rules_.error, static_cast<double>(INFINITY)},
                     n_.scalars);
}

/// Notes it, and what the correction leaves in states with a rate.
template <class Machine>
TRAMMEL_HD void HhtCore<Machine>::note_rounding(double h, double error) {
  const auto states = scalar_measure_of(h);
  run_.collect();
  rounding_step_ = most(rounding_step_, h);
  rounding_error_ = most(rounding_error_, error);
  scalar_rounding_ = most(scalar_rounding_, nonnegative(states->at.value));
}

/// Error of states with a rate, in units of ERROR, where constraint values of ±u·size, with signs as if drawn
/// by lot, are taken for what they are not: the correction that they ask for at a step of h.
template <class Machine>
TRAMMEL_CALLED double HhtCore<Machine>::rounding_of_positions(double h) {
  if (n_.multipliers == 0) return 0;
  run_(FillValues{residual_, 0.0}, n_.unknowns());
  run_(FillSigns{residual_ + n_.coordinates, unit_roundoff * most(1.0, size_) / coefficients(h).c},
       n_.multipliers);
  if (!run_.solve(residual_, correction_).ok()) return 0;
  const auto states = scalar_measure_of(h);
  run_.collect();
  return states->at.value;
}

/// Eq. 10 as printed: (1/(1+α)) (M q̈)_{n+1} + Q̂_{n+1} − α/(1+α) Q̂_n, from R = M q̈ + Q̂.
template <class Machine>
TRAMMEL_HD bool HhtCore<Machine>::blend_internal_forces() {
  if (!run_.mass_times_acceleration(mass_acceleration_)) return stop(StepEnd::no_value);
  const double factor = -rules_.formulas.alpha / (1 + rules_.formulas.alpha);
  run_(AddMultiple{internal_begin_, factor, residual_}, n_.coordinates);
  run_(AddMultiple{mass_acceleration_, factor, residual_}, n_.coordinates);
  return true;
}

/// Δ from the present matrix and residual; notes the largest residual.
template <class Machine>
TRAMMEL_CALLED bool HhtCore<Machine>::solve_correction() {
  record_.residual = 0;
  record_.equation = -1;
  const auto note = [this](const Place& found, int first) {
    if (!(found.value > record_.residual)) return;
    record_.residual = found.value;
    record_.equation = first + found.index;
  };
  note(force_residual_, 0);
  note(constraint_residual_, n_.coordinates);
  note(scalar_residual_, n_.first_scalar());
  run_(TakeMultiple{residual_, -1.0, residual_}, n_.unknowns());
  ++counters_.iterations;
  const SolveReport report = run_.solve(residual_, correction_);
  if (report.status == SolveStatus::refused) return stop(StepEnd::refused);
  return report.ok();
}

/// Converged when measure·ξ/(1 − ξ) ≤ 1 (Eq. 46); failed when it diverges. The rate ξ is measured from the
/// second iteration with one matrix on; before, the last rate with that matrix stands in, doubled.
template <class Machine>
TRAMMEL_HD auto HhtCore<Machine>::judge(double measure, double previous, bool fresh_now) -> Verdict {
  // A correction this far below what may be left is enough whatever the rate up to 0.99: near the rounding of
  // the residual a measured rate says nothing.
  constexpr double negligible = 0.01;
  constexpr double mendable_rate = 10;  // up to this a new Jacobian goes on from where an old one stopped
  if (!(measure < INFINITY)) return Verdict::failed;
  if (measure <= negligible) return Verdict::converged;
  double rate = previous > 0 ? measure / previous : -1;
  // With an old Jacobian corrections that stay or grow, but not by far, are no reason to begin the step
  // again: the next one takes a new Jacobian where the iteration stands.
  if (rate >= 1 && rate < mendable_rate && !jacobian_fresh_) {
    jacobian_trouble();
    return Verdict::go_on;
  }
  if (previous > 0)
    last_rate_ = rate;
  else if (last_rate_ > 0 && !fresh_now)
    rate = most(2 * last_rate_, 0.02);
  if (rate < 0) return Verdict::go_on;
  if (rate < 1 && measure * rate / (1 - rate) <= 1) {
    const bool slow = (previous > 0 && rate > slow_rate) || iterations_ > patience;
    if (slow && !jacobian_fresh_ && rules_.pattern.adaptive) jacobian_trouble();
    return Verdict::converged;
  }
  return previous > 0 && rate >= 1 && !(jacobian_fresh_ && rounding_limited_) ? Verdict::failed
                                                                              : Verdict::go_on;
}

/// Whether what is left of the correction is small beside the accelerations, too. Positions and states ask
/// less of them the smaller the step is, h² Δ and h Δ: at steps far below those that ERROR needs an old
/// Jacobian could leave anything there. Asked last, since rounding, which grows with 1/h², may not allow it:
/// where corrections with a fresh Jacobian no longer shrink they are as small as they get.
template <class Machine>
TRAMMEL_CALLED bool HhtCore<Machine>::accelerations_settled(bool fresh_now) {
  constexpr double unknown_rate = 0.5, stalled_rate = 0.5;
  if (n_.coordinates == 0) return true;
  const auto found =
      run_.reduce(AccelerationCorrection{run_.places(), correction_, now_.a, run_.cos_theta()}, n_.bodies);
  run_.collect();
  const double translation = found->x[1] > 0 ? found->x[0] / found->x[1] : 0;
  const double rotation = found->x[3] > 0 ? found->x[2] / found->x[3] : 0;
  const double change = most(translation, rotation), before = acceleration_change_;
  acceleration_change_ = change;
  const double rate = before > 0 && !fresh_now ? change / before : unknown_rate;
  if (change * rate <= (1 - rate) * acceleration_fraction * std::cbrt(rules_.error)) return true;
  if (before <= 0 || rate <= stalled_rate) return iterations_ == rules_.maxit;
  if (jacobian_fresh_ || !rules_.pattern.adaptive) return true;
  jacobian_trouble();
  return false;
}

/// Whether corrections with a fresh Jacobian, which no longer shrink, move the bodies by rounding of their
/// places only, and scalars by no more than the corrector may leave: ERROR asks for more than positions of
/// this size can hold (stiff forces, k u |q|, and Φ/(βh²) amplify that to any size in the residual).
template <class Machine>
TRAMMEL_CALLED bool HhtCore<Machine>::stalled_at_rounding(const Coefficients& c) {
  constexpr double rounding_units = 100;  // u·size: some ten operations, by some ten bodies in a row
  if (n_.coordinates == 0 || !jacobian_fresh_ || iterations_ < 2 || !(scalar_measure_ <= 1)) return false;
  const auto found =
      run_.reduce(AccelerationCorrection{run_.places(), correction_, now_.a, run_.cos_theta()}, n_.bodies);
  run_.collect();
  const double moved = most(found->x[0] / most(1.0, size_), found->x[2]);
  return moved * c.c <= rounding_units * unit_roundoff;
}

/// Largest constraint residual in units of rounding, u·size/(βh²).
template <class Machine>
TRAMMEL_HD double HhtCore<Machine>::constraint_rounding_units(const Coefficients& c) const {
  return nonnegative(constraint_residual_.value) * c.c / (unit_roundoff * most(1.0, size_));
}

/// Adds the correction Δ: δq̈ = Δ/(1+α), δq̇ = γhΔ, δq = βh²Δ; scalars alike; λ and algebraic directly.
template <class Machine>
TRAMMEL_CALLED void HhtCore<Machine>::apply(double h) {
  const Coefficients c = coefficients(h);
  const double da = rules_.formulas.second_order ? c.a : 1.0;
  run_(ApplyToCoordinates{correction_, now_.q, now_.v, now_.a, aux_, da, c.b, c.c}, n_.coordinates);
  run_(AddMultiple{correction_ + n_.coordinates, 1.0, now_.lambda}, n_.multipliers);
  run_(ApplyToScalars{correction_ + n_.first_scalar(), run_.differential(), now_.s, now_.sdot,
                      aux_ + n_.coordinates, c.rate, c.state},
       n_.scalars);
}

/// Squares of a coordinate vector: Σ (x_i/Y_i)² over translations, |H δε|² over rotations.
template <class Machine>
TRAMMEL_HD auto HhtCore<Machine>::squares_of(const double* x) {
  return run_.reduce(BodySquares{run_.places(), x, weight_, run_.cos_theta()}, n_.bodies);
}

template <class Machine>
TRAMMEL_HD double HhtCore<Machine>::norm_of(const double* x) {
  const auto squares = squares_of(x);
  run_.collect();
  return std::sqrt(nonnegative(squares->x));
}

/// True when force residuals are at the rounding of the largest force, and scalars' alike. With |φ| ≤ 10
/// u·size in every row the equations are then solved to rounding: Φ/(βh²) amplifies rounding, so at small
/// steps (and near singular positions) corrections stop getting smaller there, and a rate above one is no
/// divergence.
template <class Machine>
TRAMMEL_HD bool HhtCore<Machine>::solved_to_rounding(double units) const {
  const double force = most(lambda_scale_, inertia_force_);
  return force_residual_.value <= units * unit_roundoff * force * most(1.0, size_) &&
         scalar_relative_.value <= units * unit_roundoff;
}

/// Local error that a correction of these squares would make in positions, in units of ERROR.
template <class Machine>
TRAMMEL_HD double HhtCore<Machine>::position_measure(double squares, double h) const {
  if (n_.coordinates == 0) return 0;
  return rules_.error_constant * h * h * std::sqrt(nonnegative(squares)) /
         (std::sqrt(double(n_.coordinates)) * rules_.error);
}

/// What the corrector may leave: of the local error in positions and states; of λ and algebraic scalars,
/// relative.
template <class Machine>
TRAMMEL_HD double HhtCore<Machine>::corrector_unit() const {
  return corrector_fraction * rules_.error;
}
template <class Machine>
TRAMMEL_HD double HhtCore<Machine>::algebraic_unit() const {
  return algebraic_fraction * std::cbrt(rules_.error * rules_.error);
}

/// Size of a correction in units of what the corrector may leave: converged when, times ξ/(1 − ξ), it is
/// at most one (Eq. 46, 47).
template <class Machine>
TRAMMEL_CALLED double HhtCore<Machine>::correction_measure(double h) {
  const double* multiplier = correction_ + n_.coordinates;
  const double* scalar = correction_ + n_.first_scalar();
  const auto squares = squares_of(correction_);
  const auto coordinate = run_.reduce(LargestEntry{correction_}, n_.coordinates);
  const auto lambda_change = run_.reduce(LargestEntry{multiplier}, n_.multipliers);
  const auto lambda = run_.reduce(LargestEntry{now_.lambda}, n_.multipliers);
  const auto scalar_change = run_.reduce(LargestEntry{scalar}, n_.scalars);
  const auto scalar_measure =
      run_.reduce(ScalarMeasure{scalar, now_.s, run_.differential(), formulas().gamma * h, corrector_unit(),
                                algebraic_unit()},
                  n_.scalars);
  run_.collect();
  record_.correction = 0;
  record_.unknown = -1;
  const auto note = [this](const Place& found, int first) {
    if (!(found.value > record_.correction)) return;
    record_.correction = found.value;
    record_.unknown = first + found.index;
  };
  note(coordinate->at, 0);
  note(scalar_change->at, n_.first_scalar());
  note(lambda_change->at, n_.coordinates);
  const auto worse = [](double a, double b) { return a < b || b != b ? b : a; };
  double measure = position_measure(squares->x, h) / corrector_fraction;
  scalar_measure_ = scalar_measure->at.value;
  measure = worse(measure, scalar_measure_);
  lambda_scale_ = most(lambda_scale_, lambda->at.value);
  // Beside the present multipliers: those of a row that was about to vanish a step ago say nothing of them.
  constexpr double memory = 1e-3;
  const double scale = most(lambda->at.value, memory * lambda_scale_);
  if (!rules_.modified_corrector && scale > 0)
    measure = worse(measure, lambda_change->at.value / (scale * algebraic_unit()));
  return measure;
}

}  // namespace trammel
