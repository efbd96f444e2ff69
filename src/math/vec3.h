// Three-vectors and 3×3 matrices over any scalar (double or dual), host and device.
#pragma once

#include "base/hd.h"
#include "math/dual.h"

namespace trammel {

template <class T>
struct Vec3 {
  T x{}, y{}, z{};
  TRAMMEL_HD T& operator[](int k) { return k == 0 ? x : (k == 1 ? y : z); }
  TRAMMEL_HD const T& operator[](int k) const { return k == 0 ? x : (k == 1 ? y : z); }
};
using Vec3d = Vec3<double>;

template <class T>
TRAMMEL_HD Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
TRAMMEL_HD Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
TRAMMEL_HD Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
TRAMMEL_HD Vec3<T> operator*(const T& s, const Vec3<T>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
TRAMMEL_HD Vec3<T> operator*(const Vec3<T>& a, const T& s) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
TRAMMEL_HD Vec3<T>& operator+=(Vec3<T>& a, const Vec3<T>& b) {
  a = a + b;
  return a;
}
template <class T>
TRAMMEL_HD Vec3<T>& operator-=(Vec3<T>& a, const Vec3<T>& b) {
  a = a - b;
  return a;
}
template <class T>
TRAMMEL_HD T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
TRAMMEL_HD Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
TRAMMEL_HD T norm(const Vec3<T>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}

/// Row-major 3×3 matrix; columns of an orientation matrix are the frame's axes.
template <class T>
struct Mat3 {
  T m[9]{};
  TRAMMEL_HD T& operator()(int i, int j) { return m[3 * i + j]; }
  TRAMMEL_HD const T& operator()(int i, int j) const { return m[3 * i + j]; }
  TRAMMEL_HD Vec3<T> column(int j) const { return {m[j], m[3 + j], m[6 + j]}; }
  TRAMMEL_HD Vec3<T> row(int i) const { return {m[3 * i], m[3 * i + 1], m[3 * i + 2]}; }
  TRAMMEL_HD static Mat3 identity() {
    Mat3 a;
    a.m[0] = a.m[4] = a.m[8] = T(1.0);
    return a;
  }
  TRAMMEL_HD static Mat3 from_columns(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
    Mat3 r;
    for (int i = 0; i < 3; ++i) {
      r(i, 0) = a[i];
      r(i, 1) = b[i];
      r(i, 2) = c[i];
    }
    return r;
  }
  TRAMMEL_HD static Mat3 diagonal(const T& a, const T& b, const T& c) {
    Mat3 r;
    r.m[0] = a;
    r.m[4] = b;
    r.m[8] = c;
    return r;
  }
};
using Mat3d = Mat3<double>;

template <class T>
TRAMMEL_HD Mat3<T> operator+(const Mat3<T>& a, const Mat3<T>& b) {
  Mat3<T> r;
  for (int k = 0; k < 9; ++k) r.m[k] = a.m[k] + b.m[k];
  return r;
}
template <class T>
TRAMMEL_HD Mat3<T> operator-(const Mat3<T>& a, const Mat3<T>& b) {
  Mat3<T> r;
  for (int k = 0; k < 9; ++k) r.m[k] = a.m[k] - b.m[k];
  return r;
}
template <class T>
TRAMMEL_HD Mat3<T> operator-(const Mat3<T>& a) {
  Mat3<T> r;
  for (int k = 0; k < 9; ++k) r.m[k] = -a.m[k];
  return r;
}
template <class T>
TRAMMEL_HD Mat3<T> operator*(const T& s, const Mat3<T>& a) {
  Mat3<T> r;
  for (int k = 0; k < 9; ++k) r.m[k] = s * a.m[k];
  return r;
}
template <class T>
TRAMMEL_HD Mat3<T>& operator+=(Mat3<T>& a, const Mat3<T>& b) {
  for (int k = 0; k < 9; ++k) a.m[k] = a.m[k] + b.m[k];
  return a;
}
template <class T>
TRAMMEL_HD Vec3<T> operator*(const Mat3<T>& a, const Vec3<T>& b) {
  return {a.m[0] * b.x + a.m[1] * b.y + a.m[2] * b.z, a.m[3] * b.x + a.m[4] * b.y + a.m[5] * b.z,
          a.m[6] * b.x + a.m[7] * b.y + a.m[8] * b.z};
}
template <class T>
TRAMMEL_HD Mat3<T> operator*(const Mat3<T>& a, const Mat3<T>& b) {
  Mat3<T> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r(i, j) = a(i, 0) * b(0, j) + a(i, 1) * b(1, j) + a(i, 2) * b(2, j);
  return r;
}
template <class T>
TRAMMEL_HD Mat3<T> transpose(const Mat3<T>& a) {
  Mat3<T> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r(i, j) = a(j, i);
  return r;
}
/// aᵀ b without forming the transpose.
template <class T>
TRAMMEL_HD Vec3<T> transpose_times(const Mat3<T>& a, const Vec3<T>& b) {
  return {a.m[0] * b.x + a.m[3] * b.y + a.m[6] * b.z, a.m[1] * b.x + a.m[4] * b.y + a.m[7] * b.z,
          a.m[2] * b.x + a.m[5] * b.y + a.m[8] * b.z};
}
template <class T>
TRAMMEL_HD Mat3<T> transpose_times(const Mat3<T>& a, const Mat3<T>& b) {
  Mat3<T> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r(i, j) = a(0, i) * b(0, j) + a(1, i) * b(1, j) + a(2, i) * b(2, j);
  return r;
}
/// The cross-product matrix ã: ã b = a × b (ADAMS/Solver primer, section 2.1).
template <class T>
TRAMMEL_HD Mat3<T> skew(const Vec3<T>& a) {
  Mat3<T> r;
  r(0, 1) = -a.z;
  r(0, 2) = a.y;
  r(1, 0) = a.z;
  r(1, 2) = -a.x;
  r(2, 0) = -a.y;
  r(2, 1) = a.x;
  return r;
}
template <class T>
TRAMMEL_HD Mat3<T> outer(const Vec3<T>& a, const Vec3<T>& b) {
  Mat3<T> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r(i, j) = a[i] * b[j];
  return r;
}
template <class T>
TRAMMEL_HD T determinant(const Mat3<T>& a) {
  return dot(a.column(0), cross(a.column(1), a.column(2)));
}
template <class T>
TRAMMEL_HD Mat3<T> inverse(const Mat3<T>& a) {
  const Vec3<T> c0 = a.column(0), c1 = a.column(1), c2 = a.column(2);
  const T scale = 1.0 / dot(c0, cross(c1, c2));
  Mat3<T> r;
  const Vec3<T> r0 = scale * cross(c1, c2), r1 = scale * cross(c2, c0), r2 = scale * cross(c0, c1);
  for (int j = 0; j < 3; ++j) {
    r(0, j) = r0[j];
    r(1, j) = r1[j];
    r(2, j) = r2[j];
  }
  return r;
}

}  // namespace trammel
