#include "analysis/statics/equilibrium.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/statics/body_work.h"
#include "analysis/statics/large_rest_stability.h"
#include "analysis/statics/state_corrections.h"
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
  problem_.waits_for_states = true;
  const State begin = state;
  try {
    return find_as_asked(state, options);
  } catch (const Failure& failure) {
    const bool states = std::ranges::any_of(problem_.model.scalars, &Scalar::differential);
    if (failure.code() != ExitCode::solver || !states) throw;
    // States may come to rest more slowly than any search waits for, as ẋ = −x⁴ does, or not at all: where
    // ERROR and IMBALANCE are met without them, the report says so.
    problem_.waits_for_states = false;
    State end = begin;
    try {
      const EquilibriumReport found = find_as_asked(end, options);
      state = end;
      return found;
    } catch (const Failure&) {
    }
    throw;
  }
}

EquilibriumReport Equilibrium::find_as_asked(State& state, const EquilibriumOptions& options) {
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

/// Newton's iteration of one search, and what it has come to.
struct Equilibrium::NewtonSearch {
  NewtonSearch(StaticProblem& problem, const State& state, const EquilibriumOptions& options, bool shortened_)
      : o(options),
        shortened(shortened_),
        states(problem.model, problem.equations, state, problem.waits_for_states) {
    if (!o.maxit_given && shortened) maxit = std::max(maxit, TrustRegion::enough);
  }
  const EquilibriumOptions& o;
  const bool shortened;
  int maxit = o.maxit;
  Coefficients c{.a = o.stability, .b = o.stability, .c = 1, .state = 1, .rate = o.stability};
  EquilibriumReport at;
  Imbalance left;
  FurtherIterations further;
  StateCorrections states;
  double rates = INFINITY,
         kept = INFINITY;  ///< parts of the own rates of states; kept: in the matrix that is kept
  bool whole = true;       ///< whether the last correction was not halved
};

/// Whether the present state is found. Where bodies are balanced the rates of states fall tenfold; where only
/// these have a way to go, to the least.
bool Equilibrium::found(NewtonSearch& n, const NewtonProgress& p) {
  n.at.iterations = p.iteration;
  n.at.imbalance = n.left.largest;
  n.at.correction = p.change;
  const EquilibriumOptions& o = n.o;
  const bool states = n.states.at_rest(o.error), balanced = n.left.largest < o.imbalance;
  const bool bodies = p.iteration > 0 && n.whole && !n.at.limited && p.change < o.error;
  if (bodies && balanced && states && !n.further.worth_it()) return true;
  if (p.iteration > 0 && !(balanced && states) &&
      problem_.equations.imbalance_of_bodies(problem_.r).largest < o.imbalance)
    n.rates = n.states.next_part_of_rates(n.rates, bodies && balanced ? least_part_of_rates : 1, o.error);
  const int more = n.rates < 1 ? FurtherIterations::most : 0;
  if (p.iteration < n.maxit + more || (n.further.any() && states)) return false;
  const std::string unmoved = n.states.unmoved(n.left);
  fail(ExitCode::solver,
       "STATICS: no equilibrium in {} iterations: the largest imbalance is {} (IMBALANCE = {:.4g}), the "
       "last correction {:.4g}{} (ERROR = {:.4g}).{}",
       p.iteration, problem_.name(n.left), o.imbalance, p.change, states ? "" : n.states.words(), o.error,
       unmoved.empty() ? static_advice(o, n.at, 0.1) : unmoved);
}

void Equilibrium::tangent(const State& state, NewtonSearch& n, std::span<double> values) {
  const std::string& pattern = n.o.pattern;
  const char renewed = pattern[static_cast<std::size_t>(n.at.iterations) % pattern.size()];
  if (renewed == 'T' || kept_matrix_.size() != values.size() || n.at.iterations == 0 || n.rates != n.kept) {
    problem_.equations.tangent(state, n.c, values, n.rates);
    n.kept = n.rates;
    if (pattern != "T") kept_matrix_.assign(values.begin(), values.end());
  } else {
    std::copy(kept_matrix_.begin(), kept_matrix_.end(), values.begin());
  }
}

/// Makes the correction; returns the largest rotation or translation.
double Equilibrium::correct(State& state, NewtonSearch& n, std::vector<double> d) {
  problem_.assembler.current_angles(state, state.angle);
  const Kinematics& kinematics = problem_.assembler.kinematics();
  if (!n.states.take(state, problem_.r, d, n.rates == least_part_of_rates)) {
    std::fill(d.begin(), d.end(), 0.0);
    n.kept = 0;  // the matrix gets other rates
  }
  const CorrectionSize size = size_of_correction(problem_.model, kinematics, d);
  double scale = size.within({n.o.alimit, n.o.tlimit});
  n.at.limited = scale < 1;
  if (n.shortened) {
    scale = shorten(state, n, d, scale);
  } else {
    correct_positions(problem_.model, kinematics, d, scale, state);
    problem_.equations.correct_forces(state, d, scale);
  }
  return scale * std::max(size.rotation, size.translation);
}

/// [s M + s C + K Φqᵀ; Φq 0] Δ = −r, with all of Δ scaled by one factor to keep within ALIMIT and TLIMIT,
/// and, where `shortened`, halved until the imbalance falls.
EquilibriumReport Equilibrium::newton(State& state, const EquilibriumOptions& o, bool shortened) {
  NewtonSearch n(problem_, state, o, shortened);
  NewtonProblem problem;
  problem.what = "static equilibrium";
  problem.maxit = n.maxit + 1 + FurtherIterations::most;
  problem.pivots = FreshPivots::always;
  problem.residual = [&](std::span<double> r) {
    problem_.equations.residual(state, problem_.point, n.c, r);
    problem_.r.assign(r.begin(), r.end());
    n.left = problem_.equations.imbalance(r);
    n.further.take(n.left.largest);
  };
  problem.solved = [&](const NewtonProgress& p, std::span<const double>) { return found(n, p); };
  problem.tangent = [&](std::span<double> values) { tangent(state, n, values); };
  problem.apply = [&](std::span<const double> d) { return correct(state, n, {d.begin(), d.end()}); };
  problem.when_singular = [](const SolveReport&) {
    return "; nothing holds it there: a spring, a constraint or STABILITY above 0 would";
  };
  problem_.newton.solve(problem);
  if (!problem_.waits_for_states) n.at.creeping = n.states.words();
  return n.at;
}

/// Applies `scale` times the correction d, halved until forces on bodies fall, at most 20 times; returns the
/// scale. The load that the change of scalars puts on bodies is among the forces before. Where bodies are
/// balanced before and after, it is enough that the imbalance of scalars falls, or is below IMBALANCE.
double Equilibrium::shorten(State& state, NewtonSearch& n, const std::vector<double>& d, double scale) {
  RestEquations& equations = problem_.equations;
  const Kinematics kinematics = problem_.assembler.kinematics();
  std::vector<double>& r = problem_.trial_r;
  r.resize(problem_.r.size());
  const auto size = [&](const std::vector<double>& of) {
    return size_of_forces(forces_left(problem_.model, problem_.assembler.kinematics(), of),
                          problem_.initial.arm());
  };
  const auto balanced = [&](const std::vector<double>& of) {
    return equations.imbalance_of_bodies(of).largest < n.o.imbalance;
  };
  const Coefficients c{.a = 0, .c = 1, .state = 1, .rate = 0};
  const double before = size(problem_.r), scalars = equations.imbalance_of_scalars(problem_.r).largest;
  for (int k = 0;; ++k, scale *= 0.5) {
    State trial = state;
    const bool last = k == 20;
    try {
      double loaded = before;
      bool by_scalars = scalars > 0 && balanced(problem_.r);
      if (scalars > 0) {
        equations.correct_scalars(trial, d, scale);
        equations.residual(trial, problem_.point, c, r);
        loaded = std::max(before, size(r));
        by_scalars = by_scalars && balanced(r);
        trial = state;
      }
      equations.correct_forces(trial, d, scale);
      correct_positions(problem_.model, kinematics, d, scale, trial);
      problem_.initial.bring_back(trial, ConstraintLevel::position, problem_.point);
      equations.residual(trial, problem_.point, c, r);
      const double enough = 1 - 1e-4 * scale, now = size(r);
      by_scalars = by_scalars && now <= std::max(loaded, 1e-3 * n.o.imbalance) &&
                   equations.imbalance_of_scalars(r).largest < std::max(n.o.imbalance, enough * scalars);
      if (!last && !by_scalars && !(now < enough * loaded)) continue;
    } catch (const Failure& failure) {
      if (failure.code() != ExitCode::solver || last) throw;
      continue;
    }
    n.whole = k == 0 || last;  // of `last` there is no better one
    state = trial;
    return scale;
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
    at = {
        at.iterations + end.iterations, end.imbalance, end.correction, false, stability(state), end.creeping};
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
