// The simplified Newton iteration of the stages of Radau IIA: residuals of all stages, one real and one
// complex system, and when what is left is small enough. Method: RadauMethod (radau.cpp).
#pragma once

#include <cmath>
#include <complex>
#include <utility>
#include <vector>

#include "integrate/method_integrator.h"
#include "integrate/methods/radau_formulas.h"
#include "integrate/methods/radau_systems.h"

namespace trammel {

/// The simplified Newton iteration of the three stages, as a problem of newton_iteration().
template <class Method, class Core>
struct StageCorrection {
  static constexpr double stalled_rate = 0.3;  ///< corrections that shrink less are rounding, if small

  Core& core;
  Method& method;
  const double h;
  double previous = 0, states_before = 0;  ///< sizes of the correction before; 0: none with this matrix
  bool fresh_now = false;
  double moved = 0;        ///< by the last correction, the norm (28) of positions
  double faster = 0;       ///< by the last correction, of velocities beside the speeds of their bodies
  double states = 0;       ///< the last correction of scalars in the corrector's unit
  double unbalanced = 0;   ///< the largest residual of forces over what may be left, of all stages
  double first_force = 0;  ///< the largest residual of forces in the first iteration
  std::vector<double> seen[radau::stages]{};  ///< residuals, for who watches

  /// Whether an iteration that does not converge further has a small part of the error that the step may
  /// have: near singular positions one matrix does not fit all stages.
  bool good_enough() const {
    constexpr double share = 1e-3;
    const double allowed = share * Method::tolerance(core.rules);
    return core.failure.end == StepEnd::accepted && core.jacobian.fresh && moved <= allowed &&
           faster <= share * Method::tolerance_of_velocities(core.rules) &&
           states * Method::corrector_share * core.rules.error <= allowed;
  }

  NewtonVerdict evaluate(int k) {
    CorrectorState& found = core.corrector;
    found.iterations = k;
    constexpr Place CorrectorState::*kinds[] = {&CorrectorState::force, &CorrectorState::constraint,
                                                &CorrectorState::scalar, &CorrectorState::scalar_relative};
    Place largest[4]{};
    unbalanced = 0;
    for (int i = 0; i < radau::stages; ++i) {
      core.motion.t = core.motion.begin_t + radau::c[i] * h;
      method.take_stage(core, i, h, core.motion.now);
      if (!core.compute_residual({1, h, h * h, h, 1})) return NewtonVerdict::failed;
      core.run.copy(method.residual.u[i], core.motion.residual, core.n.unknowns());
      if (core.run.observer) seen[i].assign(core.motion.residual, core.motion.residual + core.n.unknowns());
      core.measure_residual();
      if (core.rules.forces_may_stiffen) unbalanced = worse(unbalanced, core.unbalanced_forces(h));
      for (int kind = 0; kind < 4; ++kind) largest[kind] = larger(largest[kind], found.*kinds[kind]);
    }
    for (int kind = 0; kind < 4; ++kind) found.*kinds[kind] = largest[kind];
    if (k == 1) first_force = found.force.value;
    // Solutions of the systems of very stiff stages leave so much of it, and further ones no less.
    constexpr double part_of_solutions = 1e-8;
    if (core.jacobian.fresh && found.force.value <= part_of_solutions * first_force) unbalanced = 0;
    found.record.residual = 0;
    found.record.equation = -1;
    note(found.force, 0, found.record.residual, found.record.equation);
    note(found.constraint, core.n.coordinates, found.record.residual, found.record.equation);
    note(found.scalar, core.n.first_scalar(), found.record.residual, found.record.equation);
    constexpr double rounding_units = 100;  // residuals of constraints below this many u·size are rounding
    const double allowed = rounding_units * unit_roundoff * most(1.0, core.rounding.size);
    core.rounding.limited = k > 1 && found.constraint.value * h * h <= allowed;
    return NewtonVerdict::go_on;
  }

  NewtonVerdict correct(int k) {
    fresh_now = core.jacobian.wanted(k);
    if (fresh_now && !refresh()) return NewtonVerdict::failed;
    const StepMotion& m = core.motion;
    core.run(radau::TransformResiduals{method.residual, method.systems->power(), m.residual,
                                       method.complex_numbers()},
             core.n.unknowns());
    ++core.counters.iterations;
    if (!core.run.solve(m.residual, m.correction).ok()) return NewtonVerdict::failed;
    const PhaseTimer timer(core.run.times ? &core.run.times->solution : nullptr);
    return method.systems->solve_complex(method.complex_numbers()).ok() ? NewtonVerdict::go_on
                                                                        : NewtonVerdict::failed;
  }

  NewtonVerdict apply(int k) {
    core.run(
        radau::CorrectStages{core.motion.correction, method.complex_numbers(), method.residual, method.stage},
        core.n.unknowns());
    const double measure = size_of_correction(), rate = previous > 0 ? rate_of(measure) : -1;
    CorrectorRecord& record = core.corrector.record;
    record.iteration = k;
    record.new_jacobian = fresh_now;
    record.convergence_rate = rate;
    const NewtonVerdict verdict = core.judge({measure}, {rate > 0 ? measure / rate : previous}, fresh_now);
    if (verdict == NewtonVerdict::converged && core.forces_settled(change_of_accelerations(), fresh_now) &&
        core.forces_balanced(unbalanced, fresh_now))
      return verdict;
    if (record.convergence_rate > stalled_rate && moved <= displacement_of_rounding()) {
      core.rounding.largest_step = most(core.rounding.largest_step, h);
      return NewtonVerdict::converged;
    }
    previous = measure;
    states_before = states;
    std::swap(method.corrected, method.corrected_before);
    return verdict == NewtonVerdict::failed ? verdict : NewtonVerdict::go_on;
  }

  void observe(int k, bool corrected) const {
    if (!core.run.observer) return;
    IterationSeen it{.iteration = k, .stages = radau::stages};
    for (int i = 0; i < radau::stages; ++i) {
      it.residual[i] = seen[i];
      if (corrected) it.correction[i] = {method.residual.u[i], static_cast<std::size_t>(core.n.unknowns())};
    }
    if (corrected) {
      it.new_jacobian = fresh_now;
      it.rate = core.corrector.record.convergence_rate;
      it.worst = {core.corrector.record.correction, core.corrector.record.unknown};
    }
    core.run.observer->iteration(it);
  }

 private:
  static constexpr double unit_roundoff = 0x1p-53;

  static void note(const Place& found, int first, double& value, int& index) {
    if (!(found.value > value)) return;
    value = found.value;
    index = first + found.index;
  }

  /// What rounding may move the mechanism by: some ten operations by some ten bodies in a chain; more where
  /// all φ are rounding, near a singular position, as long as that leads to no other branch of φ = 0.
  double displacement_of_rounding() const {
    constexpr double rounding_units = 100, singular_share = 3e-5, root_of_roundoff = 0x1.6a09e667f3bcdp-27;
    const double share = core.rounding.limited && core.jacobian.fresh ? singular_share * root_of_roundoff
                                                                      : rounding_units * unit_roundoff;
    return share * most(1.0, core.rounding.size);
  }

  bool refresh() {
    previous = states_before = 0;
    if (!core.refresh_jacobian(method.coefficients(h, false), h)) return false;
    const PhaseTimer timer(core.run.times ? &core.run.times->factorization : nullptr);
    const std::complex<double> mu = 1.0 / std::complex<double>(radau::alpha, radau::beta);
    core.failure.report = method.systems->factor_complex(*core.run.state, h * mu);
    if (core.failure.report.ok()) return true;
    core.jacobian.valid = false;
    return core.stop(StepEnd::singular);
  }

  /// The rate of convergence: that of the whole correction, or that by which what is left is the most that
  /// the correction of a body leaves by its own rate. A body that a first correction moves far and leaves
  /// where it belongs hides that others converge slowly.
  double rate_of(double measure) const {
    constexpr double slowest = 0.9;  // beyond that corrections are rounding, or diverge as a whole
    const auto left = [](double now, double before) {
      const double rate = now < slowest * before ? now / before : slowest;
      return now > 0 ? now * rate / (1 - rate) : 0.0;
    };
    double of_bodies = 0;
    for (int b = 0; b < core.n.bodies; ++b)
      of_bodies =
          worse(of_bodies, left(std::sqrt(method.corrected[b]), std::sqrt(method.corrected_before[b])));
    const double all_left = of_bodies + left(states, states_before);
    return worse(measure / previous, all_left / (measure + all_left));
  }

  /// The largest correction of accelerations in a stage, beside them and over what is allowed.
  double change_of_accelerations() {
    const double* last = method.stage.u[radau::stages - 1];
    const BodyForces forces{{core.run.places(), last, core.run.cos_theta()},
                            core.run.body_rows(),
                            last + core.n.coordinates,
                            core.motion.begin.lambda,
                            core.corrector.least};
    double change = 0;
    for (int i = 0; i < radau::stages; ++i) {
      const auto largest = core.run.reduce(
          ForceChange{forces, method.mean_square(core, core.motion.delta), method.residual.u[i], nullptr,
                      static_cast<double>(INFINITY), core.rules.acceleration_tolerance, 1},
          core.n.bodies);
      core.run.collect();
      change = worse(change, nonnegative(largest->at.value));
    }
    return change;
  }

  /// In units of what the corrector may leave: positions, velocities, states; root mean squares of all
  /// stages.
  double size_of_correction() {
    const ModelSizes& n = core.n;
    const double allowed = Method::corrector_share * core.rules.error;
    const double of_stage = 1 / (radau::stages * allowed * allowed);
    core.run(FillValues{method.corrected, 0.0}, n.bodies);
    const auto add_bodies = [&](const double* inverse_squared_speed) {
      core.run(radau::AddMeanSquares{method.mean_square(core, core.motion.delta), inverse_squared_speed,
                                     of_stage, method.corrected},
               n.bodies);
    };
    CorrectorRecord& record = core.corrector.record;
    record.correction = 0;
    record.unknown = -1;
    double squares = 0, of_velocities = 0, of_scalars = 0;
    for (int i = 0; i < radau::stages; ++i) {
      const radau::Weights by = radau::row_of_a(i).times(h);
      core.run(radau::SumOfStages{method.residual, radau::times_a(by).times(h), core.motion.delta},
               n.coordinates);
      core.run(radau::ScalarCorrection{method.residual, i, n.first_scalar(), by, core.run.differential(),
                                       method.scalars},
               n.scalars);
      const auto all = core.run.reduce(LargestEntry{method.residual.u[i]}, n.unknowns());
      const auto scalar =
          core.run.reduce(ScalarMeasure{method.scalars, core.motion.begin.s, core.run.differential(), 1.0,
                                        allowed, std::cbrt(allowed * allowed), core.motion.state_unit},
                          n.scalars);
      const auto positions = core.mean_squares_of(core.motion.delta);
      core.run.collect();
      note(all->at, 0, record.correction, record.unknown);
      add_bodies(nullptr);
      squares += nonnegative(positions->at.value);
      core.run(radau::SumOfStages{method.residual, by, core.motion.delta}, n.coordinates);
      const double rate = method.beside_speeds(core, core.motion.delta);
      add_bodies(method.inverse_squared_speed);
      of_velocities += rate * rate;
      of_scalars += nonnegative(scalar->at.value);
    }
    moved = std::sqrt(squares / radau::stages);
    faster = std::sqrt(of_velocities / radau::stages);
    states = of_scalars;
    return most(moved, faster) / allowed + states;  // NaN stays
  }
};

}  // namespace trammel
