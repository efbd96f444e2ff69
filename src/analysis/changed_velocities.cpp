#include "analysis/changed_velocities.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

namespace trammel {

namespace {

constexpr double digits = 1e-4;        // of the largest velocity of its kind: what four digits can mean
constexpr std::size_t most_named = 8;  // parts in one message

/// The largest velocities that are given or that parts have, at the ends of their arms as well, and not less
/// than what rounding may leave of 0, of places that are far away as well.
struct LargestVelocities {
  double translation = 1e-12 / digits, rotation = 1e-12 / digits;

  LargestVelocities(const Model& model, const InitialValues& given, const Kinematics& now, double arm) {
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const BodyKinematics& k = now.body(static_cast<int>(b));
      const InitialBody& start = given.bodies[b];
      translation = std::max({translation, norm(k.v), norm(start.velocity)});
      if (!model.bodies[b].turns()) continue;
      rotation = std::max({rotation, norm(k.w), norm(start.angular_velocity)});
      constexpr double rounding = 16 * 0x1p-53;
      translation = std::max({translation, norm(k.w) * arm, rounding * norm(k.w) * norm(k.x) / digits});
    }
    for (const InitialMode& mode : given.modes) translation = std::max(translation, std::abs(mode.rate));
  }
};

/// "VX by 0.3", ... of a body.
std::vector<std::string> changes_of(const Model& model, const InitialValues& initial, const Kinematics& now,
                                    int b, const LargestVelocities& largest) {
  constexpr const char* names[] = {"VX", "VY", "VZ", "WX", "WY", "WZ"};
  const InitialBody& given = initial.bodies[b];
  const BodyKinematics& k = now.body(b);
  const Mat3d turning = axes_of_angular_velocity(model, initial, now, b);
  const Vec3d v = transpose_times(now.marker(given.velocity_marker).A, k.v) - given.velocity,
              w = transpose_times(turning, k.w) - given.angular_velocity;
  std::vector<std::string> changes;
  for (int i = 0; i < 3; ++i)
    if (given.velocity_given[i] && std::abs(v[i]) > digits * largest.translation)
      changes.push_back(fmt::format("{} by {:.6g}", names[i], v[i]));
  for (int i = 0; i < 3 && model.bodies[b].turns(); ++i)
    if (given.velocity_given[3 + i] && std::abs(w[i]) > digits * largest.rotation)
      changes.push_back(
          fmt::format("{} by {:.6g} deg per unit of time", names[3 + i], w[i] * 180 / std::numbers::pi));
  return changes;
}

}  // namespace

Mat3d axes_of_angular_velocity(const Model& model, const InitialValues& given, const Kinematics& now, int b) {
  const int marker = given.bodies[b].angular_marker;
  return marker >= 0 ? now.marker(marker).A : now.body(b).A * model.bodies[b].cm_axes;
}

std::string velocities_changed(const Model& model, const InitialValues& given, const Kinematics& now,
                               std::span<const double> v, double arm) {
  const LargestVelocities largest(model, given, now, arm);
  std::vector<std::vector<std::string>> changes(model.bodies.size());
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    changes[b] = changes_of(model, given, now, static_cast<int>(b), largest);
  for (const FlexibleBody& f : model.flexible_bodies)
    for (int j = 0; j < f.modes; ++j) {
      const InitialMode& mode = given.modes[f.first - model.first_modal() + j];
      const double change = v[f.first + j] - mode.rate;
      if (mode.rate_given && std::abs(change) > digits * largest.translation)
        changes[f.body].push_back(fmt::format("VMODE of {} by {:.6g}", f.mode_id[j], change / f.size[j]));
    }
  std::string text;
  std::size_t parts = 0;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (changes[b].empty() || ++parts > most_named) continue;
    text += fmt::format("{} {}: {}", parts > 1 ? ";" : "", model.bodies[b].name.label(),
                        fmt::join(changes[b], ", "));
  }
  if (parts > most_named) text += fmt::format("; and {} more parts", parts - most_named);
  return text.empty()
             ? text
             : "The constraints do not allow all initial velocities that are given; they change" + text + ".";
}

}  // namespace trammel
