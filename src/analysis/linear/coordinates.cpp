#include "analysis/linear/coordinates.h"

namespace trammel {

namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;

Matrix3d matrix(const Mat3d& m) {
  Matrix3d out;
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k) out(r, k) = m(r, k);
  return out;
}

}  // namespace

/// Seen from RM, whose axes are R, of a body at s from the centre of the one that carries it:
///     Rᵀ (δx − δx₀ − δθ₀ × s),   Rᵀ (δθ − δθ₀).
MatrixXd DisplacementRows::at(const Kinematics& now) const {
  MatrixXd P = MatrixXd::Zero(rows(), rows());
  const int carrier = RM_ < 0 ? -1 : model_.markers[RM_].body;
  Matrix3d R = Matrix3d::Identity();
  if (RM_ >= 0) R = carrier < 0 ? matrix(model_.markers[RM_].A) : matrix(now.marker(RM_).A);
  for (int b = 0; b < now.bodies(); ++b) {
    const Body& body = model_.bodies[b];
    P.block<3, 3>(body.first, body.first) = R.transpose();
    if (body.turns())
      P.block<3, 3>(body.angles(), body.angles()) = arm_ * R.transpose() * matrix(now.body(b).H);
    if (carrier < 0) continue;
    const Body& base = model_.bodies[carrier];
    P.block<3, 3>(body.first, base.first) -= R.transpose();
    if (!base.turns()) continue;
    const Matrix3d H = matrix(now.body(carrier).H), s = matrix(skew(now.body(b).x - now.body(carrier).x));
    P.block<3, 3>(body.first, base.angles()) += R.transpose() * s * H;
    if (body.turns()) P.block<3, 3>(body.angles(), base.angles()) -= arm_ * R.transpose() * H;
  }
  return P;
}

std::string DisplacementRows::name(int row, double& unit) const {
  for (const Body& body : model_.bodies) {
    if (row < body.first || row >= body.first + body.count) continue;
    constexpr const char* names[] = {"DX", "DY", "DZ", "AX", "AY", "AZ"};
    unit = row < body.first + 3 ? 1.0 : 1.0 / arm_;
    return body.name.label() + " " + names[row - body.first];
  }
  fail(ExitCode::internal, "row {} of displacements belongs to no body", row);
}

}  // namespace trammel
