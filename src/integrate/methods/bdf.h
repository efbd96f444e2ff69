// BdfMethod: errors over ERROR, and the order that allows the longest step.
#pragma once

#include <type_traits>

#include "integrate/methods/stiff_error.h"

namespace trammel {

template <class Core>
TRAMMEL_HD auto BdfMethod::ask_rates(Core& core, const double* x, bool wanted) const {
  const StateArrays& now = core.motion.now;
  const int of_velocities = wanted && judges_velocities() ? core.n.bodies : 0,
            of_accelerations = judges_accelerations() ? of_velocities : 0;
  const auto found = mean_squares_beside(core, x, now.v, of_velocities);
  return Rates<std::decay_t<decltype(found)>>{found, mean_squares_beside(core, x, now.a, of_accelerations)};
}

/// What error_of() joins; nothing where none is wanted.
template <class Core>
TRAMMEL_HD auto BdfMethod::ask(Core& core, const double* x, const double* v, const double* y,
                               bool wanted) const {
  const auto found = core.mean_squares_of(x, wanted ? core.n.bodies : 0);
  const auto of_states =
      core.run.reduce(StateError{y, core.motion.now.s, 1, core.run.differential(), core.motion.state_unit},
                      wanted ? core.n.scalars : 0);
  return Errors<std::decay_t<decltype(found)>>{found, of_states, ask_rates(core, v, wanted)};
}

/// Of velocities x, and of accelerations x/(ℓ_0 h), less what rounding of velocities leaves of these. The
/// first step, whose error in them is of order h², knows a bound of order h, q̈_1 − q̈_0, which is held
/// against ERROR^{1/2}.
template <class Core, class Found>
TRAMMEL_HD double BdfMethod::error_of_rates(const Core& core, const Rates<Found>& asked,
                                            double factor) const {
  const double unit = core.rules.error, of_velocities = factor * root_of(*asked.velocities) / unit;
  if (!judges_accelerations()) return of_velocities;
  const double l0h = corrections().l[0] * h;
  const double of_accelerations =
      (starting ? std::sqrt(unit) : factor) * root_of(*asked.accelerations) / (l0h * unit);
  return most(of_velocities, accelerations.without_rounding(of_accelerations, rounding_gain(), l0h));
}

/// Error over ERROR: the largest one of coordinates, of states, of velocities and accelerations where they
/// are controlled.
template <class Core, class Found>
TRAMMEL_CALLED double BdfMethod::error_of(const Core& core, const Errors<Found>& asked, double factor) const {
  const double of_states = nonnegative(asked.states->at.value),
               error = factor * worse(root_of(*asked.coordinates), of_states) / core.rules.error;
  return judges_velocities() ? most(error, error_of_rates(core, asked.rates, factor)) : error;
}

/// Of a formula of order k − 1: (k − 1)! z_k. Nothing with k = 1.
template <class Core>
TRAMMEL_HD auto BdfMethod::ask_lower_order(Core& core) const {
  return ask(core, position[order], velocity[order], state[order], order > 1);
}
TRAMMEL_HD inline double BdfMethod::factor_of_lower_order() const {
  double factorial = 1;
  for (int j = 2; j < order; ++j) factorial *= j;
  return factorial;
}

/// Of a formula of order k + 1: the change of y_{n+1} − y_p over a step of the same size, over k + 2.
template <class Core>
TRAMMEL_HD auto BdfMethod::ask_higher_order(Core& core, bool wanted) const {
  const ModelSizes& n = core.n;
  double *of_v = room + n.coordinates, *of_s = of_v + n.coordinates;
  if (wanted) {
    core.run.copy(room, change_before, n.coordinates);
    core.run(Difference{change, 1, room}, n.coordinates);
    core.run.copy(of_v, velocity_change_before, n.coordinates);
    core.run(Difference{velocity_change, 1, of_v}, n.coordinates);
    core.run.copy(of_s, state_change_before, n.scalars);
    core.run(Difference{state_change, 1, of_s}, n.scalars);
  }
  return ask(core, room, of_v, of_s, wanted);
}

/// Whether order 1 is beneath a motion whose velocities have this second term, h² v̈/2: with order 1 it stays
/// in the motion. I3 judges no velocities, and in a short pulse of a force errors of positions, far below
/// ERROR, would prefer that order. What is rounding alone it damps.
template <class Core>
TRAMMEL_CALLED bool BdfMethod::needs_order_2(Core& core, const double* term) const {
  constexpr double little = 1e-3;  // of ERROR^{2/3}
  return !controls_velocities &&
         error_beside(core, term, core.motion.now.v, std::cbrt(core.rules.error)) > little;
}

/// Order and step are kept for k + 2 steps, by which time the differences belong to them; where errors have
/// to be solved for, they are looked at again after every third step.
template <class Core>
TRAMMEL_CALLED void BdfMethod::choose_order(Core& core) {
  constexpr double worth_it = 1.1;
  // Nothing holds velocities in I3. Of an error in h² v̈ k + 2 steps of one size leave 3^{−4} with k = 2, and
  // a longer one multiplies that by the square of the factor: it is to become less all in all.
  const double largest = controls_velocities ? 10 : 5;
  factor_of_next = 1;
  if (starting) {
    change_order(core, 2);
    starting = false;
  }
  if (order == 1 && kmax > 1 && needs_order_2(core, velocity_change)) return change_order(core, 2);
  constexpr int steps_between = 3;
  const int waited = steps_at_order - (order + 2);
  if (waited < 0 || (passes_errors_on(core.n) && waited % steps_between != 0)) return;
  const bool may_rise = order < bound.highest_order(kmax);
  const bool bounded = order > OrderBound::damping_order;
  const auto of_higher_order = ask_higher_order(core, may_rise || bounded);
  const auto of_lower_order = ask_lower_order(core);
  core.run.collect();
  const double judged = own_error > 0 ? own_error : core.control.error_ratio,
               of_lower_factor = factor_of_lower_order(), of_higher_factor = 1.0 / (order + 2);
  const double below = order > 1 ? error_of(core, of_lower_order, of_lower_factor) : 0,
               above = error_of(core, of_higher_order, of_higher_factor);
  if (bounded) {
    // |e_{n+1} − e_n|/|e_{n+1}|, where the error limits the step.
    constexpr double limiting = 0.1;
    bound.looked(judged > limiting ? above * (order + 2) / (judged * divisor_of_error()) : 0);
  }
  const double error =
      error_at_end(core, order, change, velocity_change, state_change, error_factor(core), judged);
  double factor = factor_of(error, order + 1 - lost(), of_present);
  int best = order;
  if (order > 1) {
    const double at_end =
        error_at_end(core, order - 1, position[order], velocity[order], state[order], of_lower_factor, below);
    const double lower = factor_of(at_end, lower_power(), of_lower);
    if (lower > factor && !(order == 2 && needs_order_2(core, velocity[2]))) factor = lower, best = order - 1;
  }
  if (may_rise) {
    const double at_end = error_at_end(core, order + 1, room, room + core.n.coordinates,
                                       room + 2 * core.n.coordinates, of_higher_factor, above);
    const double higher = factor_of(at_end, order + 2 - lost(), of_higher);
    if (higher > factor) factor = least(higher, 1 / error), best = order + 1;
  }
  if (factor < worth_it && best == order) return;
  change_order(core, best);
  factor_of_next = factor < worth_it ? 1 : least(factor, largest);
}

/// Raised by one: z_{k+1} = ℓ_k e/(k + 1).
template <class Core>
TRAMMEL_CALLED void BdfMethod::change_order(Core& core, int to) {
  steps_at_order = 0;
  if (to > order) {
    const NordsieckCoefficients c = corrections();
    const double factor = c.l[order] / (c.l[0] * to);
    core.run(TakeMultiple{change, factor, position[to]}, core.n.coordinates);
    core.run(TakeMultiple{velocity_change, factor, velocity[to]}, core.n.coordinates);
    core.run(TakeMultiple{state_change, factor, state[to]}, core.n.scalars);
  }
  order = to;
}

}  // namespace trammel
