#include "analysis/statics/equilibrium.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/statics/body_work.h"
#include "analysis/statics/large_rest_stability.h"
#include "analysis/statics/static_scale.h"
#include "analysis/statics/trust_region.h"

namespace trammel {

namespace {

constexpr double degree = 0.017453292519943295;

}  // namespace

Equilibrium::Equilibrium(const Model& model, Assembler& assembler, GuardedSystem& system,
                         InitialConditions& initial, std::function<void(const std::string&)> tell)
    : problem_(model, assembler, system, initial), tell_(std::move(tell)) {
  if (!tell_) tell_ = [](const std::string&) {};
}

EquilibriumReport Equilibrium::find(State& state, const EquilibriumOptions& options, bool moving) {
  problem_.point = at_rest(moving);
  problem_.equations.bring_to_rest(state);
  switch (options.method) {
    case StaticMethod::automatic:
      return several(state, options, {StaticMethod::original, StaticMethod::funnel});
    case StaticMethod::all:
      return several(
          state, options,
          {StaticMethod::original, StaticMethod::advanced, StaticMethod::aggressive, StaticMethod::funnel});
    default:
      return find_by(options.method, state, options);
  }
}

EquilibriumReport Equilibrium::find_by(StaticMethod method, State& state, const EquilibriumOptions& options) {
  if (method == StaticMethod::original) return newton(state, options, false);
  const StaticScale scale = static_scale(problem_.model, state);
  const EquilibriumOptions by_size = scaled(options, scale);
  switch (method) {
    case StaticMethod::advanced:
      return TrustRegion(problem_, by_size, scale.square).find(state);
    case StaticMethod::aggressive:
      return newton(state, by_size, true);
    default:
      return funnel(state, by_size, scale.square);
  }
}

RestStability Equilibrium::stability(const State& state) {
  if (std::optional<RestStability> found = stability_at(problem_, state)) return *found;
  return large_rest_stability(problem_, state);
}

/// Tries the methods one after another, each from the state at the beginning; the message of a method that
/// fails is told.
EquilibriumReport Equilibrium::several(State& state, const EquilibriumOptions& options,
                                       std::initializer_list<StaticMethod> methods) {
  const State begin = state;
  for (const StaticMethod method : methods) {
    try {
      state = begin;
      return find_by(method, state, options);
    } catch (const Failure& failure) {
      if (failure.code() != ExitCode::solver || method == *(methods.end() - 1)) throw;
      tell_(fmt::format("{}\nAnother method is tried.", failure.what()));
    }
  }
  return {};
}

namespace {

/// Advice where Newton's iteration did not converge.
std::string static_advice(const EquilibriumOptions& o, const EquilibriumReport& at, double limit_of_advice) {
  std::string text;
  if (at.limited)
    text += fmt::format(
        " Its corrections were limited by ALIMIT = {:.4g} degrees or TLIMIT = {:.4g}: more iterations "
        "(MAXIT = {}) may be all that it needs.",
        o.alimit / degree, o.tlimit, 10 * o.maxit);
  else if (o.stability < limit_of_advice)
    text += fmt::format(
        " Its corrections do not become smaller: EQUILIBRIUM/STABILITY = 0.1 ... 5 makes them more careful, "
        "with MAXIT = {}.",
        10 * o.maxit);
  return text + " EQUILIBRIUM/METHOD=FUNNEL goes from lax to tight settings by itself.";
}

}  // namespace

/// [s M + s C + K Φqᵀ; Φq 0] Δ = −r, with all of Δ scaled by one factor to keep within ALIMIT and TLIMIT,
/// and, where `shortened`, halved until the imbalance falls.
EquilibriumReport Equilibrium::newton(State& state, const EquilibriumOptions& o, bool shortened) {
  const double s = o.stability;
  const Coefficients c{.a = s, .b = s, .c = 1, .state = 1, .rate = s};
  const int maxit = o.maxit_given || !shortened ? o.maxit : std::max(o.maxit, TrustRegion::enough);
  EquilibriumReport at;
  Imbalance left;
  FurtherIterations further;
  NewtonProblem problem;
  problem.what = "static equilibrium";
  problem.maxit = maxit + 1 + FurtherIterations::most;
  problem.pivots = FreshPivots::always;
  problem.residual = [&](std::span<double> r) {
    problem_.equations.residual(state, problem_.point, c, r);
    problem_.r.assign(r.begin(), r.end());
    left = problem_.equations.imbalance(r);
    further.take(left.largest);
  };
  problem.solved = [&](const NewtonProgress& p, std::span<const double>) {
    at.iterations = p.iteration;
    at.imbalance = left.largest;
    at.correction = p.change;
    const bool found = p.iteration > 0 && !at.limited && p.change < o.error && left.largest < o.imbalance;
    if (found && !further.worth_it()) return true;
    if (p.iteration < maxit || further.any()) return false;
    fail(ExitCode::solver,
         "STATICS: no equilibrium in {} iterations: the largest imbalance is {} (IMBALANCE = {:.4g}), the "
         "last correction {:.4g} (ERROR = {:.4g}).{}",
         p.iteration, problem_.name(left), o.imbalance, p.change, o.error, static_advice(o, at, 0.1));
  };
  problem.tangent = [&](std::span<double> values) {
    const char renewed = o.pattern[static_cast<std::size_t>(at.iterations) % o.pattern.size()];
    if (renewed == 'T' || kept_matrix_.size() != values.size() || at.iterations == 0) {
      problem_.equations.tangent(state, c, values);
      if (o.pattern != "T") kept_matrix_.assign(values.begin(), values.end());
    } else {
      std::copy(kept_matrix_.begin(), kept_matrix_.end(), values.begin());
    }
  };
  problem.apply = [&](std::span<const double> d) {
    problem_.assembler.current_angles(state, state.angle);
    const Kinematics& kinematics = problem_.assembler.kinematics();
    const CorrectionSize size = size_of_correction(problem_.model, kinematics, d);
    double scale = size.within({o.alimit, o.tlimit});
    at.limited = scale < 1;
    if (shortened) return shorten(state, d, scale, size);
    correct_positions(problem_.model, kinematics, d, scale, state);
    problem_.equations.correct_forces(state, d, scale);
    return scale * std::max(size.rotation, size.translation);
  };
  problem.when_singular = [](const SolveReport&) {
    return "; nothing holds it there: a spring, a constraint or STABILITY above 0 would";
  };
  problem_.newton.solve(problem);
  return at;
}

/// Applies `scale` times the correction d, halved until the norm of the imbalance falls, at most 20 times.
/// Returns the largest rotation or translation made.
double Equilibrium::shorten(State& state, std::span<const double> d, double scale,
                            const CorrectionSize& size) {
  const std::vector<double> correction(d.begin(), d.end());
  const Kinematics kinematics = problem_.assembler.kinematics();
  const double before =
      size_of_forces(forces_left(problem_.model, kinematics, problem_.r), problem_.initial.arm());
  problem_.trial_r.resize(problem_.r.size());
  for (int k = 0;; ++k, scale *= 0.5) {
    State trial = state;
    problem_.equations.correct_forces(trial, correction, scale);
    correct_positions(problem_.model, kinematics, correction, scale, trial);
    const bool last = k == 20;
    try {
      problem_.initial.bring_back(trial, ConstraintLevel::position, problem_.point);
      problem_.equations.residual(trial, problem_.point, {.a = 0, .c = 1, .state = 1, .rate = 0},
                                  problem_.trial_r);
      const double now =
          size_of_forces(forces_left(problem_.model, problem_.assembler.kinematics(), problem_.trial_r),
                         problem_.initial.arm());
      if (!last && !(now < (1 - 1e-4 * scale) * before)) continue;
    } catch (const Failure& failure) {
      if (failure.code() != ExitCode::solver || last) throw;
      continue;
    }
    state = trial;
    return scale * std::max(size.rotation, size.translation);
  }
}

/// Searches in rungs, each from where the one before ended, to an imbalance a hundred times smaller, down to
/// IMBALANCE.
void Equilibrium::descend(State& state, const EquilibriumOptions& o, double unit, EquilibriumReport& at) {
  const int most = std::max(o.maxit, TrustRegion::enough);  // iterations in one rung
  const State begin = state;
  TrustRegion search(problem_, o, unit);
  problem_.equations.residual(state, problem_.point, {.a = 0, .c = 1, .state = 1, .rate = 0}, problem_.r);
  double rung = problem_.equations.imbalance(problem_.r).largest;
  for (int k = 1; rung > o.imbalance; ++k) {
    rung = std::max(o.imbalance, 1e-2 * rung);
    const int before = at.iterations;
    const bool found = search.find_to(state, rung, most, at);
    tell_(fmt::format("Funnel, rung {}: imbalance {:.4g} (below {:.4g} wanted) after {} iterations.", k,
                      at.imbalance, rung, at.iterations - before));
    if (!found)
      fail(ExitCode::solver, "STATICS: the funnel ended at an imbalance of {:.4g} after {} iterations.{}",
           at.imbalance, at.iterations, search.why(begin, state));
  }
}

/// Descends the rungs, then applies Newton's iteration with the settings given. From an unstable equilibrium
/// the search continues along the motion that grows fastest.
EquilibriumReport Equilibrium::funnel(State& state, const EquilibriumOptions& o, double unit) {
  constexpr int most_left = 20;   // unstable equilibria that are left
  constexpr double nudge = 0.05;  // radians, or mean arms
  EquilibriumReport at;
  EquilibriumOptions last = o;
  last.maxit_given = true;
  last.maxit = std::max(o.maxit, TrustRegion::enough);
  for (int k = 0;; ++k) {
    descend(state, o, unit, at);
    const EquilibriumReport end = newton(state, last, false);
    at = {at.iterations + end.iterations, end.imbalance, end.correction, false, stability(state)};
    if (!at.stability || at.stability->kind != RestStability::Kind::unstable || k == most_left) return at;
    tell_(
        fmt::format("Funnel: the equilibrium found is unstable (its fastest motion grows as exp({:.4g} t)); "
                    "the search goes "
                    "on beside it.",
                    at.stability->largest_real));
    displace(state, at.stability->direction, nudge);
  }
}

void Equilibrium::displace(State& state, std::span<const double> correction, double size) {
  problem_.assembler.evaluate_constraints(state, problem_.point);
  const Kinematics kinematics = problem_.assembler.kinematics();
  const CorrectionSize of = size_of_correction(problem_.model, kinematics, correction);
  const double largest = std::max(of.rotation, of.translation / problem_.initial.arm());
  if (!(largest > 0)) return;
  correct_positions(problem_.model, kinematics, correction, size / largest, state);
  problem_.initial.bring_back(state, ConstraintLevel::position, problem_.point);
}

}  // namespace trammel
