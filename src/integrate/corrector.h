// StepCore: the corrector, a Newton iteration whose Jacobian is kept over iterations and steps. Included by
// integrate/step_definitions.h.
#pragma once

#include "assemble/model_class.h"
#include "integrate/force_balance.h"
#include "integrate/newton_iteration.h"
#include "integrate/step_core.h"

namespace trammel {

template <class Method, class Machine>
TRAMMEL_HD bool StepCore<Method, Machine>::compute_residual(const Coefficients& c) {
  if (method.reads_velocity_rows()) return evaluate_rates(c);
  if (!run.evaluate(motion.t, c, motion.residual)) return stop(StepEnd::no_value);
  ++counters.evaluations;
  return true;
}

/// Adds the method's own terms to the residual.
template <class Method, class Machine>
TRAMMEL_HD bool StepCore<Method, Machine>::complete_residual() {
  if (method.reads_velocity_rows()) {
    method.begin_residual(*this);
    if (!run.velocity_rows(motion.rows)) return stop(StepEnd::no_value);
  }
  return method.complete_residual(*this);
}

/// Residual and φ̈ of the present state.
template <class Method, class Machine>
TRAMMEL_HD bool StepCore<Method, Machine>::evaluate_rates(const Coefficients& c) {
  if (!run.evaluate_rates(motion.t, c, motion.residual, motion.rows)) return stop(StepEnd::no_value);
  ++counters.evaluations;
  return true;
}

/// The largest residual of each kind of equation, into `corrector`.
template <class Method, class Machine>
TRAMMEL_CALLED void StepCore<Method, Machine>::measure_residual() {
  const double* scalar = motion.residual + n.first_scalar();
  const auto force = run.reduce(LargestEntry{motion.residual}, n.coordinates);
  const auto constraint = run.reduce(LargestEntry{motion.residual + n.coordinates}, n.multipliers);
  const auto of_scalars = run.reduce(LargestEntry{scalar}, n.scalars);
  const auto relative = run.reduce(LargestRelative{scalar, motion.begin.s}, n.scalars);
  run.collect();
  corrector.force = force->at;
  corrector.constraint = constraint->at;
  corrector.scalar = of_scalars->at;
  corrector.scalar_relative = relative->at;
}

template <class Method, class Machine>
TRAMMEL_HD bool StepCore<Method, Machine>::refresh_jacobian(const Coefficients& c, double h) {
  if (!run.factor(motion.t, method.of_jacobian(c), failure.report)) return stop(StepEnd::no_value);
  ++counters.jacobians;
  if (failure.report.status == SolveStatus::refused) return stop(StepEnd::refused);
  if (!failure.report.ok()) return stop(StepEnd::singular);
  jacobian.made(method.jacobian_step(h));
  return true;
}

/// Which equation the last iteration left furthest from solved, and which unknown it corrected most.
template <class Method, class Machine>
TRAMMEL_CALLED void StepCore<Method, Machine>::record_worst() {
  const auto residual = run.reduce(LargestEntry{motion.residual}, n.unknowns());
  const auto correction = run.reduce(LargestEntry{motion.correction}, n.unknowns());
  run.collect();
  CorrectorRecord& record = corrector.record;
  record.residual = residual->at.value;
  record.equation = residual->at.index;
  record.correction = correction->at.value;
  record.unknown = correction->at.index;
}

/// The corrector as a problem of newton_iteration(): the discrete equations at the end of a step of size h.
template <class Method, class Machine>
struct StepCore<Method, Machine>::Correction : CorrectionProgress {
  StepCore& core;

  TRAMMEL_HD NewtonVerdict evaluate(int k) {
    constexpr double rounding_units = 10;        // constraint residuals below this many u·size are rounding
    constexpr double force_units = 1e3;          // force residuals below this many u·(largest force)
    constexpr double stalled_force_units = 1e8;  // same for corrections with a fresh Jacobian that stall:
                                                 // near a singular position λ's rounding returns through K
    core.corrector.iterations = k;
    core.rounding.limited = false;
    if (!core.compute_residual(c) || !core.complete_residual()) return NewtonVerdict::failed;
    if (k == 1) return NewtonVerdict::go_on;  // a step takes one correction at least
    core.measure_residual();
    const double units = core.method.largest_constraint(core, c) / (unit_roundoff * core.size_of_rows());
    core.rounding.limited = units <= 10 * rounding_units;
    const bool stalled = k > 2 && core.jacobian.fresh && core.corrector.record.convergence_rate > 0.5;
    const bool at_rounding =
        units <= rounding_units && core.solved_to_rounding(stalled ? stalled_force_units : force_units);
    if (!at_rounding) return NewtonVerdict::go_on;
    return previous.largest() <= 1 || core.rounding_allowed(h) ? NewtonVerdict::converged
                                                               : NewtonVerdict::failed;
  }

  TRAMMEL_HD NewtonVerdict correct(int k) {
    fresh_now = core.jacobian.wanted(k);
    if (fresh_now) {
      if (!core.refresh_jacobian(c, h)) return NewtonVerdict::failed;
      previous = {};
    }
    ++core.jacobian.spent;
    const bool solved = core.solve_correction() && core.solve_further_system();
    return solved ? NewtonVerdict::go_on : NewtonVerdict::failed;
  }

  TRAMMEL_HD NewtonVerdict apply(int k) {
    if (!applied) core.apply_correction(h);
    applied = false;
    const CorrectionParts measure = core.correction_measure(h);
    const double highest_rate = core.method.highest_rate_after_first(core.n);
    if (k == 2 && measure.largest() > highest_rate * previous.largest()) previous = {};
    const double before = previous.largest();
    CorrectorRecord& record = core.corrector.record;
    record.iteration = k;
    record.new_jacobian = fresh_now;
    record.convergence_rate = before > 0 ? measure.largest() / before : -1;
    const NewtonVerdict verdict = core.judge(measure, previous, fresh_now);
    if (verdict == NewtonVerdict::converged) {
      const double change = core.change_of_forces();
      double left = 0;
      if constexpr (ElementsOf<Machine>::functions)
        if (core.rules.forces_may_stiffen) left = core.unbalanced_forces(h);
      if (core.forces_settled(change, fresh_now) && core.forces_balanced(left, fresh_now)) return verdict;
    }
    if (record.convergence_rate > 0.5 && core.stalled_at_rounding(c)) {
      core.note_rounding(h, core.rounding_of_correction(h));
      return NewtonVerdict::converged;
    }
    // Where the first correction may be wrong by something that has nothing to do with the matrix, no rate
    // follows from it, nor from a second one that takes it back.
    constexpr double taken_back = 0.5;
    const bool no_rate =
        k == 1 ? highest_rate == 0 : k == 2 && first > 0 && measure.largest() > taken_back * first;
    if (no_rate && k == 1) first = measure.largest();
    previous = no_rate ? CorrectionParts{} : measure;
    return verdict == NewtonVerdict::failed ? verdict : NewtonVerdict::go_on;
  }

  TRAMMEL_HD void observe(int k, bool corrected) const {
    if constexpr (Machine::observed)
      if (core.run.observer) core.tell_iteration(k, corrected, fresh_now, h);
  }
};

/// Returns false when the iteration does not converge, or with failure.end set when it cannot go on.
template <class Method, class Machine>
TRAMMEL_CALLED bool StepCore<Method, Machine>::correct(double h) {
  jacobian.review(method.jacobian_step(h));
  corrector.change_of_forces = corrector.unbalanced = 0;
  corrector.least = least_acceleration(h);
  motion.exchange_errors();
  const long before = counters.iterations;
  corrector.remainder = 0;
  corrector.record = {};
  corrector.error_known = false;
  Correction correction{{h, coefficients(h)}, *this};
  NewtonPlace at;
  NewtonVerdict verdict = NewtonVerdict::go_on;
  // A graph ends the iteration, or leaves it where the program has to go on.
  bool ended = false;
  if constexpr (has_graphs) ended = run.iterate(*this, correction, at, verdict);
  if (!ended) verdict = newton_iteration(correction, rules.maxit, at);
  if (verdict != NewtonVerdict::converged) {
    record_worst();
    motion.exchange_errors();  // none was estimated
    return false;
  }
  jacobian.stepped(static_cast<int>(counters.iterations - before), corrector.remainder);
  return true;
}

/// The size of what is rounded in rows φ: of places and, as φ̇ knows no angles but their sines, in index 3
/// alone of angles.
template <class Method, class Machine>
TRAMMEL_HD double StepCore<Method, Machine>::size_of_rows() const {
  return most(most(1.0, rounding.size),
              method.reads_velocity_rows() ? 0.0 : most(rounding.turned, rounding.path));
}

/// Records the rounding error of positions, in units of ERROR: the correction for a residual that is rounding
/// alone. Returns false when it is too large because the step ends too near a singular position.
template <class Method, class Machine>
TRAMMEL_HD bool StepCore<Method, Machine>::rounding_allowed(double h) {
  // Near a singular position, where Φq has a singular value σ, rounding displaces the mechanism by N =
  // u·size/σ; another branch of φ = 0 is σ·size away. N is limited to this fraction of √u·size, so that
  // N/(σ·size) stays below 1e-9 and velocities N/h below those of the motion. A step that ends nearer is
  // repeated with another size.
  constexpr double singular_share = 3e-5, root_of_roundoff = 0x1.6a09e667f3bcdp-27;
  if (!solve_correction()) return false;
  const double error = rounding_of_correction(h);
  const double displacement = error * rules.error * method.displacement_in_error(coefficients(h));
  if (!(displacement <= singular_share * root_of_roundoff * size_of_rows())) return false;
  note_rounding(h, error);
  return true;
}

/// Local error in positions, in units of ERROR, of the last correction, which is rounding alone.
template <class Method, class Machine>
TRAMMEL_HD double StepCore<Method, Machine>::rounding_of_correction(double h) {
  return position_measure(norm_of(motion.correction), h);
}

/// The largest error of the last correction in states with a rate, in units of ERROR.
template <class Method, class Machine>
TRAMMEL_HD auto StepCore<Method, Machine>::scalar_measure_of(double h) {
  return run.reduce(
      ScalarMeasure{motion.correction + n.first_scalar(), motion.now.s, run.differential(),
                    coefficients(h).state, rules.error, static_cast<double>(INFINITY), motion.state_unit},
      n.scalars);
}

/// Records the rounding error of positions, `error`, and that of states with a rate, in units of ERROR.
template <class Method, class Machine>
TRAMMEL_HD void StepCore<Method, Machine>::note_rounding(double h, double error) {
  const auto states = scalar_measure_of(h);
  run.collect();
  rounding.largest_step = most(rounding.largest_step, h);
  rounding.positions = most(rounding.positions, error);
  rounding.scalars = most(rounding.scalars, nonnegative(states->at.value));
}

/// Largest error of states with a rate, in units of ERROR, that constraint residuals of ±u·size cause (signs
/// pseudo-random): from the correction for such residuals at a step of size h.
template <class Method, class Machine>
TRAMMEL_CALLED double StepCore<Method, Machine>::rounding_of_positions(double h) {
  if (n.multipliers == 0) return 0;
  run(FillValues{motion.residual, 0.0}, n.unknowns());
  run(FillSigns{motion.residual + n.coordinates,
                unit_roundoff * most(1.0, rounding.size) / coefficients(h).c},
      n.multipliers);
  if (!run.solve(motion.residual, motion.correction).ok()) return 0;
  const auto states = scalar_measure_of(h);
  run.collect();
  return states->at.value;
}

/// The launches of an iteration, and all that it may ask, for a graph (HostMachine::iterate): what is found
/// is of no use here. next_part() stands where other launches come in between: what is kept before φ̇ is
/// formed; the rest of the residual, with its norms; what precedes solutions; and what follows from these.
template <class Method, class Machine>
template <class NextPart>
void StepCore<Method, Machine>::tabulate_iteration(double h, const NextPart& next_part) {
  corrector.iterations = 1;  // which asks most
  if (method.reads_velocity_rows()) method.begin_residual(*this);
  next_part();
  method.complete_residual(*this);
  measure_residual();
  next_part();
  negate_residual();
  method.begin_further_system(*this);
  next_part();
  apply_correction(h);
  method.local_error(*this, h);
  method.further_error(*this);
  correction_measure(h);
  corrections_of_accelerations();
  change_of_forces();
  if (rules.forces_may_stiffen) unbalanced_forces(h);
  scalar_measure_of(h);
  mean_squares_of(motion.delta);
  method.error_of_states(*this, h);
}

template <class Method, class Machine>
TRAMMEL_HD void StepCore<Method, Machine>::negate_residual() {
  run(TakeMultiple{motion.residual, -1.0, motion.residual}, n.unknowns());
}

/// Adds Δ to the state.
template <class Method, class Machine>
TRAMMEL_HD void StepCore<Method, Machine>::apply_correction(double h) {
  method.apply(*this, h);
  run(AddMultiple{motion.correction + n.coordinates, 1.0, motion.now.lambda}, n.multipliers);
}

template <class Method, class Machine>
TRAMMEL_HD auto StepCore<Method, Machine>::corrections_of_accelerations() {
  return run.reduce(AccelerationCorrection{run.places(), motion.correction, motion.now.a, run.cos_theta()},
                    n.bodies);
}

/// Solves for the correction Δ with the present matrix and residual.
template <class Method, class Machine>
TRAMMEL_CALLED bool StepCore<Method, Machine>::solve_correction() {
  negate_residual();
  ++counters.iterations;
  const SolveReport report = run.solve(motion.residual, motion.correction);
  if (report.status == SolveStatus::refused) return stop(StepEnd::refused);
  return report.ok();
}

/// Solves the method's further system, if there is one, with the same matrix.
template <class Method, class Machine>
TRAMMEL_CALLED bool StepCore<Method, Machine>::solve_further_system() {
  const FurtherSystem further = method.further_system();
  if (!further.residual) return true;
  method.begin_further_system(*this);
  const SolveReport report = run.solve(further.residual, further.correction);
  if (report.ok()) return true;
  return stop(report.status == SolveStatus::refused ? StepEnd::refused : StepEnd::singular);
}

/// Converged when measure·ξ/(1 − ξ) ≤ 1 (Eq. 46), of the largest part and of each by its own rate, as parts
/// that converge slowly hide behind larger ones at first; failed when the iteration diverges. The rates ξ are
/// measured from the second iteration with one matrix on; in the first, twice the last rates of that matrix
/// are used.
template <class Method, class Machine>
TRAMMEL_HD auto StepCore<Method, Machine>::judge(const CorrectionParts& parts, const CorrectionParts& before,
                                                 bool fresh_now) -> NewtonVerdict {
  constexpr double mendable_rate = 10;  // below this rate a new Jacobian continues from the present iterate
  const double measure = parts.largest(), previous = before.largest();
  const bool measured = previous > 0;
  if (!(measure < INFINITY)) return NewtonVerdict::failed;
  if (measure <= JacobianPolicy::negligible) return NewtonVerdict::converged;
  const double rate = measured ? measure / previous : -1;
  // With an old Jacobian a rate of 1 or a little more does not end the attempt: the next iteration takes a
  // new Jacobian at the present iterate.
  if (rate >= 1 && rate < mendable_rate && !jacobian.fresh) {
    jacobian.shorten_life();
    return NewtonVerdict::go_on;
  }
  if (!measured && (jacobian.rate <= 0 || fresh_now)) return NewtonVerdict::go_on;
  if (measured) jacobian.measured(rate, parts.over(before));
  const auto left = [&](double size, double last_rate) {
    return jacobian.remainder_of(size, last_rate, measured);
  };
  const CorrectionParts& rates = jacobian.rates;
  const double remainder =
      most(most(left(measure, jacobian.rate), left(parts.coordinates, rates.coordinates)),
           most(left(parts.multipliers, rates.multipliers), left(parts.scalars, rates.scalars)));
  if (remainder <= 1) {
    const bool slow =
        (measured && rate > JacobianPolicy::slow_rate) || corrector.iterations > JacobianPolicy::patience;
    if (slow && !jacobian.fresh && jacobian.pattern.adaptive) jacobian.shorten_life();
    corrector.remainder = measured ? remainder : 0;
    return NewtonVerdict::converged;
  }
  return rate >= 1 && !(jacobian.fresh && rounding.limited) ? NewtonVerdict::failed : NewtonVerdict::go_on;
}

/// Whether corrections with a fresh Jacobian, which no longer shrink, move bodies by rounding of their
/// positions only, and scalars by no more than the corrector's tolerance: ERROR asks for more than positions
/// of this size can hold (stiff forces, k u |q|, and Φ/(βh²) amplify rounding in the residual).
template <class Method, class Machine>
TRAMMEL_CALLED bool StepCore<Method, Machine>::stalled_at_rounding(const Coefficients& c) {
  constexpr double rounding_units = 100;  // u·size: some ten operations by some ten bodies in a chain
  if (n.coordinates == 0 || !jacobian.fresh || corrector.iterations < 2 || !(corrector.scalar_measure <= 1))
    return false;
  const auto found = corrections_of_accelerations();
  run.collect();
  const double moved = most(found->x[0] / most(1.0, rounding.size), found->x[2]);
  return moved * method.displacement(c) <= rounding_units * unit_roundoff;
}

/// The largest weighted mean square of a body's part of a coordinate vector.
template <class Method, class Machine>
TRAMMEL_HD auto StepCore<Method, Machine>::mean_squares_of(const double* x, int bodies) {
  return run.reduce(
      BodyMeanSquare{run.places(), x, motion.weight, run.cos_theta(), method.leaves_out_quasi_static_modes()},
      bodies);
}

/// Its root, (28) in docs/theory.md.
template <class Method, class Machine>
TRAMMEL_HD double StepCore<Method, Machine>::norm_of(const double* x) {
  const auto largest = mean_squares_of(x);
  run.collect();
  return root_of(*largest);
}

/// Whether the residuals of forces and scalars are at rounding, `units` u times the largest force or scalar.
/// With |φ| ≤ 10 u·size in every row the equations are then solved to rounding: since Φ/(βh²) amplifies
/// rounding, corrections at small steps (and near singular positions) stop shrinking there, and a rate above
/// one is no divergence.
template <class Method, class Machine>
TRAMMEL_HD bool StepCore<Method, Machine>::solved_to_rounding(double units) const {
  const double force = most(corrector.lambda_scale, corrector.inertia_force);
  return corrector.force.value <= units * unit_roundoff * force * most(1.0, rounding.size) &&
         corrector.scalar_relative.value <= units * unit_roundoff;
}

/// Local error in positions, in units of ERROR, of a correction whose norm (28) is `size`.
template <class Method, class Machine>
TRAMMEL_HD double StepCore<Method, Machine>::position_measure(double size, double h) const {
  return method.position_error(h) * size / rules.error;
}

/// The corrector's tolerance for the local error of positions and states.
template <class Method, class Machine>
TRAMMEL_HD double StepCore<Method, Machine>::corrector_part(double h) const {
  return corrector_fraction + rules.adaptivity / (h * rules.error);
}
template <class Method, class Machine>
TRAMMEL_HD double StepCore<Method, Machine>::corrector_unit(double h) const {
  return corrector_part(h) * rules.error;
}

/// Sizes of the parts of the last correction in units of the corrector's tolerance: the iteration has
/// converged when these, times ξ/(1 − ξ), are at most one (Eq. 46, 47).
template <class Method, class Machine>
TRAMMEL_CALLED CorrectionParts StepCore<Method, Machine>::correction_measure(double h) {
  const double* multiplier = motion.correction + n.coordinates;
  const double* scalar = motion.correction + n.first_scalar();
  // Modes without inertia, of which no error is judged, are to follow their loads.
  const auto of_coordinates =
      run.reduce(BodyMeanSquare{run.places(), motion.correction, motion.weight, run.cos_theta()}, n.bodies);
  const auto lambda_change = run.reduce(LargestEntry{multiplier}, n.multipliers);
  const auto lambda = run.reduce(LargestEntry{motion.now.lambda}, n.multipliers);
  // Units of rounding in forces, once a step: the largest multiplier and force of inertia at its beginning.
  const bool first = corrector.iterations == 1;
  const auto lambda_before = run.reduce(LargestEntry{motion.begin.lambda}, first ? n.multipliers : 0);
  const auto inertia_force = run.reduce(
      InertiaForce{run.places(), motion.begin.v, motion.begin.a, run.cos_theta()}, first ? n.bodies : 0);
  const auto scalar_measure =
      run.reduce(ScalarMeasure{scalar, motion.now.s, run.differential(), coefficients(h).state,
                               corrector_unit(h), rules.algebraic_tolerance, motion.state_unit},
                 n.scalars);
  run.collect();
  const double part = corrector_part(h);
  CorrectionParts measure;
  measure.coordinates =
      position_measure(root_of(*of_coordinates), h) / part;  // before another reduction takes its place
  measure.coordinates = worse(measure.coordinates, method.further_correction(*this) / part);
  corrector.scalar_measure = scalar_measure->at.value;
  measure.scalars = worse(0.0, corrector.scalar_measure);
  if (first) {
    corrector.lambda_scale = most(0.0, lambda_before->at.value);
    corrector.inertia_force = most(0.0, inertia_force->at.value);
  }
  corrector.lambda_scale = most(corrector.lambda_scale, lambda->at.value);
  // Relative to the present multipliers: earlier ones, of a row about to vanish, would be a wrong scale.
  constexpr double memory = 1e-3, least = 1e-290;  // below that its product with a tolerance may be 0
  const double scale = most(lambda->at.value, memory * corrector.lambda_scale);
  if (!rules.modified_corrector && scale > least)
    measure.multipliers = worse(0.0, lambda_change->at.value / (scale * rules.algebraic_tolerance));
  return measure;
}

}  // namespace trammel
