// How assembly changed the positions that the dataset gives: parts that it moved far, and EXACT coordinates
// that it changed.
#pragma once

#include <string>
#include <vector>

#include "analysis/exact_coordinates.h"
#include "assemble/kinematics.h"
#include "math/pose.h"
#include "model/model.h"

namespace trammel {

class MovedParts {
 public:
  /// Compares the parts as the dataset gives them (`initial`; `given`: centre of mass and axes of each body
  /// there) with the assembled parts. `exact`: what became of the EXACT coordinates.
  MovedParts(const Model& model, const InitialValues& initial, const std::vector<Pose<double>>& given,
             const Kinematics& assembled, const std::vector<ExactCoordinates::Change>& exact);

  /// A message that names parts whose EXACT coordinates changed, with the amounts; "" where none did but by
  /// rounding.
  std::string exact_changed() const;
  /// Whether one changed by more than six digits of a dataset can mean.
  bool exact_beyond_digits() const { return exact_beyond_digits_; }
  /// A message that names parts that moved by more than a small share of the model's extent; "" where none
  /// did.
  std::string far_moved() const;

 private:
  static constexpr double share = 0.01;  ///< of the extent: a part that moves farther is named
  /// Of the extent, or rad, of EXACT coordinates: assembly ends with corrections below 1e-10 of the model's
  /// size (ERROR), and the next would be rounding, which the distance from the origin may magnify.
  static constexpr double rounding = 1e-9;
  static constexpr double digits = 1e-6;  ///< the same: what six digits of a dataset can mean
  static constexpr double turned = 0.02;  ///< [rad]: a part that turns farther is named
  struct Part {
    int body = 0;
    double distance = 0, turn = 0;  ///< of the origin of its BCS [length]; [rad]
  };
  void note_exact(const std::vector<ExactCoordinates::Change>& exact);

  const Model& model_;
  /// Size of the model: largest distance of a part from the mean of all, plus the largest distance of a
  /// marker from its part's centre of mass.
  double extent_ = 1;
  std::vector<Part> moved_;         ///< farthest first
  std::vector<std::string> exact_;  ///< "PART/2: X by 0.3, PSI by 2 deg"
  bool exact_beyond_digits_ = false;
};

}  // namespace trammel
