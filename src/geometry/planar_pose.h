// Where a frame is in a plane, and how it is turned.
#pragma once

#include "math/vec2.h"

namespace trammel {

/// Of a frame in another of the same plane: position, cosine and sine of the angle; mirror −1: seen from the
/// other side, its y axis is reversed.
template <class T>
struct PlanarPose {
  Vec2<T> r;
  T c = T(1.0), s = T(0.0);
  double mirror = 1;

  TRAMMEL_HD Vec2<T> turn(const Vec2<T>& v) const {
    const T y = mirror * v.y;
    return {c * v.x - s * y, s * v.x + c * y};
  }
  TRAMMEL_HD Vec2<T> place(const Vec2<T>& v) const { return r + turn(v); }
  /// The inverses.
  TRAMMEL_HD Vec2<T> turn_back(const Vec2<T>& v) const {
    return {c * v.x + s * v.y, mirror * (c * v.y - s * v.x)};
  }
  TRAMMEL_HD Vec2<T> place_back(const Vec2<T>& v) const { return turn_back(v - r); }
};

template <class T>
TRAMMEL_HD PlanarPose<double> values(const PlanarPose<T>& p) {
  return {values(p.r), value_of(p.c), value_of(p.s), p.mirror};
}

}  // namespace trammel
