// Velocity correction at a change of step size, for methods whose velocities in constrained directions
// converge to exact ones plus an offset proportional to h² (HHT and its family).
#pragma once

#include <cmath>

#include "integrate/step_data.h"

namespace trammel {

/// Arrays: impulse and forces one entry per coordinate, rows one per multiplier.
struct VelocityDefect {
  double *impulse, *forces, *rows;

  template <class Visit>
  void arrays(const ModelSizes& n, Visit&& visit) {
    for (double** v : {&impulse, &forces}) visit(*v, n.coordinates);
    visit(rows, n.multipliers);
  }

  /// In constrained directions the formulas converge to q̇_n = q̇(t_n) − C h² q⃛ with C of the local error,
  /// so that φ̇ = −C h² Φq q⃛. A step of another size h needs the offset of its own size: left as it is, the
  /// difference, divided by βh, would be an error of first order in a_{n+1} and λ. `velocity`, q̇_n, is
  /// changed by Δ with M Δ + Φqᵀ μ = 0 that makes φ̇ ← (h/h')² φ̇; with x = Δ/(γh), and the residual R and φ̈
  /// that are linear in q̈ and λ,
  ///     R(q̈ + x, λ + μ) = R(q̈, λ),    φ̈(q̈ + x) − φ̈(q̈) = ((h/h')² − 1) φ̇/(γh).
  /// They are solved by iteration with the corrector's (possibly old) matrix to a hundredth of ε^{1/3} ~ h,
  /// which leaves an error of second order; any other Δ would change the motion along the free directions.
  /// |Δ| is at most C |h² − h'²| q⃛, known from the last error estimate; a larger one is discarded. Returns
  /// false where a function has no value or there is no matrix.
  template <class Core>
  TRAMMEL_CALLED bool scale(Core& core, double h, double* velocity) const {
    const double accuracy = 0.01 * std::cbrt(core.rules.error);
    const Coefficients c = core.coefficients(h);
    const double ratio = h / core.control.last_h, change = ratio * ratio - 1;
    if (std::fabs(change) <= accuracy) return true;
    auto& run = core.run;
    const StepMotion& at = core.motion;
    const ModelSizes& n = core.n;
    const double bound = 20 * std::fabs(change) / core.control.last_h * core.norm_of(at.delta) / c.b;
    core.jacobian.review(core.method.jacobian_step(h));
    if (!core.evaluate_rates(c)) return false;
    if (!core.jacobian.valid && !core.refresh_jacobian(c, h)) return false;
    run.copy(forces, at.residual, n.coordinates);
    run.copy(rows, at.rows, n.multipliers);
    if (!run.velocity_rows(at.rows)) return core.stop(StepEnd::no_value);
    run(FillValues{at.residual, 0.0}, n.unknowns());
    run(TakeMultiple{at.rows, change / c.b, at.residual + n.coordinates}, n.multipliers);
    run(AddMultiple{at.residual + n.coordinates, c.a, rows}, n.multipliers);
    run(FillValues{impulse, 0.0}, n.coordinates);
    if (solve(core, c, bound, accuracy)) run(AddMultiple{impulse, c.b, velocity}, n.coordinates);
    return core.failure.end == StepEnd::accepted;
  }

 private:
  /// Solves for `impulse` = Δ/(γh). False when it exceeds the bound, or the solve fails.
  template <class Core>
  TRAMMEL_CALLED bool solve(Core& core, const Coefficients& c, double bound, double accuracy) const {
    auto& run = core.run;
    const StepMotion& at = core.motion;
    const ModelSizes& n = core.n;
    constexpr int enough = 8;  // iterations; at a convergence rate of ¼ they leave 1/65,000
    double first = 0, previous = 0;
    for (int iteration = 1;; ++iteration) {
      const SolveReport report = run.solve(at.residual, at.correction);
      if (report.status == SolveStatus::refused) return core.stop(StepEnd::refused);
      if (!report.ok()) return false;
      run(AddMultiple{at.correction, 1.0, impulse}, n.coordinates);
      const auto whole = core.squares_of(impulse), last = core.squares_of(at.correction);
      run.collect();
      if (!(std::sqrt(whole->x) <= bound)) return false;
      const double size = std::sqrt(last->x);
      if (iteration == 1) first = size;
      // what is left: size ξ/(1 − ξ) with the rate ξ = size/previous
      if (size == 0 || (iteration > 1 && size * size <= (previous - size) * accuracy * first)) return true;
      if (iteration == enough) return true;
      previous = size;
      run(AddMultiple{at.correction, c.a, at.now.a}, n.coordinates);
      run(AddMultiple{at.correction + n.coordinates, 1.0, at.now.lambda}, n.multipliers);
      if (!core.evaluate_rates(c)) return false;
      run(Difference{forces, 1.0, at.residual}, n.coordinates);
      run.copy(at.residual + n.coordinates, at.rows, n.multipliers);
      run(Difference{rows, 1 / c.a, at.residual + n.coordinates}, n.multipliers);
      run(FillValues{at.residual + n.first_scalar(), 0.0}, n.scalars);
    }
  }
};

}  // namespace trammel
