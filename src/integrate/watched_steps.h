// StepCore: what it tells to who watches (integrate/observer.h), on the processor. Included by
// integrate/method_integrator.h.
#pragma once

#include <vector>

#include "integrate/error_search.h"
#include "integrate/step_core.h"

namespace trammel {

template <class Method, class Machine>
void StepCore<Method, Machine>::tell_iteration(int k, bool corrected, bool new_jacobian, double h) {
  const auto unknowns = static_cast<std::size_t>(n.unknowns());
  IterationSeen seen{.iteration = k, .residual = {std::span(motion.residual, unknowns)}};
  if (corrected) {
    seen.correction = {std::span(motion.correction, unknowns)};
    seen.sign = -1;
    seen.new_jacobian = new_jacobian;
    seen.rate = corrector.record.convergence_rate;
    const double lambda = corrector.lambda_scale * rules.algebraic_tolerance;
    seen.worst = worst_correction(h, lambda > 0 ? 1 / lambda : 0);
  }
  run.observer->iteration(seen);
}

/// The largest entry of the last correction, of a step of h, in the corrector's units; multipliers times
/// `of_multipliers`.
template <class Method, class Machine>
Place StepCore<Method, Machine>::worst_correction(double h, double of_multipliers) const {
  const double of_positions = method.position_error(h) / corrector_unit(h);
  Place worst{};
  worst.index = -1;
  const ScalarMeasure scalar{motion.correction + n.first_scalar(),
                             motion.now.s,
                             run.differential(),
                             coefficients(h).state,
                             corrector_unit(h),
                             rules.algebraic_tolerance,
                             motion.state_unit};
  for (int k = 0; k < n.unknowns(); ++k) {
    const double size = std::fabs(motion.correction[k]);
    const double value = k < n.coordinates      ? size * of_positions
                         : k < n.first_scalar() ? size * of_multipliers
                                                : scalar(k - n.first_scalar()).at.value;
    if (value > worst.value || worst.index < 0) worst = {value, k};
  }
  return worst;
}

template <class Method, class Machine>
AttemptEnd StepCore<Method, Machine>::end_of(Attempt outcome) const {
  if (outcome == Attempt::accepted) return AttemptEnd::accepted;
  if (outcome == Attempt::error_too_large) return AttemptEnd::error_too_large;
  if (outcome == Attempt::leap) return AttemptEnd::leap;
  switch (failure.end) {
    case StepEnd::no_value:
      return AttemptEnd::no_value;
    case StepEnd::singular:
      return AttemptEnd::singular;
    case StepEnd::refused:
      return AttemptEnd::refused;
    case StepEnd::no_advance:
      return AttemptEnd::no_advance;
    default:
      return AttemptEnd::not_converged;
  }
}

template <class Method, class Machine>
void StepCore<Method, Machine>::tell(Attempt outcome, double h) {
  const bool converged = outcome == Attempt::accepted || outcome == Attempt::error_too_large;
  std::vector<double> u;
  if (outcome == Attempt::accepted) {
    const StateArrays& now = motion.now;
    u.assign(now.a, now.a + n.coordinates);
    u.insert(u.end(), now.lambda, now.lambda + n.multipliers);
    for (int k = 0; k < n.scalars; ++k) u.push_back(run.differential()[k] ? now.sdot[k] : now.s[k]);
  }
  constexpr bool is_explicit = requires {
    method.state_error;
  };
  std::span<const unsigned char> independent;
  if constexpr (is_explicit)
    if (n.multipliers > 0) independent = method.motion->independent();
  run.observer->attempt({.end = end_of(outcome),
                         .t = motion.begin_t,
                         .h = h,
                         .suggested = control.next_h,
                         .error = control.error_ratio,
                         .largest = converged ? ErrorSearch(*this, h).largest() : ErrorPlace{},
                         .steps = *this,
                         .order = method.order,
                         .unknowns = u,
                         .iterates = !is_explicit,
                         .independent = independent});
}

}  // namespace trammel
