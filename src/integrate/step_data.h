// Data of an integration between its steps, plain numbers and pointers for the processor and for threads of a
// device. Decisions are made in integrate/jacobian_policy.h, step_control.h, history.h.
#pragma once

#include "base/hd.h"
#include "integrate/history.h"
#include "integrate/jacobian_policy.h"
#include "integrate/step_control.h"
#include "integrate/step_terms.h"
#include "linear/solve_report.h"

namespace trammel {

struct StepCounters {
  long steps = 0;  ///< accepted
  long rejected_error = 0, rejected_corrector = 0;
  long evaluations = 0;  ///< of the residual
  long iterations = 0;   ///< corrector iterations = solves
  long jacobians = 0;
  long rebases = 0;     ///< bodies re-based
  long rounding = 0;    ///< steps accepted although rounding exceeded ERROR
  long partitions = 0;  ///< choices of other independent coordinates
  long stiff = 0;       ///< steps that stability bounds, not ERROR

  StepCounters& operator+=(const StepCounters& c);
};

struct StepResult {
  double t = 0, h = 0;
  double next_h = 0;
  double error_ratio = 0;  ///< estimated local error over tolerance (√Θ of Eq. 38a)
  int iterations = 0;
  int order = 2;  ///< of the formula
  template <class Archive>
  void archive(Archive& a) {
    a(t, h, next_h, error_ratio, iterations, order);
  }
};

/// A second system with the corrector's matrix, which a method solves in each iteration: right-hand side and
/// solution, one entry per unknown. Null: there is none.
struct FurtherSystem {
  const double* residual = nullptr;
  double* correction = nullptr;
};

/// The last corrector iteration, for messages; when it did not converge with the largest residual and
/// correction and their indices.
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
  gave_up,     ///< below HMIN; CorrectorRecord has the last iteration
  no_advance,  ///< the step size is too small to change the time
  no_value,    ///< a function has no value at any step size
  singular,    ///< the system matrix is singular at any step size: `report` has the pivot
  refused,     ///< by the guard of the linear system on a device, which has no fallback
};

/// IntegratorOptions that all methods use, as plain numbers.
struct StepRules {
  double error = 0, hmin = 0, hmax = 0, hinit = 0;
  double adaptivity = 0;  ///< over h: by so much errors of the corrector may be larger [1 · time]
  double acceleration_tolerance = 0;  ///< relative change allowed in accelerations, 1e-3 ε^{1/3}
  double algebraic_tolerance =
      0;  ///< relative, in λ and algebraic scalars, 0.01 ε^{2/3}: of the global error of order 2
  int maxit = 0, predictor_order = 0;
  bool modified_corrector = false, fixed_step = false;
  bool forces_may_stiffen = false;  ///< forces may stiffen at once
};

/// Sizes of a model.
struct ModelSizes {
  int coordinates = 0, multipliers = 0, scalars = 0, bodies = 0;
  int differential = 0;       ///< scalars with a rate
  bool counts_turns = false;  ///< angles are read that count revolutions
  bool has_delays = false;    ///< functions look back, into histories of what was evaluated last in each step
  TRAMMEL_HD int first_scalar() const { return coordinates + multipliers; }
  TRAMMEL_HD int unknowns() const { return first_scalar() + scalars; }
};

/// State and scratch of a step, in memory where the machine runs: one entry per coordinate, multiplier,
/// scalar, or (residual, correction) unknown.
struct StepMotion {
  double t = 0;         ///< of `now`
  StateArrays now{};    ///< the state in progress
  double begin_t = 0;   ///< time at which the step begins
  StateArrays begin{};  ///< the state at begin_t
  double *residual, *correction;
  double* rows;    ///< φ̇ or φ̈: constraint rows differentiated in time, one per multiplier
  double* weight;  ///< Y = max(1, largest |q_i| so far) for translations, 1 for angles
  const double* state_unit = nullptr;  ///< least unit of errors of scalars (Integrator); null: 1 for all
  double* delta;                       ///< estimated local error of coordinates
  double* delta_before;                ///< of the attempt before, while one is under way
  TRAMMEL_HD void exchange_errors() {
    double* const last = delta;
    delta = delta_before;
    delta_before = last;
  }
};

/// Corrector data of the present attempt.
struct CorrectorState {
  int iterations = 0;
  double scalar_measure = 0;    ///< last correction of scalars in units of the corrector's tolerance
  double change_of_forces = 0;  ///< the last one, over what is allowed; 0: none measured
  double unbalanced = 0;        ///< last residual of forces over what may be left; 0: none measured
  double remainder = 0;         ///< what the step leaves by its measured rate, in units of its tolerance
  double lambda_scale = 0, inertia_force = 0;  ///< largest multiplier and largest m|ẍ_n|
  double acceleration = 0;  ///< of bodies, the largest at the end of the last step: BodyAcceleration
  LeastAcceleration least;  ///< of the present attempt
  /// Largest residuals of the last evaluation: force balances, constraints, scalars, and scalars relative.
  Place force{}, constraint{}, scalar{}, scalar_relative{};
  bool error_known = false;  ///< the local error was estimated with the last iteration
  CorrectorRecord record;
  template <class Archive>
  void archive(Archive& a) {
    a(iterations, scalar_measure, change_of_forces, lambda_scale, inertia_force, acceleration);
    for (Place* place : {&force, &constraint, &scalar, &scalar_relative}) a(place->value, place->index);
    a(record);
  }
};

/// What the iterations of one attempt have in common.
struct CorrectionProgress {
  double h;
  Coefficients c;
  /// correction_measure() of the last iteration with the present matrix; 0: none.
  CorrectionParts previous{};
  double first = 0;  ///< its largest part in the first iteration where no rate follows from that; else 0
  bool fresh_now = false;  ///< the matrix was factored in this iteration
  bool applied = false;    ///< the correction, of which it is not yet known what follows from it
};

/// Rounding errors in steps.
struct RoundingWatch {
  double size = 0;    ///< largest place in the model: the unit of rounding is u·size
  double turned = 0;  ///< largest angle of a body, whose rounding is that of φ
  double path = 0;  ///< bound of angles that count revolutions: ∫ |ψ̇| + |θ̇| + |φ̇| dt, largest of a body
  bool limited = false;     ///< the last attempt failed with Φ at rounding level
  bool beyond = false;      ///< the present step is accepted although rounding exceeds ERROR
  double largest_step = 0;  ///< largest step in which a correction was rounding alone
  double positions = 0;     ///< local error in positions from rounding / ERROR, decaying
  double scalars = 0;       ///< the same of states with a rate
  TRAMMEL_HD void grow(double place, double angle) {
    if (place > size) size = place;
    if (angle > turned) turned = angle;
  }
  template <class Archive>
  void archive(Archive& a) {
    a(size, turned, path, limited, beyond, largest_step, positions, scalars);
  }
};

struct StepFailure {
  StepEnd end = StepEnd::accepted;
  double h = 0;        ///< step size that was below HMIN
  double error = 0;    ///< of the shortest attempt, over ERROR; 0: its corrector did not converge
  SolveReport report;  ///< of the last factorization
};

/// All data of StepCore but the method's own.
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

  /// Saves or restores what changes between steps; rules and sizes follow from options and model.
  template <class Archive>
  void archive(Archive& a) {
    a(motion.t, motion.begin_t, history);
    a.plain(counters);
    a(result, control, jacobian, corrector, rounding);
  }
};

/// Data members of StepCore, in a struct of their own so that they can be copied to and from a device.
template <class Method>
struct StepData : StepState {
  Method method;
};

/// Calls visit(double*& array, int n) for every array of an integration except motion.now, which belongs to
/// the state: the list by which they are allocated, saved and restored.
template <class Method, class Visit>
void visit_arrays(StepData<Method>& d, Visit&& visit) {
  const ModelSizes& n = d.n;
  StateArrays& begin = d.motion.begin;
  for (double** of_coordinates : {&begin.q, &begin.v, &begin.a}) visit(*of_coordinates, n.coordinates);
  visit(begin.lambda, n.multipliers);
  for (double** of_scalars : {&begin.s, &begin.sdot}) visit(*of_scalars, n.scalars);
  d.method.arrays(n, visit);
  for (double** v : {&d.motion.weight, &d.motion.delta, &d.motion.delta_before}) visit(*v, n.coordinates);
  visit(d.motion.rows, n.multipliers);
  for (double** v : {&d.motion.residual, &d.motion.correction}) visit(*v, n.unknowns());
  d.history.arrays(n.unknowns(), n.coordinates, visit);
}

/// Allocates the arrays; `room(n)` returns n doubles that are zero.
template <class Method, class Rooms>
void make_arrays(StepData<Method>& d, Rooms&& room) {
  visit_arrays(d, [&](double*& array, int n) { array = room(n); });
}

}  // namespace trammel
