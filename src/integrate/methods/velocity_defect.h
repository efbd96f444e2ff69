// Velocity correction at a change of step size or of a basis of angles, for methods whose velocities in
// constrained directions converge to exact ones plus an offset proportional to h² (HHT and its family).
#pragma once

#include <cmath>

#include "integrate/newton_iteration.h"
#include "integrate/step_data.h"

namespace trammel {

/// What the iterations have in common.
struct DefectProgress {
  double h;
  Coefficients c;
  double change;                   ///< (h/h')² − 1
  double accuracy;                 ///< relative, of what is left
  bool rebased;                    ///< bodies were, since the last step
  double bound = 0;                ///< of |Δ|/(γh)
  double first = 0, previous = 0;  ///< |δ| of the first correction and of the last, δ = δΔ/(γh)
  int iteration = 0;
};

/// Arrays: impulse, forces and missing one entry per coordinate, rows and goal one per multiplier.
struct VelocityDefect {
  double *impulse, *forces, *rows, *goal;
  double* missing;  ///< d, what the offset of q̇_n lacks in new bases of angles; else 0

  template <class Visit>
  void arrays(const ModelSizes& n, Visit&& visit) {
    for (double** v : {&impulse, &forces, &missing}) visit(*v, n.coordinates);
    for (double** v : {&rows, &goal}) visit(*v, n.multipliers);
  }

  /// In constrained directions the formulas converge to q̇_n = q̇(t_n) − C h² q⃛ with C of the local error,
  /// so that φ̇ = −C h² Φq q⃛. A step of another size h needs the offset of its own size: left as it is, the
  /// difference, divided by βh, would be an error of first order in a_{n+1} and λ. `velocity`, q̇_n, is
  /// changed by Δ with M Δ + Φqᵀ μ = 0 that makes φ̇ ← (h/h')² φ̇; with x = Δ/(γh), and the residual R and φ̈
  /// that are linear in q̈ and λ,
  ///     R(q̈ + x, λ + μ) = R(q̈, λ),    φ̈(q̈ + x) − φ̈(q̈) = ((h/h')² − 1) φ̇/(γh).
  /// Both are solved by iteration with the corrector's (possibly old) matrix to a hundredth of ε^{1/3} ~ h,
  /// which leaves an error of second order; any other Δ would change the motion along the free directions.
  /// Where bodies were re-based it makes φ̇(q̇) ← (h/h')² φ̇(q̇ + d), and |d| is allowed besides.
  /// |Δ| is at most C |h² − h'²| q⃛, known from the last error estimate; a larger one is discarded. Returns
  /// false where a function has no value or there is no matrix.
  template <class Core>
  TRAMMEL_CALLED bool scale(Core& core, double h, double* velocity) const {
    const double ratio = h / core.control.last_h;
    DefectProgress progress{h, core.coefficients(h), ratio * ratio - 1, 0.01 * std::cbrt(core.rules.error),
                            core.control.rebased};
    if (!progress.rebased && std::fabs(progress.change) <= progress.accuracy) return true;
    core.jacobian.review(core.method.jacobian_step(h));
    NewtonVerdict verdict = NewtonVerdict::failed;
    bool ended = false;
    if constexpr (Core::has_graphs) ended = !progress.rebased && core.run.scale(core, progress, verdict);
    if (!ended && begin(core, progress)) verdict = iterate(core, progress);
    if (verdict == NewtonVerdict::converged)
      core.run(AddMultiple{impulse, progress.c.b, velocity}, core.n.coordinates);
    return core.failure.end == StepEnd::accepted;
  }

  // ---- parts of it, for graphs (integrate/judge_defect.h)

  /// The equations for x with their first right-hand side, the matrix, and the bound. False where there are
  /// none.
  template <class Core>
  TRAMMEL_HD bool begin(Core& core, DefectProgress& p) const {
    constexpr double reserve = 20;
    p.bound = reserve * std::fabs(p.change) / core.control.last_h * core.norm_of(core.motion.delta) / p.c.b;
    if (p.rebased) p.bound += reserve * core.norm_of(missing) / p.c.b;
    TRAMMEL_ROLLED
    for (int k = p.rebased ? 0 : 1; k < 2; ++k) {
      const bool of_goal = k == 0;  // φ̇(q̇ + d) first
      if (of_goal) core.run(AddMultiple{missing, 1.0, core.motion.now.v}, core.n.coordinates);
      if (!core.evaluate_rates(p.c)) return false;
      if (!of_goal) {
        if (!core.jacobian.valid && !core.refresh_jacobian(p.c, p.h)) return false;
        keep_equations(core);
      }
      if (!core.run.velocity_rows(of_goal ? goal : core.motion.rows)) return core.stop(StepEnd::no_value);
      if (of_goal) core.run.copy(core.motion.now.v, core.motion.begin.v, core.n.coordinates);
    }
    begin_right_hand_side(core, p);
    return true;
  }

  /// A correction of x, and what follows: failed where x exceeds the bound, or the solution fails.
  template <class Core>
  TRAMMEL_HD NewtonVerdict correct(Core& core, DefectProgress& p) const {
    constexpr int enough = 8;  // iterations; at a convergence rate of ¼ they leave 1/65,000
    const StepMotion& at = core.motion;
    const SolveReport report = core.run.solve(at.residual, at.correction);
    if (report.status == SolveStatus::refused) core.stop(StepEnd::refused);
    if (!report.ok()) return NewtonVerdict::failed;
    add_correction(core);
    const auto whole = core.mean_squares_of(impulse), last = core.mean_squares_of(at.correction);
    core.run.collect();
    if (!(root_of(*whole) <= p.bound)) return NewtonVerdict::failed;
    const double size = root_of(*last);
    if (++p.iteration == 1) p.first = size;
    // what is left: size ξ/(1 − ξ) with the rate ξ = size/previous
    if (size == 0 || p.iteration == enough ||
        (p.iteration > 1 && size * size <= (p.previous - size) * p.accuracy * p.first))
      return NewtonVerdict::converged;
    p.previous = size;
    return NewtonVerdict::go_on;
  }

  /// The right-hand side that the last correction leaves. False where a function has no value.
  template <class Core>
  TRAMMEL_HD bool evaluate(Core& core, const DefectProgress& p) const {
    move(core, p);
    if (!core.evaluate_rates(p.c)) return false;
    take_right_hand_side(core, p);
    return true;
  }

  /// The launches of all parts, and what they may ask: the bound; the first right-hand side; a correction;
  /// and around a further evaluation.
  template <class Core, class NextPart>
  void tabulate(Core& core, const DefectProgress& p, const NextPart& next_part) const {
    core.norm_of(core.motion.delta);
    keep_equations(core);
    next_part();
    begin_right_hand_side(core, p);
    next_part();
    add_correction(core);
    core.mean_squares_of(impulse);
    core.mean_squares_of(core.motion.correction);
    next_part();
    move(core, p);
    next_part();
    take_right_hand_side(core, p);
  }

 private:
  template <class Core>
  TRAMMEL_CALLED NewtonVerdict iterate(Core& core, DefectProgress& p) const {
    while (true) {
      const NewtonVerdict verdict = correct(core, p);
      if (verdict != NewtonVerdict::go_on) return verdict;
      if (!evaluate(core, p)) return NewtonVerdict::failed;
    }
  }

  template <class Core>
  TRAMMEL_HD void keep_equations(Core& core) const {
    core.run.copy(forces, core.motion.residual, core.n.coordinates);
    core.run.copy(rows, core.motion.rows, core.n.multipliers);
  }
  template <class Core>
  TRAMMEL_HD void begin_right_hand_side(Core& core, const DefectProgress& p) const {
    const StepMotion& at = core.motion;
    const ModelSizes& n = core.n;
    core.run(FillValues{at.residual, 0.0}, n.unknowns());
    if (p.rebased) {
      core.run(TakeMultiple{at.rows, -1 / p.c.b, at.residual + n.coordinates}, n.multipliers);
      core.run(AddMultiple{goal, (1 + p.change) / p.c.b, at.residual + n.coordinates}, n.multipliers);
    } else {
      core.run(TakeMultiple{at.rows, p.change / p.c.b, at.residual + n.coordinates}, n.multipliers);
    }
    core.run(AddMultiple{at.residual + n.coordinates, p.c.a, rows}, n.multipliers);
    core.run(FillValues{impulse, 0.0}, n.coordinates);
  }
  template <class Core>
  TRAMMEL_HD void add_correction(Core& core) const {
    core.run(AddMultiple{core.motion.correction, 1.0, impulse}, core.n.coordinates);
  }
  template <class Core>
  TRAMMEL_HD void move(Core& core, const DefectProgress& p) const {
    const StepMotion& at = core.motion;
    core.run(AddMultiple{at.correction, p.c.a, at.now.a}, core.n.coordinates);
    core.run(AddMultiple{at.correction + core.n.coordinates, 1.0, at.now.lambda}, core.n.multipliers);
  }
  template <class Core>
  TRAMMEL_HD void take_right_hand_side(Core& core, const DefectProgress& p) const {
    const StepMotion& at = core.motion;
    const ModelSizes& n = core.n;
    core.run(Difference{forces, 1.0, at.residual}, n.coordinates);
    core.run.copy(at.residual + n.coordinates, at.rows, n.multipliers);
    core.run(Difference{rows, 1 / p.c.a, at.residual + n.coordinates}, n.multipliers);
    core.run(FillValues{at.residual + n.first_scalar(), 0.0}, n.scalars);
  }
};

}  // namespace trammel
