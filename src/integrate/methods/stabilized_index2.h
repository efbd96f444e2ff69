// SI2, the stabilized index 2 of C. W. Gear, B. Leimkuhler and G. K. Gupta, "Automatic integration of
// Euler-Lagrange equations with constraints" (1985), for formulas with q̇_{n+1} = q̇_p + ℓ_0 h q̈_{n+1} and
// q_{n+1} = q_p + ℓ_0 h q̇_{n+1}. φ̇ = 0 holds with the multipliers λ of the equations of motion, and φ = 0
// with q̇ = v + p, where p is what others bring about:
//   A [Δ; Δλ] = −[r; φ̇/(ℓ_0 h)],   A [Δ'; μ] = −[0; φ/(ℓ_0² h²) − φ̇/(ℓ_0 h)],   ℓ_0 h δp = ℓ_0² h² Δ'
// with the matrix A of index 3 for both, whose condition stays as h → 0. The metric in which p is least is
// that of A's first block; p is 0 on the exact solution. Where φ reads scalars (motions given by rates,
// functions of states) their corrections enter φ̇ otherwise than φ, for which A is made: the first iteration,
// which brings scalars to where they belong, leaves a φ̇ for the second.
#pragma once

#include <cmath>

#include "integrate/step_data.h"

namespace trammel {

struct StabilizedIndex2 {
  bool active = false;
  double rate = 1;  ///< of the motion as the step begins: largest ω or |ẋ| over the size, at least 1
  double largest_row = 0;  ///< of `rows`
  /// h p (coordinates); φ/(ℓ_0² h²), then less φ̇/(ℓ_0 h) (multipliers); the second system's right-hand side
  /// and solution (unknowns). Empty where not active.
  double *drift, *rows, *residual, *correction;

  template <class Visit>
  void arrays(const ModelSizes& n, Visit&& visit) {
    visit(drift, active ? n.coordinates : 0);
    visit(rows, active ? n.multipliers : 0);
    for (double** v : {&residual, &correction}) visit(*v, active ? n.unknowns() : 0);
  }

  template <class Core>
  TRAMMEL_HD void begin_step(Core& core) {
    const StateArrays& begin = core.motion.begin;
    const auto velocity = core.run.reduce(
        AccelerationCorrection{core.run.places(), begin.v, begin.v, core.run.cos_theta()}, core.n.bodies);
    core.run.collect();
    rate = most(most(1.0, velocity->x[3]), velocity->x[1] / most(1.0, core.rounding.size));
    core.run(FillValues{drift, 0.0}, core.n.coordinates);
  }

  /// Keeps the rows φ/(ℓ_0² h²) of the residual.
  template <class Core>
  TRAMMEL_HD void begin_residual(Core& core) {
    const int m = core.n.multipliers;
    core.run.copy(rows, core.motion.residual + core.n.coordinates, m);
    const auto largest = core.run.reduce(LargestEntry{rows}, m);
    core.run.collect();
    largest_row = largest->at.value;
  }
  /// Rows of the residual become φ̇/(ℓ_0 h), and the second system gets what is between them.
  template <class Core>
  TRAMMEL_HD void complete_residual(Core& core, const Coefficients& c) const {
    const int m = core.n.multipliers;
    double* velocity_rows = core.motion.residual + core.n.coordinates;
    core.run(TakeMultiple{core.motion.rows, 1 / c.b, velocity_rows}, m);
    core.run(AddMultiple{velocity_rows, -1, rows}, m);
  }
  /// A velocity stands for the displacement that turns φ̇ by as much.
  TRAMMEL_HD double displacement(const Coefficients& c) const { return c.b / rate; }
  template <class Core>
  TRAMMEL_HD double largest_constraint(const Core& core, const Coefficients& c) const {
    return most(displacement(c) * core.corrector.constraint.value, c.c * largest_row);
  }

  /// The right-hand side of the second system.
  template <class Core>
  TRAMMEL_HD void begin_second_system(Core& core) const {
    const ModelSizes& n = core.n;
    core.run(FillValues{residual, 0.0}, n.unknowns());
    core.run(TakeMultiple{rows, -1, residual + n.coordinates}, n.multipliers);
  }
  /// Applies its solution.
  template <class Core>
  TRAMMEL_HD void correct(Core& core, const Coefficients& c, double h) const {
    core.run(AddMultiple{correction, c.c, core.motion.now.q}, core.n.coordinates);
    core.run(AddMultiple{correction, c.b * h, drift}, core.n.coordinates);
  }
  /// What the last correction of positions left of φ̇, a velocity: it turned the bodies, and Φq with them.
  template <class Core>
  TRAMMEL_HD double velocity_left(Core& core, const Coefficients& c) {
    return rate * c.c * core.norm_of(correction);
  }
};

}  // namespace trammel
