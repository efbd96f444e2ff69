// What explicit methods in independent coordinates share: their Integrator, norms of errors, what is stiff.
#pragma once

#include "integrate/method_integrator.h"
#include "integrate/methods/independent_motion.h"

namespace trammel {

/// Steps that stability bounds rather than ERROR. h |λ| is estimated from two states at the end of a step,
/// where the vector field differs by λ times what they do (L. F. Shampine, Stiffness and nonstiff
/// differential equation solvers II, ACM TOMS 3 (1977)).
struct StiffnessWatch {
  int at_limit = 0, below = 0;  ///< steps since the other kind was seen
  template <class Archive>
  void archive(Archive& a) {
    a(at_limit, below);
  }
  /// After an accepted step h with h |λ| over the limit of stability as `share`; `cut`: a larger one has
  /// failed. True where stability bounds the steps: fifteen times, with no six in a row where it does not. A
  /// step that HMAX or an output has cut is none.
  template <class Core>
  bool note(const Core& core, double h, double share, bool cut) {
    constexpr double near_limit = 0.8, nearly_suggested = 0.8;
    constexpr int enough = 15, most_between = 6;
    const bool chosen =
        cut || (h >= nearly_suggested * core.control.next_h && h < nearly_suggested * core.rules.hmax);
    if (chosen && share >= near_limit) {
      below = 0;
      ++at_limit;
    } else if (++below >= most_between) {
      at_limit = 0;
    }
    return at_limit >= enough && below == 0;
  }
};

/// The largest error of coordinates, velocities, states, as (28) in docs/theory.md measures them.
template <class Core>
double largest_error(Core& core, const double* q, const double* v, const double* s) {
  const StateArrays& now = core.motion.now;
  const auto of_q = core.mean_squares_of(q);
  const auto of_v =
      core.run.reduce(VelocityMeanSquare{core.run.places(), v, now.v, core.run.cos_theta()}, core.n.bodies);
  const auto of_s = core.run.reduce(StateError{s, now.s, 1, core.run.differential(), core.motion.state_unit},
                                    core.n.scalars);
  core.run.collect();
  return worse(worse(root_of(*of_q), root_of(*of_v)), nonnegative(of_s->at.value));
}

/// What two states at one time differ by: q, q̇, q̈, X, Ẋ.
struct StateDifference {
  const double *q, *v, *a, *s, *sdot;
};
/// h |λ|, by which the vector field turns a difference of states into one of rates; 0 where that is rounding.
template <class Core>
double fastest_rate(Core& core, double h, const StateDifference& d) {
  constexpr double rounding_units = 100;
  const StateArrays& now = core.motion.now;
  const ModelSizes& n = core.n;
  const auto of_q = core.mean_squares_of(d.q), of_v = core.mean_squares_of(d.v),
             of_a = core.mean_squares_of(d.a);
  const auto of_s =
      core.run.reduce(StateError{d.s, now.s, 1, core.run.differential(), core.motion.state_unit}, n.scalars);
  const auto of_rates = core.run.reduce(
      StateError{d.sdot, now.s, h, core.run.differential(), core.motion.state_unit}, n.scalars);
  core.run.collect();
  const double apart = worse(worse(root_of(*of_q), h * root_of(*of_v)), nonnegative(of_s->at.value)),
               change = worse(h * h * root_of(*of_a), nonnegative(of_rates->at.value));
  const double rounding = rounding_units * 0x1p-53 * most(1.0, core.rounding.size);
  return apart > rounding ? change / apart : 0.0;
}

/// Whether a step with h |λ| over the limit of stability as `share` ends where no smooth motion can go on:
/// near a singular position, which rounding of φ displaces. Steps of other sizes may pass it.
template <class Core>
bool ends_at_singular(Core& core, double share) {
  constexpr double of_no_motion = 10;  // an error of the size of the motion comes before
  if (core.n.multipliers == 0 || !(share > of_no_motion)) return false;
  core.rounding.limited = true;
  core.jacobian.valid = false;
  return true;
}

/// A method has a member `motion`.
template <class Method>
class ExplicitIntegrator final : public MethodIntegrator<Method> {
 public:
  ExplicitIntegrator(const Model& model, std::shared_ptr<Equations> equations,
                     const IntegratorOptions& options)
      : MethodIntegrator<Method>(model, equations, options), motion_(*equations->on_processor()) {
    this->method().motion = &motion_;
  }
  void archive(Archive& a, State& state) override {
    MethodIntegrator<Method>::archive(a, state);
    motion_.archive(a);
  }

 private:
  IndependentMotion motion_;
};

template <class Method>
std::unique_ptr<Integrator> make_explicit(const Model& model, std::shared_ptr<Equations> equations,
                                          const IntegratorOptions& options) {
  if (!equations->on_processor())
    fail(ExitCode::unsupported, "{} is computed on the processor", options.method);
  return std::make_unique<ExplicitIntegrator<Method>>(model, std::move(equations), options);
}

}  // namespace trammel
