#include "analysis/linear/coordinates.h"

#include "assemble/body_motion.h"

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

/// δx and δθ of a body by its own coordinates.
struct Variation {
  Eigen::Matrix<double, 3, Eigen::Dynamic> x, turn;

  Variation(const Body& body, const Mat3d& H) {
    x.resize(3, body.count());
    turn.resize(3, body.count());
    for (int k = 0; k < body.count(); ++k) {
      double unit[6] = {};
      unit[k] = 1;
      const Vec3d dx = translation_of(body, H, unit),
                  dt = body.turns() ? rotation_of(body, H, unit) : Vec3d{};
      for (int i = 0; i < 3; ++i) {
        x(i, k) = dx[i];
        turn(i, k) = dt[i];
      }
    }
  }
};

}  // namespace

/// Relative to the marker RM, with axes R, from which the body is at s:
///     Rᵀ (δx − δr − δθ_RM × s),   Rᵀ (δθ − δθ_RM),
/// of which δr and δθ_RM are those of the marker's body and, at a node, of its modes.
MatrixXd DisplacementRows::at(const Kinematics& now) const {
  MatrixXd P = MatrixXd::Zero(rows(), model_.coordinates);
  const int carrier = RM_ < 0 ? -1 : model_.markers[RM_].body;
  Matrix3d R = Matrix3d::Identity();
  if (RM_ >= 0) R = carrier < 0 ? matrix(model_.markers[RM_].A) : matrix(now.marker(RM_).A);
  for (int b = 0; b < now.bodies(); ++b) {
    const Body& body = model_.bodies[b];
    const Variation own(body, now.body(b).H);
    P.block(6 * b, body.first, 3, body.count()) += R.transpose() * own.x;
    P.block(6 * b + 3, body.first, 3, body.count()) += arm_ * R.transpose() * own.turn;
    if (carrier < 0) continue;
    const Body& base = model_.bodies[carrier];
    const Variation of_base(base, now.body(carrier).H);
    const Matrix3d s = matrix(skew(now.body(b).x - now.body(carrier).x));
    P.block(6 * b, base.first, 3, base.count()) -= R.transpose() * (of_base.x - s * of_base.turn);
    if (body.turns()) P.block(6 * b + 3, base.first, 3, base.count()) -= arm_ * R.transpose() * of_base.turn;
    if (model_.markers[RM_].node >= 0) take_modes(now, b, R, P);
  }
  const Eigen::Index modal = model_.modal_coordinates;
  P.bottomRightCorner(modal, modal).setIdentity();
  return P;
}

/// What the modes of RM's body, which move its node by r and turn it by t, take from the rows of a body.
void DisplacementRows::take_modes(const Kinematics& now, int b, const Matrix3d& R, MatrixXd& P) const {
  const Matrix3d s = matrix(skew(now.body(b).x - now.marker(RM_).r));
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(model_.modal_coordinates);
  for (int k = 0; k < model_.modal_coordinates; ++k) {
    unit[k] = 1;
    const ModeShape change = now.modal_change(RM_, unit.data());
    unit[k] = 0;
    const Eigen::Vector3d r(change.r.x, change.r.y, change.r.z),
        t(change.turn.x, change.turn.y, change.turn.z);
    P.block(6 * b, model_.first_modal() + k, 3, 1) -= R.transpose() * (r - s * t);
    if (model_.bodies[b].turns())
      P.block(6 * b + 3, model_.first_modal() + k, 3, 1) -= arm_ * R.transpose() * t;
  }
}

std::string DisplacementRows::name(int row, double& unit) const {
  constexpr const char* names[] = {"DX", "DY", "DZ", "AX", "AY", "AZ"};
  if (const int mode = row - 6 * static_cast<int>(model_.bodies.size()); mode >= 0) {
    const int coordinate = model_.first_modal() + mode;
    for (const FlexibleBody& f : model_.flexible_bodies)
      if (coordinate >= f.first && coordinate < f.first + f.modes) unit = 1 / f.size[coordinate - f.first];
    return model_.unknown_name(coordinate);
  }
  unit = row % 6 < 3 ? 1.0 : 1.0 / arm_;
  return model_.bodies[row / 6].name.label() + " " + names[row % 6];
}

MatrixXd lengths_of_coordinates(const Model& model, const Kinematics& now, double arm) {
  MatrixXd out = MatrixXd::Identity(model.coordinates, model.coordinates);
  for (int b = 0; b < now.bodies(); ++b) {
    const Body& body = model.bodies[b];
    const int n = body.rotations;
    if (body.has_euler_angles())
      out.block(body.angles(), body.angles(), n, n) = arm * matrix(now.body(b).H);
    else
      out.block(body.angles(), body.angles(), n, n) *= arm;
  }
  return out;
}

}  // namespace trammel
