// HhtCore: attempts, the control of the step, histories. Included by integrate/hht_definitions.h.
#pragma once

#include "integrate/hht_core.h"

namespace trammel {

template <class Machine>
TRAMMEL_HD void HhtCore<Machine>::start() {
  rebase_bodies(true);
  run_.copy(aux_stored_, now_.a, n_.coordinates);
  run_.copy(aux_stored_ + n_.coordinates, now_.sdot, n_.scalars);
  for (Predictor* p : {&predictor_, &history_q_, &history_v_}) p->clear();
  run_(FillValues{weight_, 1.0}, n_.coordinates);
  update_size();
  push_history();
  save();
  h_last_ = error_ratio_ = 0;
  next_h_ = rules_.hinit;
  order_limit_ = best_order_ = rules_.predictor_order;
  for (double& miss : predictor_miss_) miss = 0;
  jacobian_valid_ = false;
  last_rate_ = -1;
  rounding_error_ = scalar_rounding_ = 0;
}

template <class Machine>
TRAMMEL_CALLED void HhtCore<Machine>::copy_arrays(const StateArrays& to, const StateArrays& from) {
  run_.copy(to.q, from.q, n_.coordinates);
  run_.copy(to.v, from.v, n_.coordinates);
  run_.copy(to.a, from.a, n_.coordinates);
  run_.copy(to.lambda, from.lambda, n_.multipliers);
  run_.copy(to.s, from.s, n_.scalars);
  run_.copy(to.sdot, from.sdot, n_.scalars);
}

template <class Machine>
TRAMMEL_HD void HhtCore<Machine>::save() {
  begin_t_ = t_;
  copy_arrays(begin_, now_);
}

template <class Machine>
TRAMMEL_HD void HhtCore<Machine>::restore() {
  t_ = begin_t_;
  copy_arrays(now_, begin_);
}

template <class Machine>
TRAMMEL_CALLED void HhtCore<Machine>::push_history() {
  double* u = predictor_.push(t_);
  run_.copy(u, now_.a, n_.coordinates);
  run_.copy(u + n_.coordinates, now_.lambda, n_.multipliers);
  run_(ScalarHistory{run_.differential(), now_.s, now_.sdot, u + n_.first_scalar()}, n_.scalars);
  run_.copy(history_q_.push(t_), now_.q, n_.coordinates);
  run_.copy(history_v_.push(t_), now_.v, n_.coordinates);
}

/// Which order would have predicted best, of late: rounding and constraint forces that alternate from step
/// to step grow by up to 2^{k+1} − 1 in an extrapolation of order k.
template <class Machine>
TRAMMEL_CALLED void HhtCore<Machine>::review_predictor(double h) {
  constexpr double miss_weight = 0.3;     // of the last step in the misses of the predictor
  constexpr double clearly_better = 0.8;  // of its misses: another order is taken
  if (n_.coordinates == 0 || predictor_.points() < 4) return;
  const auto coordinates = run_.reduce(predictor_.misses(t_, 0, now_.a), n_.coordinates);
  const auto multipliers = run_.reduce(predictor_.misses(t_, n_.coordinates, now_.lambda), n_.multipliers);
  run_.collect();
  const double position_unit = corrector_unit() / (rules_.error_constant * h * h);
  const double lambda_unit = lambda_scale_ * algebraic_unit();
  for (int k = 1; k <= rules_.predictor_order; ++k) {
    double miss = std::sqrt(coordinates->x[k] / n_.coordinates) / position_unit;
    if (lambda_unit > 0) miss = most(miss, std::sqrt(multipliers->x[k] / n_.multipliers) / lambda_unit);
    predictor_miss_[k] += miss_weight * (miss - predictor_miss_[k]);
    if (predictor_miss_[k] < clearly_better * predictor_miss_[best_order_]) best_order_ = k;
  }
}

template <class Machine>
TRAMMEL_HD StepEnd HhtCore<Machine>::step(double h_limit, double h_most) {
  if (rules_.fixed_step) return step_exactly(least(h_limit, longest_fixed_step(rules_.hinit)));
  double h = least(next_h_, h_limit);
  if (rules_.hmax > 0) h = least(h, rules_.hmax);
  save();
  const double first_h = h;
  int detour = 0;
  // Rounding in Φ/(βh²) can defeat every step below some size, where a model starts at a singular position or
  // HINIT is small: then steps longer than asked for are tried.
  bool lengthening = false;
  double shortest = 0;  // that failed, for the message
  const auto give_up = [&] {
    failed_h_ = shortest;
    return StepEnd::gave_up;
  };
  while (true) {
    const Attempt result = attempt(h, true);
    if (result == Attempt::accepted) {
      finish(h);
      return StepEnd::accepted;
    }
    restore();
    if (result == Attempt::stopped) return end_;
    if (result == Attempt::error_too_large) {
      ++counters_.rejected_error;
      if (lengthening) return give_up();
      constexpr double safety = 0.9, smallest_shrink = 0.2;  // Eq. 38b
      h *= limited(safety / std::cbrt(error_ratio_), smallest_shrink, 0.9);
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
      h = lengthening ? h / failure_shrink : least(h, first_h) * failure_shrink;
      order_limit_ = 1;
    }
    if (t_ + h == t_) {
      failed_h_ = h;
      return StepEnd::no_advance;
    }
    if (h < rules_.hmin && !lengthening) {
      shortest = h;
      lengthening = true;
      h = first_h / failure_shrink;
    }
    if (lengthening && h > h_most) return give_up();
  }
}

template <class Machine>
TRAMMEL_HD StepEnd HhtCore<Machine>::step_exactly(double h) {
  save();
  Attempt result = attempt(h, false);
  if (result == Attempt::not_converged) {
    restore();
    ++counters_.rejected_corrector;
    jacobian_valid_ = false;
    result = attempt(h, false);
  }
  if (result == Attempt::stopped || result == Attempt::not_converged) restore();
  if (result == Attempt::stopped) return end_;
  if (result == Attempt::not_converged) {
    failed_h_ = h;
    return StepEnd::gave_up;
  }
  finish(h);
  return StepEnd::accepted;
}

template <class Machine>
TRAMMEL_CALLED auto HhtCore<Machine>::attempt(double h, bool control_error) -> Attempt {
  end_ = StepEnd::accepted;
  failed_h_ = h;
  if (begin_t_ + h == begin_t_) {
    end_ = StepEnd::no_advance;
    return Attempt::stopped;
  }
  run_.collect();  // nothing, but after an exception
  jacobian_fresh_ = rounding_limited_ = false;
  change_step(h);
  if (end_ == StepEnd::refused) return Attempt::stopped;
  if (!rules_.formulas.second_order) {  // Q̂_n = R_n − (M q̈)_n
    if (!compute_residual(Coefficients::of_accelerations())) return Attempt::stopped;
    if (!run_.mass_times_acceleration(internal_begin_)) {
      end_ = StepEnd::no_value;
      return Attempt::stopped;
    }
    run_(Difference{residual_, 1, internal_begin_}, n_.coordinates);
  }
  t_ = begin_t_ + h;
  predict(h);
  const bool converged = correct(h);
  if (end_ == StepEnd::refused) return Attempt::stopped;
  if (end_ != StepEnd::accepted) {
    // A function left its domain at a trial point: a smaller step may avoid it. At the smallest step the
    // message must be that of the function.
    if (h * failure_shrink < rules_.hmin || !control_error) return Attempt::stopped;
    jacobian_fresh_ = true;
    return Attempt::not_converged;
  }
  if (!converged) return Attempt::not_converged;
  estimate_error(h);
  return control_error && !(error_ratio_ <= 1) ? Attempt::error_too_large : Attempt::accepted;
}

template <class Machine>
TRAMMEL_CALLED void HhtCore<Machine>::predict(double h) {
  const HhtFormulas f = formulas();
  const int order = rounding_error_ > 1 ? 1 : order_limit_ < best_order_ ? order_limit_ : best_order_;
  const Extrapolation past = predictor_.at(t_, order);
  run_(PredictCoordinates{past, begin_.q, velocity_begin_, begin_.a, aux_begin_, now_.q, now_.v, now_.a, aux_,
                          h, f},
       n_.coordinates);
  run_(PredictMultipliers{past, n_.coordinates, now_.lambda}, n_.multipliers);
  run_(PredictScalars{past, n_.first_scalar(), run_.differential(), begin_.s, begin_.sdot,
                      aux_begin_ + n_.coordinates, now_.s, now_.sdot, aux_ + n_.coordinates, h, f},
       n_.scalars);
}

template <class Machine>
TRAMMEL_CALLED void HhtCore<Machine>::estimate_error(double h) {
  // The first step starts from a_0 = q̈_0: a_1 − a_0 = (1+α) h q⃛ and δ = (β(1+α) − 1/6) h³ q⃛.
  const HhtFormulas& f = rules_.formulas;
  const bool first = predictor_.points() == 1;
  const double constant = first && f.second_order
                              ? std::fabs(f.beta * (1 + f.alpha) - 1.0 / 6) / (1 + f.alpha)
                              : rules_.error_constant;
  run_.copy(delta_, aux_begin_, n_.coordinates);
  run_(Difference{aux_, constant * h * h, delta_}, n_.coordinates);
  const auto squares = squares_of(delta_);
  const auto scalar_squares = scalar_error_squares(h);
  run_.collect();
  // For states the first step has a bound of order h² only: it may be what all steps together leave.
  const double scalar_error = first ? std::cbrt(rules_.error * rules_.error) : rules_.error;
  const double e =
      n_.coordinates > 0 ? std::sqrt(nonnegative(squares->x) / n_.coordinates) / rules_.error : 0;
  double of_scalars = n_.differential > 0 ? std::sqrt(scalar_squares->x / n_.differential) / scalar_error : 0;
  beyond_rounding_ = false;
  const double rounding_of_states = of_scalars > 1 ? rounding_in_scalars(h) : 0;
  if (rounding_of_states > 1) {
    // Up to this many times rounding is let pass, so that steps grow again out of where it is all there is.
    constexpr double most_let_pass = 10;
    beyond_rounding_ = true;
    of_scalars /= rounding_of_states * least(rounding_of_states, most_let_pass);
  }
  error_ratio_ = of_scalars <= e ? e : of_scalars;  // NaN stays
  // Nor what it does to a_{n+1} and, h'² to h², to a_n.
  const double growth = h_last_ > 0 ? most(1.0, h / h_last_) : 1.0;
  const double rounding = rules_.rounding_gain * rounding_error_ * growth * growth;
  if (rounding > 1) {
    beyond_rounding_ = beyond_rounding_ || error_ratio_ > 1;
    error_ratio_ /= rounding;
  }
}

/// What rounding does to the error estimate of states, in units of ERROR: their rates may read reactions, of
/// which rounding leaves more the smaller the step is, 1/h². Smaller steps do not mend that.
template <class Machine>
TRAMMEL_CALLED double HhtCore<Machine>::rounding_in_scalars(double h) {
  // C h (Ẋ_{n+1} − 2 Ẋ_n + Ẋ_{n−1}) with rates that are wrong by r each is at most 4 C h r; a correction
  // makes γ h r. Of the last correction C/γ of it is too little: it left more before it became so small.
  constexpr double of_differences = 4;
  const double alpha = rules_.formulas.alpha, constant = 1.0 / 12 - alpha / 2 - alpha * alpha;
  return of_differences * most(scalar_rounding_, constant / rules_.formulas.gamma * rounding_of_positions(h));
}

template <class Machine>
TRAMMEL_HD auto HhtCore<Machine>::scalar_error_squares(double h) {
  const double alpha = rules_.formulas.alpha, constant = 1.0 / 12 - alpha / 2 - alpha * alpha;
  const bool past = predictor_.points() > 1;
  const double* before = past ? predictor_.point(1) + n_.first_scalar() : nullptr;
  const double h_before = past ? predictor_.time(0) - predictor_.time(1) : 0;
  return run_.reduce(ScalarError{run_.differential(), now_.s, now_.sdot, begin_.sdot, before, h, h_before,
                                 rules_.formulas.gamma - 0.5 + 1.0 / 12, constant},
                     n_.scalars);
}

/// h_new = s h / Θ^{1/6} = s h / (e/ε)^{1/3} (Eq. 38b)
template <class Machine>
TRAMMEL_HD void HhtCore<Machine>::next_step(double h) {
  constexpr double safety = 0.9, largest_growth = 2.0, smallest_shrink = 0.2;
  constexpr double smallest_change = 0.9;  // a step that has to shrink does so for several steps
  constexpr double keep_above = 0.95, keep_below = 1.1;  // h is kept where it would change by less
  double factor = error_ratio_ > 0 ? safety / std::cbrt(error_ratio_) : largest_growth;
  factor = limited(factor, smallest_shrink, largest_growth);
  if (factor > keep_above && factor < keep_below) factor = 1;
  if (factor < 1) factor = least(factor, smallest_change);
  next_h_ = h * factor;
  if (rules_.hmax > 0) next_h_ = least(next_h_, rules_.hmax);
  if (rules_.fixed_step) next_h_ = rules_.hinit;
}

template <class Machine>
TRAMMEL_CALLED void HhtCore<Machine>::finish(double h) {
  constexpr double rounding_memory = 0.8;  // of what rounding left in the positions, per step
  ++counters_.steps;
  counters_.rounding += beyond_rounding_;
  rounding_error_ *= rounding_memory;
  scalar_rounding_ *= rounding_memory;
  ++jacobian_age_;
  ++calm_steps_;
  run_.copy(aux_stored_, aux_, n_.coordinates + n_.scalars);
  h_last_ = h;
  next_step(h);
  if (order_limit_ < rules_.predictor_order) ++order_limit_;
  update_size();
  run_.accept(t_);
  review_predictor(h);
  push_history();
  rebase_bodies(false);
  result_ = {t_, h, next_h_, error_ratio_, iterations_};
}

template <class Machine>
TRAMMEL_HD void HhtCore<Machine>::update_size() {
  const auto farthest = run_.reduce(UpdateWeights{run_.places(), now_.q, weight_}, n_.bodies);
  run_.collect();
  size_ = most(size_, farthest->at.value);
}

/// Bodies whose angles ask for it, or all, with the history and what belongs to the present point.
template <class Machine>
TRAMMEL_CALLED void HhtCore<Machine>::rebase_bodies(bool always) {
  RebaseBodies rebase{run_.places(), now_.basis, {now_.q, now_.v, now_.a}, {}, 0, aux_stored_, always};
  if (always) {
    rebase.extra = nullptr;
  } else {
    for (; rebase.points < predictor_.points(); ++rebase.points)
      rebase.history[rebase.points] = {history_q_.point(rebase.points), history_v_.point(rebase.points),
                                       predictor_.point(rebase.points)};
    rebase.history[rebase.points++] = {begin_.q, begin_.v, begin_.a};
  }
  const auto changed = run_.reduce(rebase, n_.bodies);
  run_.collect();
  if (always || changed->x == 0) return;
  jacobian_valid_ = false;
  counters_.rebases += static_cast<long>(changed->x);
}

}  // namespace trammel
