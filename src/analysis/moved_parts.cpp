#include "analysis/moved_parts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

namespace trammel {

namespace {

constexpr std::size_t most_named = 8;  // parts in one message

double degrees(double radians) {
  return radians * 180 / std::numbers::pi;
}

std::string name_of(const Body& body) {
  return body.name.label() + (body.name.view_name.empty() ? "" : " (" + body.name.view_name + ")");
}

/// Angle of the rotation from one orientation to another [rad], 0 to π.
double angle_between(const Mat3d& from, const Mat3d& to) {
  const Mat3d r = to * transpose(from);
  const Vec3d twice_sine{r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)};
  return std::atan2(norm(twice_sine), r(0, 0) + r(1, 1) + r(2, 2) - 1);
}

/// The model's extent: largest distance of a part from the mean of all, plus the longest arm of a marker; 1
/// where both are 0.
double extent(const Model& model, const std::vector<InitialBody>& bodies) {
  Vec3d middle;
  for (const InitialBody& b : bodies) middle += (1.0 / double(bodies.size())) * b.position;
  double farthest = 0, arm = 0;
  for (const InitialBody& b : bodies) farthest = std::max(farthest, norm(b.position - middle));
  for (const Marker& m : model.markers)
    if (m.body >= 0) arm = std::max(arm, norm(m.s));
  return farthest + arm > 0 ? farthest + arm : 1.0;
}

}  // namespace

MovedParts::MovedParts(const Model& model, const InitialValues& initial,
                       const std::vector<Pose<double>>& given, const Kinematics& assembled,
                       const std::vector<ExactCoordinates::Change>& exact)
    : model_(model), extent_(extent(model, initial.bodies)) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const Pose<double>& from = given[b];
    const BodyKinematics& to = assembled.body(static_cast<int>(b));
    const Vec3d by = (to.x + to.A * body.bcs) - (from.r + from.A * body.bcs);
    const double turn = body.turns() ? angle_between(from.A, to.A) : 0.0;
    if (norm(by) > share * extent_ || turn > turned) moved_.push_back({static_cast<int>(b), norm(by), turn});
  }
  std::stable_sort(moved_.begin(), moved_.end(), [this](const Part& a, const Part& b) {
    return a.distance / extent_ + a.turn > b.distance / extent_ + b.turn;
  });
  note_exact(exact);
}

/// Notes the EXACT coordinates that assembly has changed, with the amounts, by parts.
void MovedParts::note_exact(const std::vector<ExactCoordinates::Change>& exact) {
  std::map<int, std::vector<std::string>> changes;
  for (const ExactCoordinates::Change& change : exact) {
    const double relative = std::abs(change.by) / (change.angle ? 1.0 : extent_);
    if (relative <= rounding) continue;
    exact_beyond_digits_ = exact_beyond_digits_ || relative > digits;
    changes[change.body].push_back(change.angle
                                       ? fmt::format("{} by {:.6g} deg", change.name, degrees(change.by))
                                       : fmt::format("{} by {:.6g}", change.name, change.by / change.unit));
  }
  for (const auto& [body, texts] : changes)
    exact_.push_back(fmt::format("{}: {}", name_of(model_.bodies[body]), fmt::join(texts, ", ")));
}

std::string MovedParts::exact_changed() const {
  if (exact_.empty()) return {};
  std::string text = "Assembly found no positions with all that EXACT asks for; it changed";
  for (std::size_t k = 0; k < std::min(exact_.size(), most_named); ++k) text += (k ? "; " : " ") + exact_[k];
  if (exact_.size() > most_named) text += fmt::format("; and {} more parts", exact_.size() - most_named);
  return text + ". Give coordinates that the joints can have, or leave EXACT out.";
}

std::string MovedParts::far_moved() const {
  if (moved_.empty()) return {};
  std::string text =
      fmt::format("Assembly moved {} part{} far from where the dataset has {} (the model measures {:.4g}): ",
                  moved_.size(), moved_.size() == 1 ? "" : "s", moved_.size() == 1 ? "it" : "them", extent_);
  for (std::size_t k = 0; k < std::min(moved_.size(), most_named); ++k) {
    const Part& part = moved_[k];
    text += fmt::format("{}{} by {:.4g}", k ? "; " : "", name_of(model_.bodies[part.body]), part.distance);
    if (part.turn > turned) text += fmt::format(" and {:.4g} deg", degrees(part.turn));
  }
  if (moved_.size() > most_named) text += fmt::format("; and {} more", moved_.size() - most_named);
  return text + ". Check their positions and the joints that hold them.";
}

}  // namespace trammel
