// Potentials of bodies at rest, by formulas of their own: what equilibria are compared with.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <vector>

#include "math/rotation.h"

namespace trammel::test {

/// A frame: the place of its origin, its axes.
struct Pose3 {
  Vec3d x;
  Mat3d A = Mat3d::identity();
  Vec3d operator()(const Vec3d& p) const { return x + A * p; }
};

/// V of the poses of bodies; body −1 is ground.
class Potential {
 public:
  using Poses = std::vector<Pose3>;

  static Vec3d point(const Poses& poses, int body, const Vec3d& p) { return body < 0 ? p : poses[body](p); }
  void weight(int body, double mass, const Vec3d& centre) {
    terms_.push_back([=](const Poses& at, Eigen::VectorXd& F) {
      push(F, at, body, centre, {0, 0, -9.81 * mass});
      return mass * 9.81 * point(at, body, centre).z;
    });
  }
  /// k (d − l)² / 2 over the distance d of two points; `slack`: only where it is longer than l.
  void spring(int i, const Vec3d& p, int j, const Vec3d& q, double k, double l, bool slack = false) {
    terms_.push_back([=](const Poses& at, Eigen::VectorXd& F) {
      const Vec3d way = point(at, i, p) - point(at, j, q);
      const double d = norm(way), longer = d - l;
      if (slack && longer < 0) return 0.0;
      push(F, at, i, p, -k * longer / d * way);
      push(F, at, j, q, k * longer / d * way);
      return 0.5 * k * longer * longer;
    });
  }
  /// Of IMPACT: k (r − z)^(e + 1) / (e + 1) where z < r.
  void floor(int body, double r, double k, double e) {
    terms_.push_back([=](const Poses& at, Eigen::VectorXd& F) {
      const double depth = r - at[body].x.z;
      if (depth < 0) return 0.0;
      push(F, at, body, {}, {0, 0, k * std::pow(depth, e)});
      return k * std::pow(depth, e + 1) / (e + 1);
    });
  }

  /// Forces and torques −∂V/∂(x, θ), six per body, and V.
  Eigen::VectorXd forces(const Poses& at, double* value = nullptr) const {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(6 * at.size());
    double sum = 0;
    for (const auto& term : terms_) sum += term(at, out);
    if (value) *value = sum;
    return out;
  }
  /// ∂²V by central differences of step h, symmetric.
  Eigen::MatrixXd stiffness(const Poses& at, double h) const {
    const int n = 6 * static_cast<int>(at.size());
    Eigen::MatrixXd K(n, n);
    for (int i = 0; i < n; ++i) K.row(i) = (forces(moved(at, i, -h)) - forces(moved(at, i, h))) / (2 * h);
    return 0.5 * (K + K.transpose());
  }
  static Poses moved(Poses at, int k, double h) {
    Pose3& pose = at[k / 6];
    Vec3d step{};
    step[k % 3] = h;
    if (k % 6 < 3)
      pose.x += step;
    else
      pose.A = rotation_vector(step) * pose.A;
    return at;
  }

 private:
  static void push(Eigen::VectorXd& F, const Poses& at, int body, const Vec3d& p, const Vec3d& force) {
    if (body < 0) return;
    const Vec3d torque = cross(at[body].A * p, force);
    for (int k = 0; k < 3; ++k) {
      F[6 * body + k] += force[k];
      F[6 * body + 3 + k] += torque[k];
    }
  }
  std::vector<std::function<double(const Poses&, Eigen::VectorXd&)>> terms_;
};

}  // namespace trammel::test
