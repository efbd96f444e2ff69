// Rotations by a vector ϑ along the axis, as long as the angle.
//
//   R = exp(ϑ̃),  ω = T(ϑ) ϑ̇,  T = 1 + c ϑ̃ + d ϑ̃²,  with c = (1 − cos ϑ)/ϑ², d = (ϑ − sin ϑ)/ϑ³
#pragma once

#include "math/dual.h"
#include "math/vec3.h"

namespace trammel {

/// sin ϑ/ϑ, (1 − cos ϑ)/ϑ² and (ϑ − sin ϑ)/ϑ³ of x = ϑ²: smooth also at 0.
template <class T>
struct RotationSeries {
  T a{}, c{}, d{};
  TRAMMEL_HD explicit RotationSeries(const T& x) {
    if (value_of(x) > 1.0) {
      using std::cos, std::sin, std::sqrt;
      const T angle = sqrt(x);
      a = sin(angle) / angle;
      c = (1.0 - cos(angle)) / x;
      d = (1.0 - a) / x;
      return;
    }
    // Σ (−x)^k / (2k+1)!, / (2k+2)!, / (2k+3)!: what is left out is below rounding for x ≤ 1
    for (int k = 9; k >= 0; --k) {
      const double f = 2.0 * k;
      a = 1.0 - x * a * (1.0 / ((f + 2) * (f + 3)));
      c = 1.0 - x * c * (1.0 / ((f + 3) * (f + 4)));
      d = 1.0 - x * d * (1.0 / ((f + 4) * (f + 5)));
    }
    c = c * 0.5;
    d = d * (1.0 / 6.0);
  }
};

/// R = exp(ϑ̃).
template <class T>
TRAMMEL_HD Mat3<T> rotation_by(const Vec3<T>& turn) {
  const RotationSeries<T> s(dot(turn, turn));
  const Mat3<T> cross_turn = skew(turn);
  return Mat3<T>::identity() + s.a * cross_turn + s.c * (cross_turn * cross_turn);
}

/// T(ϑ) x.
template <class T>
TRAMMEL_HD Vec3<T> spin_of(const Vec3<T>& turn, const Vec3<T>& x) {
  const RotationSeries<T> s(dot(turn, turn));
  const Vec3<T> across = cross(turn, x);
  return x + s.c * across + s.d * cross(turn, across);
}

/// T(ϑ), whose columns are those of the axes.
TRAMMEL_HD inline Mat3d spin_matrix(const Vec3d& turn) {
  const RotationSeries<double> s(dot(turn, turn));
  const Mat3d cross_turn = skew(turn);
  return Mat3d::identity() + s.c * cross_turn + s.d * (cross_turn * cross_turn);
}

}  // namespace trammel
