// What the assembly of a model did to the positions that its dataset gives: parts that it moved far, and
// coordinates that were to be kept.
#pragma once

#include <string>
#include <vector>

#include "assemble/kinematics.h"
#include "model/model.h"

namespace trammel {

class MovedParts {
 public:
  /// Compares the parts as given (`initial`, and `given` at it) with the parts as assembled.
  MovedParts(const Model& model, const InitialValues& initial, const Kinematics& given,
             const Kinematics& assembled);

  /// A message that names parts whose EXACT coordinates changed, with the amounts; "" where none did.
  std::string exact_changed() const;
  /// A message that names parts that moved by more than a small share of the model's extent; "" where none
  /// did.
  std::string far_moved() const;

 private:
  static constexpr double share = 0.01;   ///< of the extent: a part that moves farther is told
  static constexpr double turned = 0.02;  ///< [rad]: a part that turns farther is told
  struct Part {
    int body = 0;
    double distance = 0, turn = 0;  ///< of the BCS origin; [rad]
  };
  void note_exact(const Body& body, const std::array<bool, 6>& exact, const Vec3d& by, const Mat3d& from,
                  const Mat3d& to);

  const Model& model_;
  double extent_ = 1;  ///< of the model: farthest part from the middle, with the longest arm of a marker
  std::vector<Part> moved_;         ///< farthest first
  std::vector<std::string> exact_;  ///< "PART/2: X by 0.3, PSI by 2 deg"
};

}  // namespace trammel
