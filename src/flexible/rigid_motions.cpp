#include "flexible/rigid_motions.h"

#include <Eigen/Dense>

#include <algorithm>

#include "base/diagnostics.h"

namespace trammel {

namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// Fits rigid motions to the shapes of modes at the nodes of the file, by least squares.
class RigidFit {
 public:
  explicit RigidFit(const ModalBody& body) : body_(body) {
    for (const Vec3d& s : body.position) centre_ += (1.0 / body.nodes()) * s;
    for (const Vec3d& s : body.position) length_ = std::max(length_, norm(s - centre_));
    if (!(length_ > 0)) length_ = 1;
    const Eigen::Index each = body.rotation.empty() ? 3 : 6;
    motion_.setZero(each * body.nodes(), 6);
    for (int p = 0; p < body.nodes(); ++p) {
      const Vec3d r = (1 / length_) * (body.position[p] - centre_);
      const Mat3d turned = -skew(r);  // b × r = −r̃ b
      for (int i = 0; i < 3; ++i) {
        motion_(each * p + i, i) = 1;
        for (int k = 0; k < 3; ++k) motion_(each * p + i, 3 + k) = turned(i, k);
        if (each == 6) motion_(each * p + 3 + i, 3 + i) = 1;
      }
    }
    solver_.setThreshold(1e-6);
    solver_.compute(motion_);
    if (solver_.rank() < 6)
      fail(ExitCode::input,
           "{}: its {} nodes do not tell how its rigid modes turn it; keep rotations (R_MODE) or three nodes "
           "that are not on a line",
           body.source, body.nodes());
  }

  double length() const { return length_; }
  const Vec3d& centre() const { return centre_; }

  /// (a, l b) of the mode φ = a + b × (s − s̄), φ* = b, with l the length of the body.
  Vector6 motion(int mode) const {
    const Eigen::Index each = motion_.rows() / body_.nodes();
    Eigen::VectorXd shape(motion_.rows());
    for (int p = 0; p < body_.nodes(); ++p) {
      const std::size_t at = static_cast<std::size_t>(p) * body_.modes + mode;
      for (int i = 0; i < 3; ++i) {
        shape[each * p + i] = body_.translation[at][i];
        if (each == 6) shape[each * p + 3 + i] = length_ * body_.rotation[at][i];
      }
    }
    const Vector6 fit = solver_.solve(shape);
    constexpr double digits = 1e-3;  // shapes of rigid modes have half of the digits of their eigenvalues
    const double left = (shape - motion_ * fit).norm();
    if (left > digits * shape.norm())
      fail(ExitCode::input,
           "{}: mode {} has a frequency as if it moved the body without deforming it, {:.6g}, but {:.2g} of "
           "its shape is deformation",
           body_.source, body_.mode_id[mode], body_.frequency[mode], left / shape.norm());
    return fit;
  }

 private:
  const ModalBody& body_;
  Vec3d centre_{};
  double length_ = 0;
  Eigen::MatrixXd motion_;  ///< motion of all nodes by a and l b
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> solver_;
};

}  // namespace

/// A velocity (v, ω) of the origin is a = v + ω × s̄, b = ω at the centre s̄ of the nodes; Σ η̇_j (a_j, b_j) =
/// (a, b).
std::array<double, 36> rigid_mode_rates(const ModalBody& body, const std::vector<int>& rigid) {
  if (rigid.size() != 6)
    fail(ExitCode::input,
         "{}: it has {} of the six modes that move it as a rigid body, which tell what is to its frame; keep "
         "all "
         "six, or none",
         body.source, rigid.size());
  const RigidFit fit(body);
  Matrix6 motions, moved = Matrix6::Identity();
  Vector6 size;
  for (int j = 0; j < 6; ++j) {
    motions.col(j) = fit.motion(rigid[j]);
    size[j] = motions.col(j).norm();
    if (!(size[j] > 0))
      fail(ExitCode::input, "{}: mode {} moves nothing", body.source, body.mode_id[rigid[j]]);
    motions.col(j) /= size[j];
  }
  Eigen::ColPivHouseholderQR<Matrix6> solver;
  solver.setThreshold(1e-6);
  solver.compute(motions);
  if (solver.rank() < 6)
    fail(ExitCode::input, "{}: its six rigid modes are {} different motions only", body.source,
         solver.rank());
  const Mat3d by_turn = -skew(fit.centre());
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      moved(i, 3 + k) = by_turn(i, k);
      moved(3 + i, 3 + k) *= fit.length();
    }
  const Matrix6 rates = size.cwiseInverse().asDiagonal() * solver.solve(moved);
  std::array<double, 36> out;
  for (int j = 0; j < 6; ++j)
    for (int k = 0; k < 6; ++k) out[6 * j + k] = rates(j, k);
  return out;
}

RigidLoad rigid_load(const ModalBody& body, const std::vector<int>& rigid, int load_case) {
  const std::array<double, 36> T = rigid_mode_rates(body, rigid);
  RigidLoad out;
  for (int j = 0; j < 6; ++j) {
    const double load = body.loads[load_case][rigid[j]];
    for (int k = 0; k < 3; ++k) {
      out.force[k] += T[6 * j + k] * load;
      out.moment[k] += T[6 * j + 3 + k] * load;
    }
  }
  return out;
}

RigidDamping rigid_damping(const ModalBody& body, const std::vector<int>& rigid) {
  const std::array<double, 36> T = rigid_mode_rates(body, rigid);
  const auto n = static_cast<std::size_t>(body.modes);
  const auto C = [&](std::size_t r, std::size_t c) { return body.damping[r * n + c]; };
  RigidDamping out{{}, std::vector<double>(6 * n), std::vector<double>(6 * n)};
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 6; ++k) {
      for (std::size_t j = 0; j < n; ++j) {
        out.by_modes[6 * j + k] += T[6 * i + k] * C(rigid[i], j);
        out.on_modes[6 * j + k] += T[6 * i + k] * C(j, rigid[i]);
      }
      for (int l = 0; l < 6; ++l)
        for (int m = 0; m < 6; ++m)
          out.of_frame[6 * k + m] += T[6 * i + k] * C(rigid[i], rigid[l]) * T[6 * l + m];
    }
  return out;
}

}  // namespace trammel
