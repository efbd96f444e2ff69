// The frames between which a body's 3-1-3 angles turn.
#pragma once

#include "math/vec3.h"

namespace trammel {

/// Orientation of a rigid body: A = G A₃₁₃(ε) R with G, R constant between re-basings.
struct OrientationBasis {
  Mat3d G = Mat3d::identity(), R = Mat3d::identity();
};

}  // namespace trammel
