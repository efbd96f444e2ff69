// Candidates for the coordinates of small motions: displacements and rotations of parts.
#pragma once

#include <Eigen/Core>
#include <string>

#include "assemble/kinematics.h"

namespace trammel {

/// The rows P of P δq: of each body the displacement of its centre of mass (3 rows) and its rotation (3
/// rows), relative to the marker RM and along its axes, or to ground; then one row per modal coordinate.
/// Rotations are multiplied by the length `arm`, so that all rows are lengths.
class DisplacementRows {
 public:
  /// `RM`: index of a marker; −1: the global axes.
  DisplacementRows(const Model& model, int RM, double arm) : model_(model), RM_(RM), arm_(arm) {}

  int rows() const { return 6 * static_cast<int>(model_.bodies.size()) + model_.modal_coordinates; }
  /// P, rows() × coordinates, at the state of the last update of `now`.
  Eigen::MatrixXd at(const Kinematics& now) const;
  /// The name of a row, "PART/2 DX"; `unit`: the named quantity per unit of the row, 1/arm for rotations, for
  /// modes that of their file.
  std::string name(int row, double& unit) const;

 private:
  void take_modes(const Kinematics& now, int b, const Eigen::Matrix3d& R, Eigen::MatrixXd& P) const;

  const Model& model_;
  int RM_;
  double arm_;
};

/// The square matrix of as many lengths by δq: displacements, and rotations times `arm`. Its inverse gives δq
/// by these lengths.
Eigen::MatrixXd lengths_of_coordinates(const Model& model, const Kinematics& now, double arm);

}  // namespace trammel
