// Interface of an integration method's steps, on the processor or by launches on a device.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "base/archive.h"
#include "integrate/equations.h"
#include "integrate/observer.h"
#include "integrate/schedule.h"
#include "integrate/step_data.h"

namespace trammel {

/// Which discrete equations of motion HHT solves.
enum class HhtForm {
  second_order,  ///< that of integrate/methods/hht.h (default): second order
  equation_10,   ///< Eq. 10 of the paper as printed: first order when M depends on q
};

struct IntegratorOptions {
  std::string method = "HHT";  ///< a name of integration_methods() (integrate/methods/list.h)
  double error = 1e-5;         ///< local error tolerance, relative above 1 and absolute below
  double hmin = 1e-14, hmax = 0, hinit = 0;
  double alpha = -0.3;              ///< of HHT, in [−1/3, 0]
  double beta = 0.36, gamma = 0.7;  ///< of NEWMARK
  double adaptivity = 0;            ///< of GSTIFF and WSTIFF: loosens the corrector by adaptivity/h
  int kmax = 6;                     ///< highest order of GSTIFF and WSTIFF
  int maxit = 10;
  int predictor_order = 3;
  std::string pattern = "F";   ///< T: new Jacobian in that iteration; F: adaptive; F:F: only after a failure
  bool mass_jacobian = false;  ///< of NEWMARK: [M Φqᵀ; Φq 0] in place of the exact matrix
  bool modified_corrector = false;  ///< multipliers are left out of the convergence test
  bool fixed_step() const { return hinit == hmin && hmin == hmax; }
  bool stabilized = false;              ///< SI2 in place of I3
  bool controls_accelerations = false;  ///< and SI1 in place of SI2
  const char* formulation() const { return !stabilized ? "I3" : controls_accelerations ? "SI1" : "SI2"; }
  HhtForm form = HhtForm::second_order;
  bool controls_velocities = false;  ///< of HHT, as well as positions
  bool forces_may_stiffen = false;   ///< functions or contacts, at once
  bool trapezoidal_start =
      false;  ///< of I3 without constraints as well, which begins as ADAMS does otherwise

  void archive(Archive& a) {
    a(method, error, hmin, hmax, hinit, alpha, beta, gamma, adaptivity, kmax, maxit, predictor_order, pattern,
      mass_jacobian, modified_corrector, stabilized, controls_accelerations, form, controls_velocities,
      forces_may_stiffen, trapezoidal_start);
  }
};

/// Steps of one method. Array pointers are to memory where the equations are.
class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Begins at a consistent state (positions, velocities, accelerations, multipliers). Clears the history
  /// and re-bases every orientation.
  virtual void start(State& state) = 0;

  /// Applies other options to the steps that follow while history, step size and Jacobian are kept. Resets
  /// the counters. Returns false, with nothing changed, when the options name another method or other
  /// formulas (ALPHA), which the history does not fit: start() is needed.
  virtual bool go_on(const IntegratorOptions& options) = 0;

  /// One accepted step of at most `h_limit`: smaller when error or corrector require it, without a short
  /// remainder up to the time that is `left` away, and longer, up to that, when all smaller ones fail. Below
  /// HMIN it throws Failure(solver) that names the equation with the largest residual and the variable with
  /// the largest correction; the state is then that of the last accepted step. With arrays on a device only
  /// the time of `state` is set; bring() copies the rest.
  virtual StepResult step(State& state, double h_limit, double left = INFINITY) = 0;
  virtual void bring(State& state) = 0;

  /// One step of exactly h without error control (fixed-step mode); same failures.
  virtual StepResult step_exactly(State& state, double h) = 0;

  /// Must be called after a change of the system from outside (dropped rows, basis): a new Jacobian is made.
  virtual void forget_jacobian(const State& state) = 0;
  /// Must be called after a change of the histories of DELAYs from outside.
  virtual void take_histories(const State& state) = 0;
  /// Saves everything but the state and the linear system that the next step depends on, or restores it (in
  /// place of start()) into an integrator with the same options, on the restored state.
  virtual void archive(Archive& a, State& state) = 0;
  /// Sets where wall times of the phases of steps are summed; null: nowhere.
  virtual void sum_times(PhaseTimes* times) = 0;
  /// Sets who watches the steps, which are computed on the processor; null: nobody.
  virtual void observe(SolveObserver* observer) = 0;

  /// The state at the beginning of the last accepted step, for interpolation over it.
  struct StepStart {
    double t = 0;
    bool velocities_apart = false;  ///< MethodDefaults::velocities_apart
    std::vector<double> q, v, a, lambda, s, sdot;
    /// Of a method that collocates: multipliers, scalars, and rates of those that have one, at times inside
    /// of the step, where they satisfy the equations.
    struct Inside {
      double t = 0;
      std::vector<double> lambda, s, sdot;
    };
    std::vector<Inside> inside;
  };
  virtual const StepStart& step_start() = 0;
  /// Gives q, q̇ and states with a rate at `inside.t`, in the last step, the values of the method's own
  /// polynomials, where it has some; they are of its order, which interpolation between the ends of long
  /// steps is not.
  virtual void refine_inside(State& inside) = 0;
  /// Estimated local error of the last step, one entry per generalized coordinate.
  virtual std::vector<double> error_estimate() = 0;

  /// All data of the steps but the method's own.
  virtual const StepState& steps() const = 0;
  const IntegratorOptions& options() const { return options_; }
  const StepCounters& counters() const { return steps().counters; }
  double suggested_step() const { return steps().control.next_h; }
  double step_start_time() const { return steps().motion.begin_t; }
  /// Largest step size at which a correction was rounding alone; 0: none.
  double rounding_limited_step() const { return steps().rounding.largest_step; }

 protected:
  explicit Integrator(const IntegratorOptions& options) : options_(options) {}
  IntegratorOptions options_;
};

/// Initial StepState of a model: sizes and rules are set, arrays and step sizes are not.
StepState begin_steps(const Model& model, const IntegratorOptions& options);
/// The options that go_on() can change.
StepRules rules_of(const IntegratorOptions& options);
JacobianPattern pattern_of(const IntegratorOptions& options);
/// The message for a step that ended with `end`; `data` as it was then.
std::string why_given_up(const Model& model, const StepState& data, StepEnd end);
/// Of the same: equation, variable, and how large what is told of them is.
std::vector<Fact> facts_given_up(const Model& model, const StepState& data, StepEnd end);

}  // namespace trammel
