// Where a body stands among the unknowns.
#pragma once

#include "base/hd.h"

namespace trammel {

/// Unknowns of a body, one behind the other: the position of its centre of mass along its axes of translation
/// and, where it can turn, angles. The one place that knows how many there are; body_motion.h says what they
/// mean.
struct BodyBlock {
  int first = 0;           ///< index of its first unknown
  short translations = 3;  ///< along the global axes; of a planar body 2, along those of its plane
  short rotations = 3;     ///< 3-1-3 angles; of a planar body 1, about the normal; of a point mass 0

  TRAMMEL_HD int count() const { return translations + rotations; }
  /// A point mass has no orientation.
  TRAMMEL_HD bool turns() const { return rotations > 0; }
  TRAMMEL_HD bool has_euler_angles() const { return rotations == 3; }
  TRAMMEL_HD bool planar() const { return rotations == 1; }
  /// The first of the angles.
  TRAMMEL_HD int angles() const { return first + translations; }
};

inline constexpr BodyBlock rigid_body{}, point_mass{.rotations = 0},
    planar_body{.translations = 2, .rotations = 1};

}  // namespace trammel
