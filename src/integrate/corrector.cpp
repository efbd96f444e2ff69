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
  assembler_.evaluate_equations(state, 4);
  assembler_.residual(state, c, residual_);
  ++counters_.evaluations;
}

void Hht::refresh_jacobian(State& state, const Coefficients& c) {
  {
    const PhaseTimer timer(times ? &times->tangent : nullptr);
    assembler_.tangent(state, c, matrix_);
  }
  const SolveReport report = [&] {
    const PhaseTimer timer(times ? &times->factorization : nullptr);
    return system_.set_matrix(matrix_.data());
  }();
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

bool Hht::correct(State& state, double h) {
  const Coefficients c = coefficients(h);
  review_jacobian(h);
  double previous = 0;  // measure of the last iteration with the present matrix
  lambda_scale_ = inertia_force_ = 0;
  for (int b = 0; b < assembler_.kinematics().bodies(); ++b) {
    const BodyPlace& body = assembler_.kinematics().place(b);
    for (int k = 0; k < 3; ++k)
      inertia_force_ = std::max(inertia_force_, std::abs(body.mass * begin_.a[body.first + k]));
  }
  for (double l : begin_.lambda) lambda_scale_ = std::max(lambda_scale_, std::abs(l));
  for (iterations_ = 1; iterations_ <= options_.maxit; ++iterations_) {
    compute_residual(state, c);
    if (options_.form == HhtForm::equation_10) blend_internal_forces(state);
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
    apply(state, h);
    const double measure = correction_measure(state, h);
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
  const double error = position_measure(h);
  if (error * options_.error > singular_share * std::sqrt(unit_roundoff) * std::max(1.0, size_)) return false;
  rounding_step_ = std::max(rounding_step_, h);
  rounding_error_ = std::max(rounding_error_, error);
  return true;
}

/// Eq. 10 as printed: (1/(1+α)) (M q̈)_{n+1} + Q̂_{n+1} − α/(1+α) Q̂_n, from R = M q̈ + Q̂.
void Hht::blend_internal_forces(const State& state) {
  assembler_.mass_times_acceleration(state, mass_acceleration_);
  const double factor = -options_.alpha / (1 + options_.alpha);
  for (int i = 0; i < model_.coordinates; ++i)
    residual_[i] += factor * (internal_begin_[i] + mass_acceleration_[i]);
}

/// Δ from the present matrix and residual; notes the largest residual.
bool Hht::solve_correction() {
  record_.residual = 0;
  for (int i = 0; i < model_.unknowns(); ++i) {
    if (std::abs(residual_[i]) > record_.residual) {
      record_.residual = std::abs(residual_[i]);
      record_.equation = i;
    }
    residual_[i] = -residual_[i];
  }
  ++counters_.iterations;
  const PhaseTimer timer(times ? &times->solution : nullptr);
  return system_.solve(residual_.data(), correction_.data()).ok();
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
  double largest = 0;
  for (int i = model_.coordinates; i < model_.first_scalar(); ++i)
    largest = std::max(largest, std::abs(residual_[i]));
  return largest * c.c / (unit_roundoff * std::max(1.0, size_));
}

/// Adds the correction Δ: δq̈ = Δ/(1+α), δq̇ = γhΔ, δq = βh²Δ; scalars alike; λ and algebraic directly.
void Hht::apply(State& state, double h) {
  const Coefficients c = coefficients(h);
  const bool second_order = options_.form == HhtForm::second_order;
  const double da = second_order ? c.a : 1.0;
  parallel_(model_.coordinates, coordinates_per_thread, [&](int begin, int end, int) {
    for (int i = begin; i < end; ++i) {
      const double d = correction_[i];
      aux_[i] += d;
      state.a[i] += da * d;
      state.v[i] += c.b * d;
      state.q[i] += c.c * d;
    }
  });
  for (int k = 0; k < model_.multipliers; ++k) state.lambda[k] += correction_[model_.coordinates + k];
  for (std::size_t k = 0; k < model_.scalars.size(); ++k) {
    const double d = correction_[model_.first_scalar() + k];
    if (!model_.scalars[k].differential()) {
      state.s[k] += d;
      continue;
    }
    aux_[model_.coordinates + k] += d;
    state.sdot[k] += c.rate * d;
    state.s[k] += c.state * d;
  }
}

/// Weighted norm of a coordinate vector: Σ (x_i/Y_i)² over translations, |H δε|² over rotations.
double Hht::coordinate_norm(const double* x) const {
  const Kinematics& kinematics = assembler_.kinematics();
  const double squares = parallel_.sum(kinematics.bodies(), 512, [&](int begin, int end) {
    double sum = 0;
    for (int b = begin; b < end; ++b) {
      const BodyPlace& body = kinematics.place(b);
      for (int k = 0; k < 3; ++k) {
        const double d = x[body.first + k] / weight_[body.first + k];
        sum += d * d;
      }
      if (body.point_mass) continue;
      // |H δε|²: of the axes of ψ, θ, φ only those of ψ and φ are not at right angles, but at θ
      const double* e = x + body.first + 3;
      sum += e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + 2 * kinematics.cos_theta(b) * e[0] * e[2];
    }
    return sum;
  });
  return std::sqrt(std::max(0.0, squares));  // rounding, where θ is 0
}

/// True when the equations are solved to rounding: |φ| ≤ 10 u·size in every row and force residuals at
/// the rounding of the largest force. Φ/(βh²) amplifies rounding, so at small steps (and near singular
/// positions) corrections stop getting smaller there, and a rate above one is no divergence.
bool Hht::solved_to_rounding(const Coefficients& c, double units) {
  const double force = std::max(lambda_scale_, inertia_force_);
  const double force_limit = units * unit_roundoff * force * std::max(1.0, size_);
  for (int i = 0; i < model_.coordinates; ++i)
    if (std::abs(residual_[i]) > force_limit) return false;
  if (constraint_rounding_units(c) > rounding_units) return false;
  for (int i = model_.first_scalar(); i < model_.unknowns(); ++i)
    if (std::abs(residual_[i]) >
        units * unit_roundoff * std::max(1.0, std::abs(begin_.s[i - model_.first_scalar()])))
      return false;
  return true;
}

/// Local error that the correction would make in positions, in units of ERROR.
double Hht::position_measure(double h) const {
  return error_constant_ * h * h * coordinate_norm(correction_.data()) /
         (std::sqrt(double(model_.coordinates)) * options_.error);
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
double Hht::correction_measure(const State& state, double h) {
  const int coordinates = model_.coordinates;
  record_.correction = 0;
  const auto note = [&](int unknown, double size) {
    if (size <= record_.correction) return;
    record_.correction = size;
    record_.unknown = unknown;
  };
  double measure = 0;
  const double allowed = corrector_unit(), algebraic = algebraic_unit();
  if (coordinates > 0) {
    measure = position_measure(h) / corrector_fraction;
    for (int i = 0; i < coordinates; ++i) note(i, std::abs(correction_[i]));
  }
  for (std::size_t k = 0; k < model_.scalars.size(); ++k) {
    const double d = std::abs(correction_[model_.first_scalar() + k]);
    const double size = std::max(1.0, std::abs(state.s[k]));
    if (model_.scalars[k].differential())
      measure = std::max(measure, gamma_ * h * d / (size * allowed));
    else
      measure = std::max(measure, d / (size * algebraic));
    note(model_.first_scalar() + static_cast<int>(k), d);
  }
  double lambda_change = 0;
  for (int k = 0; k < model_.multipliers; ++k) {
    const double d = std::abs(correction_[coordinates + k]);
    note(coordinates + k, d);
    lambda_scale_ = std::max(lambda_scale_, std::abs(state.lambda[k]));
    lambda_change = std::max(lambda_change, d);
  }
  if (!options_.modified_corrector && lambda_scale_ > 0)
    measure = std::max(measure, lambda_change / (lambda_scale_ * algebraic));
  return measure;
}

}  // namespace trammel
