#include "analysis/statics/rest_stability.h"

#include <algorithm>
#include <cmath>

#include "analysis/linear/modes.h"

namespace trammel {

void name_moved_parts(const Model& model, std::span<const double> dq, double arm,
                      std::vector<std::string>& names) {
  std::vector<double> size(model.bodies.size(), 0.0);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    for (int k = 0; k < body.count(); ++k)
      size[b] = std::max(size[b], std::abs(dq[body.first + k]) / (k < body.translations ? arm : 1.0));
  }
  const double largest = *std::max_element(size.begin(), size.end());
  for (std::size_t b = 0; b < size.size(); ++b) {
    const std::string name = model.bodies[b].name.label();
    if (size[b] > 1e-3 * largest && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }
}

std::optional<RestStability> stability_at(StaticProblem& problem, const State& state) {
  const Model& model = problem.model;
  if (model.coordinates > most_coordinates_classified ||
      model.coordinates - model.multipliers > most_free_classified)  // at least so many are free
    return std::nullopt;
  SmallMotionOptions options;
  options.point = {problem.point.mode, phase_dynamics};
  options.held = problem.equations.held();
  options.arm = problem.initial.arm();
  const SmallMotions motions = small_motions(model, problem.assembler, state, options);
  if (motions.coordinates > most_free_classified) return std::nullopt;
  const Modes modes = modes_of(model, motions, state_equations(motions));
  RestStability out;
  Eigen::VectorXd direction;
  for (Eigen::Index i = 0; i < modes.neutral.cols(); ++i) {
    const Eigen::VectorXd dq = modes.neutral.col(i);
    if (dq.size() == 0 || dq.cwiseAbs().maxCoeff() == 0) continue;  // a motion of states alone
    ++out.neutral;
    name_moved_parts(model, {dq.data(), static_cast<std::size_t>(dq.size())}, options.arm, out.neutral_parts);
    if (direction.size() == 0) direction = dq;
  }
  for (const Mode& mode : modes.modes) {
    // Rounding ε moves double roots by √ε, and real parts by some ε, relative to the fastest frequency.
    const double w = motions.frequency;
    if (std::abs(mode.s) <= 3e-7 * w || mode.s.real() <= 1e-9 * w) continue;
    out.unstable += mode.paired() ? 2 : 1;
    if (mode.s.real() <= out.largest_real) continue;
    out.largest_real = mode.s.real();
    direction = mode.q.real();
  }
  out.kind = out.unstable > 0  ? RestStability::Kind::unstable
             : out.neutral > 0 ? RestStability::Kind::neutral
                               : RestStability::Kind::stable;
  out.direction.assign(direction.data(), direction.data() + direction.size());
  return out;
}

}  // namespace trammel
