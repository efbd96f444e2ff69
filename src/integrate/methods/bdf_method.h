// Backward differentiation formulas of order 1 to 6 on the index-3 equations, which hold at t_{n+1}. Source:
// C. W. Gear, "Simultaneous numerical solution of differential-algebraic equations" (1971); step and order
// control after A. C. Hindmarsh, LSODE (1983). With q̇ = v and a = v̇, each of q, v, X is a polynomial in
// Nordsieck's form (integrate/methods/nordsieck.h), corrected by
//   y_{n+1} = y_p + ℓ_0 e,   h ẏ_{n+1} = h ẏ_p + e,   Λ(x) = Π_{i=1}^{k} (1 + x/ξ_i) = Σ ℓ_j x^j / ℓ_0
//   ξ_i = (t_{n+1} − t_{n+1−i})/h   (WSTIFF: variable coefficients),   ξ_i = i   (GSTIFF: fixed ones)
// A correction Δ of q̈ is δv = ℓ_0 h Δ and δq = ℓ_0² h² Δ; the truncation error is (y_{n+1} − y_p)/ξ_{k+1}, of
// which integrate/methods/stiff_error.h tells what arrives at the end of a step.
// With SI2 (integrate/methods/stabilized_index2.h) errors of velocities are controlled as well, with SI1
// those of accelerations besides: (v_{n+1} − v_p)/(ξ_{k+1} ℓ_0 h), of one order less in h. (In index 1 the
// multipliers are derivatives λ = η̇, μ = ν̇ of unknowns whose errors are controlled: by this formula the same
// λ and μ, and accelerations are as exact as these.)
#pragma once

#include <cmath>
#include <utility>

#include "device_api/kernel.h"
#include "integrate/method_defaults.h"
#include "integrate/methods/acceleration_control.h"
#include "integrate/methods/nordsieck.h"
#include "integrate/methods/order_bound.h"
#include "integrate/methods/stabilized_index2.h"
#include "integrate/schedule.h"
#include "integrate/step_data.h"

namespace trammel {

struct IntegratorOptions;

struct BdfMethod : MethodDefaults {
  static constexpr bool bounds_first_step = false, has_graph = true;
  static constexpr const char* graph_name = "judge_iteration_of_bdf";
  bool variable_coefficients = false;
  bool controls_velocities = false;  ///< with SI2 and SI1
  bool trapezoidal_start =
      false;  ///< with SI2 and SI1; with I3 where constraints bear reactions or forces change in time
  int kmax = highest_order;
  // What changes between steps.
  int order = 1;
  bool starting = false;                ///< the first step is under way, by the trapezoidal rule
  bool begun_anew = false;              ///< the step under way, by the trapezoidal rule
  bool renewing = false;                ///< a step after which accelerations are those of its end anew
  int steps_at_order = 0;               ///< accepted with the present order and step size
  int failures = 0;                     ///< of the error test, since a step whose own error was below ERROR
  double own_error = 0;                 ///< of the step under way, over ERROR, where it is above; 0: below
  double last_error = 0;                ///< over ERROR, of the last of them
  double h = 0;                         ///< step that the polynomials are scaled to
  double past[highest_order + 1] = {};  ///< sizes of the last steps, the latest first
  double factor_of_next = 1;            ///< of the step that was chosen with the order
  OrderBound bound;
  StabilizedIndex2 index2;
  AccelerationControl accelerations;  ///< of SI1
  /// Polynomials of q and v (an entry per coordinate) and of scalars; the last corrections y_{n+1} − y_p of
  /// q, v and scalars, and those before them; room for all three.
  double *position[highest_order + 1], *velocity[highest_order + 1], *state[highest_order + 1];
  double *change, *change_before, *velocity_change, *velocity_change_before, *state_change,
      *state_change_before, *room;
  double* kept;  ///< positions, velocities and scalars while errors are passed on; or nothing

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
    visit(room, 2 * n.coordinates + n.scalars);
    visit(kept, passes_errors_on(n) && controls_velocities ? 2 * n.coordinates + n.scalars : 0);
    index2.arrays(n, visit);
  }
  template <class Archive>
  void archive(Archive& a) {
    a(order, starting, renewing, steps_at_order, failures, h, past, factor_of_next);
    bound.archive(a);
  }

  TRAMMEL_HD NordsieckArray positions() const { return polynomial(position); }
  TRAMMEL_HD NordsieckArray velocities() const { return polynomial(velocity); }
  TRAMMEL_HD NordsieckArray states() const { return polynomial(state); }
  TRAMMEL_HD NordsieckAngles stored(double) const {
    return {positions(), velocities(), h, {change_before, velocity_change_before}};
  }

  /// (t_{n+1} − t_{n+1−i})/h.
  TRAMMEL_HD double steps_back(int i) const {
    if (!variable_coefficients) return i;
    double sum = h;
    for (int k = 0; k + 1 < i; ++k) sum += past[k] > 0 ? past[k] : h;
    return sum / h;
  }
  /// ξ_{k+1}, by which y_{n+1} − y_p is more than the local error; behind far longer steps no more than twice
  /// what it is among equal ones, as a force that begins in the step is nothing that y_p could know.
  TRAMMEL_HD double divisor_of_error() const { return least(steps_back(order + 1), 2.0 * (order + 1)); }
  TRAMMEL_HD NordsieckCoefficients corrections() const {
    if (starting) return {{0.5, 1}};
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
  /// Of SI2 in velocities, of SI1 in accelerations, which are larger.
  TRAMMEL_HD double position_error(double step) const {
    const double l0h = corrections().l[0] * step;
    const double controlled = accelerations.active  ? 1 / accelerations.size
                              : judges_velocities() ? l0h
                                                    : l0h * l0h;
    return controlled / divisor_of_error();
  }
  /// Σ of the absolute coefficients of a difference of order k + 1: noise in positions appears this many
  /// times in their error estimate.
  TRAMMEL_HD double rounding_gain() const { return static_cast<double>(2 << order); }
  /// Rates that are wrong by r change the correction of a state by at most 2^{k+1} ℓ_0 h r.
  TRAMMEL_HD double rounding_in_states(double of_correction) const {
    return rounding_gain() / 4 / divisor_of_error() * of_correction;
  }

  template <class Core>
  TRAMMEL_HD void start(Core& core) {
    order = 1;
    starting = trapezoidal_start;
    renewing = false;
    h = core.rules.hinit;
    steps_at_order = failures = 0;
    begun_anew = false;
    factor_of_next = 1;
    for (double& p : past) p = 0;
    begin_polynomials(core);
  }

  template <class Core>
  TRAMMEL_HD bool begin_step(Core& core, double step) {
    rescale(core, step);
    own_error = 0;
    if (index2.active) index2.begin_step(core);
    if (accelerations.active) accelerations.begin_step(core, index2.rate, room);
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
  }
  TRAMMEL_HD bool reads_velocity_rows() const { return index2.active; }
  template <class Core>
  TRAMMEL_HD void begin_residual(Core& core) {
    index2.begin_residual(core);
  }
  template <class Core>
  TRAMMEL_HD bool complete_residual(Core& core) {
    if (index2.active) index2.complete_residual(core, core.coefficients(h));
    return true;
  }
  TRAMMEL_HD FurtherSystem further_system() const {
    return index2.active ? FurtherSystem{index2.residual, index2.correction} : FurtherSystem{};
  }
  template <class Core>
  TRAMMEL_HD void begin_further_system(Core& core) {
    if (index2.active) index2.begin_second_system(core);
  }
  TRAMMEL_HD double displacement(const Coefficients& c) const {
    return index2.active ? index2.displacement(c) : c.c;
  }
  /// Derivatives that the polynomials of such modes have are differences of what follows from loads.
  TRAMMEL_HD bool leaves_out_quasi_static_modes() const { return true; }
  TRAMMEL_HD double displacement_in_error(const Coefficients& c) const {
    return accelerations.active ? c.c * accelerations.size : judges_velocities() ? c.b : 1;
  }
  template <class Core>
  TRAMMEL_HD double largest_constraint(const Core& core, const Coefficients& c) const {
    return index2.active ? index2.largest_constraint(core, c) : MethodDefaults::largest_constraint(core, c);
  }
  template <class Core>
  TRAMMEL_HD void apply(Core& core, double step) {
    const Coefficients c = core.coefficients(step);
    apply_correction(core, c, nullptr);
    if (index2.active) index2.correct(core, c, step);
  }
  /// With SI2 the second correction is also for the forces that change with the positions of the first one's
  /// second system, and may be larger than the first; with scalars, for their φ̇.
  TRAMMEL_HD double highest_rate_after_first(const ModelSizes& n) const {
    return !index2.active ? INFINITY : n.scalars == 0 ? 1 : 0;
  }
  template <class Core>
  TRAMMEL_HD double further_correction(Core& core) {
    if (!index2.active) return 0;
    const Coefficients c = core.coefficients(h);
    const double left = index2.velocity_left(core, c) / (accelerations.active ? c.b * accelerations.size : 1);
    return left / divisor_of_error() / core.rules.error;
  }

  template <class Core>
  TRAMMEL_HD void local_error(Core& core, double step) {
    take_changes(core, step);
    core.run(TakeMultiple{change, starting ? 0.0 : error_factor(core), core.motion.delta},
             core.n.coordinates);
  }
  template <class Core>
  TRAMMEL_HD auto error_of_states(Core& core, double) const {
    return core.run.reduce(StateError{state_change, core.motion.now.s, error_factor(core),
                                      core.run.differential(), core.motion.state_unit},
                           core.n.scalars);
  }

  template <class Core>
  TRAMMEL_HD double further_error(Core& core) {
    if (!judges_velocities()) return 0;
    const auto asked = ask_rates(core, velocity_change, true);
    core.run.collect();
    return error_of_rates(core, asked, error_factor(core));
  }

  /// Of the step just taken, whose own error is above ERROR.
  template <class Core>
  TRAMMEL_CALLED double error_passed_on(Core& core, double error) {
    own_error = error;
    if (order > OrderBound::damping_order) return error;
    return error_at_end(core, order, change, velocity_change, state_change, error_factor(core), error);
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
    if (own_error == 0) failures = 0;
    begun_anew = false;
    ++steps_at_order;
    if (starting && accelerations.active) end_start(core, c.l[0]);
    choose_order(core);
    if (!core.rules.fixed_step && bound.stepped(h, order)) change_order(core, OrderBound::damping_order);
    if (renewing && accelerations.active) start_anew(core);
    renewing = false;
    core.run.copy(change_before, change, core.n.coordinates);
    core.run.copy(velocity_change_before, velocity_change, core.n.coordinates);
    core.run.copy(state_change_before, state_change, core.n.scalars);
  }

  template <class Core>
  TRAMMEL_HD double suggested(const Core&, double step) const {
    return factor_of_next * step;
  }

  /// With the order that allows the longest step.
  template <class Core>
  TRAMMEL_CALLED double after_error(Core& core, double step) {
    constexpr int order_one_after = 3;  // failures
    const double error = core.control.error_ratio, before = failures++ > 0 ? last_error : INFINITY;
    last_error = error;
    const bool over_a_jump = accelerations.active && !starting && jumps(error, before);
    if (over_a_jump && !renewing && error_without_accelerations(core) <= 1) {
      restart(core);
      return step;
    }
    if (failures >= order_one_after && (over_a_jump || !accelerations.active)) {
      restart_before(core, step * smallest_factor,
                     failures == order_one_after + 1 || error < shrinking * before);
      return step * smallest_factor;
    }
    double factor = factor_of(error, order + 1 - lost(), of_present);
    if (order > 1) {
      const auto asked = ask_lower_order(core);
      core.run.collect();
      const double lower = factor_of(error_of(core, asked, factor_of_lower_order()), lower_power(), of_lower);
      if (lower > factor && !(order == 2 && needs_order_2(core, velocity[2])))
        factor = lower, change_order(core, order - 1);
    }
    return step * limited(factor, smallest_factor, 0.9);
  }
  template <class Core>
  TRAMMEL_HD void after_failure(Core& core) {
    if (core.rounding.limited)  // at a singular position, where φ̇ is rounding
      restart(core);
    else
      restart_before(core, h * smallest_factor, false);
  }

 private:
  static constexpr double smallest_factor = 0.2;
  /// Of an error over that of the attempt before: above, it does not shrink with the step.
  static constexpr double shrinking = 0.8;

  /// Whether an error of accelerations may be that of a jump: it does not shrink with the step, or nothing
  /// but shorter steps is left. Such a step is taken if its other errors allow it, and accelerations are
  /// those of its end.
  TRAMMEL_HD bool jumps(double error, double before) const {
    constexpr double large = 10;
    const bool stays = failures > 1 && !(error < shrinking * before);
    return error > large ? order == 1 || stays : failures > 2 && stays;
  }
  template <class Core>
  TRAMMEL_HD double error_without_accelerations(Core& core) {
    const bool judged = !std::exchange(renewing, true);
    const auto asked = ask(core, change, velocity_change, state_change, true);
    core.run.collect();
    const double error = error_of(core, asked, error_factor(core));
    renewing = !judged;
    return error;
  }

  TRAMMEL_HD NordsieckArray polynomial(double* const (&z)[highest_order + 1]) const {
    NordsieckArray y{{}, order};
    for (int j = 0; j <= highest_order; ++j) y.z[j] = z[j];
    return y;
  }
  /// Of y_{n+1} − y_p. The trapezoidal rule has an error of order h³, of which its first step knows only a
  /// bound of order h²: held against ERROR^{2/3}. Positions have h/6 of the error of velocities.
  template <class Core>
  TRAMMEL_HD double error_factor(const Core& core) const {
    return (starting ? std::cbrt(core.rules.error) : 1.0) / divisor_of_error();
  }
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
  /// Order 1 from the present state, without what was before.
  template <class Core>
  TRAMMEL_HD void restart(Core& core) {
    order = 1;
    starting = false;
    renewing = true;
    steps_at_order = 0;
    for (double& p : past) p = 0;
    begin_polynomials(core);
  }
  /// The same before a step of some size for which errors are too large, as over a jump. I3 judges no
  /// velocities, of which order 1 would leave an error h q̈/2 in the motion: it begins by the trapezoidal
  /// rule, as at the start, and with velocities that fulfil φ̇ = 0, as that rule keeps what they miss. So
  /// once, and as long as errors shrink with the step: over a jump of velocities no step is short enough for
  /// it.
  template <class Core>
  TRAMMEL_HD void restart_before(Core& core, double step, bool shrinks) {
    if (starting && begun_anew && shrinks) return;
    if (!begun_anew && trapezoidal_start && !controls_velocities) {
      begun_anew = true;
      order = 1;
      starting = true;
      if (make_rates_consistent(core, step)) {
        steps_at_order = 0;
        for (double& p : past) p = 0;
        begin_polynomials(core);
        return;
      }
    }
    restart(core);
  }
  /// After a step that was not judged by them accelerations lack what its formula left, which the next step
  /// would take for its own error, however short it is: they become those of the state, and the next step is
  /// a first one.
  template <class Core>
  TRAMMEL_HD void start_anew(Core& core) {
    make_accelerations_consistent(core, h);
    order = 1;
    starting = trapezoidal_start;
    begin_polynomials(core);
  }
  /// After the first step, whose accelerations lack as much as h² of it.
  template <class Core>
  TRAMMEL_HD void end_start(Core& core, double l0) {
    const double* a = core.motion.now.a;
    core.run(AddMultiple{a, -l0 * h, velocity_change}, core.n.coordinates);
    make_accelerations_consistent(core, h);
    core.run(AddMultiple{a, l0 * h, velocity_change}, core.n.coordinates);
    core.run(TakeMultiple{a, h, velocity[1]}, core.n.coordinates);
  }
  template <class Core>
  TRAMMEL_HD void rescale(Core& core, double step) {
    if (step == h) return;
    const double ratio = step / h;
    core.run(RescaleNordsieck{positions(), ratio}, core.n.coordinates);
    core.run(RescaleNordsieck{velocities(), ratio}, core.n.coordinates);
    core.run(RescaleNordsieck{states(), ratio}, core.n.scalars);
    if (!same_size(step, h, core.motion.begin_t)) steps_at_order = 0;
    h = step;
  }
  /// q̇ of the formula at the end of the step.
  template <class Core>
  TRAMMEL_HD const double* rate_of_positions(Core& core) {
    if (!index2.active) return core.motion.now.v;
    core.run.copy(room, core.motion.now.v, core.n.coordinates);
    core.run(AddMultiple{index2.drift, 1 / h, room}, core.n.coordinates);
    return room;
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
  /// The step factor that an error over ERROR allows where the error is of order p in the step. The biases
  /// are those of LSODE: a change of order, above all to a higher one, must be worth it.
  static constexpr double of_present = 1.2, of_lower = 1.3, of_higher = 1.4;
  TRAMMEL_HD static double factor_of(double error, int p, double bias) {
    constexpr double no_error = 1e-6;  // keeps the factor finite
    return 1 / (bias * std::pow(error, 1.0 / p) + no_error);
  }
  /// Powers of the step that errors of accelerations have less than those of velocities.
  TRAMMEL_HD int lost() const { return accelerations.active ? 1 : 0; }
  TRAMMEL_HD int lower_power() const { return order > lost() ? order - lost() : 1; }
  /// Mean squares of bodies, and errors of states, valid after the next collect().
  template <class Found>
  struct Rates {
    Found velocities, accelerations;
  };
  template <class Found>
  struct Errors {
    Found coordinates, states;
    Rates<Found> rates;
  };
  /// Whether errors of velocities are judged: of I3 those of the first step, whose errors stay in the motion.
  TRAMMEL_HD bool judges_velocities() const { return controls_velocities || starting; }
  /// Whether accelerations are judged. A step over a jump is not, as what accelerations lack where the step
  /// begins does not shrink with it.
  TRAMMEL_HD bool judges_accelerations() const { return accelerations.active && !renewing; }
  /// Whether stiffness is looked for in errors: of rates, where they are controlled, and of states.
  TRAMMEL_HD bool passes_errors_on(const ModelSizes& n) const {
    return controls_velocities || n.differential > 0;
  }
  // defined in integrate/methods/stiff_error.h:
  template <class Core>
  TRAMMEL_CALLED double error_at_end(Core& core, int k, const double* x, const double* v, const double* y,
                                     double factor, double error);
  template <class Core>
  TRAMMEL_CALLED double rates_at_end(Core& core, const double* x, const double* v, const double* y,
                                     double factor, double error);
  template <class Core>
  TRAMMEL_CALLED double states_at_end(Core& core, const double* y, double factor, double error);
  // defined in integrate/methods/bdf.h:
  template <class Core>
  TRAMMEL_HD auto ask_rates(Core& core, const double* x, bool wanted) const;
  template <class Core>
  TRAMMEL_HD auto ask(Core& core, const double* x, const double* v, const double* y, bool wanted) const;
  template <class Core, class Found>
  TRAMMEL_HD double error_of_rates(const Core& core, const Rates<Found>& asked, double factor) const;
  template <class Core, class Found>
  TRAMMEL_CALLED double error_of(const Core& core, const Errors<Found>& asked, double factor) const;
  template <class Core>
  TRAMMEL_HD auto ask_lower_order(Core& core) const;
  TRAMMEL_HD double factor_of_lower_order() const;
  template <class Core>
  TRAMMEL_HD auto ask_higher_order(Core& core, bool wanted) const;
  template <class Core>
  TRAMMEL_CALLED bool needs_order_2(Core& core, const double* term) const;
  template <class Core>
  TRAMMEL_CALLED void choose_order(Core& core);
  template <class Core>
  TRAMMEL_CALLED void change_order(Core& core, int to);
};

}  // namespace trammel
