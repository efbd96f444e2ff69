// Marker kinematics for elements and measures.
#pragma once

#include "math/pose.h"

namespace trammel {

/// Kinematics of a marker, every component in global axes.
///   r position [length], A orientation (columns = marker axes), v = ṙ, w angular velocity [rad/time],
///   a = r̈, alpha angular acceleration. Marker 0 of a model is the ground frame: r = 0, A = I, at rest.
/// The variation of a marker is (δr, δθ) with δA = [δθ]× A; velocities vary independently (δv, δω).
template <class T>
struct MarkerKinematics : Pose<T> {
  Vec3<T> v, w, a, alpha;
};

}  // namespace trammel
