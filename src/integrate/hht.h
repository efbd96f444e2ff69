// The HHT method on the index-3 equations, with error control.
// Source: Negrut, Rampalli, Ottarsson, Sajdak, "On an implementation of the Hilber-Hughes-Taylor method in
// the context of index 3 differential-algebraic equations of multibody dynamics" (DETC2005-85096), Eq. 26-49,
// in the second-order form of docs/theory.md: the equations of motion hold at t_{n+1} with the true q̈;
//   a_{n+1} = (1+α) q̈_{n+1} − α q̈_n
//   q_{n+1} = q_n + h q̇_n + h² [(½−β) a_n + β a_{n+1}],   q̇_{n+1} = q̇_n + h [(1−γ) a_n + γ a_{n+1}]
//   X_{n+1} = X_n + h [(1−γ) y_n + γ y_{n+1}],            y_{n+1} = (1+α) Ẋ_{n+1} − α Ẋ_n
//   γ = ½ − α,  β = (1−α)²/4,  local error δ = (β + α/2 − 1/6) h² (a_{n+1} − a_n).
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "integrate/equations.h"
#include "integrate/hht_core.h"

namespace trammel {

/// Which discrete equations of motion are solved.
enum class HhtForm {
  second_order,  ///< the form above (default)
  equation_10,   ///< Eq. 10 of the paper as printed: first order when M depends on q
};

struct HhtOptions {
  double error = 1e-5;  ///< local error tolerance, relative above 1 and absolute below
  double hmin = 1e-14, hmax = 0, hinit = 0;
  double alpha = -0.3;  ///< in [−1/3, 0]
  int maxit = 10;
  int predictor_order = 3;
  std::string pattern = "F";        ///< T: new Jacobian at that iteration; F adaptive; F:F only after failure
  bool modified_corrector = false;  ///< multipliers do not take part in the convergence test
  bool fixed_step() const { return hinit == hmin && hmin == hmax; }
  HhtForm form = HhtForm::second_order;
};

HhtFormulas formulas_of(const HhtOptions& options);
/// The data of an integration before its arrays are made and its step sizes known.
HhtData begin_hht(const Model& model, const HhtOptions& options);
/// Why a step ended so, for the user. `data`: as it was then.
std::string why_given_up(const Model& model, const HhtData& data, StepEnd end);

/// What HhtCore asks of Equations, on the processor or launch by launch on a device.
class HostMachine {
 public:
  explicit HostMachine(std::shared_ptr<Equations> equations)
      : equations_(std::move(equations)), run_(equations_->executor()) {}

  template <class Kernel>
  void operator()(const Kernel& kernel, int n) {
    run_(kernel, n);
  }
  void copy(double* to, const double* from, int n) { run_.copy(to, from, static_cast<std::size_t>(n)); }
  template <class Term>
  auto reduce(const Term& term, int n) {
    return run_.reduce(term, n);
  }
  void collect() { run_.collect(); }

  bool evaluate(double t, const Coefficients& c, double* residual);
  bool evaluate_rates(double t, const Coefficients& c, double* residual, double* rows);
  bool velocity_rows(double* rows);
  bool mass_times_acceleration(double* out);
  bool factor(double t, const Coefficients& c, SolveReport& report);
  SolveReport solve(const double* b, double* x);
  void accept(double t);
  const BodyPlace* places() const { return equations_->places(); }
  const double* cos_theta() const { return equations_->cos_theta(); }
  const unsigned char* differential() const { return equations_->differential(); }

  Equations& equations() { return *equations_; }
  /// The state that moves. Of it the time is kept up where the arrays are on a device.
  State* state = nullptr;
  /// Where the steps' time is summed, if anywhere: clocks cost a few per cent of a small model's step.
  PhaseTimes* times = nullptr;
  /// Of a function that had no value.
  std::exception_ptr failure;

 private:
  template <class F>
  bool has_value(const F& evaluate);

  std::shared_ptr<Equations> equations_;
  Executor& run_;
};

class Hht {
 public:
  /// On the processor, with what these are made of.
  Hht(const Model& model, Assembler& assembler, GuardedSystem& system, const HhtOptions& options);
  Hht(const Model& model, std::shared_ptr<Equations> equations, const HhtOptions& options);
  Hht(const Hht&) = delete;
  Hht& operator=(const Hht&) = delete;

  /// Begins at a consistent state (positions, velocities, accelerations, multipliers). Clears the history
  /// and re-bases every orientation.
  void start(State& state);

  /// Takes other options for the steps that follow, where the method, its history, its step and its Jacobian
  /// go on: the same motion in further steps. Counts from zero. False, and nothing is changed, where the
  /// options ask for other formulas (ALPHA), which a history of the present ones does not fit: start() again.
  bool go_on(const HhtOptions& options);

  /// One accepted step of at most `h_limit`; smaller when error or corrector ask for it, longer, up to
  /// `h_most`, where all smaller ones fail. Below HMIN it throws Failure(solver) that names the equation with
  /// the largest residual and the variable with the largest correction; the state is then that of the last
  /// accepted step. On a device of the state only the time is kept up; bring() fetches the rest.
  StepResult step(State& state, double h_limit, double h_most = 0);
  void bring(State& state) { machine_.equations().bring(state); }

  /// One step of exactly h without error control (fixed-step mode); same failures.
  StepResult step_exactly(State& state, double h);

  double suggested_step() const { return core_.next_h_; }
  /// Must be called when something outside changed the system (dropped rows, basis): new Jacobian.
  void forget_jacobian(const State& state) {
    core_.jacobian_valid_ = false;
    machine_.equations().take(state);
  }
  const HhtCounters& counters() const { return core_.counters_; }
  const HhtOptions& options() const { return options_; }
  /// Estimated local error in position coordinates of the last step: δ of every coordinate.
  std::vector<double> error_estimate();
  /// The state at the beginning of the last accepted step, for interpolation: q̇ and so on at its time.
  struct StepStart {
    double t = 0;
    std::vector<double> q, v, a, lambda, s, sdot;
  };
  const StepStart& step_start();
  double step_start_time() const { return core_.begin_t_; }
  /// Smallest step that rounding leaves sense in: where the floor of the corrector meets its tolerance.
  double rounding_limited_step() const { return core_.rounding_step_; }
  /// Where the steps' time is summed from now on; null: nowhere.
  void sum_times(PhaseTimes* times) { machine_.times = times; }

 private:
  void begin_at(State& state);
  StepResult end_at(State& state, StepEnd end);

  const Model& model_;
  HhtOptions options_;
  HostMachine machine_;
  HhtCore<HostMachine> core_;
  StepStart step_start_;  ///< a copy for whoever asks
  bool start_copied_ = false;
};

}  // namespace trammel
