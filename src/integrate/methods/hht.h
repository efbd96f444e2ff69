// The HHT method. Source: Negrut, Rampalli, Ottarsson, Sajdak, "On an implementation of the
// Hilber-Hughes-Taylor method in the context of index 3 differential-algebraic equations of multibody
// dynamics" (DETC2005-85096), Eq. 26-49, in the second-order form of docs/theory.md: the equations of motion
// hold at t_{n+1} with the true q̈;
//   a_{n+1} = (1+α) q̈_{n+1} − α q̈_n
//   q_{n+1} = q_n + h q̇_n + h² [(½−β) a_n + β a_{n+1}],   q̇_{n+1} = q̇_n + h [(1−γ) a_n + γ a_{n+1}]
//   X_{n+1} = X_n + h [(1−γ) y_n + γ y_{n+1}],            y_{n+1} = (1+α) Ẋ_{n+1} − α Ẋ_n
//   γ = ½ − α,  β = (1−α)²/4,  local error δ = (β + α/2 − 1/6) h² (a_{n+1} − a_n).
// Where bodies may be stopped, errors of q̇ are controlled as well (integrate/methods/velocity_control.h).
#pragma once

#include "integrate/method_defaults.h"
#include "integrate/methods/velocity_control.h"
#include "integrate/methods/velocity_defect.h"

namespace trammel {

struct IntegratorOptions;

/// What steps in the new basis of a body would have left: a_n = (1+α) q̈_n − α q̈_{n−1}; q̇_n with D, the part
/// of h q⃛ that does not map as a rate, by K h D in free directions and by −C h D in constrained ones
/// (VelocityDefect). Mapped as an acceleration and a rate at t_n, both would make accelerations and reactions
/// alternate ((34b) in docs/theory.md).
struct StoredByHht {
  static constexpr const char* rebase_name = "rebase_bodies_of_hht";
  double *a, *missing;  ///< the second: what q̇_n lacks in constrained directions
  double alpha;
  double Ch, Kh;  ///< C and K times the last step
  TRAMMEL_HD void operator()(const RebasedBody& body) const {
    const int at = body.at;
    const Vec3d edd = load(body.now.a + at), change = edd - load(body.step_begin.a + at);
    double mapped[3], unused[3];  // the old change as a rate
    coordinates_of(motion_of(body.old, body.e, body.change, Vec3d{}), body.basis, unused, mapped, unused);
    const Vec3d D = change - load(mapped);
    store(edd + alpha * change, a + at);
    store(load(body.now.v + at) + Kh * D, body.now.v + at);
    store(-(Ch + Kh) * D, missing + at);
  }
};

struct HhtMethod : MethodDefaults {
  static constexpr bool has_graph = true, velocities_apart = true;
  static constexpr const char* graph_name = "judge_iteration_of_hht";
  NewmarkFormulas formulas{};
  double error_constant = 0;  ///< |β + α/2 − 1/6|
  double gain_of_rounding = 0;
  /// a and y, one entry per coordinate and scalar: at n+1; at n, matched to the present h; as stored by the
  /// last accepted step.
  double *aux, *aux_begin, *aux_stored;
  double* velocity_begin;  ///< q̇_n with its defect in constrained directions matched to h
  VelocityDefect defect;
  VelocityControl velocities;
  double *internal_begin, *mass_acceleration;  ///< Eq. 10: Q̂ at n, M q̈

  static HhtMethod of(const IntegratorOptions& options, bool constrained);
  /// And the same arrays.
  static bool same_formulas(const IntegratorOptions& a, const IntegratorOptions& b);

  template <class Visit>
  void arrays(const ModelSizes& n, Visit&& visit) {
    for (double** v : {&aux, &aux_begin, &aux_stored}) visit(*v, n.coordinates + n.scalars);
    for (double** v : {&velocity_begin, &internal_begin, &mass_acceleration}) visit(*v, n.coordinates);
    defect.arrays(n, visit);
    velocities.arrays(n, visit);
  }
  TRAMMEL_HD double rounding_gain() const { return gain_of_rounding; }
  TRAMMEL_HD StoredByHht stored(double h) const {
    const double second_order = formulas.second_order ? h : 0.0;
    return {aux_stored, defect.missing, formulas.alpha, error_constant * second_order,
            state_constant() * second_order};
  }

  /// The first step starts from a_0 = q̈_0, which has no lag −αh: second order then needs γ (1+α) = ½.
  TRAMMEL_HD NewmarkFormulas at(bool first_step) const {
    NewmarkFormulas f = formulas;
    if (f.second_order && first_step) f.gamma = 0.5 / (1 + f.alpha);
    return f;
  }
  /// δq̈ = Δ/(1+α), δq̇ = γhΔ, δq = βh²Δ; scalars alike.
  TRAMMEL_HD Coefficients coefficients(double h, bool first_step) const {
    const NewmarkFormulas f = at(first_step);
    const double inverse = 1 / (1 + f.alpha);
    return {inverse, f.gamma * h, f.beta * h * h, f.gamma * h, inverse};
  }
  TRAMMEL_HD double position_error(double h) const { return error_constant * h * h; }
  /// C of the states' local error C h³ X⃛.
  TRAMMEL_HD double state_constant() const {
    return 1.0 / 12 - formulas.alpha / 2 - formulas.alpha * formulas.alpha;
  }
  TRAMMEL_HD double rounding_in_states(double of_correction) const {
    return state_constant() / formulas.gamma * of_correction;
  }

  template <class Core>
  TRAMMEL_HD void start(Core& core) {
    core.run.copy(aux_stored, core.motion.now.a, core.n.coordinates);
    core.run.copy(aux_stored + core.n.coordinates, core.motion.now.sdot, core.n.scalars);
    core.run(FillValues{defect.missing, 0.0}, core.n.coordinates);
  }

  template <class Core>
  TRAMMEL_CALLED bool begin_step(Core& core, double h) {
    velocities.h = h;
    match_step(core, h);
    if (core.failure.end == StepEnd::refused) return false;
    if (formulas.second_order) return true;
    // Eq. 10: Q̂_n = R_n − (M q̈)_n
    if (!core.compute_residual(Coefficients::of_accelerations())) return false;
    if (!core.run.mass_times_acceleration(internal_begin)) return core.stop(StepEnd::no_value);
    core.run(Difference{core.motion.residual, 1, internal_begin}, core.n.coordinates);
    return true;
  }

  template <class Core>
  TRAMMEL_CALLED void predict(Core& core, const Extrapolation& past, double h) {
    const StateArrays &now = core.motion.now, &begin = core.motion.begin;
    const ModelSizes& n = core.n;
    const NewmarkFormulas f = at(core.history.at_first_step());
    core.run(
        PredictCoordinates{past, begin.q, velocity_begin, begin.a, aux_begin, now.q, now.v, now.a, aux, h, f},
        n.coordinates);
    core.run(PredictMultipliers{past, n.coordinates, now.lambda}, n.multipliers);
    core.run(PredictScalars{past, n.first_scalar(), core.run.differential(), begin.s, begin.sdot,
                            aux_begin + n.coordinates, now.s, now.sdot, aux + n.coordinates, h, f},
             n.scalars);
  }

  /// Eq. 10 as printed: (1/(1+α)) (M q̈)_{n+1} + Q̂_{n+1} − α/(1+α) Q̂_n, from R = M q̈ + Q̂.
  template <class Core>
  TRAMMEL_HD bool complete_residual(Core& core) {
    if (formulas.second_order) return true;
    if (!core.run.mass_times_acceleration(mass_acceleration)) return core.stop(StepEnd::no_value);
    const double factor = -formulas.alpha / (1 + formulas.alpha);
    core.run(AddMultiple{internal_begin, factor, core.motion.residual}, core.n.coordinates);
    core.run(AddMultiple{mass_acceleration, factor, core.motion.residual}, core.n.coordinates);
    return true;
  }

  template <class Core>
  TRAMMEL_CALLED void apply(Core& core, double h) {
    Coefficients c = core.coefficients(h);
    if (!formulas.second_order) c.a = 1;
    apply_correction(core, c, aux);
  }

  /// The first step starts from a_0 = q̈_0: a_1 − a_0 = (1+α) h q⃛ and δ = (β(1+α) − 1/6) h³ q⃛.
  template <class Core>
  TRAMMEL_HD void local_error(Core& core, double h) {
    const NewmarkFormulas& f = formulas;
    const double constant = core.history.at_first_step() && f.second_order
                                ? std::fabs(f.beta * (1 + f.alpha) - 1.0 / 6) / (1 + f.alpha)
                                : error_constant;
    core.run.copy(core.motion.delta, aux_begin, core.n.coordinates);
    core.run(Difference{aux, constant * h * h, core.motion.delta}, core.n.coordinates);
    velocities.take_error(core);
  }
  template <class Core>
  TRAMMEL_HD double further_error(Core& core) const {
    return velocities.error_ratio(core, formulas.beta * (1 + formulas.alpha));
  }
  template <class Core>
  TRAMMEL_HD double further_correction(Core& core) const {
    return velocities.correction_ratio(core, formulas.gamma);
  }

  template <class Core>
  TRAMMEL_HD auto error_of_states(Core& core, double h) const {
    const Predictor& past = core.history.unknowns;
    const bool two = past.points() > 1;
    const double* before = two ? past.point(1) + core.n.first_scalar() : nullptr;
    const double h_before = two ? past.time(0) - past.time(1) : 0;
    return core.run.reduce(
        ScalarError{core.run.differential(), core.motion.now.s, core.motion.now.sdot, core.motion.begin.sdot,
                    before, h, h_before, formulas.gamma - 0.5 + 1.0 / 12, state_constant()},
        core.n.scalars);
  }

  template <class Core>
  TRAMMEL_HD double after_error(Core& core, double h) {
    velocities.failed(core.control.error_ratio);
    return core.control.after_error(h);
  }
  template <class Core>
  TRAMMEL_HD void accept(Core& core) {
    velocities.accepted();
    if (core.control.rebased) core.run(FillValues{defect.missing, 0.0}, core.n.coordinates);
    core.run.copy(aux_stored, aux, core.n.coordinates + core.n.scalars);
  }

 private:
  /// Matches a_n and y_n, stored by a step of size h', to the present size h.
  template <class Core>
  TRAMMEL_CALLED void match_step(Core& core, double h) {
    // Steps to wait, after the corrector failed at a position that no new Jacobian helps (nearly singular,
    // where φ̇ is rounding), before velocities are corrected again.
    constexpr int steps_wanted = 100;
    const StateArrays& begin = core.motion.begin;
    const ModelSizes& n = core.n;
    const double last = core.control.last_h, ratio = last > 0 ? h / last : 1.0;
    // a_n ← q̈_n + (h/h')(a_n − q̈_n): the auxiliary accelerations belong to the time t_n − αh'
    core.run(MatchStep{begin.a, aux_stored, aux_begin, formulas.second_order ? ratio : 0.0}, n.coordinates);
    core.run(MatchStep{begin.sdot, aux_stored + n.coordinates, aux_begin + n.coordinates, ratio}, n.scalars);
    core.run.copy(velocity_begin, begin.v, n.coordinates);
    if (!formulas.second_order || last == 0 || n.multipliers == 0) return;
    if (core.control.steps_since_failure < steps_wanted) return;
    if (defect.scale(core, h, velocity_begin) || core.failure.end == StepEnd::refused) return;
    core.jacobian.valid = false;  // the matrix is singular at t_n; the step itself may still converge
    core.failure.end = StepEnd::accepted;
  }
};

}  // namespace trammel
