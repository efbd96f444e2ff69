// How far a point in a hole is from its walls: what contact of a ball with the inside of a solid needs to
// know.
#pragma once

#include "geometry/nearest.h"

namespace trammel {

/// How many walls a hole of that shape has, each of which may touch a ball in it: faces of a box, side and
/// ends of a frustum.
TRAMMEL_HD constexpr int walls(ShapeKind kind) {
  return kind == ShapeKind::box ? 6 : kind == ShapeKind::frustum ? 3 : 1;
}

namespace detail {

template <class T>
TRAMMEL_HD Nearest<T> nearest_on_wall_of_box(const double* half, int wall, const Vec3<T>& p) {
  const int axis = wall / 2;
  const double side = wall % 2 == 0 ? -1 : 1;
  Nearest<T> out;
  out.distance = side * p[axis] - half[axis];
  out.normal[axis] = T(side);
  return out;
}

/// The side, the end at z = 0, the end at z = length. A wide cone may hide its side from a point at one end.
template <class T>
TRAMMEL_HD Nearest<T> nearest_on_wall_of_frustum(const double* size, int wall, const Vec3<T>& p) {
  const double length = size[0], bottom = size[1], top = size[2];
  if (wall == 1) return {T(-1.0 * p.z), {T(0.0), T(0.0), T(-1.0)}};
  if (wall == 2) return {p.z - length, {T(0.0), T(0.0), T(1.0)}};
  const double slant = std::hypot(length, top - bottom), nr = length / slant, nz = (bottom - top) / slant;
  return nearest_by_profile(p, [&](const T& r, const T& z) {
    const T outside = nr * (r - bottom) + nz * z;
    const double along = (nr * value_of(z) - nz * (value_of(r) - bottom)) / slant;
    const bool hidden = value_of(outside) <= 0 && (along < 0 || along > 1);
    return InProfile<T>{hidden ? T(-HUGE_VAL) : outside, T(nr), T(nz)};
  });
}

}  // namespace detail

/// Of p, in the axes of the shape, from one wall alone, of number 0 to walls(kind) − 1: negative inside the
/// hole, minus infinity where that wall has no place nearest to p; the normal points out of the hole.
template <class T>
TRAMMEL_HD Nearest<T> nearest_on_wall(const Shape& hole, int wall, const Vec3<T>& p) {
  if (hole.kind == ShapeKind::box) return detail::nearest_on_wall_of_box(hole.size, wall, p);
  if (hole.kind == ShapeKind::frustum) return detail::nearest_on_wall_of_frustum(hole.size, wall, p);
  return nearest(hole, p);
}

}  // namespace trammel
