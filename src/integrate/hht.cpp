#include "integrate/hht.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
    : Hht(model, std::make_shared<HostEquations>(model, assembler, system), options) {}

Hht::Hht(const Model& model, std::shared_ptr<Equations> equations, const HhtOptions& options)
    : model_(model),
      equations_(std::move(equations)),
      run_(equations_->executor()),
      coordinates_(model.coordinates),
      multipliers_(model.multipliers),
      scalars_(model.scalar_count()),
      bodies_(static_cast<int>(model.bodies.size())),
      options_(options) {
  run_.forget_rooms();
  const double alpha = options.alpha;
  gamma_ = 0.5 - alpha;
  beta_ = (1 - alpha) * (1 - alpha) / 4;
  formulas_ = {alpha, beta_, gamma_, options.form == HhtForm::second_order};
  error_constant_ = formulas_.second_order ? std::abs(beta_ + alpha / 2 - 1.0 / 6)
                                           : std::abs(beta_ - 1 / (6 * (1 + alpha)));
  // Rounding in positions η is white noise that constrained directions pass on with the double root −ρ of the
  // method, ρ = (1+α)/(1−α): βh²(a_{n+1} − a_n) is about 3 η/(1 − ρ)², three times that seldom.
  if (multipliers_ > 0) rounding_gain_ = 4 * std::pow(1 + (1 - alpha) / std::max(-2 * alpha, 0.05), 2);
  const int n = model.unknowns();
  begin_ = {run_.room(coordinates_),
            run_.room(coordinates_),
            run_.room(coordinates_),
            run_.room(multipliers_),
            run_.room(scalars_),
            run_.room(scalars_),
            nullptr};
  for (double** v : {&aux_, &aux_begin_, &aux_stored_}) *v = run_.room(coordinates_ + scalars_);
  for (double** v : {&velocity_begin_, &impulse_, &impulse_forces_, &weight_, &delta_, &internal_begin_,
                     &mass_acceleration_})
    *v = run_.room(coordinates_);
  for (double** v : {&impulse_rows_, &rows_}) *v = run_.room(multipliers_);
  for (double** v : {&residual_, &correction_}) *v = run_.room(n);
  predictor_.resize(run_, n);
  history_q_.resize(run_, coordinates_);
  history_v_.resize(run_, coordinates_);
  for (const Marker& m : model.markers) size_ = std::max(size_, norm(m.s));
  for (const Scalar& s : model.scalars) differential_count_ += s.differential();
}

Coefficients Hht::coefficients(double h) const {
  const double inverse = 1 / (1 + options_.alpha);
  return {inverse, gamma_ * h, beta_ * h * h, gamma_ * h, inverse};
}

void Hht::start(State& state) {
  equations_->take(state);
  now_ = equations_->arrays(state);
  rebase_bodies(true);
  run_.copy(aux_stored_, now_.a, coordinates_);
  run_.copy(aux_stored_ + coordinates_, now_.sdot, scalars_);
  for (Predictor* p : {&predictor_, &history_q_, &history_v_}) p->clear();
  run_(FillValues{weight_, 1.0}, coordinates_);
  const auto farthest = run_.reduce(UpdateWeights{equations_->places(), now_.q, weight_}, bodies_);
  run_.collect();
  size_ = std::max(size_, farthest->at.value);
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

void Hht::copy_arrays(const StateArrays& to, const StateArrays& from) {
  run_.copy(to.q, from.q, coordinates_);
  run_.copy(to.v, from.v, coordinates_);
  run_.copy(to.a, from.a, coordinates_);
  run_.copy(to.lambda, from.lambda, multipliers_);
  run_.copy(to.s, from.s, scalars_);
  run_.copy(to.sdot, from.sdot, scalars_);
}

void Hht::save(const State& state) {
  begin_t_ = state.t;
  step_start_.t = std::numeric_limits<double>::quiet_NaN();
  copy_arrays(begin_, now_);
}

void Hht::restore(State& state) {
  state.t = begin_t_;
  copy_arrays(now_, begin_);
}

std::vector<double> Hht::error_estimate() const {
  std::vector<double> out(coordinates_);
  equations_->read(out.data(), delta_, out.size());
  return out;
}

const Hht::StepStart& Hht::step_start() {
  StepStart& out = step_start_;
  if (out.t == begin_t_) return out;
  out.t = begin_t_;
  const auto read = [this](std::vector<double>& here, const double* there, int n) {
    here.resize(n);
    equations_->read(here.data(), there, here.size());
  };
  read(out.q, begin_.q, coordinates_);
  read(out.v, begin_.v, coordinates_);
  read(out.a, begin_.a, coordinates_);
  read(out.lambda, begin_.lambda, multipliers_);
  read(out.s, begin_.s, scalars_);
  read(out.sdot, begin_.sdot, scalars_);
  return out;
}

void Hht::push_history(const State& state) {
  double* u = predictor_.push(state.t);
  run_.copy(u, now_.a, coordinates_);
  run_.copy(u + coordinates_, now_.lambda, multipliers_);
  run_(ScalarHistory{equations_->differential(), now_.s, now_.sdot, u + coordinates_ + multipliers_},
       scalars_);
  run_.copy(history_q_.push(state.t), now_.q, coordinates_);
  run_.copy(history_v_.push(state.t), now_.v, coordinates_);
}

/// Which order would have predicted best, of late: rounding and constraint forces that alternate from step
/// to step grow by up to 2^{k+1} − 1 in an extrapolation of order k.
void Hht::review_predictor(double t, double h) {
  if (coordinates_ == 0 || predictor_.points() < 4) return;
  const auto coordinates = run_.reduce(predictor_.misses(t, 0, now_.a), coordinates_);
  const auto multipliers = run_.reduce(predictor_.misses(t, coordinates_, now_.lambda), multipliers_);
  run_.collect();
  const double position_unit = corrector_unit() / (error_constant_ * h * h);
  const double lambda_unit = lambda_scale_ * algebraic_unit();
  for (int k = 1; k <= options_.predictor_order; ++k) {
    double miss = std::sqrt(coordinates->x[k] / coordinates_) / position_unit;
    if (lambda_unit > 0) miss = std::max(miss, std::sqrt(multipliers->x[k] / multipliers_) / lambda_unit);
    predictor_miss_[k] += miss_weight * (miss - predictor_miss_[k]);
    if (predictor_miss_[k] < clearly_better * predictor_miss_[best_order_]) best_order_ = k;
  }
}

StepResult Hht::step(State& state, double h_limit) {
  if (options_.fixed_step()) return step_exactly(state, std::min(h_limit, options_.hinit));
  double h = std::min(next_h_, h_limit);
  if (options_.hmax > 0) h = std::min(h, options_.hmax);
  now_ = equations_->arrays(state);
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
  now_ = equations_->arrays(state);
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
  if (begin_t_ + h == begin_t_)
    fail(ExitCode::solver, "a step of {:.3g} does not advance the time {:.9g}: HMAX or HINIT is too small", h,
         begin_t_);
  run_.collect();  // nothing, but after an exception
  jacobian_fresh_ = rounding_limited_ = false;
  change_step(state, h);
  if (options_.form == HhtForm::equation_10) {  // Q̂_n = R_n − (M q̈)_n
    compute_residual(state, {1, 0, 0, 0, 1});
    equations_->mass_times_acceleration(state, internal_begin_);
    run_(Difference{residual_, 1, internal_begin_}, coordinates_);
  }
  state.t = begin_t_ + h;
  predict(state.t, h);
  try {
    if (!correct(state, h)) return Attempt::not_converged;
  } catch (const Failure& failure) {
    if (failure.code() != ExitCode::solver) throw;
    // A function left its domain at a trial point: a smaller step may avoid it. At the smallest step the
    // message must be that of the function.
    if (h * failure_shrink < options_.hmin || !control_error) {
      restore(state);
      throw;
    }
    jacobian_fresh_ = true;
    return Attempt::not_converged;
  }
  estimate_error(h);
  return control_error && !(error_ratio_ <= 1) ? Attempt::error_too_large : Attempt::accepted;
}

void Hht::predict(double t, double h) {
  const Extrapolation past = predictor_.at(t, rounding_error_ > 1 ? 1 : std::min(order_limit_, best_order_));
  run_(PredictCoordinates{past, begin_.q, velocity_begin_, begin_.a, aux_begin_, now_.q, now_.v, now_.a, aux_,
                          h, formulas_},
       coordinates_);
  run_(PredictMultipliers{past, coordinates_, now_.lambda}, multipliers_);
  run_(PredictScalars{past, model_.first_scalar(), equations_->differential(), begin_.s, begin_.sdot,
                      aux_begin_ + coordinates_, now_.s, now_.sdot, aux_ + coordinates_, h, formulas_},
       scalars_);
}

void Hht::estimate_error(double h) {
  // The first step starts from a_0 = q̈_0: a_1 − a_0 = (1+α) h q⃛ and δ = (β(1+α) − 1/6) h³ q⃛.
  const double alpha = options_.alpha;
  const bool first = predictor_.points() == 1 && formulas_.second_order;
  const double constant = first ? std::abs(beta_ * (1 + alpha) - 1.0 / 6) / (1 + alpha) : error_constant_;
  run_.copy(delta_, aux_begin_, coordinates_);
  run_(Difference{aux_, constant * h * h, delta_}, coordinates_);
  const auto squares = squares_of(delta_);
  const auto scalar_squares = scalar_error_squares(h);
  run_.collect();
  const double e = coordinates_ > 0 ? std::sqrt(nonnegative(squares->x) / coordinates_) : 0;
  const double of_scalars = differential_count_ > 0 ? std::sqrt(scalar_squares->x / differential_count_) : 0;
  error_ratio_ = (of_scalars <= e ? e : of_scalars) / options_.error;  // NaN stays
  // Smaller steps do not mend what rounding does to a_{n+1} and, h'² to h², to a_n: they make it worse.
  const double growth = h_last_ > 0 ? std::max(1.0, h / h_last_) : 1.0;
  const double rounding = rounding_gain_ * rounding_error_ * growth * growth;
  beyond_rounding_ = rounding > 1 && error_ratio_ > 1;
  if (rounding > 1) error_ratio_ /= rounding;
}

Reduced<Total> Hht::scalar_error_squares(double h) {
  const double alpha = options_.alpha, constant = 1.0 / 12 - alpha / 2 - alpha * alpha;
  const bool past = predictor_.points() > 1;
  const double* before = past ? predictor_.point(1) + model_.first_scalar() : nullptr;
  const double h_before = past ? predictor_.time(0) - predictor_.time(1) : 0;
  return run_.reduce(ScalarError{equations_->differential(), now_.s, now_.sdot, begin_.sdot, before, h,
                                 h_before, gamma_ - 0.5 + 1.0 / 12, constant},
                     scalars_);
}

StepResult Hht::finish(State& state, double h) {
  ++counters_.steps;
  counters_.rounding += beyond_rounding_;
  rounding_error_ *= rounding_memory;
  ++jacobian_age_;
  ++calm_steps_;
  run_.copy(aux_stored_, aux_, coordinates_ + scalars_);
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
  const auto farthest = run_.reduce(UpdateWeights{equations_->places(), now_.q, weight_}, bodies_);
  run_.collect();
  size_ = std::max(size_, farthest->at.value);
  equations_->accept(state);
  review_predictor(state.t, h);
  push_history(state);
  rebase_bodies(false);
  return {state.t, h, next_h_, error_ratio_, iterations_};
}

/// Bodies whose angles ask for it, or all, with the history and what belongs to the present point.
void Hht::rebase_bodies(bool always) {
  RebaseBodies rebase{equations_->places(), now_.basis, {now_.q, now_.v, now_.a}, {}, 0, aux_stored_, always};
  if (always) {
    rebase.extra = nullptr;
  } else {
    for (; rebase.points < predictor_.points(); ++rebase.points)
      rebase.history[rebase.points] = {history_q_.point(rebase.points), history_v_.point(rebase.points),
                                       predictor_.point(rebase.points)};
    rebase.history[rebase.points++] = {begin_.q, begin_.v, begin_.a};
  }
  const auto changed = run_.reduce(rebase, bodies_);
  run_.collect();
  if (always || changed->x == 0) return;
  jacobian_valid_ = false;
  counters_.rebases += std::lround(changed->x);
}

}  // namespace trammel
