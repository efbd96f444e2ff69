// What an integration knows between its steps, as numbers and pointers, for the processor and for a thread of
// a device alike. The parts that decide are integrate/jacobian_policy.h, step_control.h, history.h.
#pragma once

#include "base/hd.h"
#include "integrate/history.h"
#include "integrate/jacobian_policy.h"
#include "integrate/step_control.h"
#include "integrate/step_kernels.h"
#include "linear/solve_report.h"

namespace trammel {

struct StepCounters {
  long steps = 0;  ///< accepted
  long rejected_error = 0, rejected_corrector = 0;
  long evaluations = 0;  ///< residuals
  long iterations = 0;   ///< corrector iterations = solves
  long jacobians = 0;
  long rebases = 0;   ///< re-based orientations (no restarts)
  long rounding = 0;  ///< steps in which rounding left more than ERROR allows

  StepCounters& operator+=(const StepCounters& c);
};

/// One accepted step.
struct StepResult {
  double t = 0, h = 0;
  double next_h = 0;
  double error_ratio = 0;  ///< estimated local error over tolerance (√Θ of Eq. 38a)
  int iterations = 0;
  template <class Archive>
  void archive(Archive& a) {
    a(t, h, next_h, error_ratio, iterations);
  }
};

/// What the corrector saw last: for messages when a step fails.
struct CorrectorRecord {
  int iteration = 0;
  double residual = 0, correction = 0;
  int equation = -1, unknown = -1;
  double convergence_rate = 0;
  bool new_jacobian = false;
  template <class Archive>
  void archive(Archive& a) {
    a(iteration, residual, correction, equation, unknown, convergence_rate, new_jacobian);
  }
};

/// How StepCore::step() ends.
enum class StepEnd {
  accepted,
  gave_up,     ///< below HMIN; CorrectorRecord tells where it stands
  no_advance,  ///< the step asked for does not change the time
  no_value,    ///< a function has no value, whatever the step
  singular,    ///< the system matrix has no factors, whatever the step: `report` tells where
  refused,     ///< by the linear system, which has no other way to an answer
};

/// IntegratorOptions as numbers: what all methods have.
struct StepRules {
  double error = 0, hmin = 0, hmax = 0, hinit = 0;
  int maxit = 0, predictor_order = 0;
  bool modified_corrector = false, fixed_step = false;
};

/// Sizes of a model.
struct ModelSizes {
  int coordinates = 0, multipliers = 0, scalars = 0, bodies = 0;
  int differential = 0;  ///< scalars with a rate
  TRAMMEL_HD int first_scalar() const { return coordinates + multipliers; }
  TRAMMEL_HD int unknowns() const { return first_scalar() + scalars; }
};

/// The motion that is integrated, and room for its step. Arrays lie where the machine runs; one entry per
/// coordinate, multiplier, scalar, or (residual, correction) unknown.
struct StepMotion {
  double t = 0;         ///< of the state that moves
  StateArrays now{};    ///< it
  double begin_t = 0;   ///< where the step begins
  StateArrays begin{};  ///< the state there
  double *residual, *correction;
  double* rows;    ///< of constraints, differentiated in time once or twice
  double* weight;  ///< Y = max(1, largest |q_i| so far) of translations, 1 of angles
  double* delta;   ///< local error of coordinates, as estimated last
};

/// The corrector in the present attempt.
struct CorrectorState {
  int iterations = 0;
  double scalar_measure = 0;       ///< last correction of scalars, in units of what the corrector may leave
  double acceleration_change = 0;  ///< last correction of accelerations, relative; 0: none measured
  double lambda_scale = 0, inertia_force = 0;  ///< largest multiplier, m|ẍ_n|
  /// Largest residuals of the last evaluation: of coordinates, multipliers, scalars, and of these relative.
  Place force{}, constraint{}, scalar{}, scalar_relative{};
  CorrectorRecord record;
  template <class Archive>
  void archive(Archive& a) {
    a(iterations, scalar_measure, acceleration_change, lambda_scale, inertia_force);
    for (Place* place : {&force, &constraint, &scalar, &scalar_relative}) a(place->value, place->index);
    a(record);
  }
};

/// What rounding does to steps.
struct RoundingWatch {
  double size = 0;          ///< largest length in the model: unit of rounding
  bool limited = false;     ///< the last attempt failed with Φ already at rounding
  bool beyond = false;      ///< the present step is accepted with rounding in place of ERROR
  double largest_step = 0;  ///< largest step in which rounding was all that was left of a correction
  double positions = 0;     ///< local error in positions that rounding makes / ERROR, fading
  double scalars = 0;       ///< the same in states with a rate
  template <class Archive>
  void archive(Archive& a) {
    a(size, limited, beyond, largest_step, positions, scalars);
  }
};

/// Why the present attempt cannot go on.
struct StepFailure {
  StepEnd end = StepEnd::accepted;
  double h = 0;        ///< step that was below HMIN
  SolveReport report;  ///< of the last factorization
};

/// All but the method's own numbers.
struct StepState {
  StepRules rules;
  ModelSizes n;
  StepCounters counters;
  StepResult result;  ///< of the last accepted step
  StepMotion motion;
  History history;
  StepControl control;
  JacobianPolicy jacobian;
  CorrectorState corrector;
  RoundingWatch rounding;
  StepFailure failure;

  /// The numbers that change between steps; rules and sizes follow from options and model.
  template <class Archive>
  void archive(Archive& a) {
    a(motion.t, motion.begin_t, history);
    a.plain(counters);
    a(result, control, jacobian, corrector, rounding);
  }
};

/// Members of StepCore, apart so that they can be copied to where it runs and back.
template <class Method>
struct StepData : StepState {
  Method method;
};

/// visit(double*& array, int n) of every array of an integration: the list by which they are made, saved and
/// restored. What moves (motion.now) belongs to the state.
template <class Method, class Visit>
void visit_arrays(StepData<Method>& d, Visit&& visit) {
  const ModelSizes& n = d.n;
  StateArrays& begin = d.motion.begin;
  for (double** of_coordinates : {&begin.q, &begin.v, &begin.a}) visit(*of_coordinates, n.coordinates);
  visit(begin.lambda, n.multipliers);
  for (double** of_scalars : {&begin.s, &begin.sdot}) visit(*of_scalars, n.scalars);
  d.method.arrays(n, visit);
  for (double** v : {&d.motion.weight, &d.motion.delta}) visit(*v, n.coordinates);
  visit(d.motion.rows, n.multipliers);
  for (double** v : {&d.motion.residual, &d.motion.correction}) visit(*v, n.unknowns());
  d.history.arrays(n.unknowns(), n.coordinates, visit);
}

/// Room for the arrays; `room(n)` gives n doubles that are zero.
template <class Method, class Rooms>
void make_arrays(StepData<Method>& d, Rooms&& room) {
  visit_arrays(d, [&](double*& array, int n) { array = room(n); });
}

}  // namespace trammel
