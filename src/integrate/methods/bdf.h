// Backward differentiation formulas of order 1 to 6 on the index-3 equations, which hold at t_{n+1}. Source:
// C. W. Gear, "Simultaneous numerical solution of differential-algebraic equations" (1971); step and order
// control after A. C. Hindmarsh, LSODE (1983). With q̇ = v and a = v̇, each of q, v, X is a polynomial in
// Nordsieck's form (integrate/methods/nordsieck.h), corrected by
//   y_{n+1} = y_p + ℓ_0 e,   h ẏ_{n+1} = h ẏ_p + e,   Λ(x) = Π_{i=1}^{k} (1 + x/ξ_i) = Σ ℓ_j x^j / ℓ_0
//   ξ_i = (t_{n+1} − t_{n+1−i})/h   (WSTIFF: variable coefficients),   ξ_i = i   (GSTIFF: fixed ones)
// A correction Δ of q̈ is δv = ℓ_0 h Δ and δq = ℓ_0² h² Δ; the local error is (y_{n+1} − y_p)/ξ_{k+1}.
//
// SI2, the stabilized index 2 of C. W. Gear, B. Leimkuhler and G. K. Gupta (1985), holds φ̇ = 0 with the
// multipliers λ of the equations of motion, and φ = 0 with q̇ = v + p, where p is what others bring about:
//   A [Δ; Δλ] = −[r; φ̇/(ℓ_0 h)],   A [Δ'; μ] = −[0; φ/(ℓ_0² h²) − φ̇/(ℓ_0 h)],   ℓ_0 h δp = ℓ_0² h² Δ'
// with the matrix A of index 3 for both, whose condition stays as h → 0. The metric in which p is least is
// that of A's first block; p is 0 on the exact solution. Errors of velocities are controlled as well.
#pragma once

#include <cmath>

#include "device_api/kernel.h"
#include "integrate/methods/nordsieck.h"
#include "integrate/step_data.h"

namespace trammel {

struct IntegratorOptions;

struct BdfMethod {
  bool variable_coefficients = false, stabilized = false;
  int kmax = highest_order;
  double rounding_gain = 0;
  // What changes between steps.
  int order = 1;
  int steps_at_order = 0;  ///< accepted with the present order and step size
  int failures = 0;        ///< of the error test, in the step under way
  double h = 0;            ///< step that the polynomials are scaled to
  double spin = 1;         ///< of SI2: the largest angular velocity as the step begins, at least 1
  double past[highest_order + 1] = {};  ///< sizes of the last steps, the latest first
  double factor_of_next = 1;            ///< of the step that was chosen with the order
  /// Polynomials of q and v (coordinates) and of scalars; the last corrections y_{n+1} − y_p of q, v and
  /// scalars, and those before them; room.
  double *position[highest_order + 1], *velocity[highest_order + 1], *state[highest_order + 1];
  double *change, *change_before, *velocity_change, *velocity_change_before, *state_change,
      *state_change_before, *work;
  // Of SI2: h q̇ − h v; rows, right-hand side and solution of the second system.
  double *drift, *drift_rows, *drift_residual, *drift_correction;

  static BdfMethod of(const IntegratorOptions& options, bool constrained);
  static bool same_formulas(const IntegratorOptions& a, const IntegratorOptions& b);

  template <class Visit>
  void arrays(const ModelSizes& n, Visit&& visit) {
    for (int j = 0; j <= highest_order; ++j) visit(position[j], n.coordinates);
    for (int j = 0; j <= highest_order; ++j) visit(velocity[j], n.coordinates);
    for (int j = 0; j <= highest_order; ++j) visit(state[j], n.scalars);
    for (double** v : {&change, &change_before, &velocity_change, &velocity_change_before})
      visit(*v, n.coordinates);
    for (double** v : {&state_change, &state_change_before}) visit(*v, n.scalars);
    visit(work, 2 * n.coordinates + n.scalars);
    visit(drift, stabilized ? n.coordinates : 0);
    visit(drift_rows, stabilized ? n.multipliers : 0);
    for (double** v : {&drift_residual, &drift_correction}) visit(*v, stabilized ? n.unknowns() : 0);
  }
  template <class Archive>
  void archive(Archive& a) {
    a(rounding_gain, order, steps_at_order, failures, h, past, factor_of_next);
  }

  TRAMMEL_HD NordsieckArray positions() const { return polynomial(position); }
  TRAMMEL_HD NordsieckArray velocities() const { return polynomial(velocity); }
  TRAMMEL_HD NordsieckArray states() const { return polynomial(state); }
  TRAMMEL_HD NordsieckAngles stored() const {
    return {positions(), velocities(), h, {change_before, velocity_change_before}};
  }

  /// (t_{n+1} − t_{n+1−i})/h.
  TRAMMEL_HD double steps_back(int i) const {
    if (!variable_coefficients) return i;
    double sum = h;
    for (int k = 0; k + 1 < i; ++k) sum += past[k] > 0 ? past[k] : h;
    return sum / h;
  }
  TRAMMEL_HD NordsieckCoefficients corrections() const {
    NordsieckCoefficients c{};
    c.l[0] = 1;
    for (int i = 1; i <= order; ++i)
      for (int j = i; j > 0; --j) c.l[j] += c.l[j - 1] / steps_back(i);
    const double l1 = c.l[1];
    for (double& l : c.l) l /= l1;
    return c;
  }

  /// δq̈ = Δ, δq̇ = ℓ_0 h Δ, δq = ℓ_0² h² Δ; scalars alike.
  TRAMMEL_HD Coefficients coefficients(double step, bool) const {
    const double l0h = corrections().l[0] * step;
    return {1, l0h, l0h * l0h, l0h, 1};
  }
  TRAMMEL_HD double jacobian_step(double step) const { return corrections().l[0] * step; }
  /// Of SI2 in velocities, which are larger.
  TRAMMEL_HD double position_error(double step) const {
    const double l0h = corrections().l[0] * step;
    return (stabilized ? l0h : l0h * l0h) / steps_back(order + 1);
  }
  /// A rate that is wrong by r, and those before it, change the correction of a state by at most 2^k ℓ_0 h r.
  TRAMMEL_HD double rounding_in_states(double of_correction) const {
    return noise_gain() / 4 / steps_back(order + 1) * of_correction;
  }

  template <class Core>
  TRAMMEL_HD void start(Core& core) {
    order = 1;
    h = core.rules.hinit;
    steps_at_order = failures = 0;
    factor_of_next = 1;
    for (double& p : past) p = 0;
    begin_polynomials(core);
  }

  template <class Core>
  TRAMMEL_HD bool begin_step(Core& core, double step) {
    rescale(core, step);
    rounding_gain = noise_gain();
    if (!stabilized) return true;
    const StateArrays& begin = core.motion.begin;
    const auto speed = core.run.reduce(
        AccelerationCorrection{core.run.places(), begin.v, begin.v, core.run.cos_theta()}, core.n.bodies);
    core.run.collect();
    spin = most(1.0, speed->x[3]);
    return true;
  }

  template <class Core>
  TRAMMEL_HD void predict(Core& core, const Extrapolation& extrapolated, double step) {
    const StateArrays& now = core.motion.now;
    const ModelSizes& n = core.n;
    core.run(PredictByNordsieck{positions(), velocities(), now.q, now.v, now.a, step, corrections().l[0]},
             n.coordinates);
    core.run(PredictMultipliers{extrapolated, n.coordinates, now.lambda}, n.multipliers);
    core.run(PredictScalarsByNordsieck{states(), extrapolated, n.first_scalar(), core.run.differential(),
                                       now.s, now.sdot, step},
             n.scalars);
    if (stabilized) core.run(FillValues{drift, 0.0}, n.coordinates);
  }
  TRAMMEL_HD bool reads_velocity_rows() const { return stabilized; }
  /// Rows φ/(ℓ_0² h²) become φ̇/(ℓ_0 h), and the second system gets what is between them.
  template <class Core>
  TRAMMEL_HD bool complete_residual(Core& core) {
    if (!stabilized) return true;
    const int m = core.n.multipliers;
    double* rows = core.motion.residual + core.n.coordinates;
    core.run.copy(drift_rows, rows, m);
    if (!core.run.velocity_rows(core.motion.rows)) return core.stop(StepEnd::no_value);
    core.run(TakeMultiple{core.motion.rows, 1 / core.coefficients(h).b, rows}, m);
    core.run(AddMultiple{rows, -1, drift_rows}, m);
    return true;
  }
  template <class Core>
  TRAMMEL_HD void apply(Core& core, double step) {
    const StateArrays& now = core.motion.now;
    const ModelSizes& n = core.n;
    const double* correction = core.motion.correction;
    const Coefficients c = core.coefficients(step);
    core.run(ApplyToCoordinates{correction, now.q, now.v, now.a, work, c.a, c.b, c.c}, n.coordinates);
    core.run(ApplyToScalars{correction + n.first_scalar(), core.run.differential(), now.s, now.sdot,
                            work + n.coordinates, c.rate, c.state},
             n.scalars);
    if (stabilized) correct_drift(core, c);
  }

  /// What the last correction of drift left of φ̇, a velocity: it turned the bodies, and Φq with them.
  template <class Core>
  TRAMMEL_HD double further_correction(Core& core) {
    if (!stabilized || core.n.coordinates == 0) return 0;
    const auto squares = core.squares_of(drift_correction);
    core.run.collect();
    return spin * core.coefficients(h).c * std::sqrt(nonnegative(squares->x) / core.n.coordinates) /
           steps_back(order + 1) / core.rules.error;
  }

  template <class Core>
  TRAMMEL_HD void local_error(Core& core, double step) {
    take_changes(core, step);
    core.run(TakeMultiple{change, 1 / steps_back(order + 1), core.motion.delta}, core.n.coordinates);
  }
  template <class Core>
  TRAMMEL_HD auto scalar_error_squares(Core& core, double) const {
    return core.run.reduce(StateErrorSquares{state_change, core.motion.now.s, 1 / steps_back(order + 1),
                                             core.run.differential()},
                           core.n.scalars);
  }

  /// Error over ERROR of what is controlled besides positions and states.
  template <class Core>
  TRAMMEL_HD double further_error(Core& core) {
    return stabilized ? velocity_error(core, velocity_change, 1 / steps_back(order + 1)) : 0.0;
  }

  template <class Core>
  TRAMMEL_CALLED void accept(Core& core) {
    const NordsieckCoefficients c = corrections();
    const StateArrays& now = core.motion.now;
    core.run(AdvanceNordsieck{positions(), rate_of_positions(core), h, c, nullptr}, core.n.coordinates);
    core.run(AdvanceNordsieck{velocities(), now.a, h, c, nullptr}, core.n.coordinates);
    core.run(AdvanceNordsieck{states(), now.sdot, h, c, core.run.differential()}, core.n.scalars);
    for (int i = highest_order; i > 0; --i) past[i] = past[i - 1];
    past[0] = h;
    failures = 0;
    ++steps_at_order;
    choose_order(core);
    core.run.copy(change_before, change, core.n.coordinates);
    core.run.copy(velocity_change_before, velocity_change, core.n.coordinates);
    core.run.copy(state_change_before, state_change, core.n.scalars);
  }

  /// The step after an accepted one.
  TRAMMEL_HD double suggested(double step) const { return factor_of_next * step; }

  /// The step that is tried after one whose error was too large, with the order that allows the longest.
  template <class Core>
  TRAMMEL_CALLED double after_error(Core& core, double step) {
    constexpr int order_one_after = 3;  // failures in a row
    if (++failures >= order_one_after) {
      restart(core);
      return step * smallest_factor;
    }
    double factor = factor_of(core.control.error_ratio, order + 1, 1.2);
    if (order > 1) {
      const double lower = factor_of(error_of_lower_order(core), order, 1.3);
      if (lower > factor) factor = lower, change_order(core, order - 1);
    }
    return step * limited(factor, smallest_factor, 0.9);
  }
  /// After a corrector that failed with a fresh Jacobian.
  template <class Core>
  TRAMMEL_HD void after_failure(Core& core) {
    restart(core);
  }

 private:
  static constexpr double smallest_factor = 0.2;

  TRAMMEL_HD NordsieckArray polynomial(double* const (&z)[highest_order + 1]) const {
    NordsieckArray y{{}, order};
    for (int j = 0; j <= highest_order; ++j) y.z[j] = z[j];
    return y;
  }
  /// Σ of the absolute coefficients of a difference of order k + 1: noise in positions appears this many
  /// times in their error estimate.
  TRAMMEL_HD double noise_gain() const { return static_cast<double>(2 << order); }

  template <class Core>
  TRAMMEL_HD void begin_polynomials(Core& core) {
    const StateArrays& now = core.motion.now;
    const ModelSizes& n = core.n;
    core.run.copy(position[0], now.q, n.coordinates);
    core.run(TakeMultiple{now.v, h, position[1]}, n.coordinates);
    core.run.copy(velocity[0], now.v, n.coordinates);
    core.run(TakeMultiple{now.a, h, velocity[1]}, n.coordinates);
    core.run.copy(state[0], now.s, n.scalars);
    core.run(TakeMultiple{now.sdot, h, state[1]}, n.scalars);
  }
  /// Order 1 from the present state.
  template <class Core>
  TRAMMEL_HD void restart(Core& core) {
    order = 1;
    steps_at_order = 0;
    begin_polynomials(core);
  }
  template <class Core>
  TRAMMEL_HD void rescale(Core& core, double step) {
    constexpr double same = 1e-9;  // relative: a step cut so little is of the same size
    if (step == h) return;
    const double ratio = step / h;
    core.run(RescaleNordsieck{positions(), ratio}, core.n.coordinates);
    core.run(RescaleNordsieck{velocities(), ratio}, core.n.coordinates);
    core.run(RescaleNordsieck{states(), ratio}, core.n.scalars);
    if (std::fabs(ratio - 1) > same) steps_at_order = 0;
    h = step;
  }
  /// q̇ of the formula at the end of the step.
  template <class Core>
  TRAMMEL_HD const double* rate_of_positions(Core& core) {
    if (!stabilized) return core.motion.now.v;
    core.run.copy(work, core.motion.now.v, core.n.coordinates);
    core.run(AddMultiple{drift, 1 / h, work}, core.n.coordinates);
    return work;
  }
  /// y_{n+1} − y_p.
  template <class Core>
  TRAMMEL_HD void take_changes(Core& core, double step) {
    const double l0 = corrections().l[0];
    const StateArrays& now = core.motion.now;
    core.run(NordsieckCorrection{positions(), rate_of_positions(core), step, l0, change, nullptr},
             core.n.coordinates);
    core.run(NordsieckCorrection{velocities(), now.a, step, l0, velocity_change, nullptr},
             core.n.coordinates);
    core.run(NordsieckCorrection{states(), now.sdot, step, l0, state_change, core.run.differential()},
             core.n.scalars);
  }
  /// The second system of SI2, with the matrix of the first.
  template <class Core>
  TRAMMEL_CALLED void correct_drift(Core& core, const Coefficients& c) {
    const ModelSizes& n = core.n;
    core.run(FillValues{drift_residual, 0.0}, n.unknowns());
    core.run(TakeMultiple{drift_rows, -1, drift_residual + n.coordinates}, n.multipliers);
    const SolveReport report = core.run.solve(drift_residual, drift_correction);
    if (!report.ok()) {
      core.stop(report.status == SolveStatus::refused ? StepEnd::refused : StepEnd::singular);
      return;
    }
    core.run(AddMultiple{drift_correction, c.c, core.motion.now.q}, n.coordinates);
    core.run(AddMultiple{drift_correction, c.b * h, drift}, n.coordinates);
  }
  /// The step factor that an error over ERROR allows where the error is of order p in the step.
  TRAMMEL_HD static double factor_of(double error, int p, double bias) {
    return 1 / (bias * std::pow(error, 1.0 / p) + 1e-6);
  }
  template <class Core>
  TRAMMEL_HD double velocity_error(Core& core, const double* x, double factor) {
    if (core.n.coordinates == 0) return 0;
    const auto squares = core.run.reduce(
        VelocityErrorSquares{core.run.places(), x, core.motion.now.v, core.run.cos_theta()}, core.n.bodies);
    core.run.collect();
    return factor * std::sqrt(nonnegative(squares->x) / core.n.coordinates) / core.rules.error;
  }
  /// Error over ERROR: the larger one of coordinates x, of states y, of velocities v where they are
  /// controlled; root mean squares.
  template <class Core>
  TRAMMEL_CALLED double error_of(Core& core, const double* x, const double* v, const double* y,
                                 double factor) {
    const auto squares = core.squares_of(x);
    const auto of_states =
        core.run.reduce(StateErrorSquares{y, core.motion.now.s, 1, core.run.differential()}, core.n.scalars);
    core.run.collect();
    const double p = core.n.coordinates > 0 ? nonnegative(squares->x) / core.n.coordinates : 0;
    const double s = core.n.differential > 0 ? of_states->x / core.n.differential : 0;
    const double error = factor * std::sqrt(most(p, s)) / core.rules.error;
    return stabilized ? most(error, velocity_error(core, v, factor)) : error;
  }
  /// Of a formula of order k − 1: (k − 1)! z_k.
  template <class Core>
  TRAMMEL_HD double error_of_lower_order(Core& core) {
    double factorial = 1;
    for (int j = 2; j < order; ++j) factorial *= j;
    return error_of(core, position[order], velocity[order], state[order], factorial);
  }
  /// Of a formula of order k + 1: the change of y_{n+1} − y_p over a step of the same size, over k + 2.
  template <class Core>
  TRAMMEL_HD double error_of_higher_order(Core& core) {
    const ModelSizes& n = core.n;
    double *of_v = work + n.coordinates, *of_s = of_v + n.coordinates;
    core.run.copy(work, change_before, n.coordinates);
    core.run(Difference{change, 1, work}, n.coordinates);
    core.run.copy(of_v, velocity_change_before, n.coordinates);
    core.run(Difference{velocity_change, 1, of_v}, n.coordinates);
    core.run.copy(of_s, state_change_before, n.scalars);
    core.run(Difference{state_change, 1, of_s}, n.scalars);
    return error_of(core, work, of_v, of_s, 1.0 / (order + 2));
  }
  /// Order and step are kept for k + 2 steps, by which time the differences belong to them.
  template <class Core>
  TRAMMEL_CALLED void choose_order(Core& core) {
    constexpr double worth_it = 1.1, largest = 10;
    factor_of_next = 1;
    if (steps_at_order < order + 2) return;
    const double error = core.control.error_ratio;
    double factor = factor_of(error, order + 1, 1.2);
    int best = order;
    if (order > 1) {
      const double lower = factor_of(error_of_lower_order(core), order, 1.3);
      if (lower > factor) factor = lower, best = order - 1;
    }
    if (order < kmax) {
      const double higher = factor_of(error_of_higher_order(core), order + 2, 1.4);
      if (higher > factor) factor = higher, best = order + 1;
    }
    if (factor < worth_it && best == order) return;
    change_order(core, best);
    factor_of_next = factor < worth_it ? 1 : least(factor, largest);
  }
  /// Raised by one: z_{k+1} = ℓ_k e/(k + 1).
  template <class Core>
  TRAMMEL_CALLED void change_order(Core& core, int to) {
    steps_at_order = 0;
    if (to > order) {
      const NordsieckCoefficients c = corrections();
      const double factor = c.l[order] / (c.l[0] * to);
      core.run(TakeMultiple{change, factor, position[to]}, core.n.coordinates);
      core.run(TakeMultiple{velocity_change, factor, velocity[to]}, core.n.coordinates);
      core.run(TakeMultiple{state_change, factor, state[to]}, core.n.scalars);
    }
    order = to;
  }
};

}  // namespace trammel
