#include "analysis/statics/trust_region.h"

#include <algorithm>
#include <cmath>

#include "analysis/statics/body_work.h"
#include "assemble/body_motion.h"

namespace trammel {

namespace {

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
  bool found = false;
  FurtherIterations further;
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
    const bool unhindered = sigma_ <= std::max(options_.stability, 1e-300);
    return found = left_.largest == 0 || (accepted_ && unhindered && p.change < options_.error &&
                                          left_.largest < imbalance && !further.worth_it());
  };
  problem.tangent = [&](std::span<double> values) { problem_.equations.tangent(state, c_, values); };
  problem.apply = [&](std::span<const double> d) {
    ++at.iterations;
    return at.correction = step(state, d);
  };
  problem_.newton.solve(problem);
  return found;
}

/// Takes the step, shortened to ALIMIT and TLIMIT, or refuses it and raises σ; returns the size of the
/// change.
double TrustRegion::step(State& state, std::span<const double> correction) {
  const Model& model = problem_.model;
  problem_.assembler.current_angles(state, state.angle);  // revolutions are counted from here
  const CorrectionSize size = size_of_correction(model, problem_.assembler.kinematics(), correction);
  const double scale = size.within({options_.alimit, options_.tlimit});
  if (scale < 0.5) return too_long(state, correction, 1 / scale);
  return take(state, correction, scale, size);
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

/// To the largest of these. Where rounding of stiff forces hides that they fall, step after step is refused.
void TrustRegion::raise(std::initializer_list<double> to) {
  constexpr double most = 1e100;
  sigma_ = std::min(std::max(to), most);
}

double TrustRegion::take(State& state, std::span<const double> correction, double scale,
                         const CorrectionSize& size) {
  const Model& model = problem_.model;
  Assembler& assembler = problem_.assembler;
  RestEquations& equations = problem_.equations;
  const std::vector<double> d(correction.begin(), correction.end());
  std::vector<double>& r = problem_.trial_r;
  r.resize(d.size());
  State trial = state;
  accepted_ = false;
  try {
    // F₀: the forces at the beginning with the reactions of the end, so that the work of reactions cancels.
    equations.correct_forces(trial, d, scale);
    equations.residual(trial, problem_.point, c_, r);
    const Kinematics here = assembler.kinematics();
    const BodyVectors F0 = forces_left(model, here, r);
    correct_positions(model, here, d, scale, trial);
    problem_.initial.bring_back(trial, ConstraintLevel::position, problem_.point);
    equations.residual(trial, problem_.point, c_, r);
    const Kinematics& there = assembler.kinematics();
    const BodyVectors way = displacements_between(model, here, there);
    const double w0 = work(F0, way), w1 = work(forces_left(model, there, r), way);
    const double expected = (1 - scale) * w0 + sigma_ * inertia_of(model, assembler, way);
    const double rho = (w0 + w1) / (w0 + expected);
    const bool fits =
        equations.imbalance(r).largest < options_.imbalance && left_.largest < options_.imbalance;
    accepted_ = fits || (w0 > 0 && rho > 0.1);
    if (accepted_) state = trial;
    if (accepted_ && (fits || rho > 0.5))
      sigma_ = std::max(options_.stability, 0.2 * sigma_);
    else if (!accepted_ || rho < 0.25)
      raise({4 * sigma_, 0.1 * std::abs(w0) / inertia_of(model, assembler, way)});
  } catch (const Failure& failure) {  // a force has no value there, or the constraints are out of reach
    if (failure.code() != ExitCode::solver) throw;
    raise({10 * sigma_, unit_});
  }
  return accepted_ ? scale * std::max(size.rotation, size.translation) : refused;
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
  return fmt::format(
      " There may be one: where the search ended forces still fall; more iterations (MAXIT = {}), longer "
      "ones (TLIMIT above {:.4g}) or another start may reach it.",
      10 * std::max(options_.maxit, enough), options_.tlimit);
}

}  // namespace trammel
