#include "analysis/analyses/kinematics.h"

#include <algorithm>
#include <cmath>

#include "analysis/analyses/list.h"
#include "analysis/position_correction.h"
#include "math/rotation.h"

namespace trammel {

const AnalysisRow kinematics_analysis{"KINEMATICS", "Kinematic Simulation", Extent::interval,
                                      [](Session& session) -> std::unique_ptr<Analysis> {
                                        return std::make_unique<KinematicAnalysis>(session);
                                      }};

KinematicAnalysis::KinematicAnalysis(Session& session)
    : Sequence(session, StepKind::kinematics),
      newton_(session.model(), session.systems().of_points()),
      turns_(session.model()) {}

std::string KinematicAnalysis::obstacle(const Model& model, const InitialReport& report) {
  for (const FlexibleBody& f : model.flexible_bodies)
    if (f.modes > 0) return fmt::format("{} has modes, whose motion must be integrated", f.name.label());
  if (report.degrees_of_freedom != 0)
    return fmt::format("the model has {} degree{} of freedom, and kinematics needs none",
                       report.degrees_of_freedom, report.degrees_of_freedom == 1 ? "" : "s");
  for (const GeneralConstraint& g : model.general_constraints)
    if (g.pfaffian && g.name.active)
      return fmt::format("{} is a constraint of velocities, whose positions must be integrated",
                         g.name.label());
  for (const Scalar& s : model.scalars)
    if (s.differential() && s.name.active && !s.set_by_sensor)
      return fmt::format("{} has a state that must be integrated", s.name.label());
  return "";
}

void KinematicAnalysis::begin(const AnalysisPlan& plan) {
  session_.leave_rest();
  if (const std::string why = obstacle(session_.model(), session_.report()); !why.empty())
    fail(ExitCode::input, "SIMULATE/KINEMATICS: {}; use SIMULATE/DYNAMICS, or TRANSIENT, which chooses", why);
  session_.require_accelerations();
  session_.make_consistent();
  // A state that goes on has accelerations and reactions of dynamics.
  if (std::ranges::any_of(session_.model().tapes, &Tape::uses_mode)) {
    InitialReport report;
    initial_.accelerations(session_.motion(), report, in_kinematics);
  }
  newton_.observer = session_.observer();
  begin_outputs(plan);
  const KinematicsOptions& options = session_.settings().kinematics;
  hmax_ = options.hmax > 0 ? options.hmax : output_step();
  h_ = hmax_;
}

void KinematicAnalysis::archive(Archive& a) {
  Sequence::archive(a);
  a(hmax_, h_);
}

/// One step in time, no longer than counted angles can be followed over at either end, and halved until
/// positions are found at its end that fit the motion (deviation()).
void KinematicAnalysis::advance(State& state, double target) {
  constexpr double least = 1e-6;  // of the largest step
  Kinematics first(session_.model()), second(session_.model());
  first.update(state);
  if (histories().vary()) session_.assembler().evaluate(state, in_dynamics);
  const double longest = std::min(histories().longest_step(hmax_), turns_.longest_step(first));
  while (true) {
    h_ = std::max(h_, least * longest);
    const double h = step_towards(state.t, target, h_, longest, false);
    try {
      const State next = attempt(state, h);
      second.update(next);
      if (h > CountedTurns::reserve * turns_.longest_step(second))
        fail(ExitCode::solver, "{} turn too fast for their turns to be counted", turns_.fastest(second));
      if (deviation(first, second, h) > 0.005) fail(ExitCode::solver, "positions jump");
      state = next;
      h_ = std::min(hmax_, std::max(h_, 2 * h));
      return;
    } catch (const Failure& failure) {
      if (failure.code() != ExitCode::solver) throw;
      if (h_ > least * longest) {
        h_ = 0.5 * std::min(h, h_);
        continue;
      }
      const std::string cause = initial_.dead_centre(state);
      throw Failure(ExitCode::solver,
                    fmt::format("SIMULATE/KINEMATICS: no position is found after time {:.9g}: {}{}", state.t,
                                failure.what(), cause.empty() ? "" : "\nThere " + cause + "."),
                    failure.facts());
    }
  }
}

/// The state a time h later: positions from where velocities and accelerations lead, and what follows there.
State KinematicAnalysis::attempt(const State& from, double h) {
  const Model& model = session_.model();
  State next = from;
  next.t += h;
  for (int i = 0; i < model.coordinates; ++i) {
    next.q[i] += h * (from.v[i] + 0.5 * h * from.a[i]);
    next.v[i] += h * from.a[i];
  }
  settle(next);
  return next;
}

/// Positions, then velocities, accelerations and reactions there.
void KinematicAnalysis::settle(State& state) {
  positions(state);
  initial_.bring_back(state, ConstraintLevel::velocity, in_kinematics);
  InitialReport report;
  initial_.accelerations(state, report, in_kinematics);
  ++cost_.evaluations;
}

/// Φ(q, t) = 0 by Newton's iteration, [1 Φqᵀ; Φq 0] [Δ; λ] = [0; −Φ], whose Δ is that of Eq. 44. The
/// iteration ends with two corrections below ERROR: the error left is about the square of the last.
void KinematicAnalysis::positions(State& state) {
  const KinematicsOptions& options = session_.settings().kinematics;
  const Model& model = session_.model();
  Assembler& assembler = session_.assembler();
  BodyWeights weights(model);
  for (auto& w : weights.bodies) {
    w.fill(0);
    for (int k = 0; k < 6; ++k) w[7 * k] = 1;
  }
  NewtonProblem problem;
  problem.what = fmt::format("positions at time {:.9g}", state.t);
  problem.maxit = options.maxit;
  problem.residual = [&](std::span<double> r) {
    assembler.evaluate_constraints(state, in_kinematics);
    assembler.constraints(state, ConstraintLevel::position, r.subspan(model.coordinates, model.multipliers));
  };
  problem.tangent = [&](std::span<double> values) { assembler.weighted_matrix(state, weights, values); };
  problem.apply = [&](std::span<const double> d) {
    const Kinematics& at = assembler.kinematics();
    const CorrectionSize size = size_of_correction(model, at, d);
    const double scale = size.within({options.alimit, options.tlimit});
    correct_positions(model, at, d, scale, state);
    return scale < 1 ? 1e300 : std::max(size.rotation, size.translation);
  };
  problem.converged = [&](const NewtonProgress& p) {
    return p.change < options.error && (p.previous < options.error && p.iteration > 1);
  };
  problem.when_not_converged = [&](const NewtonProgress&) {
    return initial_.worst_violation(state, phase_dynamics);
  };
  const int iterations = newton_.solve(problem);
  cost_.evaluations += iterations;
  cost_.iterations += iterations;
  cost_.jacobians += iterations;
}

/// The difference between the positions of `second`, a time h after `first`, and those to which velocities
/// and accelerations of both ends lead from `first`,
///     Δq = h (v₀ + v₁) / 2 − h² (a₁ − a₀) / 12 + O(h⁵),
/// as the largest rotation [rad], or translation over the mean arm or the largest way of a body: on another
/// branch of the positions the velocities differ. (Two orientations A, B an angle θ apart have |A − B| = 2 √2
/// sin(θ/2).)
double KinematicAnalysis::deviation(const Kinematics& first, const Kinematics& second, double h) const {
  const Model& model = session_.model();
  const auto lead = [h](const Vec3d& v0, const Vec3d& v1, const Vec3d& a0, const Vec3d& a1) {
    return 0.5 * h * (v0 + v1) - h * h / 12 * (a1 - a0);
  };
  double turn = 0, shift = 0, moved = initial_.arm();
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const BodyKinematics &p = first.body(static_cast<int>(b)), &q = second.body(static_cast<int>(b));
    shift = std::max(shift, norm(q.x - p.x - lead(p.v, q.v, p.a, q.a)));
    moved = std::max({moved, norm(q.x - p.x), std::abs(h) * norm(p.v)});
    if (!model.bodies[b].turns()) continue;
    const Mat3d led = rotation_vector(lead(p.w, q.w, p.alpha, q.alpha)) * p.A;
    double square = 0;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) square += (q.A(r, c) - led(r, c)) * (q.A(r, c) - led(r, c));
    turn = std::max(turn, std::sqrt(0.5 * square));
  }
  return std::max(turn, shift / moved);
}

}  // namespace trammel
