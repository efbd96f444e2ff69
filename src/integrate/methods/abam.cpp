// Adams-Bashforth predictors and Adams-Moulton correctors of order 1 to 12 (PECE, with local extrapolation),
// in independent coordinates. Order and step are chosen as in L. F. Shampine, M. K. Gordon, Computer Solution
// of Ordinary Differential Equations (1975), STEP; formulas: integrate/methods/adams_formulas.h.
#include <algorithm>

#include "integrate/methods/adams_formulas.h"
#include "integrate/methods/explicit_integrator.h"
#include "integrate/methods/list.h"

namespace trammel {

namespace {

using adams::Weights;

struct AbamMethod : MethodDefaults {
  static constexpr bool has_stages = true;

  IndependentMotion* motion = nullptr;
  int kmax = adams::highest_order;
  int order = 1;           ///< of the predictor
  int steps_at_order = 0;  ///< accepted ones
  int failures = 0;        ///< of the step under way
  bool starting = true;    ///< order and step rise until an error is too large or a lower order as good
  double error[3] = {};    ///< of orders k, k − 1, k − 2 in the attempt under way, over ERROR
  double magnified = 0;    ///< error of dependent coordinates, over ERROR; of no order of its own
  double stability = 0;    ///< h |λ| of the attempt under way over the limit of stability
  StiffnessWatch stiffness;
  adams::Past past;
  double *q, *v, *a, *s, *sdot;  ///< the predicted state, completed
  double* state_error;

  static AbamMethod of(const IntegratorOptions& options, bool) {
    AbamMethod m{};
    m.kmax = std::min(options.kmax, adams::highest_order);
    return m;
  }
  static bool same_formulas(const IntegratorOptions& a, const IntegratorOptions& b) {
    return a.kmax == b.kmax;
  }
  template <class Visit>
  void arrays(const ModelSizes& n, Visit&& visit) {
    for (int m = 0; m < adams::most_points; ++m) {
      for (double** x : {&past.q[m], &past.v[m], &past.a[m]}) visit(*x, n.coordinates);
      visit(past.sdot[m], n.scalars);
    }
    for (double** x : {&q, &v, &a}) visit(*x, n.coordinates);
    for (double** x : {&s, &sdot, &state_error}) visit(*x, n.scalars);
  }
  template <class Archive>
  void archive(Archive& archive) {
    archive(order, steps_at_order, failures, starting, stiffness, past.time, past.points);
  }
  adams::Past stored(double) const { return past; }

  template <class Core>
  void start(Core& core) {
    order = 1;
    steps_at_order = failures = 0;
    starting = true;
    stiffness = {};
    past.points = 0;
    push(core);
  }
  template <class Core>
  void predict(Core&, const Extrapolation&, double) {}

  template <class Core>
  bool correct(Core& core, double h) {
    if (!motion->begin(core)) return false;
    const StateArrays& now = core.motion.now;
    const ModelSizes& n = core.n;
    double x[adams::most_points];
    times(x, 0, h);
    core.motion.t = core.motion.begin_t + h;
    Weights w = adams::predictor(x, order);
    combine(core, {w, 0, h, 0, true}, now.q, now.v, now.s);
    if (!motion->complete(core, h)) return false;
    core.run.copy(q, now.q, n.coordinates);
    core.run.copy(v, now.v, n.coordinates);
    core.run.copy(a, now.a, n.coordinates);
    core.run.copy(s, now.s, n.scalars);
    core.run.copy(sdot, now.sdot, n.scalars);
    const double left_by_lines = order > 2 ? left_by(core, x, 2, h, 0) : 0;
    for (int lower = 0; lower < 3 && lower < order; ++lower)
      error[lower] = error_of(core, x, order - lower, h, 0, left_by_lines);
    const Weights extrapolated = adams::lagrange(x, order, 1);
    const double gain = adams::corrector_gain(x, order);
    for (int m = 0; m < order; ++m) w.w[m] -= gain * extrapolated.w[m];
    combine(core, {w, gain, h, 0, true}, now.q, now.v, now.s);
    if (!motion->complete(core, h, true)) return false;
    magnified = motion->moved() / core.rules.error;
    stability = share_of_stability(core, h);
    return !ends_at_singular(core, stability);
  }

  template <class Core>
  double error_ratio(Core&, double) {
    return most(error[0], magnified);
  }

  /// q, q̇ and X at t inside of the last step of order k, back from its end along the polynomials through the
  /// rates at the k + 1 latest points.
  template <class Core>
  void inside_step(Core& core, double t, const StateArrays& at) const {
    double x[adams::most_points];
    const double h = t - past.time[0];
    times(x, 0, h);
    const int count = std::min(core.result.order + 1, past.points);
    const Terms terms{adams::predictor(x, count), 0, h, 0, true};
    const StateArrays& end = core.motion.now;
    core.run(sum(past.v, terms, nullptr, end.q, at.q), core.n.coordinates);
    core.run(sum(past.a, terms, nullptr, end.v, at.v), core.n.coordinates);
    core.run(adams::StateSum{sum(past.sdot, terms, nullptr, end.s, at.s), core.run.differential()},
             core.n.scalars);
  }

  template <class Core>
  void accept(Core& core) {
    core.counters.stiff += stiffness.note(core, core.motion.t - core.motion.begin_t, stability, failures > 0);
    push(core);
  }
  template <class Core>
  void push_stages(Core&, double) {}

  template <class Core>
  double suggested(Core& core, double h) {
    failures = 0;
    const bool rising = starting && !lower_is_as_good() && order < kmax;
    starting = rising;
    double now = error[0];
    if (rising)
      change_order(order + 1);
    else
      now = choose_order(core, h);
    if (rising) return 2 * h;
    constexpr double safety = 0.5, worth_it = 1.3;  // of the error; a change of step
    const double factor = std::pow(safety / most(most(now, magnified), 1e-10), 1.0 / (order + 1));
    if (factor < 1) return h * limited(factor, 0.5, 0.9);
    return factor < worth_it ? h : h * least(factor, 2);
  }
  template <class Core>
  double after_error(Core& core, double h) {
    constexpr int order_one_after = 3;
    starting = false;
    motion->tighten();
    if (++failures < order_one_after) {
      change_order(lower_is_as_good() ? order - 1 : order);
      return h / 2;
    }
    change_order(1);
    const double factor = std::sqrt(0.5 / core.control.error_ratio);
    return h * (factor > 0.1 ? least(factor, 0.5) : 0.1);  // NaN: as small as can be
  }
  template <class Core>
  void after_failure(Core&) {
    starting = false;
    change_order((order + 1) / 2);
  }

 private:
  /// h (own x + Σ w_m x_m) of what stands at the points from `first` on, added to the beginning of the step
  /// or not.
  struct Terms {
    Weights weights;
    double own, h;
    int first;
    bool from_begin;
  };
  static adams::Sum sum(double* const (&points)[adams::most_points], const Terms& t, const double* x,
                        const double* begin, double* out) {
    adams::Sum result{{}, t.weights, t.own != 0 ? x : nullptr, t.own, t.h, t.from_begin ? begin : nullptr,
                      out};
    for (int m = 0; m < t.weights.count; ++m) result.past[m] = points[t.first + m];
    return result;
  }
  /// Of positions, velocities and states; own: of the predicted state, or of the present one (first = 1).
  template <class Core>
  void combine(Core& core, const Terms& t, double* of_q, double* of_v, double* of_s) {
    const StateArrays& begin = core.motion.begin;
    const bool present = t.first > 0;
    core.run(sum(past.v, t, present ? past.v[0] : v, begin.q, of_q), core.n.coordinates);
    core.run(sum(past.a, t, present ? past.a[0] : a, begin.v, of_v), core.n.coordinates);
    core.run(adams::StateSum{sum(past.sdot, t, present ? past.sdot[0] : sdot, begin.s, of_s),
                             core.run.differential()},
             core.n.scalars);
  }

  template <class Core>
  void push(Core& core) {
    const StateArrays& now = core.motion.now;
    past.push(core.motion.t);
    core.run.copy(past.q[0], now.q, core.n.coordinates);
    core.run.copy(past.v[0], now.v, core.n.coordinates);
    core.run.copy(past.a[0], now.a, core.n.coordinates);
    core.run.copy(past.sdot[0], now.sdot, core.n.scalars);
  }
  /// Times of the points from `first` on, in units of the step h that begins at that one.
  void times(double* x, int first, double h) const {
    for (int m = first; m < past.points; ++m) x[m - first] = (past.time[m] - past.time[first]) / h;
  }

  /// h (f − p) over ERROR at the end of the step from the point `first` on, where p extrapolates k points.
  template <class Core>
  double left_by(Core& core, const double* x, int k, double h, int first) {
    Weights w = adams::lagrange(x, k, 1);
    for (int m = 0; m < k; ++m) w.w[m] = -w.w[m];
    const StepMotion& m = core.motion;
    combine(core, {w, 1, h, first, false}, m.delta, m.correction, state_error);
    return largest_error(core, m.delta, m.correction, state_error) / core.rules.error;
  }
  /// The local error of the formula of order k over ERROR: what it leaves times its gain, where each point
  /// more leaves less. Where the points tell nothing of the step, as before a pulse that is shorter, all
  /// orders leave as much, and the error is about a tenth of it (0.04 to 0.14 of steps up to the peak of 1/(1
  /// + (t/w)²)), however small the gain of a high order is.
  template <class Core>
  double error_of(Core& core, const double* x, int k, double h, int first, double left_by_lines) {
    constexpr double most_left_by_a_point = 0.75, of_what_is_left = 0.1;
    const double left = left_by(core, x, k, h, first), gain = std::fabs(adams::error_gain(x, k));
    const bool converges = k <= 2 || left <= std::pow(most_left_by_a_point, k - 2) * left_by_lines;
    return left * (converges ? gain : most(gain, of_what_is_left));
  }
  bool lower_is_as_good() const {
    if (order == 1) return false;
    return order == 2 ? error[1] <= 0.5 * error[0] : most(error[1], error[2]) <= error[0];
  }
  void change_order(int k) {
    if (k != order) steps_at_order = 0;
    order = k;
  }
  /// After an accepted step: the order with the least error; returns its error.
  template <class Core>
  double choose_order(Core& core, double h) {
    const int k = order;
    ++steps_at_order;
    if (lower_is_as_good()) {
      change_order(k - 1);
      return error[1];
    }
    if (steps_at_order <= k || k >= kmax || past.points < k + 2) return error[0];
    double x[adams::most_points];
    times(x, 1, h);
    const double higher = error_of(core, x, k + 1, h, 1, k > 1 ? left_by(core, x, 2, h, 1) : 0);
    if (k > 1 && error[1] <= least(error[0], higher)) {
      change_order(k - 1);
      return error[1];
    }
    if (!(higher < (k == 1 ? 0.5 : 1.0) * error[0])) return error[0];
    change_order(k + 1);
    return higher;
  }

  /// h |λ| over the limit of stability, from the predicted state and the end of the step.
  template <class Core>
  double share_of_stability(Core& core, double h) {
    const StateArrays& now = core.motion.now;
    const ModelSizes& n = core.n;
    core.run(Difference{now.q, 1.0, q}, n.coordinates);
    core.run(Difference{now.v, 1.0, v}, n.coordinates);
    core.run(Difference{now.a, 1.0, a}, n.coordinates);
    core.run(Difference{now.s, 1.0, s}, n.scalars);
    core.run(Difference{now.sdot, 1.0, sdot}, n.scalars);
    return fastest_rate(core, h, {q, v, a, s, sdot}) / adams::stability_limit[order];
  }
};

}  // namespace

IntegrationMethod abam_method() {
  const auto no_advice = [](const IntegratorOptions&) -> std::string { return ""; };
  IntegrationMethod row{"ABAM", true, 1e-3, true, no_advice, make_explicit<AbamMethod>};
  row.on_processor = true;
  row.bears_short_steps = true;
  row.highest_order = adams::highest_order;
  row.explicit_forces = true;
  return row;
}

}  // namespace trammel
