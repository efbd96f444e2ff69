// Accelerations where the motion passes a singular position. Part of InitialConditions.
#include <algorithm>
#include <cmath>

#include "analysis/initial_conditions.h"

namespace trammel {

/// The time in which the fastest rotation, or translation by the mean arm, makes one radian; 0 at rest.
double InitialConditions::time_of_turn(const State& state) const {
  double fastest = 0;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const BodyKinematics& k = assembler_.kinematics().body(static_cast<int>(b));
    if (model_.bodies[b].turns()) fastest = std::max(fastest, norm(k.w));
  }
  if (fastest == 0)
    for (const Body& b : model_.bodies)
      for (int k = 0; k < b.translations; ++k)
        fastest = std::max(fastest, std::abs(state.v[b.first + k]) / arm_);
  return fastest > 0 ? 1 / fastest : 0.0;
}

/// At a singular position Φq q̈ = τ holds for accelerations of no motion through it as well, and multipliers
/// of the motion that passes may grow as 1/t on both sides. The velocities choose the branch. With m(t) the
/// mean of the accelerations at the times ±t on it (in the mean of the multipliers the terms in 1/t cancel),
///     q̈ = (4 m(δ) − m(2δ)) / 3 + O(δ⁴).
void InitialConditions::accelerations_of_branch(State& state, InitialReport& report) {
  constexpr double apart = 3e-3;  // radians: truncation δ⁴ and rounding ε/δ² are below 1e-9
  constexpr double least = 1e-4;  // radians: in a step of this length Φ is above rounding by the factor 10⁸
  const double turn = time_of_turn(state), delta = apart * turn;
  if (turn == 0) return;
  State sum = state;
  std::vector<double> State::*const averaged[] = {&State::a, &State::lambda, &State::sdot, &State::s};
  for (const auto x : averaged) std::fill((sum.*x).begin(), (sum.*x).end(), 0.0);
  for (const auto& [t, weight] : {std::pair{-2 * delta, -1.0 / 6}, std::pair{-delta, 2.0 / 3},
                                  std::pair{delta, 2.0 / 3}, std::pair{2 * delta, -1.0 / 6}}) {
    State near;
    try {
      near = on_branch(state, t);
    } catch (const Failure& failure) {  // the motion does not leave the singular positions
      if (failure.code() != ExitCode::solver) throw;
      return;
    }
    for (const auto x : averaged)
      for (std::size_t i = 0; i < (sum.*x).size(); ++i) (sum.*x)[i] += weight * (near.*x)[i];
  }
  for (std::size_t k = 0; k < model_.scalars.size(); ++k)
    if (model_.scalars[k].differential()) sum.s[k] = state.s[k];
  state = sum;
  report.least_step = least * turn;
  report.notes.push_back(fmt::format(
      "Accelerations at the singular position are those of the motion that passes it. Reactions that grow "
      "as 1/t beside it have no value there; what is told leaves them out. A first step shorter than {:.3g} "
      "would be rounding, and is not tried.",
      report.least_step));
}

/// The state at a time t later (earlier where t < 0), on the constraints.
State InitialConditions::on_branch(const State& state, double t) {
  State near = state;
  near.t += t;
  for (int i = 0; i < model_.coordinates; ++i) {
    near.q[i] += t * (state.v[i] + 0.5 * t * state.a[i]);
    near.v[i] += t * state.a[i];
  }
  for (std::size_t k = 0; k < model_.scalars.size(); ++k) near.s[k] += t * state.sdot[k];
  reconcile(near);
  return near;
}

}  // namespace trammel
