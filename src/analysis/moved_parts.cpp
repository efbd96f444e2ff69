#include "analysis/moved_parts.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "integrate/orientation.h"
#include "math/rotation.h"

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

/// The angle between −π and π that differs from x by whole turns.
double within_half_turn(double x) {
  return std::remainder(x, 2 * std::numbers::pi);
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
                       const std::vector<Pose<double>>& given, const Kinematics& assembled)
    : model_(model), extent_(extent(model, initial.bodies)) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const Pose<double>& from = given[b];
    const BodyKinematics& to = assembled.body(static_cast<int>(b));
    const Vec3d by = (to.x + to.A * body.bcs) - (from.r + from.A * body.bcs);
    const double turn = body.turns() ? angle_between(from.A, to.A) : 0.0;
    if (norm(by) > share * extent_ || turn > turned) moved_.push_back({static_cast<int>(b), norm(by), turn});
    note_exact(body, initial.bodies[b].exact, by, from.A, to.A);
  }
  std::stable_sort(moved_.begin(), moved_.end(), [this](const Part& a, const Part& b) {
    return a.distance / extent_ + a.turn > b.distance / extent_ + b.turn;
  });
}

/// Notes the EXACT coordinates of a body that assembly has changed, with the amounts.
void MovedParts::note_exact(const Body& body, const std::array<bool, 6>& exact, const Vec3d& by,
                            const Mat3d& from, const Mat3d& to) {
  constexpr double kept = 1e-6;  // of the extent, and radians: what six digits of a deck can mean
  constexpr const char* names[] = {"X", "Y", "Z", "PSI", "THETA", "PHI"};
  std::vector<std::string> changes;
  const Vec3d along = along_translations(body, by);
  for (int k = 0; k < 3; ++k)
    if (exact[k] && std::abs(along[k]) > kept * extent_)
      changes.push_back(fmt::format("{} by {:.6g}", names[k], along[k]));
  const Vec3d before = angles_313(from), after = angles_313(to);
  // At sin θ = 0 only ψ ± φ is defined: there, and for a planar body, the angle of the whole rotation stands
  // for the change of each angle.
  const bool defined = !body.planar() && std::min(std::sin(before.y), std::sin(after.y)) > 1e-3;
  for (int k = 0; k < 3; ++k) {
    const double change = defined ? within_half_turn(after[k] - before[k]) : angle_between(from, to);
    if (body.turns() && exact[3 + k] && std::abs(change) > kept)
      changes.push_back(fmt::format("{} by {:.6g} deg", names[3 + k], degrees(change)));
  }
  if (!changes.empty()) exact_.push_back(fmt::format("{}: {}", name_of(body), fmt::join(changes, ", ")));
}

std::string MovedParts::exact_changed() const {
  if (exact_.empty()) return {};
  std::string text = "The constraints do not allow what EXACT asks for; assembly changed";
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
