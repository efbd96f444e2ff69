// Between plain numbers and other scalars.
#pragma once

#include "math/pose.h"

namespace trammel {

template <class T>
TRAMMEL_HD Vec3d values(const Vec3<T>& a) {
  return {value_of(a.x), value_of(a.y), value_of(a.z)};
}

template <class T>
TRAMMEL_HD Pose<double> values(const Pose<T>& pose) {
  Pose<double> p;
  p.r = values(pose.r);
  for (int k = 0; k < 9; ++k) p.A.m[k] = value_of(pose.A.m[k]);
  return p;
}

/// The same numbers, which no variable changes.
template <class T>
TRAMMEL_HD Vec3<T> constant(const Vec3d& a) {
  return {T(a.x), T(a.y), T(a.z)};
}

}  // namespace trammel
