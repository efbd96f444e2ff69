// What coordinates small motions may be measured in: displacements and rotations of parts.
#pragma once

#include <Eigen/Core>
#include <string>

#include "assemble/kinematics.h"

namespace trammel {

/// Displacements of the centres of mass and rotations of the bodies, three and three, about the axes of a
/// marker and seen from it, or of ground: six rows for each body, by coordinates: P of P δq. Rotations are
/// rows times the length `arm`, so that all are lengths.
class DisplacementRows {
 public:
  /// `RM`: index of a marker; −1: the global axes.
  DisplacementRows(const Model& model, int RM, double arm) : model_(model), RM_(RM), arm_(arm) {}

  int rows() const { return 6 * static_cast<int>(model_.bodies.size()) + model_.modal_coordinates; }
  /// At the state of the last update.
  Eigen::MatrixXd at(const Kinematics& now) const;
  /// "PART/2 DX" of a row; `unit`: what it is per unit of the row, 1/arm for rotations.
  std::string name(int row, double& unit) const;

 private:
  const Model& model_;
  int RM_;
  double arm_;
};

/// Coordinates by displacements and rotations times `arm`, all coordinates by as many lengths: its inverse is
/// the way back.
Eigen::MatrixXd lengths_of_coordinates(const Model& model, const Kinematics& now, double arm);

}  // namespace trammel
