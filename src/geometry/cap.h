// What a plane cuts off a solid: what contact with a half-space needs to know.
#pragma once

#include <cmath>

#include "geometry/shape.h"

namespace trammel {

/// Of the part of a solid below the plane n·x = d (axes of the solid, n a unit vector):
///   centroid  of its volume
///   depth     from the plane down to the surface, along −n through the centroid; negative: nothing is below,
///   at
///             that distance
template <class T>
struct Cap {
  T depth = T(0.0);
  Vec3<T> centroid;
};

namespace detail {

/// An ellipsoid is a ball of radius 1 in x_i/a_i. There a cap of height h has its centroid at
/// 3 (2 − h)²/(4 (3 − h)) from the middle; the ray on to the surface stays a straight line.
template <class T>
TRAMMEL_CALLED Cap<T> cap_of_ellipsoid(const double* a, const Vec3<T>& n, const T& d) {
  using std::sqrt;
  Vec3<T> m;
  for (int k = 0; k < 3; ++k) m[k] = a[k] * n[k];
  const T reach = norm(m);  // of the ellipsoid, along n
  Cap<T> out;
  const T h = 1.0 + d / reach;
  out.depth = h * reach;
  if (!(value_of(h) > 0)) return out;
  const T away = value_of(h) >= 2 ? T(0.0) : T(3.0 * (2.0 - h) * (2.0 - h) / (4.0 * (3.0 - h)));
  T square = T(0.0), half = T(0.0);  // |c − s n|² = 1 in the ball's axes: square s² − 2 half s = 1 − away²
  for (int k = 0; k < 3; ++k) {
    const T unit = -away * m[k] / reach, along = n[k] / a[k];
    out.centroid[k] = a[k] * unit;
    square = square + along * along;
    half = half + unit * along;
  }
  const T s = (half + sqrt(T(half * half + square * (1.0 - away * away)))) / square;
  out.depth = d - dot(n, out.centroid) + s;
  return out;
}

/// A convex polygon of at most 5 corners: what is left of a rectangle below a plane.
template <class T>
struct Corners {
  Vec3<T> at[5];
  int count = 0;
};

/// Of the rectangle c ± u ± v what is below the plane.
template <class T>
TRAMMEL_CALLED Corners<T> face_below(const Vec3d& c, const Vec3d& u, const Vec3d& v, const Vec3<T>& n,
                                     const T& d) {
  Vec3<T> x[4];
  T above[4];
  for (int k = 0; k < 4; ++k) {
    const double su = k == 0 || k == 3 ? -1 : 1, sv = k < 2 ? -1 : 1;
    for (int i = 0; i < 3; ++i) x[k][i] = T(c[i] + su * u[i] + sv * v[i]);
    above[k] = dot(n, x[k]) - d;
  }
  Corners<T> out;
  for (int k = 0; k < 4; ++k) {
    const int next = (k + 1) % 4;
    if (value_of(above[k]) < 0) out.at[out.count++] = x[k];
    if ((value_of(above[k]) < 0) == (value_of(above[next]) < 0)) continue;
    const T part = above[k] / (above[k] - above[next]);
    out.at[out.count++] = x[k] + part * (x[next] - x[k]);
  }
  return out;
}

/// The part is a sum of cones from a point o of the plane to its faces: the face in the plane has none.
template <class T>
TRAMMEL_CALLED Cap<T> cap_of_box(const double* half, const Vec3<T>& n, const T& d) {
  Vec3<T> lowest, o;
  for (int k = 0; k < 3; ++k) lowest[k] = T(value_of(n[k]) > 0 ? -half[k] : half[k]);
  const T deepest = d - dot(n, lowest);
  Cap<T> out;
  out.depth = deepest;
  if (!(value_of(deepest) > 0)) return out;
  o = lowest + deepest * n;
  T volume = T(0.0);
  Vec3<T> moment;  // about o
  for (int face = 0; face < 6; ++face) {
    const int axis = face / 2, next = (axis + 1) % 3, third = (axis + 2) % 3;
    Vec3d c, u, v;
    c[axis] = face % 2 == 0 ? -half[axis] : half[axis];
    u[next] = half[next];
    v[third] = c[axis] > 0 ? half[third] : -half[third];
    const Corners<T> polygon = face_below(c, u, v, n, d);
    for (int k = 2; k < polygon.count; ++k) {  // tetrahedra o, x₀, x_{k−1}, x_k: six times their volume
      const Vec3<T> p = polygon.at[0] - o, q = polygon.at[k - 1] - o, r = polygon.at[k] - o;
      const T six = dot(p, cross(q, r));
      volume = volume + six;
      moment = moment + T(0.25 * six) * (p + q + r);
    }
  }
  // A part so thin that its volume is no number is where it is deepest.
  out.centroid = value_of(volume) > 0 ? o + T(1.0 / volume) * moment : lowest;
  T down = T(HUGE_VAL);
  for (int k = 0; k < 3; ++k) {
    if (value_of(n[k]) == 0) continue;
    const double wall = value_of(n[k]) > 0 ? -half[k] : half[k];
    const T s = (out.centroid[k] - wall) / n[k];
    if (value_of(s) < value_of(down)) down = s;
  }
  out.depth = d - dot(n, out.centroid) + down;
  return out;
}

}  // namespace detail
}  // namespace trammel
