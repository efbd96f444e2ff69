// The motion as ordinary differential equations in independent coordinates, for explicit methods. Whatever
// coordinates, velocities and states such a method comes to, the independent ones among them count; the
// others follow from φ = 0 and φ̇ = 0, then q̈, λ, Ẋ and algebraic scalars from (33) in docs/theory.md:
//     | 1    0    0   | | δq_i |   | 0  |        | M   Φqᵀ | | δq̈ |     | r |
//     | *    W    Φdᵀ | | δq_d | = | 0  |        | Φq  0   | | δλ | = − | φ̈ |
//     | Φi   Φd   0   | | μ    |   | −φ |
// Both systems have the pattern and the order of the mechanism's tangent. The first one is kept until the
// iteration becomes slow, the second is made for every state.
#pragma once

#include "integrate/host_machine.h"
#include "integrate/methods/nordsieck.h"
#include "integrate/methods/partition.h"
#include "integrate/step_core.h"

namespace trammel {

class IndependentMotion {
 public:
  /// On the processor; `equations` must outlive it.
  explicit IndependentMotion(HostEquations& equations);

  /// Before an attempt at a step, at its beginning: chooses coordinates where there is no choice yet or where
  /// the last one is worn. False: the reason is in core.failure.
  template <class Core>
  bool begin(Core& core);

  /// Completes the state core.motion.now at core.motion.t; h: the size of the step under way. `again`: a
  /// state near the last one, at the same time. False where it cannot be completed; core.failure has the
  /// reason but for iterations that do not converge.
  template <class Core>
  bool complete(Core& core, double h, bool again = false) {
    evaluated_ = rate_is_new_ = singular_ = false;
    moved_ = 0;
    if (tight_ > 0) --tight_;
    if (on_constraints(core, ConstraintLevel::position) && on_constraints(core, ConstraintLevel::velocity) &&
        accelerations(core, h, again))
      return true;
    core.jacobian.valid = false;
    core.rounding.limited = singular_;  // steps of other sizes may pass
    return false;
  }

  /// DELAYs keep values of the last evaluation: of the end of a step this is one before its accelerations.
  template <class Core>
  bool evaluate_for_histories(Core& core) {
    return equations_.model().delays.empty() || core.evaluate_rates(Coefficients::of_accelerations());
  }
  /// How far the last state that was completed lies from what the formula gave for its dependent positions
  /// and velocities: the larger of both, as errors are measured. Where independent coordinates determine the
  /// others badly their errors return in it magnified.
  double moved() const { return moved_; }

  /// After an error that was too large: positions and velocities are solved to rounding for some states. Near
  /// singular positions what is left of φ and φ̇ returns magnified in accelerations. Coordinates are chosen
  /// anew, as these may be what magnifies it.
  void tighten() {
    tight_ = 200;
    worn_ = true;
  }

  /// Per coordinate, whether it is independent at present.
  const std::vector<unsigned char>& independent() const { return partition_.independent(); }
  void archive(Archive& a) { a(partition_, dependent_, spread_chosen_, rate_, worn_, tight_); }

 private:
  /// Corrections may leave this share of ERROR, beside the error of a step.
  static constexpr double share = 1e-3;

  template <class Core>
  bool on_constraints(Core& core, ConstraintLevel level);
  template <class Core>
  bool evaluate(Core& core, ConstraintLevel level);
  template <class Core>
  bool renew(Core& core);
  template <class Core>
  bool accelerations(Core& core, double h, bool again);
  template <class Core>
  bool factor_dependent(Core& core);
  template <class Core>
  double spread(Core& core);
  template <class Core>
  double size_of(Core& core, const double* x, ConstraintLevel level);
  template <class Core>
  double rates_left(Core& core, double h);

  int choose(const State& state, const double* scale, bool& changed);
  SolveReport set_dependent_matrix(const State& state);
  SolveReport factor_accelerations(const State& state, const Coefficients& c, PhaseTimes* times);
  void held_rows(const State& state, double* rows) const;

  HostEquations& equations_;
  GuardedSystem dependent_;
  CoordinatePartition partition_;
  /// Accelerations and multipliers enter linearly, with the mass matrix alone.
  bool linear_;
  BodyWeights unit_, inertia_;
  std::vector<double> values_;
  std::vector<unsigned char> held_;
  double spread_chosen_ = 0;  ///< spread() when the coordinates were chosen
  double rate_ = -1;       ///< of the last iteration on constraints with the present matrix; −1: none known
  int tight_ = 0;          ///< states still to be solved to rounding
  bool singular_ = false;  ///< the present state is near a singular position
  bool rate_is_new_ = false;  ///< measured at the present state
  double moved_ = 0;          ///< what moved() returns
  bool evaluated_ = false;    ///< constraints, at the present state
  bool worn_ = false;         ///< other coordinates had better be chosen before the next step
};

template <class Core>
bool IndependentMotion::begin(Core& core) {
  core.jacobian.fresh = true;  // no failure is one of an old matrix
  if (core.n.multipliers == 0 || (core.jacobian.valid && !worn_)) return true;
  bool changed = false;
  int dependent = -1;
  const bool has_value =
      core.run.has_value([&] { dependent = choose(*core.run.state, core.motion.weight, changed); });
  if (!has_value) return core.stop(StepEnd::no_value);
  if (dependent >= 0) {
    core.failure.report = {SolveStatus::singular, core.n.coordinates + dependent,
                           core.n.coordinates + dependent};
    return core.stop(StepEnd::singular);
  }
  core.counters.partitions += changed && spread_chosen_ > 0;
  if (!factor_dependent(core)) return false;
  spread_chosen_ = spread(core);
  worn_ = false;
  core.jacobian.valid = true;
  return true;
}

/// Factors the system of dependent coordinates at the point of the last evaluation.
template <class Core>
bool IndependentMotion::factor_dependent(Core& core) {
  const PhaseTimer timer(core.run.times ? &core.run.times->factorization : nullptr);
  core.failure.report = set_dependent_matrix(*core.run.state);
  rate_ = -1;
  return core.failure.report.ok() || core.stop(StepEnd::singular);
}

/// How far independent coordinates that move by a unit each, with any signs, move all: the norm of q over
/// that of q_i, in units of ERROR. It grows without bound where the choice fails.
template <class Core>
double IndependentMotion::spread(Core& core) {
  const StepMotion& m = core.motion;
  core.run(FillValues{m.residual, 0.0}, core.n.unknowns());
  const std::vector<unsigned char>& independent = partition_.independent();
  for (int i = 0; i < core.n.coordinates; ++i)
    if (independent[i])
      m.residual[i] = (static_cast<unsigned>(i) * 2654435769u) >> 31 ? m.weight[i] : -m.weight[i];
  const double alone = core.norm_of(m.residual);
  if (!(alone > 0) || !core.run.has_value([&] { dependent_.solve(m.residual, m.correction); })) return 0;
  return core.norm_of(m.correction) / alone;
}

/// Of a correction of positions or velocities.
template <class Core>
double IndependentMotion::size_of(Core& core, const double* x, ConstraintLevel level) {
  if (level == ConstraintLevel::position) return core.norm_of(x);
  const auto of_velocities = core.run.reduce(
      VelocityMeanSquare{core.run.places(), x, core.motion.now.v, core.run.cos_theta()}, core.n.bodies);
  core.run.collect();
  return root_of(*of_velocities);
}

/// The rows φ or φ̇ at the present state.
template <class Core>
bool IndependentMotion::evaluate(Core& core, ConstraintLevel level) {
  const StepMotion& m = core.motion;
  core.run.state->t = m.t;
  const bool has_value = core.run.has_value([&] {
    const PhaseTimer timer(core.run.times ? &core.run.times->equations : nullptr);
    Assembler& assembler = equations_.assembler();
    if (!evaluated_) assembler.evaluate_constraints(*core.run.state, in_dynamics);
    assembler.constraints(*core.run.state, level, {m.rows, static_cast<std::size_t>(core.n.multipliers)});
  });
  evaluated_ = has_value;
  return has_value || core.stop(StepEnd::no_value);
}

/// Other coordinates are chosen before the next step where the present ones have become much worse.
template <class Core>
bool IndependentMotion::renew(Core& core) {
  constexpr double worn = 2, singular = 30;
  singular_ = true;
  if (!factor_dependent(core)) return false;
  const double now = spread(core) / most(1.0, spread_chosen_);
  worn_ = worn_ || now > worn;
  singular_ = now > singular;
  return true;
}

/// Newton's iteration with an old matrix for φ = 0 or φ̇ = 0, independent coordinates held. Its rate is
/// measured where positions are corrected: a first correction of these is never the last one.
template <class Core>
bool IndependentMotion::on_constraints(Core& core, ConstraintLevel level) {
  constexpr double slow_rate = 0.1, tight_units = 10, rounding_units = 100, of_last = 2;
  const StepMotion& m = core.motion;
  const ModelSizes& n = core.n;
  if (n.multipliers == 0) return true;
  const bool positions = level == ConstraintLevel::position;
  const double rounding = 0x1p-53 * most(1.0, core.rounding.size), of_error = share * core.rules.error;
  const double allowed = tight_ > 0 ? least(of_error, tight_units * rounding) : of_error;
  double previous = 0, moved = 0;  // the last correction, over `allowed`; the sum of all
  bool fresh = false;
  for (int k = 1; k <= core.rules.maxit; ++k) {
    if (!evaluate(core, level)) return false;
    if (k > 1 && !fresh && rate_ > slow_rate) {
      if (!renew(core)) return false;
      fresh = true;
      previous = 0;
    }
    core.run(FillValues{m.residual, 0.0}, n.unknowns());
    core.run(TakeMultiple{m.rows, -1.0, m.residual + n.coordinates}, n.multipliers);
    ++core.counters.iterations;
    if (!dependent_.solve(m.residual, m.correction).ok()) return false;
    const double size = size_of(core, m.correction, level) / allowed;
    if (!(size < INFINITY)) return false;
    if (previous > 0) rate_ = size / previous, rate_is_new_ = true;
    if (size <= 1) return true;  // without it
    core.run(AddMultiple{m.correction, 1.0, positions ? m.now.q : m.now.v}, n.coordinates);
    evaluated_ = false;
    moved += size * allowed;
    moved_ = most(moved_, moved);
    const double rate = previous > 0 ? rate_ : rate_is_new_ ? of_last * rate_ : 1;
    if (rate < 1 && size * rate <= 1 - rate) return true;
    if (previous > 0 && rate >= 0.5 && size * allowed <= rounding_units * rounding) return true;
    if (previous > 0 && rate >= 1 && fresh) return false;
    previous = size;
  }
  return false;
}

/// The last correction of accelerations, multipliers and scalars, in units of what may be left of it.
template <class Core>
double IndependentMotion::rates_left(Core& core, double h) {
  constexpr double relative = 0.01;  // of ε^{2/3}: in λ and algebraic scalars, as in other methods
  const StepMotion& m = core.motion;
  const ModelSizes& n = core.n;
  const double algebraic = relative * std::cbrt(core.rules.error * core.rules.error);
  const auto change = core.run.reduce(LargestEntry{m.correction + n.coordinates}, n.multipliers);
  const auto lambda = core.run.reduce(LargestEntry{m.now.lambda}, n.multipliers);
  const auto scalars =
      core.run.reduce(ScalarMeasure{m.correction + n.first_scalar(), m.now.s, core.run.differential(), h,
                                    share * core.rules.error, algebraic, m.state_unit},
                      n.scalars);
  core.run.collect();
  double left = nonnegative(scalars->at.value);
  left = most(left, nonnegative(change->at.value) / (most(1.0, lambda->at.value) * algebraic));
  if (n.coordinates > 0)
    left =
        most(left, h * size_of(core, m.correction, ConstraintLevel::velocity) / (share * core.rules.error));
  return left;
}

template <class Core>
bool IndependentMotion::accelerations(Core& core, double h, bool again) {
  constexpr double expected_again = 1e-3, slow_rate = 0.01, negligible = 0.01;
  constexpr int patience = 4;
  const StepMotion& m = core.motion;
  const ModelSizes& n = core.n;
  const Coefficients c = Coefficients::of_accelerations();
  bool fresh = false;
  double previous = 0, rate = again ? expected_again : 1;
  if (!linear_ && !again) {
    const Extrapolation past = core.history.unknowns.at(m.t, std::min(core.history.order_limit, 2));
    core.run(PredictMultipliers{past, 0, m.now.a}, n.coordinates);
    core.run(PredictMultipliers{past, n.coordinates, m.now.lambda}, n.multipliers);
    core.run(PredictRates{past, n.first_scalar(), core.run.differential(), m.now.s, m.now.sdot}, n.scalars);
  }
  for (int k = 1; k <= core.rules.maxit; ++k) {
    core.run.state->t = m.t;
    if (!core.evaluate_rates(c)) return false;
    const bool make = k == 1 ? !again : !fresh && rate > slow_rate;
    if (make) {
      if (!core.run.has_value(
              [&] { core.failure.report = factor_accelerations(*core.run.state, c, core.run.times); }))
        return core.stop(StepEnd::no_value);
      ++core.counters.jacobians;
      singular_ = singular_ || !core.failure.report.ok();
      if (!core.failure.report.ok()) return core.stop(StepEnd::singular);
      fresh = true;
      previous = 0;
    }
    held_rows(*core.run.state, m.rows);
    core.run.copy(m.residual + n.coordinates, m.rows, n.multipliers);
    core.run(TakeMultiple{m.residual, -1.0, m.residual}, n.unknowns());
    ++core.counters.iterations;
    if (!core.run.solve(m.residual, m.correction).ok()) return false;
    core.run(AddMultiple{m.correction, 1.0, m.now.a}, n.coordinates);
    core.run(AddMultiple{m.correction + n.coordinates, 1.0, m.now.lambda}, n.multipliers);
    core.run(CorrectRates{m.correction + n.first_scalar(), core.run.differential(), m.now.s, m.now.sdot},
             n.scalars);
    if (linear_ && fresh) return true;
    const double left = rates_left(core, h);
    if (!(left < INFINITY)) return false;
    if (previous > 0) rate = left / previous;
    if (left * rate <= 1 - rate || left <= negligible) return true;
    if (k > patience && rate >= 1 && fresh) return false;  // before, scalars may not be where they belong
    previous = left;
  }
  return false;
}

}  // namespace trammel
