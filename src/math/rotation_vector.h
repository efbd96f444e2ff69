// Rotations by a vector ϑ along the axis, as long as the angle.
//
//   R = exp(ϑ̃),  ω = T(ϑ) ϑ̇,  T = 1 + c ϑ̃ + d ϑ̃²,  with c = (1 − cos ϑ)/ϑ², d = (ϑ − sin ϑ)/ϑ³
//
// Seen from half way, from exp(ϑ̃/2), T becomes symmetric:
//   exp(−ϑ̃/2) ω = B ϑ̇,  B = ∫ exp(tϑ̃) dt over −½ ≤ t ≤ ½ = 1 + d(ϑ/2) ϑ̃²/4,  B⁻¹ = 1 − e ϑ̃²
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

/// Of x = ϑ²: e of B⁻¹ and its derivative by x, and c(ϑ/2). Grows without bound towards ϑ = 2π.
template <class T>
struct HalfTurnSeries {
  T e, de, c;
  TRAMMEL_HD explicit HalfTurnSeries(const T& x) {
    const T y = 0.25 * x;  // of the half: B = s across ϑ, s = a(y) = sin(ϑ/2)/(ϑ/2), ds/dy = (d − c)/2
    const RotationSeries<T> half(y);
    c = half.c;
    e = 0.25 * half.d / half.a;
    de = (slope(half, y) * half.a - half.d * (half.d - half.c) * 0.5) / (16.0 * half.a * half.a);
  }

 private:
  /// dd/dy = (c − 3d)/2y = −Σ (k+1) (−y)^k / (2k+5)!
  TRAMMEL_HD static T slope(const RotationSeries<T>& half, const T& y) {
    if (value_of(y) > 1.0) return (half.c - 3.0 * half.d) / (2.0 * y);
    T sum = T(1.0);
    for (int k = 8; k >= 0; --k)
      sum = 1.0 - y * sum * ((k + 2.0) / ((k + 1.0) * (2.0 * k + 6) * (2.0 * k + 7)));
    return sum * (-1.0 / 120);
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

/// ϑ of R = exp(ϑ̃), 0 ≤ |ϑ| ≤ π, by the quaternion (w, v) of R: ϑ = 2 atan2(|v|, w) v/|v|.
template <class T>
TRAMMEL_HD Vec3<T> rotation_vector_of(const Mat3<T>& r) {
  using std::atan2, std::sqrt;
  // (w, v) times four times its largest component, so that nothing cancels (Shepperd's method)
  T w = 1.0 + r(0, 0) + r(1, 1) + r(2, 2);
  Vec3<T> v = {r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)};
  int largest = 0;
  for (int k = 1; k < 3; ++k)
    if (value_of(r(k, k)) > value_of(r(largest, largest))) largest = k;
  if (value_of(r(largest, largest)) > value_of(w) - 1.0) {
    const int i = largest, j = (i + 1) % 3, k = (i + 2) % 3;
    w = v[i];
    v[i] = 1.0 + r(i, i) - r(j, j) - r(k, k);
    v[j] = r(j, i) + r(i, j);
    v[k] = r(i, k) + r(k, i);
  }
  const T scale = 1.0 / sqrt(w * w + dot(v, v));
  const T cosine = value_of(w) < 0 ? T(-w * scale) : T(w * scale);
  v = (value_of(w) < 0 ? T(-scale) : scale) * v;
  const T x = dot(v, v);
  if (value_of(x) > 0.04) {
    const T sine = sqrt(x);
    return T(2.0 * atan2(sine, cosine) / sine) * v;
  }
  T ratio =
      T(1.0);  // asin(√x)/√x = Σ c_k x^k, c_{k+1} = c_k (2k+1)²/((2k+2)(2k+3)): below rounding after x¹¹
  for (int k = 10; k >= 0; --k)
    ratio = 1.0 + x * ratio * ((2.0 * k + 1) * (2.0 * k + 1) / ((2.0 * k + 2) * (2.0 * k + 3)));
  return T(2.0 * ratio) * v;
}

/// T(ϑ), whose columns are those of the axes.
TRAMMEL_HD inline Mat3d spin_matrix(const Vec3d& turn) {
  const RotationSeries<double> s(dot(turn, turn));
  const Mat3d cross_turn = skew(turn);
  return Mat3d::identity() + s.c * cross_turn + s.d * (cross_turn * cross_turn);
}

}  // namespace trammel
