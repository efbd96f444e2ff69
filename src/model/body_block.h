// Where a body stands among the unknowns.
#pragma once

#include "base/hd.h"

namespace trammel {

/// Unknowns of a body, one behind the other: three positions of its centre of mass (global axes) and, where
/// it can turn, three angles. The one place that knows how many there are.
struct BodyBlock {
  int first = 0;  ///< of the unknowns
  int count = 6;  ///< of a point mass 3

  /// A point mass has no orientation.
  TRAMMEL_HD bool turns() const { return count > 3; }
  /// The first of the angles ψ, θ, φ.
  TRAMMEL_HD int angles() const { return first + 3; }
};

}  // namespace trammel
