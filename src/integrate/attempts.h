// StepCore: attempts at a step, step sizes, the history. Included by integrate/step_definitions.h.
#pragma once

#include "integrate/step_core.h"

namespace trammel {

template <class Method, class Machine>
TRAMMEL_HD void StepCore<Method, Machine>::start() {
  // Nothing is stored yet.
  run.reduce(
      RebaseBodies<NothingStored>{
          run.places(), motion.now.basis, {motion.now.q, motion.now.v, motion.now.a}, {}, 0, {}, true},
      n.bodies);
  run.collect();
  method.start(*this);
  history.begin(rules.predictor_order);
  run(FillValues{motion.weight, 1.0}, n.coordinates);
  const auto farthest = measure_size();
  run.collect();
  rounding.grow(farthest->x[0], farthest->x[1]);
  rounding.path = 0;
  push_history();
  save();
  control.last_h = control.error_ratio = 0;
  control.rebased = false;
  control.next_h = rules.hinit;
  jacobian.valid = false;
  jacobian.rate = -1;
  rounding.positions = rounding.scalars = 0;
}

template <class Method, class Machine>
TRAMMEL_CALLED void StepCore<Method, Machine>::copy_arrays(const StateArrays& to, const StateArrays& from) {
  run.copy(to.q, from.q, n.coordinates);
  run.copy(to.v, from.v, n.coordinates);
  run.copy(to.a, from.a, n.coordinates);
  run.copy(to.lambda, from.lambda, n.multipliers);
  run.copy(to.s, from.s, n.scalars);
  run.copy(to.sdot, from.sdot, n.scalars);
}

template <class Method, class Machine>
TRAMMEL_HD void StepCore<Method, Machine>::save() {
  motion.begin_t = motion.t;
  copy_arrays(motion.begin, motion.now);
}

template <class Method, class Machine>
TRAMMEL_HD void StepCore<Method, Machine>::restore() {
  motion.t = motion.begin_t;
  copy_arrays(motion.now, motion.begin);
}

template <class Method, class Machine>
TRAMMEL_CALLED void StepCore<Method, Machine>::push_history() {
  double* u = history.unknowns.push(motion.t);
  run.copy(u, motion.now.a, n.coordinates);
  run.copy(u + n.coordinates, motion.now.lambda, n.multipliers);
  run(ScalarHistory{run.differential(), motion.now.s, motion.now.sdot, u + n.first_scalar()}, n.scalars);
  run.copy(history.q.push(motion.t), motion.now.q, n.coordinates);
  run.copy(history.v.push(motion.t), motion.now.v, n.coordinates);
}

/// Updates the mean miss of each predictor order. The order matters because rounding, and constraint forces
/// that alternate from step to step, grow by up to 2^{k+1} − 1 in an extrapolation of order k.
template <class Method, class Machine>
TRAMMEL_CALLED void StepCore<Method, Machine>::review_predictor(double h, const FourTotals& coordinates,
                                                                const FourTotals& multipliers) {
  const double position_unit = corrector_unit(h) / method.position_error(h);
  const double lambda_unit = corrector.lambda_scale * rules.algebraic_tolerance;
  for (int k = 1; k <= rules.predictor_order; ++k) {
    double miss = std::sqrt(coordinates.x[k] / n.coordinates) / position_unit;
    if (lambda_unit > 0) miss = most(miss, std::sqrt(multipliers.x[k] / n.multipliers) / lambda_unit);
    history.note_miss(k, miss);
  }
}

template <class Method, class Machine>
TRAMMEL_HD StepEnd StepCore<Method, Machine>::step(double h_limit, double left) {
  if (rules.fixed_step) return step_exactly(least(h_limit, longest_fixed_step(rules.hinit)));
  double h = step_within(control.next_h, h_limit, motion.t);
  if (rules.hmax > 0 && h > rules.hmax) h = step_within(rules.hmax, h, motion.t);
  save();
  const double first_h = h;
  int detour = 0;
  // Rounding in Φ/(βh²) can make every step below some size fail, when a model starts at a singular position
  // or HINIT is small: then steps longer than h_limit are tried.
  bool lengthening = false;
  const double longest = rules.hmax > 0 ? least(rules.hmax, left) : left;
  double shortest = 0;  // smallest step that failed, for the message
  const auto give_up = [&] {
    failure.h = shortest;
    return StepEnd::gave_up;
  };
  while (true) {
    const Attempt outcome = attempt(h, true);
    if (outcome == Attempt::accepted) {
      finish(h);
      return StepEnd::accepted;
    }
    restore();
    if (outcome == Attempt::stopped) return failure.end;
    if (outcome == Attempt::error_too_large || outcome == Attempt::leap) {
      ++counters.rejected_error;
      if (lengthening) return give_up();
      h = without_remainder(method.after_error(*this, h), left);
    } else {
      ++counters.rejected_corrector;
      if (!jacobian.fresh) {  // repeat the same step with a new Jacobian
        jacobian.shorten_life();
        continue;
      }
      control.steps_since_failure = 0;
      method.after_failure(*this);
      // Rounding in Φ/(βh²) makes the corrector fail at (nearly) singular positions, and smaller steps make
      // that worse: let the step end a little before or after such a position.
      constexpr double detours[] = {1.6, 0.7, 2.3, 0.45};
      while (rounding.limited && detour < 4 && detours[detour] * first_h > h_limit) ++detour;
      if (rounding.limited && detour < 4) {
        h = detours[detour++] * first_h;
        continue;
      }
      h = lengthening ? h / StepControl::failure_shrink : least(h, first_h) * StepControl::failure_shrink;
      history.order_limit = 1;
    }
    if (motion.t + h == motion.t) {
      failure.h = h;
      return StepEnd::no_advance;
    }
    if (h < rules.hmin && !lengthening) {
      shortest = h;
      failure.error = outcome == Attempt::error_too_large ? control.error_ratio : 0;
      lengthening = true;
      h = first_h / StepControl::failure_shrink;
    }
    if (lengthening && !(h <= longest && h < INFINITY)) return give_up();
  }
}

template <class Method, class Machine>
TRAMMEL_HD StepEnd StepCore<Method, Machine>::step_exactly(double h) {
  save();
  Attempt outcome = attempt(h, false);
  if (outcome == Attempt::not_converged) {
    restore();
    ++counters.rejected_corrector;
    jacobian.valid = false;
    outcome = attempt(h, false);
  }
  if (outcome == Attempt::stopped || outcome == Attempt::not_converged) restore();
  if (outcome == Attempt::stopped) return failure.end;
  if (outcome == Attempt::not_converged) {
    failure.h = h;
    return StepEnd::gave_up;
  }
  finish(h);
  return StepEnd::accepted;
}

template <class Method, class Machine>
TRAMMEL_CALLED auto StepCore<Method, Machine>::attempt(double h, bool control_error) -> Attempt {
  const Attempt outcome = try_step(h, control_error);
  if constexpr (Machine::observed)
    if (run.observer) tell(outcome, h);
  return outcome;
}

template <class Method, class Machine>
TRAMMEL_CALLED auto StepCore<Method, Machine>::try_step(double h, bool control_error) -> Attempt {
  failure.end = StepEnd::accepted;
  failure.h = h;
  if (motion.begin_t + h == motion.begin_t) {
    failure.end = StepEnd::no_advance;
    return Attempt::stopped;
  }
  run.collect();  // empty unless an exception ended the attempt before
  jacobian.fresh = rounding.limited = false;
  if (!method.begin_step(*this, h)) return Attempt::stopped;
  motion.t = motion.begin_t + h;
  method.predict(*this, history.unknowns.at(motion.t, rounding.positions > 1 ? 1 : history.order()), h);
  bool converged;
  if constexpr (Method::has_stages)
    converged = method.correct(*this, h);
  else
    converged = correct(h);
  if (failure.end == StepEnd::refused) return Attempt::stopped;
  if (failure.end != StepEnd::accepted) {
    // A function left its domain at a trial point: a smaller step may avoid that. At the smallest step the
    // function's own message is given.
    if (h * StepControl::failure_shrink < rules.hmin || !control_error) return Attempt::stopped;
    jacobian.fresh = true;
    return Attempt::not_converged;
  }
  if (!converged) return Attempt::not_converged;
  if constexpr (Method::has_stages)
    control.error_ratio = method.error_ratio(*this, h);
  else if (!corrector.error_known)
    estimate_error(h, control_error);
  if constexpr (!Method::has_stages)
    if (control_error && control.error_ratio > 1 && !rounding.beyond)
      control.error_ratio = method.error_passed_on(*this, control.error_ratio);
  if (control_error && !(control.error_ratio <= 1)) return Attempt::error_too_large;
  if constexpr (Machine::observed)
    if (control_error && run.leaps(motion.t, h, !Method::has_stages)) {
      constexpr double as_error = 32;  // the next attempt is a third to a half as long
      control.error_ratio = as_error;
      return Attempt::leap;
    }
  return Attempt::accepted;
}

template <class Method, class Machine>
TRAMMEL_CALLED void StepCore<Method, Machine>::estimate_error(double h, bool control_error) {
  const bool first = history.at_first_step();
  method.local_error(*this, h);
  const auto of_positions = mean_squares_of(motion.delta);
  const auto of_states = method.error_of_states(*this, h);
  run.collect();
  const double scalar_error =
      first && Method::bounds_first_step ? std::cbrt(rules.error * rules.error) : rules.error;
  double e = root_of(*of_positions) / rules.error,
         of_scalars = nonnegative(of_states->at.value) / scalar_error;
  e = most(e, method.further_error(*this));  // whose reductions take the place of those above
  rounding.beyond = false;
  // In the unit of `of_scalars`; computed only where it decides.
  const double rounding_of_states =
      control_error && of_scalars > 1 ? rounding_in_scalars(h) * (rules.error / scalar_error) : 0;
  if (rounding_of_states > 1) {
    // Rounding up to this factor is accepted, so that steps grow again where the error is rounding alone.
    constexpr double most_let_pass = 10;
    rounding.beyond = true;
    of_scalars /= rounding_of_states * least(rounding_of_states, most_let_pass);
  }
  control.error_ratio = of_scalars <= e ? e : of_scalars;  // NaN stays
  // Rounding of positions also changes a_{n+1} and, in the ratio h²/h'², a_n.
  const double growth = control.last_h > 0 ? most(1.0, h / control.last_h) : 1.0;
  const double rounding_of_positions = method.rounding_gain() * rounding.positions * growth * growth;
  if (rounding_of_positions > 1) {
    rounding.beyond = rounding.beyond || control.error_ratio > 1;
    control.error_ratio /= rounding_of_positions;
  }
}

/// Largest part of the states' error estimate that rounding can cause, in units of ERROR: rates may depend on
/// constraint forces, whose rounding grows with 1/h², so smaller steps do not reduce it.
template <class Method, class Machine>
TRAMMEL_CALLED double StepCore<Method, Machine>::rounding_in_scalars(double h) {
  // An error r in each rate changes C h (Ẋ_{n+1} − 2 Ẋ_n + Ẋ_{n−1}) by at most 4 C h r and a correction by γ
  // h r. C/γ times the last correction is too small: earlier corrections had more rounding.
  constexpr double of_differences = 4;
  return of_differences * most(rounding.scalars, method.rounding_in_states(rounding_of_positions(h)));
}

template <class Method, class Machine>
TRAMMEL_CALLED void StepCore<Method, Machine>::finish(double h) {
  constexpr double rounding_memory = 0.8;  // decay per step of the recorded rounding in positions and states
  ++counters.steps;
  counters.rounding += rounding.beyond;
  rounding.positions *= rounding_memory;
  rounding.scalars *= rounding_memory;
  ++jacobian.age;
  ++control.steps_since_failure;
  result.order = method.order;
  method.accept(*this);
  control.last_h = h;
  control.next_h = method.suggested(*this, h);
  if (rules.hmax > 0) control.next_h = least(control.next_h, rules.hmax);
  if (rules.fixed_step) control.next_h = rules.hinit;
  if (history.order_limit < rules.predictor_order) ++history.order_limit;
  run.accept(motion.t);
  if constexpr (Method::has_stages) method.push_stages(*this, h);
  const auto farthest = measure_size();
  const bool reviewed = !Method::has_stages && n.coordinates > 0 && history.unknowns.points() >= 4;
  PredictorMisses misses{};
  if (reviewed) misses = history.unknowns.misses(motion.t);
  const auto of_coordinates = run.reduce(misses.of(0, motion.now.a), reviewed ? n.coordinates : 0);
  const auto of_multipliers =
      run.reduce(misses.of(n.coordinates, motion.now.lambda), reviewed ? n.multipliers : 0);
  push_history();
  const auto largest = run.reduce(BodyAcceleration{run.places(), motion.now.a, run.cos_theta()}, n.bodies);
  const auto rebased = rebase_bodies(h);
  run.collect();
  corrector.acceleration = nonnegative(largest->at.value);
  rounding.grow(farthest->x[0], farthest->x[1]);
  if (n.counts_turns) rounding.path += h * farthest->x[2];
  if constexpr (!Method::has_stages)
    if (reviewed) review_predictor(h, *of_coordinates, *of_multipliers);
  control.rebased = rebased->x > 0;
  if (control.rebased) {
    jacobian.valid = false;
    counters.rebases += static_cast<long>(rebased->x);
  }
  result = {motion.t, h, control.next_h, control.error_ratio, corrector.iterations, result.order};
}

/// Sets the weights of coordinates in norms; the place that is farthest from the origin, the largest angle
/// and the highest rate of angles.
template <class Method, class Machine>
TRAMMEL_HD auto StepCore<Method, Machine>::measure_size() {
  return run.reduce(UpdateWeights{run.places(), motion.now.q, motion.now.v, motion.weight}, n.bodies);
}

/// Re-bases the bodies that need it, at all stored points and the present one, and counts them.
template <class Method, class Machine>
TRAMMEL_HD auto StepCore<Method, Machine>::rebase_bodies(double h) {
  RebaseBodies<decltype(method.stored(h))> rebase{run.places(),
                                                  motion.now.basis,
                                                  {motion.now.q, motion.now.v, motion.now.a},
                                                  {},
                                                  0,
                                                  method.stored(h),
                                                  false,
                                                  Method::has_stages ? static_cast<double>(INFINITY) : h};
  for (; rebase.points < history.unknowns.points(); ++rebase.points)
    rebase.history[rebase.points] = {history.q.point(rebase.points), history.v.point(rebase.points),
                                     history.unknowns.point(rebase.points)};
  rebase.history[rebase.points++] = {motion.begin.q, motion.begin.v, motion.begin.a};
  return run.reduce(rebase, n.bodies);
}

}  // namespace trammel
