// The Runge-Kutta method of order 5 with the formula of order 4 embedded in it, in independent coordinates.
// Sources: E. Fehlberg, Low-order classical Runge-Kutta formulas with stepsize control, NASA TR R-315 (1969);
// L. F. Shampine, H. A. Watts, DEPAC (1979), which go on with the formula of order 5, as is done here.
#include <algorithm>

#include "integrate/methods/explicit_integrator.h"
#include "integrate/methods/list.h"
#include "integrate/methods/rkf45_formulas.h"

namespace trammel {

namespace {

struct Rkf45Method : MethodDefaults {
  static constexpr int order = 5, stages = rkf45::stages;
  static constexpr bool has_stages = true;

  IndependentMotion* motion = nullptr;
  double stability = 0;  ///< largest h |λ| over the limit of stability in attempts at the step under way
  bool repeats = false;  ///< an attempt at the step under way has failed
  StiffnessWatch stiffness;
  /// q̇, q̈, Ẋ of all stages but the first, which is the beginning of the step.
  double *v[stages], *a[stages], *sdot[stages];
  double* state_error;

  static Rkf45Method of(const IntegratorOptions&, bool) { return {}; }
  static bool same_formulas(const IntegratorOptions&, const IntegratorOptions&) { return true; }
  template <class Visit>
  void arrays(const ModelSizes& n, Visit&& visit) {
    for (int i = 1; i < stages; ++i) visit(v[i], n.coordinates);
    for (int i = 1; i < stages; ++i) visit(a[i], n.coordinates);
    for (int i = 1; i < stages; ++i) visit(sdot[i], n.scalars);
    visit(state_error, n.scalars);
  }
  template <class Archive>
  void archive(Archive& archive) {
    archive(repeats, stiffness);
  }

  template <class Core>
  void start(Core&) {
    repeats = false;
    stiffness = {};
  }
  template <class Core>
  void predict(Core&, const Extrapolation&, double) {}

  /// h Σ w_j x_j of positions, velocities, states, added to those at the beginning of the step or not.
  template <class Core>
  void combine(Core& core, const rkf45::Row& w, double h, bool from_begin, double* q, double* vel,
               double* s) {
    const StateArrays& begin = core.motion.begin;
    const ModelSizes& n = core.n;
    v[0] = begin.v;
    a[0] = begin.a;
    sdot[0] = begin.sdot;
    const auto sum = [&](double* const(&x)[stages], const double* base, double* out) {
      rkf45::Combination c{{}, w, h, from_begin ? base : nullptr, out};
      std::copy_n(x, stages, c.x);
      return c;
    };
    core.run(sum(v, begin.q, q), n.coordinates);
    core.run(sum(a, begin.v, vel), n.coordinates);
    core.run(rkf45::StateCombination{sum(sdot, begin.s, s), core.run.differential()}, n.scalars);
  }

  template <class Core>
  bool correct(Core& core, double h) {
    if (!motion->begin(core)) return false;
    const StateArrays& now = core.motion.now;
    const ModelSizes& n = core.n;
    for (int i = 1; i <= stages; ++i) {
      const bool end = i == stages;
      core.motion.t = core.motion.begin_t + (end ? 1 : rkf45::c[i]) * h;
      combine(core, end ? rkf45::b : rkf45::a[i], h, true, now.q, now.v, now.s);
      if (!motion->complete(core, h)) return false;
      if (end) break;
      core.run.copy(v[i], now.v, n.coordinates);
      core.run.copy(a[i], now.a, n.coordinates);
      core.run.copy(sdot[i], now.sdot, n.scalars);
    }
    if (!motion->evaluate_for_histories(core)) return false;
    const double share = share_of_stability(core, h);
    stability = most(repeats ? stability : 0.0, share);
    return !ends_at_singular(core, share);
  }

  /// The rates at the end have to tell no large error, either, in place of those of the stage there: what
  /// stages meet of a stiff stop may look like no error at all, as it is right for a body that nothing pushes
  /// away.
  template <class Core>
  double error_ratio(Core& core, double h) {
    const StepMotion& m = core.motion;
    combine(core, rkf45::error, h, false, m.delta, m.correction, state_error);
    const double by_stage = largest_error(core, m.delta, m.correction, state_error);
    const double weight = h * rkf45::error.w[rkf45::stage_at_end];
    const auto exchange = [&](const double* end, const double* stage, double* error, int count) {
      core.run(AddMultiple{end, weight, error}, count);
      core.run(AddMultiple{stage, -weight, error}, count);
    };
    exchange(m.now.v, v[rkf45::stage_at_end], m.delta, core.n.coordinates);
    exchange(m.now.a, a[rkf45::stage_at_end], m.correction, core.n.coordinates);
    exchange(m.now.sdot, sdot[rkf45::stage_at_end], state_error, core.n.scalars);
    constexpr double large = 10;
    const double by_end = largest_error(core, m.delta, m.correction, state_error);
    const double error = most(most(by_end / large, by_stage), motion->moved());  // NaN stays
    return most(error, passed_by(core, h)) / core.rules.error;
  }

  template <class Core>
  void accept(Core& core) {
    core.counters.stiff += stiffness.note(core, core.motion.t - core.motion.begin_t, stability, repeats);
  }
  template <class Core>
  void push_stages(Core&, double) {}

  template <class Core>
  double suggested(const Core& core, double h) {
    const double factor = factor_for(core.control.error_ratio, repeats ? 1.0 : 5.0);
    repeats = false;
    return h * factor;
  }
  template <class Core>
  double after_error(Core& core, double h) {
    repeats = true;
    motion->tighten();
    return h * factor_for(core.control.error_ratio, 0.9);
  }
  template <class Core>
  void after_failure(Core&) {
    repeats = true;
  }

 private:
  /// Of the error of the formula of order 4, which is of order h⁵; NaN: as small as can be.
  static double factor_for(double error, double largest) {
    constexpr double safety = 0.9, smallest = 0.2;
    const double factor = safety * std::pow(most(error, 1e-10), -0.2);
    return factor > smallest ? least(factor, largest) : smallest;
  }

  /// The second stage has no weight in the step nor in its error. What acts in it alone, a stop that only
  /// this stage reaches, would be passed. So its rates are held to those of the stages beside it, with the
  /// weight that the error gives others,
  ///   0.03 h |k₂ − (k₁ + 2 k₃)/3|,
  /// wherever the difference is more than half of what all others change in the step; where these are smooth
  /// it is h² k''/64, an eighth of that at most.
  template <class Core>
  double passed_by(const Core& core, double h) const {
    constexpr double much = 0.5, weight = 0.03;
    double worst = 0;
    const auto look = [&](const double* const(&k)[stages], int i, double unit) {
      const double off = std::fabs(k[1][i] - (k[0][i] + 2 * k[2][i]) / 3);
      double change = 0;
      for (int j = 2; j < stages; ++j) change = most(change, std::fabs(k[j][i] - k[0][i]));
      if (off > much * change) worst = most(worst, weight * h * off / unit);
    };
    for (int i = 0; i < core.n.coordinates; ++i) look(a, i, at_least_one(core.motion.now.v[i]));
    for (int i = 0; i < core.n.scalars; ++i)
      if (core.run.differential()[i])
        look(sdot, i, unit_of_scalar(core.motion.state_unit, i, core.motion.now.s[i]));
    return worst;
  }

  /// h |λ| over the limit of stability, from the stage at the end of the step and the end itself.
  template <class Core>
  double share_of_stability(Core& core, double h) {
    const StateArrays& now = core.motion.now;
    const ModelSizes& n = core.n;
    double *dq = core.motion.delta, *dv = core.motion.residual, *da = core.motion.correction;
    combine(core, rkf45::beyond_stage, h, false, dq, dv, state_error);
    core.run.copy(da, a[rkf45::stage_at_end], n.coordinates);
    core.run(Difference{now.a, 1.0, da}, n.coordinates);
    core.run.copy(dv, v[rkf45::stage_at_end], n.coordinates);
    core.run(Difference{now.v, 1.0, dv}, n.coordinates);
    double* rate_error = core.motion.residual + n.first_scalar();
    core.run.copy(rate_error, sdot[rkf45::stage_at_end], n.scalars);
    core.run(Difference{now.sdot, 1.0, rate_error}, n.scalars);
    return fastest_rate(core, h, {dq, dv, da, state_error, rate_error}) / rkf45::stability_limit;
  }
};

}  // namespace

IntegrationMethod rkf45_method() {
  const auto no_advice = [](const IntegratorOptions&) -> std::string { return ""; };
  IntegrationMethod row{"RKF45", true, 1e-3, false, no_advice, make_explicit<Rkf45Method>};
  row.on_processor = true;
  row.bears_short_steps = true;
  row.leaves_dead_centres = true;
  row.explicit_forces = true;
  return row;
}

}  // namespace trammel
