// The corrector of the HHT method: Newton with a Jacobian that is kept over iterations and steps.
#include <algorithm>
#include <cmath>
#include <limits>

#include "integrate/hht.h"

namespace trammel {

namespace {

constexpr double corrector_fraction = 1e-3;  // c of Eq. 40
constexpr double algebraic_fraction = 0.01;  // of ε^{2/3}, the global error of a second-order method with
                                             // local error ε: relative change left in λ and algebraic scalars
constexpr double mendable_rate = 10;  // up to this a new Jacobian goes on from where an old one stopped
constexpr double slow_rate = 0.25;    // convergence rate at which a new Jacobian is asked for
constexpr int calm_lives_wanted = 8;  // Jacobians without trouble before their lifetime is doubled
constexpr int patience = 3;           // iterations after which an old Jacobian at a slow rate is replaced
// A correction this far below what may be left is enough whatever the rate up to 0.99: near the rounding
// of the residual a measured rate says nothing.
constexpr double negligible = 0.01;
constexpr double rounding_units = 10;  // constraint values below this many u·size are rounding
constexpr double force_units = 1e3;    // force residuals below this many u·(largest force) are rounding
constexpr double stalled_force_units =
    1e8;  // the same once corrections with a fresh Jacobian stop shrinking:
          // near a singular position rounding in λ comes back through K
// Near a singular position, where Φq has a singular value σ, rounding displaces the mechanism by N =
// u·size/σ; another branch of φ = 0 is σ·size away. N may be this part of √u·size, so that N/(σ·size) stays
// below 1e-9 and velocities N/h below those of the motion. A step that ends nearer is taken again with
// another size.
constexpr double singular_share = 3e-5;
constexpr double unit_roundoff = std::numeric_limits<double>::epsilon() / 2;

}  // namespace

void Hht::compute_residual(State& state, const Coefficients& c) {
  const PhaseTimer timer(times ? &times->equations : nullptr);
  equations_->evaluate(state, c, residual_);
  ++counters_.evaluations;
}

/// The largest residuals of each kind of equation.
void Hht::measure_residual() {
  const double* scalar = residual_ + model_.first_scalar();
  const auto force = run_.reduce(LargestEntry{residual_}, coordinates_);
  const auto constraint = run_.reduce(LargestEntry{residual_ + coordinates_}, multipliers_);
  const auto of_scalars = run_.reduce(LargestEntry{scalar}, scalars_);
  const auto relative = run_.reduce(LargestRelative{scalar, begin_.s}, scalars_);
  run_.collect();
  force_residual_ = force->at;
  constraint_residual_ = constraint->at;
  scalar_residual_ = of_scalars->at;
  scalar_relative_ = relative->at;
}

void Hht::refresh_jacobian(State& state, const Coefficients& c) {
  const SolveReport report = equations_->factor(state, c, times);
  ++counters_.jacobians;
  if (!report.ok())
    fail(ExitCode::solver,
         "the system matrix is singular at time {:.9g}: equation {}, variable {}, relative pivot {:.3g}",
         state.t, model_.equation_name(report.row), model_.unknown_name(report.column), report.pivot);
  jacobian_valid_ = jacobian_fresh_ = true;
  jacobian_age_ = 0;
  last_rate_ = -1;
}

/// A Jacobian that made convergence slow (or fail) after k steps gives the next one k − 1 steps to live;
/// after eight that lived through their time without trouble, that time is doubled.
void Hht::jacobian_trouble() {
  jacobian_life_ = std::max(0, std::min(jacobian_life_, jacobian_age_) - 1);
  calm_lives_ = 0;
  jacobian_valid_ = false;
}

/// Whether the Jacobian's time is over before the step begins: by age, or by a change of h.
void Hht::review_jacobian(double h) {
  if (jacobian_age_ > jacobian_life_ && options_.pattern != "F:F") {
    jacobian_valid_ = false;
    if (++calm_lives_ >= calm_lives_wanted) {
      jacobian_life_ = 2 * jacobian_life_ + 1;
      calm_lives_ = 0;
    }
  }
  if (h > 2 * jacobian_h_ || h < 0.5 * jacobian_h_) jacobian_valid_ = false;
}

/// Whether this iteration takes a new Jacobian: none there, PATTERN says T, or the old one is too slow.
bool Hht::jacobian_wanted() const {
  const std::string& pattern = options_.pattern;  // "T:F:F" repeats when exhausted
  const bool by_pattern = pattern[2 * (iterations_ - 1) % (pattern.size() + 1)] == 'T';
  const bool too_slow =
      !jacobian_fresh_ && pattern != "F:F" && iterations_ > patience && last_rate_ > 0.5 * slow_rate;
  return !jacobian_valid_ || by_pattern || too_slow;
}

/// The largest multiplier and m|ẍ| at the beginning of the step: units of rounding.
void Hht::measure_start() {
  const auto force = run_.reduce(InertiaForce{equations_->places(), begin_.a}, bodies_);
  const auto lambda = run_.reduce(LargestEntry{begin_.lambda}, multipliers_);
  run_.collect();
  inertia_force_ = std::max(0.0, force->at.value);
  lambda_scale_ = std::max(0.0, lambda->at.value);
}

bool Hht::correct(State& state, double h) {
  const Coefficients c = coefficients(h);
  review_jacobian(h);
  double previous = 0;  // measure of the last iteration with the present matrix
  measure_start();
  for (iterations_ = 1; iterations_ <= options_.maxit; ++iterations_) {
    compute_residual(state, c);
    if (!formulas_.second_order) blend_internal_forces(state);
    measure_residual();
    rounding_limited_ = iterations_ > 1 && constraint_rounding_units(c) <= 10 * rounding_units;
    const bool stalled = iterations_ > 2 && jacobian_fresh_ && record_.convergence_rate > 0.5;
    if (iterations_ > 1 && solved_to_rounding(c, stalled ? stalled_force_units : force_units)) {
      return previous <= 1 || rounding_allowed(h);
    }
    const bool fresh_now = jacobian_wanted();
    if (fresh_now) {
      refresh_jacobian(state, c);
      jacobian_h_ = h;
      previous = 0;
    }
    if (!solve_correction()) return false;
    apply(h);
    const double measure = correction_measure(h);
    record_.iteration = iterations_;
    record_.new_jacobian = fresh_now;
    record_.convergence_rate = previous > 0 ? measure / previous : -1;
    if (on_iteration) on_iteration(record_);
    const Verdict verdict = judge(measure, previous, fresh_now);
    if (verdict != Verdict::go_on) return verdict == Verdict::converged;
    previous = measure;
  }
  return false;
}

/// Notes what rounding leaves in the positions, in units of ERROR: the correction that a residual which is
/// all rounding asks for. False where that is too much: the step ends too near a singular position.
bool Hht::rounding_allowed(double h) {
  if (!solve_correction()) return false;
  const auto squares = squares_of(correction_);
  run_.collect();
  const double error = position_measure(squares->x, h);
  if (!(error * options_.error <= singular_share * std::sqrt(unit_roundoff) * std::max(1.0, size_)))
    return false;
  rounding_step_ = std::max(rounding_step_, h);
  rounding_error_ = std::max(rounding_error_, error);
  return true;
}

/// Eq. 10 as printed: (1/(1+α)) (M q̈)_{n+1} + Q̂_{n+1} − α/(1+α) Q̂_n, from R = M q̈ + Q̂.
void Hht::blend_internal_forces(const State& state) {
  equations_->mass_times_acceleration(state, mass_acceleration_);
  const double factor = -options_.alpha / (1 + options_.alpha);
  run_(AddMultiple{internal_begin_, factor, residual_}, coordinates_);
  run_(AddMultiple{mass_acceleration_, factor, residual_}, coordinates_);
}

/// Δ from the present matrix and residual; notes the largest residual.
bool Hht::solve_correction() {
  record_.residual = 0;
  record_.equation = -1;
  const auto note = [&](const Place& found, int first) {
    if (!(found.value > record_.residual)) return;
    record_.residual = found.value;
    record_.equation = first + found.index;
  };
  note(force_residual_, 0);
  note(constraint_residual_, coordinates_);
  note(scalar_residual_, model_.first_scalar());
  run_(TakeMultiple{residual_, -1.0, residual_}, model_.unknowns());
  ++counters_.iterations;
  const PhaseTimer timer(times ? &times->solution : nullptr);
  return equations_->solve(residual_, correction_).ok();
}

/// Converged when measure·ξ/(1 − ξ) ≤ 1 (Eq. 46); failed when it diverges. The rate ξ is measured from the
/// second iteration with one matrix on; before, the last rate with that matrix stands in, doubled.
Hht::Verdict Hht::judge(double measure, double previous, bool fresh_now) {
  if (!std::isfinite(measure)) return Verdict::failed;
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
    rate = std::max(2 * last_rate_, 0.02);
  if (rate < 0) return Verdict::go_on;
  if (rate < 1 && measure * rate / (1 - rate) <= 1) {
    const bool slow = (previous > 0 && rate > slow_rate) || iterations_ > patience;
    if (slow && !jacobian_fresh_ && options_.pattern != "F:F") jacobian_trouble();
    return Verdict::converged;
  }
  return previous > 0 && rate >= 1 && !(jacobian_fresh_ && rounding_limited_) ? Verdict::failed
                                                                              : Verdict::go_on;
}

/// Largest constraint residual in units of rounding, u·size/(βh²).
double Hht::constraint_rounding_units(const Coefficients& c) const {
  return nonnegative(constraint_residual_.value) * c.c / (unit_roundoff * std::max(1.0, size_));
}

/// Adds the correction Δ: δq̈ = Δ/(1+α), δq̇ = γhΔ, δq = βh²Δ; scalars alike; λ and algebraic directly.
void Hht::apply(double h) {
  const Coefficients c = coefficients(h);
  const double da = formulas_.second_order ? c.a : 1.0;
  run_(ApplyToCoordinates{correction_, now_.q, now_.v, now_.a, aux_, da, c.b, c.c}, coordinates_);
  run_(AddMultiple{correction_ + coordinates_, 1.0, now_.lambda}, multipliers_);
  run_(ApplyToScalars{correction_ + model_.first_scalar(), equations_->differential(), now_.s, now_.sdot,
                      aux_ + coordinates_, c.rate, c.state},
       scalars_);
}

/// Squares of a coordinate vector: Σ (x_i/Y_i)² over translations, |H δε|² over rotations.
Reduced<Total> Hht::squares_of(const double* x) {
  return run_.reduce(BodySquares{equations_->places(), x, weight_, equations_->cos_theta()}, bodies_);
}

double Hht::norm_of(const double* x) {
  const auto squares = squares_of(x);
  run_.collect();
  return std::sqrt(nonnegative(squares->x));
}

/// True when the equations are solved to rounding: |φ| ≤ 10 u·size in every row and force residuals at
/// the rounding of the largest force. Φ/(βh²) amplifies rounding, so at small steps (and near singular
/// positions) corrections stop getting smaller there, and a rate above one is no divergence.
bool Hht::solved_to_rounding(const Coefficients& c, double units) {
  const double force = std::max(lambda_scale_, inertia_force_);
  return force_residual_.value <= units * unit_roundoff * force * std::max(1.0, size_) &&
         constraint_rounding_units(c) <= rounding_units && scalar_relative_.value <= units * unit_roundoff;
}

/// Local error that a correction of these squares would make in positions, in units of ERROR.
double Hht::position_measure(double squares, double h) const {
  if (coordinates_ == 0) return 0;
  return error_constant_ * h * h * std::sqrt(nonnegative(squares)) /
         (std::sqrt(double(coordinates_)) * options_.error);
}

/// What the corrector may leave: of the local error in positions and states; of λ and algebraic scalars,
/// relative.
double Hht::corrector_unit() const {
  return corrector_fraction * options_.error;
}
double Hht::algebraic_unit() const {
  return algebraic_fraction * std::cbrt(options_.error * options_.error);
}

/// Size of a correction in units of what the corrector may leave: converged when, times ξ/(1 − ξ), it is
/// at most one (Eq. 46, 47).
double Hht::correction_measure(double h) {
  const double* multiplier = correction_ + coordinates_;
  const double* scalar = correction_ + model_.first_scalar();
  const auto squares = squares_of(correction_);
  const auto coordinate = run_.reduce(LargestEntry{correction_}, coordinates_);
  const auto lambda_change = run_.reduce(LargestEntry{multiplier}, multipliers_);
  const auto lambda = run_.reduce(LargestEntry{now_.lambda}, multipliers_);
  const auto scalar_change = run_.reduce(LargestEntry{scalar}, scalars_);
  const auto scalar_measure = run_.reduce(ScalarMeasure{scalar, now_.s, equations_->differential(),
                                                        gamma_ * h, corrector_unit(), algebraic_unit()},
                                          scalars_);
  run_.collect();
  record_.correction = 0;
  record_.unknown = -1;
  const auto note = [&](const Place& found, int first) {
    if (!(found.value > record_.correction)) return;
    record_.correction = found.value;
    record_.unknown = first + found.index;
  };
  note(coordinate->at, 0);
  note(scalar_change->at, model_.first_scalar());
  note(lambda_change->at, coordinates_);
  const auto worse = [](double a, double b) { return a < b || std::isnan(b) ? b : a; };
  double measure = position_measure(squares->x, h) / corrector_fraction;
  measure = worse(measure, scalar_measure->at.value);
  lambda_scale_ = std::max(lambda_scale_, lambda->at.value);
  if (!options_.modified_corrector && lambda_scale_ > 0)
    measure = worse(measure, lambda_change->at.value / (lambda_scale_ * algebraic_unit()));
  return measure;
}

}  // namespace trammel
