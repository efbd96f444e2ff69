// The HHT method on the index-3 equations, with error control.
// Source: Negrut, Rampalli, Ottarsson, Sajdak, "On an implementation of the Hilber-Hughes-Taylor method in
// the context of index 3 differential-algebraic equations of multibody dynamics" (DETC2005-85096), Eq. 26-49,
// in the second-order form of docs/theory.md: the equations of motion hold at t_{n+1} with the true q̈;
//   a_{n+1} = (1+α) q̈_{n+1} − α q̈_n
//   q_{n+1} = q_n + h q̇_n + h² [(½−β) a_n + β a_{n+1}],   q̇_{n+1} = q̇_n + h [(1−γ) a_n + γ a_{n+1}]
//   X_{n+1} = X_n + h [(1−γ) y_n + γ y_{n+1}],            y_{n+1} = (1+α) Ẋ_{n+1} − α Ẋ_n
//   γ = ½ − α,  β = (1−α)²/4,  local error δ = (β + α/2 − 1/6) h² (a_{n+1} − a_n).
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "integrate/equations.h"
#include "integrate/predictor.h"

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

struct HhtCounters {
  long steps = 0;  ///< accepted
  long rejected_error = 0, rejected_corrector = 0;
  long evaluations = 0;  ///< residuals
  long iterations = 0;   ///< corrector iterations = solves
  long jacobians = 0;
  long rebases = 0;   ///< re-based orientations (no restarts)
  long rounding = 0;  ///< steps in which rounding near a singular position left more than ERROR allows

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

class Hht {
 public:
  /// On the processor, with what these are made of.
  Hht(const Model& model, Assembler& assembler, GuardedSystem& system, const HhtOptions& options);
  Hht(const Model& model, std::shared_ptr<Equations> equations, const HhtOptions& options);

  /// Begins at a consistent state (positions, velocities, accelerations, multipliers). Clears the history
  /// and re-bases every orientation.
  void start(State& state);

  /// One accepted step of at most `h_limit`; smaller when error or corrector ask for it. Below HMIN it
  /// throws Failure(solver) that names the equation with the largest residual and the variable with the
  /// largest correction; the state is then that of the last accepted step. On a device of the state only the
  /// time is kept up; bring() fetches the rest.
  StepResult step(State& state, double h_limit);
  void bring(State& state) { equations_->bring(state); }

  /// One step of exactly h without error control (fixed-step mode); same failures.
  StepResult step_exactly(State& state, double h);

  double suggested_step() const { return next_h_; }
  /// Must be called when something outside changed the system (dropped rows, basis): new Jacobian.
  void forget_jacobian(const State& state) {
    jacobian_valid_ = false;
    equations_->take(state);
  }
  const HhtCounters& counters() const { return counters_; }
  const HhtOptions& options() const { return options_; }
  /// Estimated local error in position coordinates of the last step: δ of every coordinate.
  std::vector<double> error_estimate() const;
  /// The state at the beginning of the last accepted step, for interpolation: q̇ and so on at its time.
  struct StepStart {
    double t = 0;
    std::vector<double> q, v, a, lambda, s, sdot;
  };
  const StepStart& step_start();
  double step_start_time() const { return begin_t_; }
  /// Smallest step that rounding leaves sense in: where the floor of the corrector meets its tolerance.
  double rounding_limited_step() const { return rounding_step_; }

  /// Where the steps' time is summed, if anywhere: clocks cost a few per cent of a small model's step.
  PhaseTimes* times = nullptr;

  /// Called after every corrector iteration, if set (DEBUG/EPRINT).
  std::function<void(const CorrectorRecord&)> on_iteration;

 private:
  enum class Attempt { accepted, error_too_large, not_converged };

  Attempt attempt(State& state, double h, bool control_error);
  StepResult finish(State& state, double h);
  void save(const State& state);
  void restore(State& state);
  void copy_arrays(const StateArrays& to, const StateArrays& from);
  void change_step(State& state, double h);
  void scale_velocity_defect(State& state, double h);
  void evaluate_rates(const State& state, const Coefficients& c);
  bool solve_impulse(State& state, const Coefficients& c, double bound, double accuracy);
  void predict(double t, double h);
  enum class Verdict { go_on, converged, failed };
  bool correct(State& state, double h);
  void review_jacobian(double h);
  bool jacobian_wanted() const;
  void measure_start();
  void blend_internal_forces(const State& state);
  bool solve_correction();
  Verdict judge(double measure, double previous, bool fresh_now);
  void jacobian_trouble();
  void refresh_jacobian(State& state, const Coefficients& c);
  void compute_residual(State& state, const Coefficients& c);
  void measure_residual();
  void apply(double h);
  double correction_measure(double h);
  double position_measure(double squares, double h) const;
  double corrector_unit() const;
  double algebraic_unit() const;
  bool solved_to_rounding(const Coefficients& c, double force_units);
  bool rounding_allowed(double h);
  double constraint_rounding_units(const Coefficients& c) const;
  Reduced<Total> squares_of(const double* x);
  double norm_of(const double* x);
  void estimate_error(double h);
  Reduced<Total> scalar_error_squares(double h);
  void rebase_bodies(bool always);
  void push_history(const State& state);
  void review_predictor(double t, double h);
  Coefficients coefficients(double h) const;
  [[noreturn]] void give_up(const State& state, double h) const;

  const Model& model_;
  std::shared_ptr<Equations> equations_;
  Executor& run_;
  const int coordinates_, multipliers_, scalars_, bodies_;
  HhtOptions options_;
  HhtFormulas formulas_;
  HhtCounters counters_;
  double beta_ = 0, gamma_ = 0, error_constant_ = 0, rounding_gain_ = 0;

  // Arrays, where run_ runs.
  StateArrays now_{};    ///< the state that moves
  StateArrays begin_{};  ///< at the beginning of the step
  double begin_t_ = 0;
  StepStart step_start_;      ///< a copy for whoever asks; before that its time is NaN
  double *aux_, *aux_begin_;  ///< a and y at n+1 and, matched to the present h, at n
  double* aux_stored_;        ///< as left by the last accepted step
  double* velocity_begin_;    ///< q̇_n, its defect in constrained directions matched to h
  double *impulse_, *impulse_forces_, *impulse_rows_, *rows_;  ///< what matches it, in accelerations
  double *residual_, *correction_, *weight_, *delta_;
  double *internal_begin_, *mass_acceleration_;  ///< equation_10: Q̂ at n, M q̈
  Predictor predictor_, history_q_, history_v_;

  double h_last_ = 0, next_h_ = 0, error_ratio_ = 0;
  int order_limit_ = 3;                     ///< grows to predictor_order after a corrector failure
  int best_order_ = 3;                      ///< of those whose misses were least of late
  std::array<double, 4> predictor_miss_{};  ///< per order: smoothed, in units of the corrector's tolerance
  int calm_steps_ = 1000;                   ///< since the corrector failed
  bool rounding_limited_ = false;           ///< the last attempt failed with Φ already at rounding
  bool beyond_rounding_ = false;            ///< the present step is accepted with rounding in place of ERROR
  bool jacobian_valid_ = false, jacobian_fresh_ = false;
  int jacobian_age_ = 0, jacobian_life_ = 1000;  ///< accepted steps: of the present Jacobian, and allowed
  int calm_lives_ = 0;
  double jacobian_h_ = 0, last_rate_ = -1;
  double rounding_step_ = 0;
  double lambda_scale_ = 0, inertia_force_ = 0;  ///< largest multiplier, m|ẍ_n|
  double rounding_error_ = 0;                    ///< local error in positions that rounding makes / ERROR
  double size_ = 0;                              ///< largest length in the model: unit of rounding
  /// Largest residuals of the last evaluation: of coordinates, multipliers, scalars, and of these relative.
  Place force_residual_{}, constraint_residual_{}, scalar_residual_{}, scalar_relative_{};
  int differential_count_ = 0;
  CorrectorRecord record_;
  int iterations_ = 0;
};

}  // namespace trammel
