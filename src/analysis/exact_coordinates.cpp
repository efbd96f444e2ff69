#include "analysis/exact_coordinates.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "assemble/body_motion.h"
#include "math/rotation.h"

namespace trammel {

namespace {

constexpr double singular = 1e-3;  // sin θ below which ψ and φ are taken for one rotation

/// The angle between −π and π that differs from x by whole turns.
double within_half_turn(double x) {
  return std::remainder(x, 2 * std::numbers::pi);
}

double sum_of_psi_and_phi(const Mat3d& A) {
  return std::atan2(A(1, 0) - A(0, 1), A(0, 0) + A(1, 1));
}

double difference_of_psi_and_phi(const Mat3d& A) {
  return std::atan2(A(1, 0) + A(0, 1), A(0, 0) - A(1, 1));
}

/// Angle of a planar body about the normal of its plane.
double angle_in_plane(const Body& body, const Mat3d& A) {
  const Vec3d x = transpose_times(body.plane, A.column(0));
  return std::atan2(x.y, x.x);
}

}  // namespace

ExactCoordinates::ExactCoordinates(const Model& model, const InitialValues& given, double arm)
    : model_(model) {
  constexpr const char* names[] = {"X", "Y", "Z"};
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const InitialBody& start = given.bodies[b];
    const Vec3d origin = start.position + start.orientation * body.bcs;
    for (int k = 0; k < body.translations; ++k) {
      const Vec3d axis = body.plane.column(k);  // of ground where the body is not planar
      if (start.exact[k])
        held_.push_back({static_cast<int>(b), Kind::place, names[k], dot(axis, origin), 1, axis});
    }
    if (body.turns()) hold_angles(static_cast<int>(b), start, arm);
  }
  hold_modes(given);
}

void ExactCoordinates::hold_angles(int b, const InitialBody& given, double arm) {
  const bool psi = given.exact[3], theta = given.exact[4], phi = given.exact[5];
  const Mat3d& A = given.orientation;
  const auto hold = [&](Kind kind, const char* name, double value, const Vec3d& axis = {}) {
    held_.push_back({b, kind, name, value, arm, axis, A.column(2)});
  };
  if (model_.bodies[b].planar()) {
    if (psi) hold(Kind::in_plane, "PSI", angle_in_plane(model_.bodies[b], A));
    return;
  }
  const Vec3d e = angles_313(A);
  if (std::sin(e.y) >= singular) {
    if (psi) hold(Kind::psi, "PSI", e.x);
    if (theta) hold(Kind::theta, "THETA", e.y);
    if (phi) hold(Kind::phi, "PHI", e.z);
    return;
  }
  if ((psi || phi) && A(2, 2) > 0) hold(Kind::sum, "PSI + PHI", sum_of_psi_and_phi(A));
  if ((psi || phi) && A(2, 2) < 0) hold(Kind::difference, "PSI - PHI", difference_of_psi_and_phi(A));
  if (!theta) return;
  hold(Kind::direction, "THETA", A(0, 2), {1, 0, 0});
  hold(Kind::direction, "THETA", A(1, 2), {0, 1, 0});
}

void ExactCoordinates::hold_modes(const InitialValues& given) {
  for (const FlexibleBody& f : model_.flexible_bodies)
    for (int j = 0; j < f.modes; ++j) {
      const InitialMode& mode = given.modes[f.first - model_.first_modal() + j];
      if (mode.exact)
        held_.push_back({.body = f.body,
                         .kind = Kind::mode,
                         .name = fmt::format("Q{}", f.mode_id[j]),
                         .value = mode.value,
                         .unknown = f.first + j,
                         .size = f.size[j]});
    }
}

ExactCoordinates::Row ExactCoordinates::row(const Held& held, const BodyKinematics& now) const {
  if (held.kind != Kind::place) return row_of_angle(held, now.A);
  const Body& body = model_.bodies[held.body];
  const Vec3d arm = now.A * body.bcs;
  return {dot(held.axis, now.x + arm) - held.value, held.axis, cross(arm, held.axis)};
}

/// With the third axes k of ground and z of the part, and n along the line of nodes, changes of ψ and φ are
/// δθ·(z × n) / sin θ and δθ·(n × k) / sin θ; their rows are multiplied by sin θ.
ExactCoordinates::Row ExactCoordinates::row_of_angle(const Held& held, const Mat3d& A) const {
  const Vec3d k{0, 0, 1}, z = A.column(2), e = angles_313(A);
  const Vec3d nodes{std::cos(e.x), std::sin(e.x), 0};
  switch (held.kind) {
    case Kind::psi:
      return {std::sin(e.y) * within_half_turn(e.x - held.value), {}, cross(z, nodes)};
    case Kind::phi:
      return {std::sin(e.y) * within_half_turn(e.z - held.value), {}, cross(nodes, k)};
    case Kind::theta:
      return {e.y - held.value, {}, nodes};
    case Kind::sum:
      return {within_half_turn(sum_of_psi_and_phi(A) - held.value), {}, (1 / (1 + z.z)) * (k + z)};
    case Kind::difference:
      return {within_half_turn(difference_of_psi_and_phi(A) - held.value), {}, (1 / (1 - z.z)) * (k - z)};
    case Kind::direction:
      return {dot(z, held.axis) - held.value, {}, cross(z, held.axis)};
    case Kind::in_plane: {
      const Body& body = model_.bodies[held.body];
      return {within_half_turn(angle_in_plane(body, A) - held.value), {}, body.plane.column(2)};
    }
    case Kind::place:
    case Kind::mode:
      break;
  }
  fail(ExitCode::internal, "{} is no angle", held.name);
}

void ExactCoordinates::add_weights(const Kinematics& now, BodyWeights& weights) const {
  for (const Held& held : held_) {
    if (held.kind == Kind::mode) {
      weights.modes[held.unknown - model_.first_modal()] += exact_weight;
      continue;
    }
    const Row r = row(held, now.body(held.body));
    const bool turns = model_.bodies[held.body].turns();
    double along[6] = {};
    for (int k = 0; k < 3; ++k) {
      along[k] = held.length * r.by_place[k];
      along[3 + k] = turns ? held.length * r.by_turn[k] : 0;
    }
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) weights[held.body][6 * i + j] += exact_weight * along[i] * along[j];
  }
}

void ExactCoordinates::add_pull(const std::vector<bool>& drawn, const Kinematics& now,
                                std::span<const double> q, std::span<double> residual) const {
  for (std::size_t n = 0; n < held_.size(); ++n) {
    const Held& held = held_[n];
    if (!drawn[n]) continue;
    if (held.kind == Kind::mode) {
      residual[held.unknown] += exact_weight * (q[held.unknown] - held.value);
      continue;
    }
    const BodyKinematics& k = now.body(held.body);
    const Body& body = model_.bodies[held.body];
    const Row r = row(held, k);
    const double pull = exact_weight * held.length * held.length * r.miss;
    double force[6] = {};
    generalized_force(body, k.H, pull * r.by_place, pull * r.by_turn, force);
    for (int i = 0; i < body.count(); ++i) residual[body.first + i] += force[i];
  }
}

/// The change of the coordinate itself as results show it, which its row may measure otherwise.
double ExactCoordinates::change(const Held& held, const Kinematics& now, std::span<const double> q) const {
  if (held.kind == Kind::mode) return q[held.unknown] - held.value;
  const BodyKinematics& k = now.body(held.body);
  if (held.kind == Kind::psi) return within_half_turn(angles_313(k.A, parallel_sine).x - held.value);
  if (held.kind == Kind::phi) return within_half_turn(angles_313(k.A, parallel_sine).z - held.value);
  if (held.kind == Kind::direction) {
    const Vec3d z = k.A.column(2);
    return std::atan2(norm(cross(held.z, z)), dot(held.z, z));
  }
  return row(held, k).miss;
}

double ExactCoordinates::farthest(const std::vector<bool>& which, const Kinematics& now,
                                  std::span<const double> q, double size) const {
  double farthest = 0;
  for (std::size_t n = 0; n < held_.size(); ++n) {
    if (!which[n]) continue;
    const Held& held = held_[n];
    const bool mode = held.kind == Kind::mode;
    const double miss = mode ? q[held.unknown] - held.value : row(held, now.body(held.body)).miss;
    farthest = std::max(farthest, std::abs(miss) / (mode || held.kind == Kind::place ? size : 1.0));
  }
  return farthest;
}

std::vector<ExactCoordinates::Change> ExactCoordinates::changes(const Kinematics& now,
                                                                std::span<const double> q) const {
  std::vector<Change> out;
  for (std::size_t n = 0; n < held_.size(); ++n) {
    const Held& held = held_[n];
    const bool second = n > 0 && held.kind == Kind::direction && held_[n - 1].kind == Kind::direction &&
                        held_[n - 1].body == held.body;
    if (second) continue;  // the first of the two tells the angle
    const bool angle = held.kind != Kind::place && held.kind != Kind::mode;
    out.push_back({held.body, held.name, change(held, now, q), angle, held.size});
  }
  return out;
}

}  // namespace trammel
