// Where a frame is and how it is turned.
#pragma once

#include "math/vec3.h"

namespace trammel {

/// Of a frame in another: r position of its origin, A orientation (columns = its axes).
template <class T>
struct Pose {
  Vec3<T> r;
  Mat3<T> A;
};

}  // namespace trammel
