// Random poses, and poses moved by a little.
#pragma once

#include <cmath>
#include <random>

#include "math/pose.h"

namespace trammel {

class Placements {
 public:
  double number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  int whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  Vec3d vector(double size) { return {number(-size, size), number(-size, size), number(-size, size)}; }
  Mat3d turn() {
    double q[4], size = 0;
    for (double& c : q) {
      c = std::normal_distribution<double>()(random_);
      size += c * c;
    }
    const double w = q[0] / std::sqrt(size);
    const Vec3d v = (1 / std::sqrt(size)) * Vec3d{q[1], q[2], q[3]};
    const Mat3d s = skew(v);
    return Mat3d::identity() + (2 * w) * s + 2.0 * (s * s);
  }

 private:
  std::mt19937 random_{7};
};

/// I moved by six small numbers: shift, and turn about its origin.
template <class T>
Pose<T> moved(const Pose<double>& at, const T (&by)[6]) {
  Pose<T> pose;
  Mat3<T> A;
  for (int k = 0; k < 9; ++k) A.m[k] = T(at.A.m[k]);
  const Mat3<T> s = skew(Vec3<T>{by[3], by[4], by[5]});
  // A turn to second order: its first derivative at zero is exact.
  pose.A = A + s * A + T(0.5) * (s * (s * A));
  pose.r = {at.r.x + by[0], at.r.y + by[1], at.r.z + by[2]};
  return pose;
}

}  // namespace trammel
