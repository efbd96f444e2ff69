// An arm of revolute joints in joint coordinates, by recursive Newton-Euler: independent of the equations in
// Cartesian coordinates with constraints.
#pragma once

#include <array>
#include <cmath>
#include <utility>

#include "math/vec3.h"

namespace trammel::test {

/// Link k turns about the z axis of its own frame, whose origin is on the joint: it is `turned` seen from the
/// link before when the joint's angle is 0, and stands at `place` there.
struct ArmLink {
  Vec3d place;
  Mat3d turned;
  double mass = 0;
  Vec3d center;   ///< of mass, in the link's frame
  Mat3d inertia;  ///< about the centre of mass, in the axes of the link
};

template <int n>
struct SerialArm {
  using Joints = std::array<double, n>;
  struct State {
    Joints angle{}, rate{};
  };
  struct Pose {
    Vec3d place;  ///< of the frame of a link, in ground
    Mat3d axes;
    Vec3d angular;  ///< velocity, in ground
    Vec3d axis() const { return axes.column(2); }
  };
  /// What a link takes from the one before it, in ground axes, the torque about the joint.
  struct Load {
    Vec3d force, torque;
  };

  std::array<ArmLink, n> links;
  Vec3d gravity;
  Joints damping{};  ///< of the joints: torque by rate

  static Mat3d about_z(double a) {
    return Mat3d{{std::cos(a), -std::sin(a), 0, std::sin(a), std::cos(a), 0, 0, 0, 1}};
  }

  std::array<Pose, n> poses(const State& s) const {
    std::array<Pose, n> out;
    Pose before{{}, Mat3d::identity(), {}};
    for (int k = 0; k < n; ++k) {
      out[k].place = before.place + before.axes * links[k].place;
      out[k].axes = before.axes * links[k].turned * about_z(s.angle[k]);
      out[k].angular = before.angular + s.rate[k] * out[k].axis();
      before = out[k];
    }
    return out;
  }

  /// Outwards velocities and accelerations, inwards Newton's and Euler's laws of each link.
  std::array<Load, n> loads(const State& s, const Joints& acceleration, const Vec3d& weight) const {
    const std::array<Pose, n> pose = poses(s);
    std::array<Vec3d, n> inertial_force, inertial_torque, center;
    Vec3d a{}, alpha{}, w{}, at{};
    for (int k = 0; k < n; ++k) {
      const Vec3d arm = pose[k].place - at, z = pose[k].axis();
      a = a + cross(alpha, arm) + cross(w, cross(w, arm));
      alpha = alpha + acceleration[k] * z + cross(w, s.rate[k] * z);
      w = pose[k].angular;
      at = pose[k].place;
      const Mat3d inertia = pose[k].axes * links[k].inertia * transpose(pose[k].axes);
      center[k] = pose[k].axes * links[k].center;
      const Vec3d a_center = a + cross(alpha, center[k]) + cross(w, cross(w, center[k]));
      inertial_force[k] = links[k].mass * (a_center - weight);
      inertial_torque[k] = inertia * alpha + cross(w, inertia * w);
    }
    std::array<Load, n> out;
    for (int k = n - 1; k >= 0; --k) {
      out[k] = {inertial_force[k], inertial_torque[k] + cross(center[k], inertial_force[k])};
      if (k + 1 == n) continue;
      out[k].force += out[k + 1].force;
      out[k].torque += out[k + 1].torque + cross(pose[k + 1].place - pose[k].place, out[k + 1].force);
    }
    return out;
  }

  /// Torques about the joints that make these accelerations.
  Joints torques(const State& s, const Joints& acceleration, const Vec3d& weight) const {
    const std::array<Pose, n> pose = poses(s);
    const std::array<Load, n> load = loads(s, acceleration, weight);
    Joints out;
    for (int k = 0; k < n; ++k) out[k] = dot(load[k].torque, pose[k].axis());
    return out;
  }

  /// M(q): its columns are the torques of unit accelerations at rest without weight.
  std::array<Joints, n> mass_matrix(const State& s) const {
    const State still{s.angle, {}};
    std::array<Joints, n> columns;
    for (int k = 0; k < n; ++k) {
      Joints unit{};
      unit[k] = 1;
      columns[k] = torques(still, unit, {});
    }
    return columns;
  }

  /// M q̈ = τ − d q̇ − bias, by Gauss-Jordan elimination with pivots on the diagonal: M is positive definite.
  Joints accelerations(const State& s, const Joints& torque) const {
    std::array<Joints, n> m = mass_matrix(s);
    Joints x = torques(s, {}, gravity);
    for (int k = 0; k < n; ++k) x[k] = torque[k] - damping[k] * s.rate[k] - x[k];
    for (int p = 0; p < n; ++p)
      for (int r = 0; r < n; ++r) {
        if (r == p) continue;
        const double f = m[p][r] / m[p][p];
        for (int c = p; c < n; ++c) m[c][r] -= f * m[c][p];
        x[r] -= f * x[p];
      }
    for (int k = 0; k < n; ++k) x[k] /= m[k][k];
    return x;
  }

  /// Classical Runge-Kutta steps with the torques held.
  State after(State s, const Joints& torque, double time, int steps) const {
    const double h = time / steps;
    for (int step = 0; step < steps; ++step) {
      State sum = s, at = s;
      for (const auto& [weight, next] :
           {std::pair{h / 6, h / 2}, std::pair{h / 3, h / 2}, std::pair{h / 3, h}, std::pair{h / 6, 0.0}}) {
        const Joints a = accelerations(at, torque), rate = at.rate;
        for (int k = 0; k < n; ++k) {
          sum.angle[k] += weight * rate[k], sum.rate[k] += weight * a[k];
          at.angle[k] = s.angle[k] + next * rate[k], at.rate[k] = s.rate[k] + next * a[k];
        }
      }
      s = sum;
    }
    return s;
  }

  /// From velocities and heights of the links alone, without M(q).
  double energy(const State& s) const {
    const std::array<Pose, n> pose = poses(s);
    double sum = 0;
    Vec3d v{}, w{}, at{};
    for (int k = 0; k < n; ++k) {
      v = v + cross(w, pose[k].place - at);
      w = pose[k].angular;
      at = pose[k].place;
      const Vec3d center = pose[k].axes * links[k].center, vc = v + cross(w, center);
      const Vec3d own = transpose(pose[k].axes) * w;
      sum += 0.5 * links[k].mass * dot(vc, vc) + 0.5 * dot(own, links[k].inertia * own) -
             links[k].mass * dot(gravity, at + center);
    }
    return sum;
  }
};

}  // namespace trammel::test
