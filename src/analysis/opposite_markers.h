// Markers that a constraint holds half a turn from each other.
#pragma once

#include <string>

#include "assemble/kinematics.h"
#include "model/model.h"

namespace trammel {

/// A message that names constraints which hold all axes of two markers parallel (FIXED, TRANSLATIONAL,
/// ORIENTATION) and were assembled with two of the three opposite, about the third; "" where there are none.
/// Their rows, û_I·ŵ_J = 0, hold for both (docs/theory.md, section 3), and nothing else tells that a marker
/// was turned the wrong way.
std::string opposite_markers(const Model& model, const Kinematics& assembled);

}  // namespace trammel
