// How far a point is from a solid, and in which direction: what contact with a ball needs to know.
#pragma once

#include <cmath>

#include "geometry/shape.h"

namespace trammel {

/// Of a point p, in the axes of the solid:
///   distance  from the surface, negative inside
///   normal    outward unit normal where the surface is nearest to p; p − distance · normal is that place
/// Where several places are as near (the middle of a ball, of a box) one of them is taken, always the same.
template <class T>
struct Nearest {
  T distance;
  Vec3<T> normal;
};

namespace detail {

/// |v|, and v/|v|; 0 and `otherwise` for v = 0.
template <class T>
TRAMMEL_HD T length_and_direction(const Vec3<T>& v, const Vec3<T>& otherwise, Vec3<T>& direction) {
  if (value_of(v.x) == 0 && value_of(v.y) == 0 && value_of(v.z) == 0) {
    direction = otherwise;
    return T(0.0);
  }
  const T length = norm(v);
  direction = T(1.0 / length) * v;
  return length;
}

template <class T>
TRAMMEL_HD Nearest<T> nearest_to_ball(double radius, const Vec3<T>& p) {
  Nearest<T> out;
  out.distance = length_and_direction(p, {T(1.0), T(0.0), T(0.0)}, out.normal) - radius;
  return out;
}

/// Beyond the half edges by e = |p| − h: outside |max(e, 0)|, inside the largest e.
template <class T>
TRAMMEL_CALLED Nearest<T> nearest_to_box(const double* half, const Vec3<T>& p) {
  Vec3<T> beyond;
  int widest = 0;
  bool outside = false;
  T most = T(-HUGE_VAL);
  for (int k = 0; k < 3; ++k) {
    const double side = value_of(p[k]) < 0 ? -1 : 1;
    const T e = side * p[k] - half[k];
    if (value_of(e) > 0) {
      beyond[k] = side * e;
      outside = true;
    }
    if (value_of(e) > value_of(most)) {
      most = e;
      widest = k;
    }
  }
  Nearest<T> out;
  if (outside) {
    out.distance = length_and_direction(beyond, beyond, out.normal);
  } else {
    out.distance = most;
    out.normal[widest] = T(value_of(p[widest]) < 0 ? -1.0 : 1.0);
  }
  return out;
}

/// A distance in a half plane through the z axis, with its direction: radial, and along z.
template <class T>
struct InProfile {
  T distance, radial, axial;
};

/// In the profile with the corners (0, 0), (bottom, 0), (top, length), (0, length), r ≥ 0.
template <class T>
TRAMMEL_HD InProfile<T> nearest_in_trapezium(double length, double bottom, double top, const T& r,
                                             const T& z) {
  using std::sqrt;
  const double slant = std::hypot(length, top - bottom);
  const double nr = length / slant, nz = (bottom - top) / slant;  // normal of the slanted side
  const T from_side = nr * (r - bottom) + nz * z, below = -z, above = z - length;
  const T along = (-nz * (r - bottom) + nr * z) * (1 / slant);
  const bool within = value_of(along) >= 0 && value_of(along) <= 1;
  const double s = value_of(from_side), b = value_of(below), a = value_of(above);
  const InProfile<T> side{from_side, T(nr), T(nz)}, foot{below, T(0.0), T(-1.0)}, head{above, T(0.0), T(1.0)};
  if (s <= 0 && b <= 0 && a <= 0) return s >= b && s >= a ? side : b >= a ? foot : head;
  if (s > 0 && within) return side;
  if (b > 0 && value_of(r) <= bottom) return foot;
  if (a > 0 && value_of(r) <= top) return head;
  const bool lower = value_of(along) < 0;
  const T dr = r - (lower ? bottom : top), dz = z - (lower ? 0.0 : length);
  const T d = sqrt(T(dr * dr + dz * dz));
  return {d, T(dr / d), T(dz / d)};
}

/// Of a solid of revolution about z, from its distance in the profile.
template <class T, class Profile>
TRAMMEL_HD Nearest<T> nearest_by_profile(const Vec3<T>& p, const Profile& profile) {
  Vec3<T> radial;
  const T r = length_and_direction({p.x, p.y, T(0.0)}, {T(1.0), T(0.0), T(0.0)}, radial);
  const InProfile<T> in = profile(r, p.z);
  return {in.distance, in.radial * radial + Vec3<T>{T(0.0), T(0.0), in.axial}};
}

/// The circle of the tube in the profile: middle at r = ring.
template <class T>
TRAMMEL_HD InProfile<T> nearest_in_tube(double ring, double tube, const T& r, const T& z) {
  Vec3<T> direction;
  const T d = length_and_direction({T(r - ring), T(0.0), z}, {T(1.0), T(0.0), T(0.0)}, direction);
  return {d - tube, direction.x, direction.z};
}

/// t for which x_i = a_i² p_i/(t + a_i² − a²), a the shortest half axis, is on the ellipsoid: the largest
/// root of Σ (x_i/a_i)² = 1, t > 0 where p_i ≠ 0 along that axis. Newton's method, and bisection where that
/// leaves the bracket (Eberly, Distance from a Point to an Ellipse, an Ellipsoid, 2013).
TRAMMEL_CALLED inline double ellipsoid_parameter(const double* a, const double* longer, const Vec3d& p) {
  double across = 0, low = 0;
  for (int k = 0; k < 3; ++k) {
    across += a[k] * a[k] * p[k] * p[k];
    const double one_term = a[k] * std::fabs(p[k]) - longer[k];  // where this term alone is 1
    low = one_term > low ? one_term : low;
  }
  double high = std::sqrt(across), t = low;
  for (int n = 0; n < 200 && low < high; ++n) {
    double f = -1, slope = 0;
    for (int k = 0; k < 3; ++k) {
      const double d = t + longer[k], x = a[k] * p[k] / d;
      f += x * x;
      slope -= 2 * x * x / d;
    }
    if (f == 0) break;
    (f > 0 ? low : high) = t;
    double next = t - f / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == t) break;
    t = next;
  }
  return t;
}

template <class T>
TRAMMEL_CALLED Nearest<T> nearest_to_ellipsoid(const double* a, const Vec3<T>& p) {
  using std::sqrt;
  const double least = a[0] < a[1] ? (a[0] < a[2] ? a[0] : a[2]) : (a[1] < a[2] ? a[1] : a[2]);
  double longer[3];  // a_i² − a²
  Vec3<T> q = p;
  Vec3d at;
  for (int k = 0; k < 3; ++k) {  // a point in a plane of symmetry is taken a little beside it
    longer[k] = (a[k] - least) * (a[k] + least);
    const double off = 1e-13 * a[k];
    if (std::fabs(value_of(q[k])) < off) q[k] = q[k] + (value_of(q[k]) < 0 ? -off : off);
    at[k] = value_of(q[k]);
  }
  const double t0 = ellipsoid_parameter(a, longer, at);
  T f = T(-1.0);
  double slope = 0;
  for (int k = 0; k < 3; ++k) {
    const T x = (a[k] / (t0 + longer[k])) * q[k];
    f = f + x * x;
    slope -= 2 * value_of(x) * value_of(x) / (t0 + longer[k]);
  }
  const T t = T(t0) - f / T(slope);  // its derivatives, by those of f
  Vec3<T> x, n;
  for (int k = 0; k < 3; ++k) {
    x[k] = (a[k] * a[k]) * q[k] / (t + longer[k]);
    n[k] = x[k] * (1 / (a[k] * a[k]));
  }
  n = T(1.0 / norm(n)) * n;
  return {dot(n, p - x), n};
}

}  // namespace detail

/// Of p, in the axes of the shape. Finite for finite p. Where the surface has an edge, the distance is that
/// of the edge, and the normal turns from one face to the other as p goes round it.
template <class T>
TRAMMEL_CALLED Nearest<T> nearest(const Shape& shape, const Vec3<T>& p) {
  const double* s = shape.size;
  switch (shape.kind) {
    case ShapeKind::ball:
      return detail::nearest_to_ball(s[0], p);
    case ShapeKind::ellipsoid:
      return detail::nearest_to_ellipsoid(s, p);
    case ShapeKind::box:
      return detail::nearest_to_box(s, p);
    case ShapeKind::frustum:
      return detail::nearest_by_profile(
          p, [&](const T& r, const T& z) { return detail::nearest_in_trapezium(s[0], s[1], s[2], r, z); });
    case ShapeKind::torus:
      return detail::nearest_by_profile(
          p, [&](const T& r, const T& z) { return detail::nearest_in_tube(s[0], s[1], r, z); });
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::planar:
      break;
  }
  return {p.z, {T(0.0), T(0.0), T(1.0)}};
}

}  // namespace trammel
