// Two-vectors over any scalar (double or dual), host and device.
#pragma once

#include "base/hd.h"
#include "math/dual.h"

namespace trammel {

template <class T>
struct Vec2 {
  T x{}, y{};
};
using Vec2d = Vec2<double>;

template <class T>
TRAMMEL_HD Vec2<T> operator+(const Vec2<T>& a, const Vec2<T>& b) {
  return {a.x + b.x, a.y + b.y};
}
template <class T>
TRAMMEL_HD Vec2<T> operator-(const Vec2<T>& a, const Vec2<T>& b) {
  return {a.x - b.x, a.y - b.y};
}
template <class T>
TRAMMEL_HD Vec2<T> operator-(const Vec2<T>& a) {
  return {-a.x, -a.y};
}
template <class T>
TRAMMEL_HD Vec2<T> operator*(const T& s, const Vec2<T>& a) {
  return {s * a.x, s * a.y};
}
template <class T>
TRAMMEL_HD Vec2<T>& operator+=(Vec2<T>& a, const Vec2<T>& b) {
  a = a + b;
  return a;
}
template <class T>
TRAMMEL_HD T dot(const Vec2<T>& a, const Vec2<T>& b) {
  return a.x * b.x + a.y * b.y;
}
/// The z component of the cross product.
template <class T>
TRAMMEL_HD T cross(const Vec2<T>& a, const Vec2<T>& b) {
  return a.x * b.y - a.y * b.x;
}
template <class T>
TRAMMEL_HD T norm(const Vec2<T>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}
TRAMMEL_HD inline Vec2d unit(const Vec2d& a) {
  return (1 / norm(a)) * a;
}
template <class T>
TRAMMEL_HD Vec2d values(const Vec2<T>& a) {
  return {value_of(a.x), value_of(a.y)};
}
/// Turned by a right angle, to the left.
template <class T>
TRAMMEL_HD Vec2<T> left_of(const Vec2<T>& a) {
  return {-a.y, a.x};
}

}  // namespace trammel
