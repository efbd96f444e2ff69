// The HHT method itself (formulas: integrate/hht.h), written once for three machines: the processor, a device
// that this program gives one launch after the other (both HostMachine in integrate/hht.h), and a group of
// threads on a device that has a whole simulation to itself (integrate/group_simulation.h).
//
// A machine has, with kernels and terms as in integrate/hht_kernels.h:
//     void operator()(const Kernel& kernel, int n)        kernel(i) for i < n, done before what follows
//     void copy(double* to, const double* from, int n)
//     auto reduce(const Term& term, int n), collect()      joined term(i): `->` works after collect()
//     bool evaluate(double t, const Coefficients&, double* residual)            false: no value
//     bool evaluate_rates(double t, const Coefficients&, double* residual, double* rows)
//     bool velocity_rows(double* rows)
//     bool mass_times_acceleration(double* out)            only Eq. 10 asks for it
//     bool factor(double t, const Coefficients&, SolveReport&)
//     SolveReport solve(const double* b, double* x)
//     void accept(double t)                                what Equations::accept() does
//     places(), cos_theta(), differential()                as in Equations
// Every thread of a machine goes through all of this class with the same numbers.
#pragma once

#include <cmath>

#include "integrate/hht_data.h"
#include "integrate/schedule.h"

namespace trammel {

TRAMMEL_HD inline double least(double a, double b) {
  return b < a ? b : a;
}
TRAMMEL_HD inline double most(double a, double b) {
  return a < b ? b : a;
}
TRAMMEL_HD inline double limited(double x, double low, double high) {
  return x < low ? low : high < x ? high : x;
}

/// How a correction Δ enters a step of h: δq̈ = Δ/(1+α), δq̇ = γhΔ, δq = βh²Δ.
TRAMMEL_HD inline Coefficients hht_coefficients(const HhtFormulas& f, double h) {
  const double inverse = 1 / (1 + f.alpha);
  return {inverse, f.gamma * h, f.beta * h * h, f.gamma * h, inverse};
}

template <class Machine>
class HhtCore : public HhtData {
 public:
  TRAMMEL_HD HhtCore(const HhtData& data, Machine& machine) : HhtData(data), run_(machine) {}

  /// Begins at the consistent state in now_, at t_. Clears the history and re-bases every orientation.
  TRAMMEL_HD void start();
  /// One accepted step of at most `h_limit`, told in result_; smaller when error or corrector ask for it,
  /// longer, up to `h_most`, where all smaller ones fail. Where there is none the state is that of the last
  /// accepted step.
  TRAMMEL_HD StepEnd step(double h_limit, double h_most);
  /// One step of exactly h without error control (fixed-step mode).
  TRAMMEL_HD StepEnd step_exactly(double h);

 private:
  enum class Attempt { accepted, error_too_large, not_converged, stopped };
  enum class Verdict { go_on, converged, failed };

  // hht_steps.h
  TRAMMEL_CALLED Attempt attempt(double h, bool control_error);
  TRAMMEL_HD bool stop(StepEnd why) {
    end_ = why;
    return false;
  }
  TRAMMEL_CALLED void finish(double h);
  TRAMMEL_HD void save();
  TRAMMEL_HD void restore();
  TRAMMEL_CALLED void copy_arrays(const StateArrays& to, const StateArrays& from);
  TRAMMEL_CALLED void predict(double h);
  TRAMMEL_CALLED void estimate_error(double h);
  TRAMMEL_CALLED double rounding_in_scalars(double h);
  TRAMMEL_HD auto scalar_error_squares(double h);
  TRAMMEL_HD void next_step(double h);
  TRAMMEL_HD void update_size();
  TRAMMEL_CALLED void rebase_bodies(bool always);
  TRAMMEL_CALLED void push_history();
  TRAMMEL_CALLED void review_predictor(double h);
  TRAMMEL_HD Coefficients coefficients(double h) const { return hht_coefficients(formulas(), h); }
  /// The first step starts from a_0 = q̈_0, which does not lag: second order needs γ (1+α) = ½ there.
  TRAMMEL_HD HhtFormulas formulas() const {
    HhtFormulas f = rules_.formulas;
    if (f.second_order && predictor_.points() == 1) f.gamma = 0.5 / (1 + f.alpha);
    return f;
  }

  // hht_change.h
  TRAMMEL_CALLED void change_step(double h);
  TRAMMEL_CALLED bool scale_velocity_defect(double h);
  TRAMMEL_HD bool evaluate_rates(const Coefficients& c);
  TRAMMEL_CALLED bool solve_impulse(const Coefficients& c, double bound, double accuracy);

  // hht_corrector.h
  TRAMMEL_CALLED bool correct(double h);
  TRAMMEL_HD void review_jacobian(double h);
  TRAMMEL_HD bool jacobian_wanted() const;
  TRAMMEL_HD void jacobian_trouble();
  TRAMMEL_HD bool refresh_jacobian(const Coefficients& c);
  TRAMMEL_HD bool compute_residual(const Coefficients& c);
  TRAMMEL_CALLED void measure_residual();
  TRAMMEL_CALLED void measure_start();
  TRAMMEL_HD bool blend_internal_forces();
  TRAMMEL_CALLED bool solve_correction();
  TRAMMEL_HD Verdict judge(double measure, double previous, bool fresh_now);
  TRAMMEL_CALLED void apply(double h);
  TRAMMEL_CALLED double correction_measure(double h);
  TRAMMEL_CALLED bool accelerations_settled(bool fresh_now);
  TRAMMEL_CALLED bool stalled_at_rounding(const Coefficients& c);
  TRAMMEL_HD double position_measure(double squares, double h) const;
  TRAMMEL_HD double corrector_unit() const;
  TRAMMEL_HD double algebraic_unit() const;
  TRAMMEL_HD bool solved_to_rounding(double force_units) const;
  TRAMMEL_HD bool rounding_allowed(double h);
  TRAMMEL_HD double rounding_of_correction(double h);
  TRAMMEL_HD auto scalar_measure_of(double h);
  TRAMMEL_HD void note_rounding(double h, double error);
  TRAMMEL_CALLED double rounding_of_positions(double h);
  TRAMMEL_HD double constraint_rounding_units(const Coefficients& c) const;
  TRAMMEL_HD auto squares_of(const double* x);
  TRAMMEL_HD double norm_of(const double* x);

  static constexpr double unit_roundoff = 0x1p-53;
  static constexpr double failure_shrink = 0.25;  // of a step whose corrector failed
  static constexpr double slow_rate = 0.25;       // convergence rate at which a new Jacobian is asked for
  static constexpr int patience = 3;  // iterations after which an old Jacobian at a slow rate is replaced
  static constexpr double corrector_fraction = 1e-3;     // c of Eq. 40
  static constexpr double acceleration_fraction = 1e-3;  // of ε^{1/3}: relative change left in accelerations
  static constexpr double algebraic_fraction = 0.01;  // of ε^{2/3}, the global error of a second-order method
                                                      // with local error ε: relative change left in λ and
                                                      // algebraic scalars

  Machine& run_;
};

}  // namespace trammel
