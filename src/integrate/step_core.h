// Steps of a method on the index-3 equations, with error control, written once for three machines: the
// processor and a device driven launch by launch (both HostMachine, integrate/host_machine.h), and a group of
// threads on a device that runs a whole simulation (integrate/group_simulation.h).
//
// A machine has, with kernels and terms as in integrate/step_kernels.h, step_terms.h:
//     void operator()(const Kernel& kernel, int n)        kernel(i) for i < n, complete on return
//     void copy(double* to, const double* from, int n)
//     auto reduce(const Term& term, int n), collect()      joined term(i): `->` is valid after collect()
//     bool evaluate(double t, const Coefficients&, double* residual)            false: no value
//     bool evaluate_rates(double t, const Coefficients&, double* residual, double* rows)
//     bool velocity_rows(double* rows)
//     bool mass_times_acceleration(double* out)            used by Eq. 10 only
//     bool factor(double t, const Coefficients&, SolveReport&)
//     SolveReport solve(const double* b, double* x)
//     void accept(double t)                                as Equations::accept()
//     places(), cos_theta(), body_rows(), differential()   as in Equations
//     constant observed, and if true SolveObserver* observer and leaps(t, h, evaluated) as in Equations
//     constant has_graphs, if it can take iterations as graphs:
//     bool iterate(core, Correction&, NewtonPlace&, NewtonVerdict&)    false: goes on at the place
//     bool scale(core, DefectProgress&, NewtonVerdict&)    of VelocityDefect; false: begins anew
// Every thread of a machine executes all of this class with the same numbers.
//
// A method (integrate/methods/) is a struct of numbers and arrays with these functions. Those that take
// `core`, a StepCore, may use its public members:
//     void arrays(const ModelSizes&, visit)                 visit(double*& array, int size) of its arrays
//     Coefficients coefficients(double h, bool first_step)  how a correction Δ enters tangent and residual
//     double position_error(double h)                       local error in positions that a Δ of 1 causes
//     double rounding_in_states(double of_correction)       a quarter of rates' rounding in the error of
//                                                           states
//     void predict(core, const Extrapolation&, double h)    the state at the end of the step
//     void local_error(core, double h)                      of coordinates, into core.motion.delta
//     auto error_of_states(core, double h)                  reduction: the largest, relative above 1
// and, where those of MethodDefaults (integrate/method_defaults.h) are not its own:
//     int order                                             of the formula
//     double rounding_gain()                                rounding of positions in their error estimate
//     auto stored(double h)                                 re-bases its arrays after a step of size h
//                                                           (integrate/rebase_body.h)
//     void archive(Archive&)                                its numbers that change between steps
//     Coefficients of_jacobian(Coefficients)                of the matrix, for those of the residual
//     double jacobian_step(double h)                        the measure of h by which a Jacobian is kept
//     void start(core)                                      begins at a consistent state
//     bool begin_step(core, double h)                       false: the reason is in core.failure
//     bool reads_velocity_rows()                            its residual does: all markers are evaluated
//     void begin_residual(core)                             then: before φ̇ takes the place of φ̈ in
//                                                           core.motion.rows
//     bool complete_residual(core)                          adds the method's own terms to the residual
//     FurtherSystem further_system()                        with the matrix of the corrector, if there is one
//     void begin_further_system(core)                       its right-hand side, from the residual
//     void apply(core, double h)                            adds Δ to coordinates and scalars (λ is done)
//     double displacement(Coefficients)                     that a Δ of 1 makes, for comparison with rounding
//     double displacement_in_error(Coefficients)            that an error of 1 in positions stands for
//     bool leaves_out_quasi_static_modes()                  it measures nothing of modes without inertia
//     double largest_constraint(core, Coefficients)         largest residual of constraints, a displacement
//     double highest_rate_after_first(const ModelSizes&)    up to which the second correction over the first
//                                                           is a rate of convergence; 0: none follows from it
//     double further_correction(core)                       of what else is corrected, in units of ERROR
//     double further_error(core)                            of what else is controlled, in units of ERROR
//     double error_passed_on(core, double error)            one above ERROR, as it arrives at the end of the
//                                                           step; both over ERROR
//     void accept(core)                                     ends an accepted step
//     double suggested(core, double h)                      the step after an accepted one
//     double after_error(core, double h)                    the step after one whose error was too large
//     void after_failure(core)                              the corrector failed with a fresh Jacobian
// and, if it has stages (has_stages),
//     bool correct(core, double h)                          in place of the corrector of one state
//     double error_ratio(core, double h)                    the estimated local error over what ERROR allows
//     void push_stages(core, double h)                      those before the end, into core.history
// and, on the processor alone and where interpolation between the ends of steps is not of its order,
//     void inside_step(core, double t, const StateArrays&)  q, q̇ and states with a rate inside of the last
//     step
#pragma once

#include <cmath>

#include "integrate/newton_iteration.h"
#include "integrate/schedule.h"
#include "integrate/step_data.h"

namespace trammel {

enum class AttemptEnd;

/// Whether a machine can take a method's iterations as a graph. Such a method's functions that an iteration
/// calls ask for nothing but what StepCore::tabulate_iteration() does.
template <class Method, class Machine>
inline constexpr bool iterates_in_graph = Method::has_graph&& requires {
  Machine::has_graphs;
};

template <class Method, class Machine>
class StepCore : public StepData<Method> {
 public:
  TRAMMEL_HD StepCore(const StepData<Method>& data, Machine& machine)
      : StepData<Method>(data), run(machine) {}

  using MethodType = Method;
  static constexpr bool has_graphs = iterates_in_graph<Method, Machine>;
  using StepState::control, StepState::corrector, StepState::counters, StepState::failure, StepState::history,
      StepState::jacobian, StepState::motion, StepState::n, StepState::result, StepState::rounding,
      StepState::rules, StepData<Method>::method;

  /// Begins at the consistent state motion.now, time motion.t. Clears the history and re-bases every body.
  TRAMMEL_HD void start();
  /// Takes one accepted step of at most `h_limit`, reported in `result`: smaller when error or corrector
  /// require it, without a short remainder up to the time that is `left` away (INFINITY: none), and longer,
  /// up to that, when all smaller ones fail. On failure the state is that of the last accepted step.
  TRAMMEL_HD StepEnd step(double h_limit, double left);
  /// Takes one step of exactly h without error control (fixed-step mode).
  TRAMMEL_HD StepEnd step_exactly(double h);

  // ---- for methods

  TRAMMEL_HD Coefficients coefficients(double h) const {
    return method.coefficients(h, history.at_first_step());
  }
  /// Records why the attempt cannot go on; returns false.
  TRAMMEL_HD bool stop(StepEnd why) {
    failure.end = why;
    return false;
  }
  TRAMMEL_HD bool compute_residual(const Coefficients& c);
  TRAMMEL_HD bool complete_residual();
  TRAMMEL_HD bool evaluate_rates(const Coefficients& c);
  TRAMMEL_HD bool refresh_jacobian(const Coefficients& c, double h);
  TRAMMEL_HD auto mean_squares_of(const double* x) { return mean_squares_of(x, n.bodies); }
  TRAMMEL_HD auto mean_squares_of(const double* x, int bodies);
  TRAMMEL_HD double norm_of(const double* x);
  TRAMMEL_HD LeastAcceleration least_acceleration(double h) const;
  TRAMMEL_CALLED void measure_residual();
  TRAMMEL_HD NewtonVerdict judge(const CorrectionParts& parts, const CorrectionParts& before, bool fresh_now);
  TRAMMEL_CALLED bool forces_settled(double change, bool fresh_now);
  TRAMMEL_CALLED double unbalanced_forces(double h);
  TRAMMEL_HD bool forces_balanced(double left, bool fresh_now);

  // ---- for machines that iterate

  /// integrate/corrector.h
  struct Correction;
  template <class NextPart>
  void tabulate_iteration(double h, const NextPart& next_part);
  TRAMMEL_CALLED void estimate_error(double h, bool control_error);  ///< integrate/attempts.h

  Machine& run;

 private:
  enum class Attempt { accepted, error_too_large, leap, not_converged, stopped };

  // integrate/attempts.h
  TRAMMEL_CALLED Attempt attempt(double h, bool control_error);
  TRAMMEL_CALLED Attempt try_step(double h, bool control_error);
  TRAMMEL_CALLED void finish(double h);
  TRAMMEL_HD void save();
  TRAMMEL_HD void restore();
  TRAMMEL_CALLED void copy_arrays(const StateArrays& to, const StateArrays& from);
  TRAMMEL_CALLED double rounding_in_scalars(double h);
  TRAMMEL_HD auto measure_size();
  TRAMMEL_HD auto rebase_bodies(double h);
  TRAMMEL_CALLED void push_history();
  TRAMMEL_CALLED void review_predictor(double h, const FourTotals& coordinates,
                                       const FourTotals& multipliers);

  // integrate/watched_steps.h
  void tell(Attempt outcome, double h);
  AttemptEnd end_of(Attempt outcome) const;
  void tell_iteration(int k, bool corrected, bool new_jacobian, double h);
  Place worst_correction(double h, double of_multipliers) const;

  // integrate/corrector.h
  TRAMMEL_CALLED bool correct(double h);
  TRAMMEL_CALLED void record_worst();
  TRAMMEL_CALLED bool solve_correction();
  TRAMMEL_CALLED bool solve_further_system();
  TRAMMEL_HD void negate_residual();
  TRAMMEL_HD void apply_correction(double h);
  TRAMMEL_HD auto corrections_of_accelerations();
  TRAMMEL_CALLED CorrectionParts correction_measure(double h);
  TRAMMEL_CALLED bool stalled_at_rounding(const Coefficients& c);
  TRAMMEL_HD double position_measure(double size, double h) const;
  /// Of ERROR; and times ERROR.
  TRAMMEL_HD double corrector_part(double h) const;
  TRAMMEL_HD double corrector_unit(double h) const;
  TRAMMEL_HD bool solved_to_rounding(double force_units) const;
  TRAMMEL_HD BodyForces body_forces() const;
  TRAMMEL_CALLED double change_of_forces();
  TRAMMEL_HD double size_of_rows() const;
  TRAMMEL_HD bool rounding_allowed(double h);
  TRAMMEL_HD double rounding_of_correction(double h);
  TRAMMEL_HD auto scalar_measure_of(double h);
  TRAMMEL_HD void note_rounding(double h, double error);
  TRAMMEL_CALLED double rounding_of_positions(double h);

  static constexpr double unit_roundoff = 0x1p-53;
  static constexpr double corrector_fraction = 1e-3;  // c of Eq. 40
};

}  // namespace trammel
