#include "integrate/hht.h"

#include <algorithm>
#include <cmath>

#include "integrate/orientation.h"

namespace trammel {

namespace {

constexpr double safety = 0.9;  // Eq. 38b
constexpr double largest_growth = 2.0, smallest_shrink = 0.2, failure_shrink = 0.25;
constexpr double smallest_change = 0.9;                // a step that has to shrink does so for several steps
constexpr double miss_weight = 0.3;                    // of the last step in the misses of the predictor
constexpr double clearly_better = 0.8;                 // of its misses: another order is taken
constexpr double rounding_memory = 0.8;                // of what rounding left in the positions, per step
constexpr double keep_above = 0.95, keep_below = 1.1;  // h is kept where it would change by less

}  // namespace

HhtCounters& HhtCounters::operator+=(const HhtCounters& c) {
  steps += c.steps;
  rejected_error += c.rejected_error;
  rejected_corrector += c.rejected_corrector;
  evaluations += c.evaluations;
  iterations += c.iterations;
  jacobians += c.jacobians;
  rebases += c.rebases;
  rounding += c.rounding;
  return *this;
}

Hht::Hht(const Model& model, Assembler& assembler, GuardedSystem& system, const HhtOptions& options)
    : model_(model),
      assembler_(assembler),
      system_(system),
      parallel_(assembler.parallel()),
      options_(options) {
  const double alpha = options.alpha;
  gamma_ = 0.5 - alpha;
  beta_ = (1 - alpha) * (1 - alpha) / 4;
  error_constant_ = options.form == HhtForm::second_order ? std::abs(beta_ + alpha / 2 - 1.0 / 6)
                                                          : std::abs(beta_ - 1 / (6 * (1 + alpha)));
  // Rounding in positions η is white noise that constrained directions pass on with the double root −ρ of the
  // method, ρ = (1+α)/(1−α): βh²(a_{n+1} − a_n) is about 3 η/(1 − ρ)², three times that seldom.
  if (model.multipliers > 0) rounding_gain_ = 4 * std::pow(1 + (1 - alpha) / std::max(-2 * alpha, 0.05), 2);
  const int n = model.unknowns(), coordinates = model.coordinates;
  residual_.resize(n);
  correction_.resize(n);
  matrix_.resize(assembler.pattern().nonzeros());
  for (auto* v : {&aux_, &aux_begin_, &aux_stored_}) v->resize(coordinates + model.scalars.size());
  weight_.assign(coordinates, 1.0);
  delta_.resize(coordinates);
  velocity_begin_.resize(coordinates);
  for (auto* v : {&impulse_, &impulse_forces_}) v->resize(coordinates);
  for (auto* v : {&impulse_rows_, &rows_}) v->resize(model.multipliers);
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
  order_limit_ = best_order_ = options_.predictor_order;
  predictor_miss_ = {};
  jacobian_valid_ = false;
  last_rate_ = -1;
  rounding_error_ = 0;
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
  for (int b = 0; b < assembler_.kinematics().bodies(); ++b) {
    const int first = assembler_.kinematics().place(b).first;
    for (int k = first; k < first + 3; ++k) {
      const double distance = std::abs(state.q[k]);
      size_ = std::max(size_, distance);
      weight_[k] = std::max(weight_[k], distance);
    }
  }
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

/// Which order would have predicted best, of late: rounding and constraint forces that alternate from step
/// to step grow by up to 2^{k+1} − 1 in an extrapolation of order k.
void Hht::review_predictor(const State& state, double h) {
  if (model_.coordinates == 0 || predictor_.points() < 4) return;
  std::array<double, 4> coordinates{}, multipliers{};
  predictor_.add_misses(state.t, 0, state.a, coordinates);
  predictor_.add_misses(state.t, model_.coordinates, state.lambda, multipliers);
  const double position_unit = corrector_unit() / (error_constant_ * h * h);
  const double lambda_unit = lambda_scale_ * algebraic_unit();
  for (int k = 1; k <= options_.predictor_order; ++k) {
    double miss = std::sqrt(coordinates[k] / model_.coordinates) / position_unit;
    if (lambda_unit > 0) miss = std::max(miss, std::sqrt(multipliers[k] / model_.multipliers) / lambda_unit);
    predictor_miss_[k] += miss_weight * (miss - predictor_miss_[k]);
    if (predictor_miss_[k] < clearly_better * predictor_miss_[best_order_]) best_order_ = k;
  }
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
      calm_steps_ = 0;
      // Rounding in Φ/(βh²) defeats the corrector at (nearly) singular positions, and smaller steps make
      // that worse: end the step a little before or behind such a place.
      constexpr double detours[] = {1.6, 0.7, 2.3, 0.45};
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
  std::string text =
      fmt::format("the corrector cannot go on from time {:.9g}: step {:.3g} is below HMIN = {:.3g}.", state.t,
                  h, options_.hmin);
  if (record_.equation >= 0)
    text += fmt::format(" Largest residual {:.3g} in {}; largest correction {:.3g} in {} (iteration {}).",
                        record_.residual, model_.equation_name(record_.equation), record_.correction,
                        model_.unknown_name(record_.unknown), record_.iteration);
  text += " Look for a discontinuity or a singular position there, or loosen ERROR.";
  throw Failure(ExitCode::solver, text);
}

Hht::Attempt Hht::attempt(State& state, double h, bool control_error) {
  const int coordinates = model_.coordinates;
  if (begin_.t + h == begin_.t)
    fail(ExitCode::solver, "a step of {:.3g} does not advance the time {:.9g}: HMAX or HINIT is too small", h,
         begin_.t);
  jacobian_fresh_ = rounding_limited_ = false;
  change_step(state, h);
  if (options_.form == HhtForm::equation_10) {  // Q̂_n = R_n − (M q̈)_n
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
  predictor_.predict(state.t, rounding_error_ > 1 ? 1 : std::min(order_limit_, best_order_),
                     correction_.data());
  const double alpha = options_.alpha;
  const bool second_order = options_.form == HhtForm::second_order;
  const int coordinates = model_.coordinates;
  parallel_(coordinates, coordinates_per_thread, [&](int begin, int end, int) {
    for (int i = begin; i < end; ++i) {
      state.a[i] = correction_[i];
      aux_[i] = second_order ? (1 + alpha) * state.a[i] - alpha * begin_.a[i] : state.a[i];
      state.q[i] =
          begin_.q[i] + h * velocity_begin_[i] + h * h * ((0.5 - beta_) * aux_begin_[i] + beta_ * aux_[i]);
      state.v[i] = velocity_begin_[i] + h * ((1 - gamma_) * aux_begin_[i] + gamma_ * aux_[i]);
    }
  });
  for (int k = 0; k < model_.multipliers; ++k) state.lambda[k] = correction_[coordinates + k];
  for (std::size_t k = 0; k < model_.scalars.size(); ++k) {
    const double u = correction_[model_.first_scalar() + k];
    if (!model_.scalars[k].differential()) {
      state.s[k] = u;
      continue;
    }
    state.sdot[k] = u;
    aux_[coordinates + k] = (1 + alpha) * u - alpha * begin_.sdot[k];
    state.s[k] =
        begin_.s[k] + h * ((1 - gamma_) * aux_begin_[coordinates + k] + gamma_ * aux_[coordinates + k]);
  }
}

void Hht::estimate_error(const State& state, double h) {
  const int coordinates = model_.coordinates;
  // The first step starts from a_0 = q̈_0: a_1 − a_0 = (1+α) h q⃛ and δ = (β(1+α) − 1/6) h³ q⃛.
  const double alpha = options_.alpha;
  const bool first = predictor_.points() == 1 && options_.form == HhtForm::second_order;
  const double constant = first ? std::abs(beta_ * (1 + alpha) - 1.0 / 6) / (1 + alpha) : error_constant_;
  for (int i = 0; i < coordinates; ++i) delta_[i] = constant * h * h * (aux_[i] - aux_begin_[i]);
  const double e = coordinates > 0 ? coordinate_norm(delta_.data()) / std::sqrt(double(coordinates)) : 0;
  error_ratio_ = std::max(e, scalar_error(state, h)) / options_.error;
  // Smaller steps do not mend what rounding does to a_{n+1} and, h'² to h², to a_n: they make it worse.
  const double growth = h_last_ > 0 ? std::max(1.0, h / h_last_) : 1.0;
  const double rounding = rounding_gain_ * rounding_error_ * growth * growth;
  beyond_rounding_ = rounding > 1 && error_ratio_ > 1;
  if (rounding > 1) error_ratio_ /= rounding;
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
  counters_.rounding += beyond_rounding_;
  rounding_error_ *= rounding_memory;
  ++jacobian_age_;
  ++calm_steps_;
  aux_stored_ = aux_;
  h_last_ = h;
  // h_new = s h / Θ^{1/6} = s h / (e/ε)^{1/3} (Eq. 38b)
  double factor = error_ratio_ > 0 ? safety / std::cbrt(error_ratio_) : largest_growth;
  factor = std::clamp(factor, smallest_shrink, largest_growth);
  if (factor > keep_above && factor < keep_below) factor = 1;
  if (factor < 1) factor = std::min(factor, smallest_change);
  next_h_ = h * factor;
  if (options_.hmax > 0) next_h_ = std::min(next_h_, options_.hmax);
  if (options_.fixed_step()) next_h_ = options_.hinit;
  order_limit_ = std::min(order_limit_ + 1, options_.predictor_order);
  update_weights(state);
  assembler_.current_angles(state, state.angle);
  assembler_.tapes().accept(assembler_.reads(), state);
  review_predictor(state, h);
  push_history(state);
  rebase_where_needed(state);
  return {state.t, h, next_h_, error_ratio_, iterations_};
}

void Hht::rebase_where_needed(State& state) {
  for (int b = 0; b < assembler_.kinematics().bodies(); ++b) {
    if (!needs_rebase(assembler_.kinematics().place(b), state)) continue;
    CoordinatePoint history[5];
    int points = 0;
    for (; points < predictor_.points(); ++points)
      history[points] = {history_q_.point(points), history_v_.point(points), predictor_.point(points)};
    history[points++] = {begin_.q.data(), begin_.v.data(), begin_.a.data()};
    rebase(model_, b, state, {history, static_cast<std::size_t>(points)}, aux_stored_.data());
    jacobian_valid_ = false;
    ++counters_.rebases;
  }
}

}  // namespace trammel
