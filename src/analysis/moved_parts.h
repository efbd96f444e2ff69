// How assembly changed the positions that the dataset gives: parts that it moved far, and EXACT coordinates
// that it changed.
#pragma once

#include <string>
#include <vector>

#include "assemble/kinematics.h"
#include "math/pose.h"
#include "model/model.h"

namespace trammel {

class MovedParts {
 public:
  /// Compares the parts as the dataset gives them (`initial`; `given`: centre of mass and axes of each body
  /// there) with the assembled parts.
  MovedParts(const Model& model, const InitialValues& initial, const std::vector<Pose<double>>& given,
             const Kinematics& assembled);

  /// A message that names parts whose EXACT coordinates changed, with the amounts; "" where none did.
  std::string exact_changed() const;
  /// A message that names parts that moved by more than a small share of the model's extent; "" where none
  /// did.
  std::string far_moved() const;

 private:
  static constexpr double share = 0.01;   ///< of the extent: a part that moves farther is named
  static constexpr double turned = 0.02;  ///< [rad]: a part that turns farther is named
  struct Part {
    int body = 0;
    double distance = 0, turn = 0;  ///< of the origin of its BCS [length]; [rad]
  };
  void note_exact(const Body& body, const std::array<bool, 6>& exact, const Vec3d& by, const Mat3d& from,
                  const Mat3d& to);

  const Model& model_;
  /// Size of the model: largest distance of a part from the mean of all, plus the largest distance of a
  /// marker from its part's centre of mass.
  double extent_ = 1;
  std::vector<Part> moved_;         ///< farthest first
  std::vector<std::string> exact_;  ///< "PART/2: X by 0.3, PSI by 2 deg"
};

}  // namespace trammel
