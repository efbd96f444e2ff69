// The HHT method as numbers and pointers: what an integration knows between its steps, for the processor and
// for a thread of a device alike. Formulas: integrate/hht.h.
#pragma once

#include <cstddef>

#include "base/hd.h"
#include "integrate/hht_kernels.h"
#include "integrate/predictor.h"
#include "linear/solve_report.h"

namespace trammel {

struct HhtCounters {
  long steps = 0;  ///< accepted
  long rejected_error = 0, rejected_corrector = 0;
  long evaluations = 0;  ///< residuals
  long iterations = 0;   ///< corrector iterations = solves
  long jacobians = 0;
  long rebases = 0;   ///< re-based orientations (no restarts)
  long rounding = 0;  ///< steps in which rounding left more than ERROR allows

  HhtCounters& operator+=(const HhtCounters& c);
};

/// One accepted step.
struct StepResult {
  double t = 0, h = 0;
  double next_h = 0;
  double error_ratio = 0;  ///< estimated local error over tolerance (√Θ of Eq. 38a)
  int iterations = 0;
};

/// What the corrector saw last: for messages when a step fails.
struct CorrectorRecord {
  int iteration = 0;
  double residual = 0, correction = 0;
  int equation = -1, unknown = -1;
  double convergence_rate = 0;
  bool new_jacobian = false;
};

/// How HhtCore::step() ends.
enum class StepEnd {
  accepted,
  gave_up,     ///< below HMIN; CorrectorRecord tells where it stands
  no_advance,  ///< the step asked for does not change the time
  no_value,    ///< a function has no value, whatever the step
  singular,    ///< the system matrix has no factors, whatever the step: `report` tells where
  refused,     ///< by the linear system, which has no other way to an answer
};

/// Entries that PATTERN may have.
inline constexpr std::size_t most_pattern_entries = 64;

/// When new Jacobians are due: PATTERN of HhtOptions.
struct JacobianPattern {
  unsigned long long entries = 0;  ///< bit k: a new one in iteration k + 1; repeats when exhausted
  int length = 1;
  bool adaptive = true;  ///< also where convergence is slow; else only after failure (F:F)
  TRAMMEL_HD bool wants(int iteration) const { return entries >> ((iteration - 1) % length) & 1; }
};

/// HhtOptions as numbers, with what follows from them.
struct HhtRules {
  double error = 0, hmin = 0, hmax = 0, hinit = 0;
  int maxit = 0, predictor_order = 0;
  JacobianPattern pattern;
  bool modified_corrector = false, fixed_step = false;
  HhtFormulas formulas{};
  double error_constant = 0;  ///< |β + α/2 − 1/6|
  double rounding_gain = 0;   ///< of rounding in positions, in the estimate of the local error
};

/// Sizes of a model.
struct HhtSizes {
  int coordinates = 0, multipliers = 0, scalars = 0, bodies = 0;
  int differential = 0;  ///< scalars with a rate
  TRAMMEL_HD int first_scalar() const { return coordinates + multipliers; }
  TRAMMEL_HD int unknowns() const { return first_scalar() + scalars; }
};

/// Members of HhtCore, apart so that they can be copied to where it runs and back.
struct HhtData {
  HhtRules rules_;
  HhtSizes n_;
  HhtCounters counters_;
  StepResult result_;  ///< of the last accepted step

  // Arrays, where the machine runs.
  double t_ = 0;         ///< of the state that moves
  StateArrays now_{};    ///< it
  StateArrays begin_{};  ///< at the beginning of the step
  double begin_t_ = 0;
  double *aux_, *aux_begin_;  ///< a and y at n+1 and, matched to the present h, at n
  double* aux_stored_;        ///< as left by the last accepted step
  double* velocity_begin_;    ///< q̇_n, its defect in constrained directions matched to h
  double *impulse_, *impulse_forces_, *impulse_rows_, *rows_;  ///< what matches it, in accelerations
  double *residual_, *correction_, *weight_, *delta_;
  double *internal_begin_, *mass_acceleration_;  ///< Eq. 10: Q̂ at n, M q̈
  Predictor predictor_, history_q_, history_v_;

  double h_last_ = 0, next_h_ = 0, error_ratio_ = 0;
  int order_limit_ = 3;            ///< grows to predictor_order after a corrector failure
  int best_order_ = 3;             ///< of those whose misses were least of late
  double predictor_miss_[4] = {};  ///< per order: smoothed, in units of the corrector's tolerance
  int calm_steps_ = 1000;          ///< since the corrector failed
  bool rounding_limited_ = false;  ///< the last attempt failed with Φ already at rounding
  bool beyond_rounding_ = false;   ///< the present step is accepted with rounding in place of ERROR
  bool jacobian_valid_ = false, jacobian_fresh_ = false;
  int jacobian_age_ = 0, jacobian_life_ = 1000;  ///< accepted steps: of the present Jacobian, and allowed
  int calm_lives_ = 0;
  double jacobian_h_ = 0, last_rate_ = -1;
  double scalar_measure_ = 0;       ///< last correction of scalars, in units of what the corrector may leave
  double acceleration_change_ = 0;  ///< last correction of accelerations, relative; 0: none measured
  double rounding_step_ = 0;        ///< smallest step that rounding leaves sense in
  double lambda_scale_ = 0, inertia_force_ = 0;  ///< largest multiplier, m|ẍ_n|
  double rounding_error_ = 0;                    ///< local error in positions that rounding makes / ERROR
  double scalar_rounding_ = 0;                   ///< the same in states with a rate
  double size_ = 0;                              ///< largest length in the model: unit of rounding
  /// Largest residuals of the last evaluation: of coordinates, multipliers, scalars, and of these relative.
  Place force_residual_{}, constraint_residual_{}, scalar_residual_{}, scalar_relative_{};
  CorrectorRecord record_;
  int iterations_ = 0;

  StepEnd end_ = StepEnd::accepted;  ///< why the present attempt cannot go on
  double failed_h_ = 0;              ///< step that was below HMIN
  SolveReport report_;               ///< of the last factorization
};

/// Room for the arrays; `room(n)` gives n doubles that are zero.
template <class Rooms>
void make_arrays(HhtData& d, Rooms&& room) {
  const HhtSizes& m = d.n_;
  d.begin_ = {room(m.coordinates),
              room(m.coordinates),
              room(m.coordinates),
              room(m.multipliers),
              room(m.scalars),
              room(m.scalars),
              nullptr};
  for (double** v : {&d.aux_, &d.aux_begin_, &d.aux_stored_}) *v = room(m.coordinates + m.scalars);
  for (double** v : {&d.velocity_begin_, &d.impulse_, &d.impulse_forces_, &d.weight_, &d.delta_,
                     &d.internal_begin_, &d.mass_acceleration_})
    *v = room(m.coordinates);
  for (double** v : {&d.impulse_rows_, &d.rows_}) *v = room(m.multipliers);
  for (double** v : {&d.residual_, &d.correction_}) *v = room(m.unknowns());
  d.predictor_.make(room, m.unknowns());
  d.history_q_.make(room, m.coordinates);
  d.history_v_.make(room, m.coordinates);
}

}  // namespace trammel
