// Steps of an integration method on the processor, or launch by launch on a device.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/archive.h"
#include "integrate/equations.h"
#include "integrate/schedule.h"
#include "integrate/step_data.h"

namespace trammel {

/// Which discrete equations of motion HHT solves.
enum class HhtForm {
  second_order,  ///< that of integrate/methods/hht.h (default)
  equation_10,   ///< Eq. 10 of the paper as printed: first order when M depends on q
};

struct IntegratorOptions {
  std::string method = "HHT";  ///< a name of integration_methods() (integrate/methods/list.h)
  double error = 1e-5;         ///< local error tolerance, relative above 1 and absolute below
  double hmin = 1e-14, hmax = 0, hinit = 0;
  double alpha = -0.3;              ///< of HHT, in [−1/3, 0]
  double beta = 0.36, gamma = 0.7;  ///< of NEWMARK
  int maxit = 10;
  int predictor_order = 3;
  std::string pattern = "F";        ///< T: new Jacobian at that iteration; F adaptive; F:F only after failure
  bool modified_corrector = false;  ///< multipliers do not take part in the convergence test
  bool fixed_step() const { return hinit == hmin && hmin == hmax; }
  HhtForm form = HhtForm::second_order;

  void archive(Archive& a) {
    a(method, error, hmin, hmax, hinit, alpha, beta, gamma, maxit, predictor_order, pattern,
      modified_corrector, form);
  }
};

/// Steps of one method. Where arrays are read, they lie where the equations are.
class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Begins at a consistent state (positions, velocities, accelerations, multipliers). Clears the history
  /// and re-bases every orientation.
  virtual void start(State& state) = 0;

  /// Takes other options for the steps that follow, where the method, its history, its step and its Jacobian
  /// go on: the same motion in further steps. Counts from zero. False, and nothing is changed, where the
  /// options ask for another method or other formulas (ALPHA), which a history of the present ones does not
  /// fit: start() again.
  virtual bool go_on(const IntegratorOptions& options) = 0;

  /// One accepted step of at most `h_limit`; smaller when error or corrector ask for it, longer, up to
  /// `h_most`, where all smaller ones fail. Below HMIN it throws Failure(solver) that names the equation with
  /// the largest residual and the variable with the largest correction; the state is then that of the last
  /// accepted step. On a device of the state only the time is kept up; bring() fetches the rest.
  virtual StepResult step(State& state, double h_limit, double h_most = 0) = 0;
  virtual void bring(State& state) = 0;

  /// One step of exactly h without error control (fixed-step mode); same failures.
  virtual StepResult step_exactly(State& state, double h) = 0;

  /// Must be called when something outside changed the system (dropped rows, basis): new Jacobian.
  virtual void forget_jacobian(const State& state) = 0;
  /// Saves all that the next step depends on besides the state and the linear system, or restores it, in
  /// place of start(), into an integrator with the same options on the restored state.
  virtual void archive(Archive& a, State& state) = 0;
  /// Where the steps' time is summed from now on; null: nowhere.
  virtual void sum_times(PhaseTimes* times) = 0;

  /// The state at the beginning of the last accepted step, for interpolation: q̇ and so on at its time.
  struct StepStart {
    double t = 0;
    std::vector<double> q, v, a, lambda, s, sdot;
  };
  virtual const StepStart& step_start() = 0;
  /// Estimated local error in position coordinates of the last step: δ of every coordinate.
  virtual std::vector<double> error_estimate() = 0;

  /// All that the steps know but the method's own.
  virtual const StepState& steps() const = 0;
  const IntegratorOptions& options() const { return options_; }
  const StepCounters& counters() const { return steps().counters; }
  double suggested_step() const { return steps().control.next_h; }
  double step_start_time() const { return steps().motion.begin_t; }
  /// Largest step in which rounding was all that was left of a correction; 0: in none.
  double rounding_limited_step() const { return steps().rounding.largest_step; }

 protected:
  explicit Integrator(const IntegratorOptions& options) : options_(options) {}
  IntegratorOptions options_;
};

/// The numbers of an integration before its arrays are made and its step sizes known.
StepState begin_steps(const Model& model, const IntegratorOptions& options);
/// What go_on() takes over of other options.
StepRules rules_of(const IntegratorOptions& options);
JacobianPattern pattern_of(const IntegratorOptions& options);
/// Why a step ended so, for the user. `data`: as it was then.
std::string why_given_up(const Model& model, const StepState& data, StepEnd end);

}  // namespace trammel
