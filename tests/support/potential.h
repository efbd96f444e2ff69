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
    add([=](const Poses& at) { return mass * 9.81 * point(at, body, centre).z; });
  }
  /// k (d − l)² / 2 over the distance d of two points; `slack`: only where it is longer than l.
  void spring(int i, const Vec3d& p, int j, const Vec3d& q, double k, double l, bool slack = false) {
    add([=](const Poses& at) {
      const double d = norm(point(at, i, p) - point(at, j, q)) - l;
      return slack && d < 0 ? 0.0 : 0.5 * k * d * d;
    });
  }
  /// Of IMPACT: k (r − z)^(e + 1) / (e + 1) where z < r.
  void floor(int body, double r, double k, double e) {
    add([=](const Poses& at) {
      const double depth = r - at[body].x.z;
      return depth > 0 ? k * std::pow(depth, e + 1) / (e + 1) : 0.0;
    });
  }
  void add(std::function<double(const Poses&)> term) { terms_.push_back(std::move(term)); }

  double value(const Poses& at) const {
    double sum = 0;
    for (const auto& term : terms_) sum += term(at);
    return sum;
  }
  /// Forces and torques −∂V/∂(x, θ), six per body, by central differences of step h.
  Eigen::VectorXd forces(const Poses& at, double h) const {
    Eigen::VectorXd out(6 * at.size());
    for (int i = 0; i < out.size(); ++i)
      out[i] = (value(moved(at, i, -h)) - value(moved(at, i, h))) / (2 * h);
    return out;
  }
  /// ∂²V, symmetric.
  Eigen::MatrixXd stiffness(const Poses& at, double h) const {
    const int n = 6 * static_cast<int>(at.size());
    Eigen::MatrixXd K(n, n);
    for (int i = 0; i < n; ++i)
      K.row(i) = (forces(moved(at, i, -h), h) - forces(moved(at, i, h), h)) / (2 * h);
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
  std::vector<std::function<double(const Poses&)>> terms_;
};

}  // namespace trammel::test
