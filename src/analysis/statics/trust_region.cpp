#include "analysis/statics/trust_region.h"

#include <algorithm>
#include <cmath>

#include "analysis/statics/body_work.h"
#include "assemble/body_motion.h"

namespace trammel {

namespace {

constexpr double degree = 0.017453292519943295;
constexpr double refused = 1e300;  // the size returned for a correction that was not made

Coefficients with_inertia(double sigma) {
  return {.a = sigma, .b = 0, .c = 1, .state = 1, .rate = std::sqrt(sigma)};
}

}  // namespace

TrustRegion::TrustRegion(StaticProblem& problem, const EquilibriumOptions& options, double unit)
    : problem_(problem), options_(options), unit_(unit), sigma_(options.stability) {}

EquilibriumReport TrustRegion::find(State& state) {
  const State begin = state;
  EquilibriumReport at;
  const double imbalance = std::max(options_.imbalance, 0.0);
  const int maxit = options_.maxit_given ? options_.maxit : enough;
  if (!find_to(state, imbalance, maxit, at))
    fail(ExitCode::solver,
         "STATICS: no equilibrium in {} iterations of the trust region: the largest imbalance is {}.{}",
         at.iterations, problem_.name(left_), why(begin, state));
  return at;
}

bool TrustRegion::find_to(State& state, double imbalance, int maxit, EquilibriumReport& at) {
  bool ended = false;
  FurtherIterations further;
  part_of_rates_ = 1;
  leapt_ = false;
  states_.emplace(problem_.model, problem_.equations, state, problem_.waits_for_states);
  NewtonProblem problem;
  problem.what = "static equilibrium";
  problem.maxit = maxit;
  problem.pivots = FreshPivots::always;
  problem.residual = [&](std::span<double> r) {
    c_ = with_inertia(sigma_);
    problem_.equations.residual(state, problem_.point, c_, r);
    problem_.r.assign(r.begin(), r.end());
    left_ = problem_.equations.imbalance(r);
    further.take(left_.largest);
  };
  problem.solved = [&](const NewtonProgress& p, std::span<const double>) {
    at.imbalance = left_.largest;
    return ended = found(p, imbalance, further);
  };
  problem.tangent = [&](std::span<double> values) {
    problem_.equations.tangent(state, c_, values, part_of_rates_);
  };
  problem.apply = [&](std::span<const double> d) {
    ++at.iterations;
    return at.correction = step(state, d);
  };
  problem_.newton.solve(problem);
  if (!problem_.waits_for_states) at.creeping = states_->words();
  return ended;
}

/// Whether the present state is found. Where bodies are balanced the rates of states fall tenfold; where only
/// these have a way to go, once to the least.
bool TrustRegion::found(const NewtonProgress& p, double imbalance, FurtherIterations& further) {
  if (left_.largest == 0) return true;
  if (!accepted_ || !unhindered()) return false;
  const bool states = imbalance > options_.imbalance || states_->at_rest(options_.error);
  const bool but_states = p.change < options_.error && left_.largest < imbalance;
  if (but_states && states) return !further.worth_it();
  if (problem_.equations.imbalance_of_bodies(problem_.r).largest >= options_.imbalance) return false;
  const bool leap = but_states && !leapt_;
  leapt_ = leapt_ || leap;
  part_of_rates_ =
      states_->next_part_of_rates(part_of_rates_, leap ? least_part_of_rates : 1, options_.error);
  return false;
}

/// Takes the step, shortened to ALIMIT and TLIMIT, or refuses it and raises σ; returns the size of the
/// change.
double TrustRegion::step(State& state, std::span<const double> correction) {
  const Model& model = problem_.model;
  accepted_ = false;
  if (unhindered() && !states_->take(state, problem_.r, correction, part_of_rates_ == least_part_of_rates))
    return refused;
  problem_.assembler.current_angles(state, state.angle);  // revolutions are counted from here
  const CorrectionSize size = size_of_correction(model, problem_.assembler.kinematics(), correction);
  const double scale = size.within({options_.alimit, options_.tlimit});
  if (scale < 0.5) {
    const bool turns = size.rotation * options_.tlimit > size.translation * options_.alimit;
    limit_ = turns ? fmt::format("ALIMIT above {:.4g} degrees", options_.alimit / degree)
                   : fmt::format("TLIMIT above {:.4g}", options_.tlimit);
    return too_long(state, correction, 1 / scale);
  }
  accepted_ = take(state, correction, scale);
  return accepted_ ? scale * std::max(size.rotation, size.translation) : refused;
}

/// Refuses a step that exceeds the limits by the factor `ratio`, and raises σ, at least to a tenth of F·Δ /
/// Δ·MΔ along it.
double TrustRegion::too_long(const State&, std::span<const double> correction, double ratio) {
  const Model& model = problem_.model;
  const Kinematics& at = problem_.assembler.kinematics();
  const BodyVectors way = displacements_of(model, at, correction);
  const double fall = std::abs(work(forces_left(model, at, problem_.r), way));
  const double inertia = inertia_of(model, problem_.assembler, way);
  const double least = inertia > 0 ? 0.1 * fall / inertia : 0.0;
  raise({2 * sigma_, std::min(ratio, 10.0) * sigma_, least, 1e-12 * unit_});
  accepted_ = false;
  return refused;
}

/// To the largest of these, or first the rates of states, where these are lowered. Where rounding of stiff
/// forces hides that they fall, step after step is refused.
void TrustRegion::raise(std::initializer_list<double> to) {
  constexpr double most = 1e100;
  if (part_of_rates_ < 1) {
    part_of_rates_ = std::min(1.0, 1e2 * part_of_rates_);
    return;
  }
  sigma_ = std::min(std::max(to), most);
}

TrustRegion::Trial TrustRegion::try_step(const State& state, std::span<const double> d, double scale) {
  const Model& model = problem_.model;
  Assembler& assembler = problem_.assembler;
  RestEquations& equations = problem_.equations;
  std::vector<double>& r = problem_.trial_r;
  r.resize(d.size());
  const auto balanced = [&](const std::vector<double>& of) {
    return equations.imbalance_of_bodies(of).largest < options_.imbalance;
  };
  Trial out{.state = state};
  // F₀: the forces at the beginning with the reactions of the end, so that the work of reactions cancels.
  equations.correct_forces(out.state, d, scale);
  equations.residual(out.state, problem_.point, c_, r);
  const Kinematics here = assembler.kinematics();
  const BodyVectors F0 = forces_left(model, here, r);
  out.of_scalars = balanced(r) && balanced(problem_.r);
  correct_positions(model, here, d, scale, out.state);
  problem_.initial.bring_back(out.state, ConstraintLevel::position, problem_.point);
  equations.residual(out.state, problem_.point, c_, r);
  const Kinematics& there = assembler.kinematics();
  const BodyVectors way = displacements_between(model, here, there);
  out.work = work(F0, way);
  out.inertia = inertia_of(model, assembler, way);
  const double expected = (1 - scale) * out.work + sigma_ * out.inertia;
  out.ratio = (out.work + work(forces_left(model, there, r), way)) / (out.work + expected);
  out.fits = equations.imbalance(r).largest < options_.imbalance && left_.largest < options_.imbalance;
  const double before = equations.imbalance_of_scalars(problem_.r).largest;
  out.of_scalars = out.of_scalars && balanced(r) && before >= options_.imbalance &&
                   equations.imbalance_of_scalars(r).largest <= (1 + 1e-9) * before;
  return out;
}

/// Takes the step if it is good, and lowers or raises σ; returns whether it is taken.
bool TrustRegion::take(State& state, std::span<const double> correction, double scale) {
  try {
    const Trial trial = try_step(state, correction, scale);
    const bool by_work = trial.work > 0 && trial.ratio > 0.1, others = trial.fits || trial.of_scalars;
    const bool good = by_work || others;
    if (good) state = trial.state;
    if (others || (good && trial.ratio > 0.5))
      sigma_ = std::max(options_.stability, 0.2 * sigma_);
    else if (!good || trial.ratio < 0.25)
      raise({4 * sigma_, 0.1 * std::abs(trial.work) / trial.inertia});
    return good;
  } catch (const Failure& failure) {  // a force has no value there, or the constraints are out of reach
    if (failure.code() != ExitCode::solver) throw;
    raise({10 * sigma_, unit_});
  }
  return false;
}

std::string TrustRegion::why(const State& begin, const State& end) const {
  const Model& model = problem_.model;
  double farthest = 0;
  std::size_t which = 0;
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    for (int k = 0; k < model.bodies[b].translations; ++k) {
      const double way = std::abs(end.q[model.bodies[b].first + k] - begin.q[model.bodies[b].first + k]);
      if (way > farthest) farthest = way, which = b;
    }
  if (farthest > 100 * problem_.initial.arm())
    return fmt::format(
        " {} has been driven {:.3g} away and is driven on: as far as was looked, the model has no "
        "equilibrium, "
        "since nothing holds it.",
        model.bodies[which].name.label(), farthest);
  if (left_.largest < options_.imbalance)
    return fmt::format(
        " What is left is below IMBALANCE = {:.4g}, but rounding of stiff forces hides which way they fall: "
        "a "
        "larger IMBALANCE ends the search here.",
        options_.imbalance);
  if (states_)
    if (const std::string unmoved = states_->unmoved(left_); !unmoved.empty()) return unmoved;
  return fmt::format(
      " There may be one: where the search ended forces still fall; more iterations (MAXIT = {}){} or "
      "another "
      "start may reach it.",
      10 * std::max(options_.maxit, enough), limit_.empty() ? "" : fmt::format(", longer ones ({})", limit_));
}

}  // namespace trammel
