// Radau IIA with three stages, order 5, on the index-3 equations, which hold in every stage:
//   q_i = q_n + h Σ a_ij v_j,   v_i = v_n + h Σ a_ij q̈_j,   X_i = X_n + h Σ a_ij Ẋ_j
// The unknowns of a stage are q̈_i, λ_i, Ẋ_i and algebraic scalars. With A⁻¹ = T Λ T⁻¹ the three systems of
// the simplified Newton iteration become a real and a complex one with the program's own tangent, b = hμ and
// c = (hμ)², 1/μ the eigenvalues of A⁻¹. Source: E. Hairer, G. Wanner, Solving Ordinary Differential
// Equations II (1996), sections IV.8 and VII.
#include "integrate/method_integrator.h"
#include "integrate/methods/list.h"
#include "integrate/methods/radau_correction.h"
#include "integrate/methods/radau_formulas.h"
#include "integrate/methods/radau_systems.h"

namespace trammel {

namespace {

using radau::stages, radau::Stages, radau::Weights;

struct RadauMethod : MethodDefaults {
  static constexpr int order = 5;
  static constexpr bool has_stages = true;
  static constexpr int points_inside = stages - 1;
  /// The last iteration leaves this share of ERROR in positions and states.
  static constexpr double corrector_share = 0.05;
  static constexpr int beginning = -1;  ///< of a step, before its stages

  RadauSystems* systems = nullptr;
  bool mends = true;                      ///< its matrix of accelerations has mass in every row
  double h_taken = 0;                     ///< of the attempt under way
  double h_before = 0, error_before = 0;  ///< of the accepted step before: size, error over tolerance
  bool repeats = false;                   ///< an attempt at the step under way had too large an error
  bool mended = false;                    ///< the end of the attempt under way is
  int refusals = 0;                       ///< of ends since the last that was mended
  Stages stage{}, residual{};
  double* last_stage;         ///< its unknowns less those at the end of the accepted step
  double* inside;             ///< the scalars of each stage before the end
  double *complex, *scalars;  ///< of the complex system, its numbers in pairs; room for a scalar each
  double *corrected, *corrected_before;  ///< mean squares of each body's part of the last two corrections
  double* inverse_squared_speed;         ///< of each body as the attempt begins: radau::InverseSquaredSpeeds

  static RadauMethod of(const IntegratorOptions&, bool) { return {}; }
  static bool same_formulas(const IntegratorOptions&, const IntegratorOptions&) { return true; }
  template <class Visit>
  void arrays(const ModelSizes& n, Visit&& visit) {
    for (int i = 0; i < stages; ++i) visit(stage.u[i], n.unknowns());
    for (int i = 0; i < stages; ++i) visit(residual.u[i], n.unknowns());
    visit(last_stage, n.unknowns());
    visit(inside, points_inside * n.scalars);
    visit(complex, 2 * n.unknowns());
    visit(scalars, n.scalars);
    for (double** x : {&corrected, &corrected_before, &inverse_squared_speed}) visit(*x, n.bodies);
  }
  template <class Archive>
  void archive(Archive& a) {
    a(h_before, error_before, repeats, refusals);
  }

  /// Of the real system.
  Coefficients coefficients(double h, bool) const {
    const double b = h / radau::gamma;
    return {1, b, b * b, b, 1};
  }
  std::complex<double>* complex_numbers() const { return reinterpret_cast<std::complex<double>*>(complex); }

  /// What the estimate, an error of order h⁴, may be where the step's own error of order h⁶ is to be ERROR.
  static double tolerance(const StepRules& rules) { return 0.1 * std::cbrt(rules.error * rules.error); }
  /// And of velocities beside the speeds of their bodies, of order h³: as strict in a motion with both of
  /// size 1.
  static double tolerance_of_velocities(const StepRules& rules) { return 0.15 * std::sqrt(rules.error); }

  template <class Core>
  void start(Core&) {
    h_before = 0;
    repeats = false;
    refusals = 0;
  }

  /// The polynomial through the step before goes on. In constrained directions the last stage alone is wrong
  /// by order h², by −0.1125 h² d²q̈/dt²: what that was in the step before is added.
  template <class Core>
  void predict(Core& core, const Extrapolation&, double h) {
    const History& past = core.history;
    for (int i = 0; i < stages; ++i) {
      const double t = core.motion.begin_t + radau::c[i] * h;
      core.run(radau::Extrapolate{past.unknowns.at(t, std::min(past.order_limit, 2)), stage.u[i]},
               core.n.unknowns());
    }
    if (h_before > 0 && core.jacobian.valid)  // no body has been re-based
      core.run(AddMultiple{last_stage, h * h / (h_before * h_before), stage.u[stages - 1]},
               core.n.unknowns());
  }

  /// The state of a stage, from the unknowns of all.
  template <class Core>
  void take_stage(Core& core, int i, double h, const StateArrays& to) {
    const StateArrays& begin = core.motion.begin;
    const ModelSizes& n = core.n;
    const Weights by = radau::row_of_a(i).times(h), by2 = radau::times_a(by).times(h);
    core.run(radau::StageCoordinates{stage, i, by, by2, radau::c[i] * h, begin.q, begin.v, to.q, to.v, to.a},
             n.coordinates);
    core.run.copy(to.lambda, stage.u[i] + n.coordinates, n.multipliers);
    core.run(
        radau::StageScalars{stage, i, n.first_scalar(), by, core.run.differential(), begin.s, to.s, to.sdot},
        n.scalars);
  }

  template <class Core>
  static BodyMeanSquare mean_square(const Core& core, const double* x) {
    return {core.run.places(), x, core.motion.weight, core.run.cos_theta()};
  }
  /// The norm (28) of velocities, or of what becomes some by a factor, beside the speeds of their bodies.
  template <class Core>
  double beside_speeds(Core& core, const double* x) const {
    const auto largest = core.run.reduce(
        radau::MeanSquareBesideSpeed{mean_square(core, x), inverse_squared_speed}, core.n.bodies);
    core.run.collect();
    return root_of(*largest);
  }

  template <class Core>
  bool correct(Core& core, double h);
  template <class Core>
  double error_ratio(Core& core, double h);
  /// Of the correction that error_ratio() solved for.
  template <class Core>
  auto error_of_states(Core& core, double h) const {
    return core.run.reduce(
        StateError{core.motion.correction + core.n.first_scalar(), core.motion.now.s,
                   coefficients(h, false).state, core.run.differential(), core.motion.state_unit},
        core.n.scalars);
  }
  template <class Core>
  double embedded_error(Core& core, double h);
  template <class Core>
  bool filter_elsewhere(Core& core, double h, int at);
  template <class Core>
  double filtered_error(Core& core, double h);
  template <class Core>
  bool close_constraints(Core& core, double h);
  template <class Core>
  double mend(Core& core, double h);

  template <class Core>
  void accept(Core& core) {
    const StateArrays& now = core.motion.now;
    const ModelSizes& n = core.n;
    if (!mended) take_stage(core, stages - 1, h_taken, now);
    core.run.copy(last_stage, now.a, n.coordinates);
    core.run.copy(last_stage + n.coordinates, now.lambda, n.multipliers);
    core.run(ScalarHistory{core.run.differential(), now.s, now.sdot, last_stage + n.first_scalar()},
             n.scalars);
    core.run(Difference{stage.u[stages - 1], 1.0, last_stage}, n.unknowns());
    core.failure.end = StepEnd::accepted;
  }

  /// The scalars at point k inside of the last step, from its end back.
  const double* scalars_inside(const ModelSizes& n, int k) const {
    return inside + (points_inside - 1 - k) * n.scalars;
  }

  template <class Core>
  void push_stages(Core& core, double h) {
    History& past = core.history;
    const ModelSizes& n = core.n;
    for (int i = 0; i < stages - 1; ++i) {
      const double t = core.motion.begin_t + radau::c[i] * h;
      double* u = past.unknowns.push(t);
      core.run.copy(u, stage.u[i], n.unknowns());
      const Weights by = radau::row_of_a(i).times(h), by2 = radau::times_a(by).times(h);
      core.run(radau::StageCoordinates{stage, i, by, by2, radau::c[i] * h, core.motion.begin.q,
                                       core.motion.begin.v, past.q.push(t), past.v.push(t), u},
               n.coordinates);
      core.run(radau::StageScalars{stage, i, n.first_scalar(), by, core.run.differential(),
                                   core.motion.begin.s, inside + i * n.scalars, scalars},
               n.scalars);
    }
  }

  /// The controller of Gustafsson, which looks at the step before as well (Hairer and Wanner, Eq. IV.8.25).
  template <class Core>
  double suggested(const Core& core, double h) {
    const double error = most(core.control.error_ratio, 1e-10);
    double factor = safety(core) * std::pow(error, -0.25);
    if (h_before > 0)
      factor = least(factor, safety(core) * h / h_before * std::pow(error_before / (error * error), 0.25));
    factor = limited(factor, smallest_factor, repeats ? 1.0 : largest_factor);
    h_before = h;
    error_before = most(error, 0.01);
    repeats = false;
    return factor > 1 && factor < 1.2 ? h : factor * h;
  }
  template <class Core>
  double after_error(Core& core, double h) {
    repeats = true;
    const double factor =
        safety(core) * std::pow(core.control.error_ratio, -0.25);  // NaN: as small as can be
    return h * (factor > smallest_factor ? least(factor, 0.9) : smallest_factor);
  }
  template <class Core>
  void after_failure(Core&) {
    repeats = true;
  }

 private:
  static constexpr double smallest_factor = 0.2, largest_factor = 8;
  /// More iterations than usual: the next step had better be smaller.
  template <class Core>
  static double safety(const Core& core) {
    const double most_iterations = core.rules.maxit;
    return 0.9 * (2 * most_iterations + 1) / (2 * most_iterations + core.corrector.iterations);
  }
};

template <class Core>
bool RadauMethod::correct(Core& core, double h) {
  h_taken = h;
  core.jacobian.review(h);
  core.corrector.change_of_forces = core.corrector.unbalanced = 0;
  core.corrector.least = core.least_acceleration(h);
  StageCorrection<RadauMethod, Core> problem{core, *this, h};
  core.run(radau::InverseSquaredSpeeds{mean_square(core, core.motion.begin.v), inverse_squared_speed},
           core.n.bodies);
  if (newton_iteration(problem, core.rules.maxit) != NewtonVerdict::converged && !problem.good_enough())
    return false;
  core.motion.t = core.motion.begin_t + h;
  take_stage(core, stages - 1, h, core.motion.now);
  return true;
}

/// A step whose end is too far from its third stage to be mended does not resolve the motion that constraints
/// give, of which the embedded formula knows nothing: its error is of order h³. Near a singular position
/// shorter steps do not help, and the third stage stays.
template <class Core>
double RadauMethod::error_ratio(Core& core, double h) {
  constexpr int most_refusals = 10;
  mended = false;
  const double error = embedded_error(core, h);
  if (!(error <= 1 || core.rules.fixed_step)) return error;
  const double far = mend(core, h);
  mended = far <= 1;
  if (mended) refusals = 0;
  const bool may_be_shorter = !core.rules.fixed_step && smallest_factor * h >= core.rules.hmin;
  if (!(far > 1 && far < INFINITY) || !may_be_shorter || refusals == most_refusals) return error;
  ++refusals;
  return std::pow(far, 4.0 / 3);
}

/// The embedded formula of order 3, its difference ρ from the step filtered with the real matrix:
///   (M + bC + cK) δ/c + Φqᵀ λ = M (ρ_q/c + ρ_v/b) + C ρ_q/b,   Φq δ = 0
/// The right-hand side is the residual of a state at the end of the step moved by ρ. The matrix may have the
/// stiffness of what the step has come upon, a rope that is taut at its end, and filter that away. So where ρ
/// as it is would be too large, the matrices at the beginning of the step and at its stages have to tell no
/// error either.
template <class Core>
double RadauMethod::embedded_error(Core& core, double h) {
  const StepMotion& m = core.motion;
  const ModelSizes& n = core.n;
  const Coefficients c = coefficients(h, false);
  core.run(radau::MoveByEmbedded{stage, h, m.begin.a, m.now.v, m.now.a}, n.coordinates);
  core.run(radau::MoveScalarsByEmbedded{stage, n.first_scalar(), core.run.differential(), m.begin.sdot,
                                        m.now.sdot},
           n.scalars);
  core.run.copy(m.delta, m.now.a, n.coordinates);
  const bool has_value = core.run.evaluate(m.t, c, m.residual);
  ++core.counters.evaluations;
  take_stage(core, stages - 1, h, m.now);
  core.run(Difference{m.now.a, 1.0, m.delta}, n.coordinates);
  core.run(radau::MoveConstraintRows{m.residual + n.coordinates, systems->power() + n.coordinates,
                                     residual.u[1] + n.coordinates},
           n.multipliers);
  if (!has_value) return static_cast<double>(INFINITY);
  const bool is_large = c.c * core.norm_of(m.delta) > tolerance(core.rules) ||
                        c.b * beside_speeds(core, m.delta) > tolerance_of_velocities(core.rules);
  for (int at = beginning; is_large && !core.rules.fixed_step && at < stages; ++at) {
    if (!filter_elsewhere(core, h, at)) continue;
    const double error = filtered_error(core, h);
    if (error > 1) return error;
  }
  if (!core.run.solve(m.residual, m.correction).ok()) return static_cast<double>(INFINITY);
  return filtered_error(core, h);
}

/// Solves with the matrix at the beginning of the step, or at a stage, for what embedded_error() has in
/// `residual`. False where there is none.
template <class Core>
bool RadauMethod::filter_elsewhere(Core& core, double h, int at) {
  const StepMotion& m = core.motion;
  const ModelSizes& n = core.n;
  const Coefficients c = coefficients(h, false);
  if (at == beginning) {
    core.run.copy(m.now.q, m.begin.q, n.coordinates);
    core.run.copy(m.now.v, m.begin.v, n.coordinates);
    core.run.copy(m.now.a, m.begin.a, n.coordinates);
    core.run.copy(m.now.lambda, m.begin.lambda, n.multipliers);
    core.run.copy(m.now.s, m.begin.s, n.scalars);
    core.run.copy(m.now.sdot, m.begin.sdot, n.scalars);
  } else {
    take_stage(core, at, h, m.now);
  }
  const double t = at == beginning ? m.begin_t : m.begin_t + radau::c[at] * h;
  const bool solved = core.run.evaluate(t, c, residual.u[2]) &&
                      systems->factor_real(*core.run.state, c).ok() &&
                      systems->solve_real(m.residual, m.correction).ok();
  ++core.counters.evaluations;
  core.run.state->t = m.t;
  take_stage(core, stages - 1, h, m.now);
  return solved;
}

/// δ of `correction`, over what it may be. Velocities err by δ/b.
template <class Core>
double RadauMethod::filtered_error(Core& core, double h) {
  const StepMotion& m = core.motion;
  const ModelSizes& n = core.n;
  const Coefficients c = coefficients(h, false);
  core.run(TakeMultiple{m.correction, c.c, m.delta}, n.coordinates);
  const double of_velocities = beside_speeds(core, m.delta) / c.b;
  const auto positions = core.mean_squares_of(m.delta);
  const auto states = error_of_states(core, h);
  core.run.collect();
  return worse(worse(root_of(*positions), nonnegative(states->at.value)) / tolerance(core.rules),
               std::pow(of_velocities / tolerance_of_velocities(core.rules), 4.0 / 3));
}

/// What the last iteration left of φ, which embedded_error() keeps in `residual`, is taken away at the end of
/// the step, as one more iteration with a new real matrix would:
///   (M + bC + cK) δ/c + Φqᵀ μ = 0,   Φq δ = −φ
/// Directions of stiff forces stay as they are. A next step of size h' would take δ for a velocity δ/h',
/// which shorter steps make larger: states that read it then end the run. Nothing else does so, and without
/// states φ is left to the next step; so it is at a singular position, and where δ is ten times what the
/// iteration may leave. False where the equations have no value behind it.
template <class Core>
bool RadauMethod::close_constraints(Core& core, double h) {
  constexpr double of_no_effect = 1e-3, most_of_correction = 10;
  const ModelSizes& n = core.n;
  if (n.differential == 0 || n.multipliers == 0) return true;
  double *const off = residual.u[1], *const correction = residual.u[0];
  const Coefficients c = coefficients(h, false);
  const double allowed = corrector_share * core.rules.error;
  const auto largest = core.run.reduce(LargestEntry{off + n.coordinates}, n.multipliers);
  core.run.collect();
  if (c.c * largest->at.value <= of_no_effect * allowed) return true;
  core.run(FillValues{off, 0.0}, n.coordinates);
  core.run(FillValues{off + n.first_scalar(), 0.0}, n.scalars);
  if (!systems->factor_real(*core.run.state, c).ok() || !systems->solve_real(off, correction).ok())
    return true;
  if (!(c.c * core.norm_of(correction) <= most_of_correction * allowed)) return true;
  core.run(AddMultiple{correction, -c.c, core.motion.now.q}, n.coordinates);
  core.run(TakeMultiple{correction + n.first_scalar(), -c.state, correction + n.first_scalar()}, n.scalars);
  core.run(radau::AddToStates{correction + n.first_scalar(), core.run.differential(), core.motion.now.s},
           n.scalars);
  return core.evaluate_rates(Coefficients::of_accelerations());
}

/// At the end of a step, where velocities in constrained directions are of order 3 and λ of order 2: φ̇ = 0 by
/// impulses of the constraints, which states that integrate reactions take, too; then accelerations and
/// multipliers of (33) in theory.md. Returns how far they move, over a tenth of the motion in the step; above
/// 1 anything is in the state. Infinite where no mend is to be had: at singular positions, and where modes
/// have no inertia (`mends`).
template <class Core>
double RadauMethod::mend(Core& core, double h) {
  constexpr int most_iterations = 5;
  constexpr double most_of_motion = 0.1, most_of_tolerance = 100;
  const StepMotion& m = core.motion;
  const ModelSizes& n = core.n;
  constexpr double none = INFINITY;
  double* const correction = residual.u[0];  // that of the error is still to be told
  if (n.coordinates == 0) return 0;
  if (!mends) return none;
  const Coefficients c = Coefficients::of_accelerations();
  const double largest =
      most_of_motion * h * core.norm_of(m.now.v) + most_of_tolerance * tolerance(core.rules);
  double far = 0;
  if (!core.evaluate_rates(c) || !close_constraints(core, h)) return none;
  if (!systems->factor_real(*core.run.state, c).ok()) return none;
  if (n.multipliers > 0) {
    if (!core.run.velocity_rows(m.rows)) return none;
    core.run(FillValues{m.residual, 0.0}, n.unknowns());
    core.run(TakeMultiple{m.rows, -1.0, m.residual + n.coordinates}, n.multipliers);
    if (!systems->solve_real(m.residual, correction).ok()) return none;
    core.run(AddMultiple{correction, 1.0, m.now.v}, n.coordinates);
    core.run(radau::AddToStates{correction + n.first_scalar(), core.run.differential(), m.now.s}, n.scalars);
    far = h * core.norm_of(correction) / largest;
    if (!(far <= 1)) return far;
    if (!core.evaluate_rates(c)) return none;
  }
  for (int k = 1;; ++k) {
    core.run.copy(m.residual + n.coordinates, m.rows, n.multipliers);
    core.run(TakeMultiple{m.residual, -1.0, m.residual}, n.unknowns());
    if (!systems->solve_real(m.residual, correction).ok()) return none;
    core.run(AddMultiple{correction, 1.0, m.now.a}, n.coordinates);
    core.run(AddMultiple{correction + n.coordinates, 1.0, m.now.lambda}, n.multipliers);
    core.run(CorrectRates{correction + n.first_scalar(), core.run.differential(), m.now.s, m.now.sdot},
             n.scalars);
    const double change = core.norm_of(correction);
    far = most(far, h * h * change / largest);
    if (!(far <= 1)) return far;
    if (change <= 1e-3 * std::cbrt(core.rules.error * core.rules.error) * core.norm_of(m.now.a)) return far;
    if (k == most_iterations) return far;
    if (!core.evaluate_rates(c)) return none;
  }
}

class RadauIntegrator final : public MethodIntegrator<RadauMethod> {
 public:
  RadauIntegrator(const Model& model, std::shared_ptr<Equations> equations, const IntegratorOptions& options)
      : MethodIntegrator(model, equations, options), systems_(*equations->on_processor()) {
    method().systems = &systems_;
    method().mends = model.settling.empty();
  }
  void archive(Archive& a, State& state) override {
    MethodIntegrator::archive(a, state);
    systems_.archive(a);
  }

 private:
  RadauSystems systems_;
};

std::unique_ptr<Integrator> make_radau(const Model& model, std::shared_ptr<Equations> equations,
                                       const IntegratorOptions& options) {
  if (!equations->on_processor()) fail(ExitCode::unsupported, "RADAU is computed on the processor");
  return std::make_unique<RadauIntegrator>(model, std::move(equations), options);
}

}  // namespace

IntegrationMethod radau_method() {
  const auto no_advice = [](const IntegratorOptions&) -> std::string { return ""; };
  IntegrationMethod row{"RADAU", true, 1e-3, false, no_advice, make_radau};
  row.on_processor = true;
  row.leaves_dead_centres = true;
  row.bears_short_steps = true;
  return row;
}

}  // namespace trammel
