#include "integrate/hht.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "integrate/orientation.h"

namespace trammel {

namespace {

constexpr double safety = 0.9;               // Eq. 38b
constexpr double corrector_fraction = 1e-3;  // c of Eq. 40
constexpr double algebraic_fraction = 0.01;  // of ε^{2/3}, the global error of a second-order method with
                                             // local error ε: relative change left in λ and algebraic scalars
constexpr double slow_rate = 0.25;           // convergence rate at which a new Jacobian is asked for
constexpr int patience = 3;                  // iterations after which an old Jacobian at a slow rate is replaced
constexpr int calm_lives_wanted = 8;
constexpr double largest_growth = 2.0, smallest_shrink = 0.2, failure_shrink = 0.25;
constexpr double keep_step_below = 1.1;     // do not change h for less
// A correction this far below what may be left is enough whatever the rate up to 0.99: near the rounding
// of the residual a measured rate says nothing.
constexpr double negligible = 0.01;
constexpr double rounding_units = 10;        // constraint values below this many u·size are rounding
constexpr double force_units = 1e3;          // force residuals below this many u·(largest force) are rounding
constexpr double stalled_force_units = 1e8;  // the same once corrections with a fresh Jacobian stop shrinking:
                                             // near a singular position rounding in λ comes back through K
constexpr double unit_roundoff = std::numeric_limits<double>::epsilon() / 2;

}  // namespace

Hht::Hht(const Model& model, Assembler& assembler, GuardedSystem& system, const HhtOptions& options)
    : model_(model), assembler_(assembler), system_(system), options_(options) {
  const double alpha = options.alpha;
  gamma_ = 0.5 - alpha;
  beta_ = (1 - alpha) * (1 - alpha) / 4;
  error_constant_ = options.form == HhtForm::second_order ? std::abs(beta_ + alpha / 2 - 1.0 / 6)
                                                          : std::abs(beta_ - 1 / (6 * (1 + alpha)));
  const int n = model.unknowns(), coordinates = model.coordinates;
  residual_.resize(n);
  correction_.resize(n);
  matrix_.resize(assembler.pattern().nonzeros());
  for (auto* v : {&aux_, &aux_begin_, &aux_stored_}) v->resize(coordinates + model.scalars.size());
  weight_.assign(coordinates, 1.0);
  delta_.resize(coordinates);
  internal_begin_.resize(coordinates);
  mass_acceleration_.resize(coordinates);
  predictor_.resize(n);
  history_q_.resize(coordinates);
  history_v_.resize(coordinates);
  for (const Marker& m : model.markers) size_ = std::max(size_, norm(m.s));
  for (const Scalar& s : model.scalars) differential_count_ += s.differential();
}

Coefficients Hht::coefficients(double h) const {
  const double inverse = 1 / (1 + options_.alpha);
  return {inverse, gamma_ * h, beta_ * h * h, gamma_ * h, inverse};
}

void Hht::start(State& state) {
  for (std::size_t b = 0; b < model_.bodies.size(); ++b)
    if (!model_.bodies[b].point_mass) rebase(model_, static_cast<int>(b), state, {}, nullptr);
  std::copy(state.a.begin(), state.a.end(), aux_stored_.begin());
  std::copy(state.sdot.begin(), state.sdot.end(), aux_stored_.begin() + model_.coordinates);
  for (Predictor* p : {&predictor_, &history_q_, &history_v_}) p->clear();
  std::fill(weight_.begin(), weight_.end(), 1.0);
  update_weights(state);
  assembler_.set_phase(state, phase_dynamics);
  push_history(state);
  save(state);
  h_last_ = 0;
  next_h_ = options_.hinit;
  order_limit_ = options_.predictor_order;
  jacobian_valid_ = false;
  last_rate_ = -1;
}

void Hht::save(const State& state) {
  begin_.t = state.t;
  begin_.q = state.q;
  begin_.v = state.v;
  begin_.a = state.a;
  begin_.lambda = state.lambda;
  begin_.s = state.s;
  begin_.sdot = state.sdot;
}

void Hht::restore(State& state) const {
  state.t = begin_.t;
  state.q = begin_.q;
  state.v = begin_.v;
  state.a = begin_.a;
  state.lambda = begin_.lambda;
  state.s = begin_.s;
  state.sdot = begin_.sdot;
}

/// Y_i = max(1, max |q_i|) for translations; rotations are measured as angles (1).
void Hht::update_weights(const State& state) {
  for (const Body& b : model_.bodies)
    for (int k = 0; k < 3; ++k) size_ = std::max(size_, std::abs(state.q[b.first + k]));
  for (const Body& b : model_.bodies)
    for (int k = 0; k < 3; ++k)
      weight_[b.first + k] = std::max(weight_[b.first + k], std::abs(state.q[b.first + k]));
}

void Hht::push_history(const State& state) {
  double* u = predictor_.push(state.t);
  std::copy(state.a.begin(), state.a.end(), u);
  std::copy(state.lambda.begin(), state.lambda.end(), u + model_.coordinates);
  for (std::size_t k = 0; k < model_.scalars.size(); ++k)
    u[model_.first_scalar() + k] = model_.scalars[k].differential() ? state.sdot[k] : state.s[k];
  std::copy(state.q.begin(), state.q.end(), history_q_.push(state.t));
  std::copy(state.v.begin(), state.v.end(), history_v_.push(state.t));
}

StepResult Hht::step(State& state, double h_limit) {
  if (options_.fixed_step()) return step_exactly(state, std::min(h_limit, options_.hinit));
  double h = std::min(next_h_, h_limit);
  if (options_.hmax > 0) h = std::min(h, options_.hmax);
  save(state);
  const double first_h = h;
  int detour = 0;
  while (true) {
    const Attempt result = attempt(state, h, true);
    if (result == Attempt::accepted) return finish(state, h);
    restore(state);
    if (result == Attempt::error_too_large) {
      ++counters_.rejected_error;
      h *= std::clamp(safety / std::cbrt(error_ratio_), smallest_shrink, 0.9);
    } else {
      ++counters_.rejected_corrector;
      if (!jacobian_fresh_) {  // the same step again with a new Jacobian
        jacobian_trouble();
        continue;
      }
      // Rounding in Φ/(βh²) defeats the corrector at (nearly) singular positions, and smaller steps make
      // that worse: end the step a little before or behind such a place.
      constexpr double detours[] = {0.7, 1.6, 0.45, 2.3};
      while (rounding_limited_ && detour < 4 && detours[detour] * first_h > h_limit) ++detour;
      if (rounding_limited_ && detour < 4) {
        h = detours[detour++] * first_h;
        continue;
      }
      h = std::min(h, first_h) * failure_shrink;
      order_limit_ = 1;
    }
    if (h < options_.hmin || state.t + h == state.t) give_up(state, h);
  }
}

StepResult Hht::step_exactly(State& state, double h) {
  save(state);
  if (attempt(state, h, false) == Attempt::not_converged) {
    restore(state);
    ++counters_.rejected_corrector;
    jacobian_valid_ = false;
    if (attempt(state, h, false) == Attempt::not_converged) {
      restore(state);
      give_up(state, h);
    }
  }
  return finish(state, h);
}

void Hht::give_up(const State& state, double h) const {
  std::string text = fmt::format(
      "the corrector cannot go on from time {:.9g}: step {:.3g} is below HMIN = {:.3g}.", state.t, h,
      options_.hmin);
  if (record_.equation >= 0)
    text += fmt::format(" Largest residual {:.3g} in {}; largest correction {:.3g} in {} (iteration {}).",
                        record_.residual, model_.equation_name(record_.equation), record_.correction,
                        model_.unknown_name(record_.unknown), record_.iteration);
  text += " Look for a discontinuity or a singular position there, or loosen ERROR.";
  throw Failure(ExitCode::solver, text);
}

Hht::Attempt Hht::attempt(State& state, double h, bool control_error) {
  // At a change of step h' → h the auxiliary accelerations follow: a_n ← q̈_n + (h/h')(a_n − q̈_n).
  const double ratio = h_last_ > 0 ? h / h_last_ : 1.0;
  const int coordinates = model_.coordinates;
  const bool second_order = options_.form == HhtForm::second_order;
  for (int i = 0; i < coordinates; ++i)
    aux_begin_[i] = second_order ? begin_.a[i] + ratio * (aux_stored_[i] - begin_.a[i]) : begin_.a[i];
  for (std::size_t k = 0; k < model_.scalars.size(); ++k)
    aux_begin_[coordinates + k] = begin_.sdot[k] + ratio * (aux_stored_[coordinates + k] - begin_.sdot[k]);
  if (!second_order) {  // Q̂_n = R_n − (M q̈)_n
    compute_residual(state, {1, 0, 0, 0, 1});
    assembler_.mass_times_acceleration(state, mass_acceleration_);
    for (int i = 0; i < coordinates; ++i) internal_begin_[i] = residual_[i] - mass_acceleration_[i];
  }
  state.t = begin_.t + h;
  predict(state, h);
  try {
    if (!correct(state, h)) return Attempt::not_converged;
  } catch (const Failure&) {
    // A function left its domain at a trial point: a smaller step may avoid it. At the smallest step the
    // message must be that of the function.
    if (h * failure_shrink < options_.hmin || !control_error) {
      restore(state);
      throw;
    }
    jacobian_fresh_ = true;
    return Attempt::not_converged;
  }
  estimate_error(state, h);
  return control_error && error_ratio_ > 1 ? Attempt::error_too_large : Attempt::accepted;
}

void Hht::predict(State& state, double h) {
  predictor_.predict(state.t, order_limit_, correction_.data());
  const double alpha = options_.alpha;
  const bool second_order = options_.form == HhtForm::second_order;
  const int coordinates = model_.coordinates;
  for (int i = 0; i < coordinates; ++i) {
    state.a[i] = correction_[i];
    aux_[i] = second_order ? (1 + alpha) * state.a[i] - alpha * begin_.a[i] : state.a[i];
    state.q[i] = begin_.q[i] + h * begin_.v[i] + h * h * ((0.5 - beta_) * aux_begin_[i] + beta_ * aux_[i]);
    state.v[i] = begin_.v[i] + h * ((1 - gamma_) * aux_begin_[i] + gamma_ * aux_[i]);
  }
  for (int k = 0; k < model_.multipliers; ++k) state.lambda[k] = correction_[coordinates + k];
  for (std::size_t k = 0; k < model_.scalars.size(); ++k) {
    const double u = correction_[model_.first_scalar() + k];
    if (!model_.scalars[k].differential()) {
      state.s[k] = u;
      continue;
    }
    state.sdot[k] = u;
    aux_[coordinates + k] = (1 + alpha) * u - alpha * begin_.sdot[k];
    state.s[k] = begin_.s[k] +
                 h * ((1 - gamma_) * aux_begin_[coordinates + k] + gamma_ * aux_[coordinates + k]);
  }
}

void Hht::compute_residual(State& state, const Coefficients& c) {
  assembler_.evaluate(state, 4);
  assembler_.residual(state, c, residual_);
  ++counters_.evaluations;
}

void Hht::refresh_jacobian(State& state, const Coefficients& c) {
  assembler_.tangent(state, c, matrix_);
  const SolveReport report = system_.set_matrix(matrix_.data());
  ++counters_.jacobians;
  if (!report.ok())
    fail(ExitCode::solver,
         "the system matrix is singular at time {:.9g}: equation {}, variable {}, relative pivot {:.3g}", state.t,
         model_.equation_name(report.row), model_.unknown_name(report.column), report.pivot);
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

bool Hht::correct(State& state, double h) {
  const Coefficients c = coefficients(h);
  jacobian_fresh_ = false;
  const bool only_after_failure = options_.pattern == "F:F";
  if (jacobian_age_ > jacobian_life_ && !only_after_failure) {
    jacobian_valid_ = false;
    if (++calm_lives_ >= calm_lives_wanted) {
      jacobian_life_ = 2 * jacobian_life_ + 1;
      calm_lives_ = 0;
    }
  }
  if (h > 2 * jacobian_h_ || h < 0.5 * jacobian_h_) jacobian_valid_ = false;
  double previous = 0;
  lambda_scale_ = 0;
  for (double l : begin_.lambda) lambda_scale_ = std::max(lambda_scale_, std::abs(l));
  for (iterations_ = 1; iterations_ <= options_.maxit; ++iterations_) {
    compute_residual(state, c);
    if (options_.form == HhtForm::equation_10) {
      // (1/(1+α)) (M q̈)_{n+1} + Q̂_{n+1} − α/(1+α) Q̂_n
      assembler_.mass_times_acceleration(state, mass_acceleration_);
      const double alpha = options_.alpha;
      for (int i = 0; i < model_.coordinates; ++i)
        residual_[i] += (-alpha / (1 + alpha)) * (internal_begin_[i] - mass_acceleration_[i]);
    }
    rounding_limited_ = iterations_ > 1 && constraint_rounding_units(c) <= 10 * rounding_units;
    const bool stalled = iterations_ > 2 && jacobian_fresh_ && record_.convergence_rate > 0.5;
    if (iterations_ > 1 && solved_to_rounding(c, stalled ? stalled_force_units : force_units)) {
      rounding_step_ = std::max(rounding_step_, h);
      return true;
    }
    const std::string& pattern = options_.pattern;  // "T:F:F" repeats when exhausted
    const bool full_newton = pattern[2 * (iterations_ - 1) % (pattern.size() + 1)] == 'T';
    const bool too_slow = !jacobian_fresh_ && !only_after_failure && iterations_ > patience && last_rate_ > 0.5 * slow_rate;
    const bool fresh_now = !jacobian_valid_ || full_newton || too_slow;
    if (fresh_now) {
      refresh_jacobian(state, c);
      jacobian_h_ = h;
    }
    record_.residual = 0;
    for (int i = 0; i < model_.unknowns(); ++i)
      if (std::abs(residual_[i]) > record_.residual) {
        record_.residual = std::abs(residual_[i]);
        record_.equation = i;
      }
    for (double& r : residual_) r = -r;
    const SolveReport report = system_.solve(residual_.data(), correction_.data());
    ++counters_.iterations;
    if (!report.ok()) return false;
    apply(state, h);
    const double measure = correction_measure(state, h);
    record_.iteration = iterations_;
    record_.new_jacobian = fresh_now;
    if (!std::isfinite(measure)) return false;
    // The first iteration with another matrix says nothing of the rate with this one.
    double rate = iterations_ > 1 && previous > 0 && !fresh_now ? measure / previous : -1;
    record_.convergence_rate = rate;
    if (on_iteration) on_iteration(record_);
    if (measure <= negligible) return true;
    if (previous == 0 && last_rate_ > 0 && !fresh_now) rate = std::max(2 * last_rate_, 0.02);
    if (rate >= 0) {
      if (previous > 0) last_rate_ = rate;
      if (rate < 1 && measure * rate / (1 - rate) <= 1) {
        const bool slow = (previous > 0 && rate > slow_rate) || iterations_ > patience;
        if (slow && !jacobian_fresh_ && !only_after_failure) jacobian_trouble();
        return true;
      }
      if (previous > 0 && rate >= 1 && !(jacobian_fresh_ && iterations_ == 2 && rounding_limited_)) return false;
    }
    previous = measure;
  }
  return false;
}

/// Largest constraint residual in units of rounding, u·size/(βh²).
double Hht::constraint_rounding_units(const Coefficients& c) const {
  double largest = 0;
  for (int i = model_.coordinates; i < model_.first_scalar(); ++i) largest = std::max(largest, std::abs(residual_[i]));
  return largest * c.c / (unit_roundoff * std::max(1.0, size_));
}

/// Adds the correction Δ: δq̈ = Δ/(1+α), δq̇ = γhΔ, δq = βh²Δ; scalars alike; λ and algebraic directly.
void Hht::apply(State& state, double h) {
  const Coefficients c = coefficients(h);
  const bool second_order = options_.form == HhtForm::second_order;
  const double da = second_order ? c.a : 1.0;
  for (int i = 0; i < model_.coordinates; ++i) {
    const double d = correction_[i];
    aux_[i] += d;
    state.a[i] += da * d;
    state.v[i] += c.b * d;
    state.q[i] += c.c * d;
  }
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
  double sum = 0;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const Body& body = model_.bodies[b];
    for (int k = 0; k < 3; ++k) {
      const double d = x[body.first + k] / weight_[body.first + k];
      sum += d * d;
    }
    if (body.point_mass) continue;
    const double* e = x + body.first + 3;
    const Vec3d turn = assembler_.kinematics().body(static_cast<int>(b)).H * Vec3d{e[0], e[1], e[2]};
    sum += dot(turn, turn);
  }
  return std::sqrt(sum);
}

/// True when the equations are solved to rounding: |φ| ≤ 10 u·size in every row and force residuals at
/// the rounding of the largest force. Φ/(βh²) amplifies rounding, so at small steps (and near singular
/// positions) corrections stop getting smaller there, and a rate above one is no divergence.
bool Hht::solved_to_rounding(const Coefficients& c, double units) {
  if (model_.multipliers == 0) return false;
  double force = lambda_scale_;
  for (const Body& b : model_.bodies)
    for (int k = 0; k < 3; ++k) force = std::max(force, std::abs(b.mass * begin_.a[b.first + k]));
  const double force_limit = units * unit_roundoff * force * std::max(1.0, size_);
  for (int i = 0; i < model_.coordinates; ++i)
    if (std::abs(residual_[i]) > force_limit) return false;
  if (constraint_rounding_units(c) > rounding_units) return false;
  for (int i = model_.first_scalar(); i < model_.unknowns(); ++i)
    if (std::abs(residual_[i]) > units * unit_roundoff * std::max(1.0, std::abs(begin_.s[i - model_.first_scalar()]))) return false;
  return true;
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
  const double allowed = corrector_fraction * options_.error;
  const double algebraic = algebraic_fraction * std::cbrt(options_.error * options_.error);
  if (coordinates > 0) {
    const double scale = error_constant_ * h * h / (std::sqrt(double(coordinates)) * allowed);
    measure = scale * coordinate_norm(correction_.data());
    for (const Body& b : model_.bodies)
      for (int k = 0; k < b.unknowns(); ++k) note(b.first + k, std::abs(correction_[b.first + k]));
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

void Hht::estimate_error(const State& state, double h) {
  const int coordinates = model_.coordinates;
  for (int i = 0; i < coordinates; ++i) delta_[i] = error_constant_ * h * h * (aux_[i] - aux_begin_[i]);
  const double e = coordinates > 0 ? coordinate_norm(delta_.data()) / std::sqrt(double(coordinates)) : 0;
  error_ratio_ = std::max(e, scalar_error(state, h)) / options_.error;
}

/// Local error of first-order states, (1/12 − α/2 − α²) h³ X⃛ with X⃛ from divided differences of Ẋ;
/// before there is a history, the larger first-order bound (γ − ½ + 1/12) h (Ẋ_{n+1} − Ẋ_n).
double Hht::scalar_error(const State& state, double h) const {
  if (differential_count_ == 0) return 0;
  const double alpha = options_.alpha, constant = 1.0 / 12 - alpha / 2 - alpha * alpha;
  double sum = 0;
  for (std::size_t k = 0; k < model_.scalars.size(); ++k) {
    if (!model_.scalars[k].differential()) continue;
    const double slope = (state.sdot[k] - begin_.sdot[k]) / h;
    double error = (gamma_ - 0.5 + 1.0 / 12) * h * h * slope;
    if (predictor_.points() > 1) {
      const double h0 = predictor_.time(0) - predictor_.time(1);
      const double before = (begin_.sdot[k] - predictor_.point(1)[model_.first_scalar() + k]) / h0;
      error = constant * h * h * h * 2 * (slope - before) / (h + h0);
    }
    const double d = error / std::max(1.0, std::abs(state.s[k]));
    sum += d * d;
  }
  return std::sqrt(sum / differential_count_);
}

StepResult Hht::finish(State& state, double h) {
  ++counters_.steps;
  ++jacobian_age_;
  aux_stored_ = aux_;
  h_last_ = h;
  // h_new = s h / Θ^{1/6} = s h / (e/ε)^{1/3} (Eq. 38b)
  double factor = error_ratio_ > 0 ? safety / std::cbrt(error_ratio_) : largest_growth;
  factor = std::clamp(factor, smallest_shrink, largest_growth);
  if (factor > 1 && factor < keep_step_below) factor = 1;
  next_h_ = h * factor;
  if (options_.hmax > 0) next_h_ = std::min(next_h_, options_.hmax);
  if (options_.fixed_step()) next_h_ = options_.hinit;
  order_limit_ = std::min(order_limit_ + 1, options_.predictor_order);
  update_weights(state);
  assembler_.current_angles(state, state.angle);
  assembler_.tapes().accept(assembler_.reads(), state);
  push_history(state);
  rebase_where_needed(state);
  return {state.t, h, next_h_, error_ratio_, iterations_};
}

void Hht::rebase_where_needed(State& state) {
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    if (!needs_rebase(model_.bodies[b], state)) continue;
    CoordinatePoint history[5];
    int points = 0;
    for (; points < predictor_.points(); ++points)
      history[points] = {history_q_.point(points), history_v_.point(points), predictor_.point(points)};
    history[points++] = {begin_.q.data(), begin_.v.data(), begin_.a.data()};
    rebase(model_, static_cast<int>(b), state, {history, static_cast<std::size_t>(points)}, aux_stored_.data());
    jacobian_valid_ = false;
    ++counters_.rebases;
  }
}

}  // namespace trammel
