// Definition of find_planar_overlaps() (planar_touch.h).
#pragma once

#include "geometry/planar_nearest.h"
#include "geometry/planar_search_definitions.h"
#include "geometry/planar_touch.h"

namespace trammel {

namespace detail {

using D3 = Dual<double, 3>;

/// The pose of one frame in another as far as it shows in the x-y plane of the latter, with how far it is out
/// of that.
template <class T>
struct RelativeInPlane {
  PlanarPose<T> pose;
  T out;
};

template <class T>
TRAMMEL_HD RelativeInPlane<T> in_plane_of(const Pose<T>& at, const Pose<T>& base) {
  const Vec3<T> r = transpose_times(base.A, at.r - base.r);
  const Mat3<T> A = transpose_times(base.A, at.A);
  RelativeInPlane<T> out;
  PlanarPose<T>& p = out.pose;
  p.r = {r.x, r.y};
  p.mirror = value_of(A.m[8]) < 0 ? -1 : 1;
  const Vec2<T> turned{A.m[0] + p.mirror * A.m[4], A.m[3] - p.mirror * A.m[1]};
  const T inverse = 1.0 / norm(turned);
  p.c = inverse * turned.x, p.s = inverse * turned.y;
  out.out = r.z;
  return out;
}

/// The same pose with its two coordinates and its angle as the variables.
TRAMMEL_HD inline const PlanarPose<double>& of_own_variables(const PlanarPose<double>& pose) {
  return pose;
}
TRAMMEL_HD inline PlanarPose<D3> of_own_variables(const PlanarPose<Dual<double, 6>>& pose) {
  PlanarPose<D3> out;
  out.r = {D3::variable(pose.r.x.v, 0), D3::variable(pose.r.y.v, 1)};
  out.c = D3(pose.c.v), out.s = D3(pose.s.v);
  out.c.d[2] = -pose.s.v, out.s.d[2] = pose.c.v;
  out.mirror = pose.mirror;
  return out;
}

/// What depends on these variables, by those of the pose.
TRAMMEL_HD inline double by_pose(double f, const PlanarPose<double>&) {
  return f;
}
TRAMMEL_HD inline Dual<double, 6> by_pose(const D3& f, const PlanarPose<Dual<double, 6>>& pose) {
  Dual<double, 6> out(f.v);
  for (int k = 0; k < 6; ++k)
    out.d[k] = f.d[0] * pose.r.x.d[k] + f.d[1] * pose.r.y.d[k] +
               f.d[2] * (pose.c.v * pose.s.d[k] - pose.s.v * pose.c.d[k]);
  return out;
}

/// Two circles, either of which may be a hole: towards the first, in the axes of the second.
template <class S>
TRAMMEL_HD PlanarOverlap<S> overlap_of_circles(const PlanarView& first, const Vec2<S>& r,
                                               const PlanarView& second) {
  const double radius[2] = {first.area < 0 ? -first.circle : first.circle,
                            second.area < 0 ? -second.circle : second.circle};
  const double side = radius[0] + radius[1] < 0 ? -1 : 1;  // a circle in a hole
  const bool concentric = value_of(r.x) == 0 && value_of(r.y) == 0;
  const S distance = concentric ? S(0.0) : norm(r);
  PlanarOverlap<S> out;
  out.normal = concentric ? Vec2<S>{S(side), S(0.0)} : S(side / distance) * r;
  out.depth = radius[0] + radius[1] - side * distance;
  // From the middle of the second its boundary is at its radius, and that of the first `depth` before.
  out.point = S(radius[1] - 0.5 * out.depth) * out.normal;
  return out;
}

/// The frame of a half-space for contact in a plane: y along its z axis, z as near to that of the plane as
/// may be.
template <class T>
TRAMMEL_HD Pose<T> upright(const Pose<T>& half_space, const Vec3<T>& across) {
  const Vec3<T> y = half_space.A.column(2);
  const Vec3<T> x = cross(y, across);
  const Vec3<T> unit = T(1.0 / norm(x)) * x;
  return {half_space.r, Mat3<T>::from_columns(unit, y, cross(unit, y))};
}

/// Overlaps of a curve with another shape, in the axes of the other at `base`; normals towards the curve.
/// False: there was no room for all.
template <class T, class Take>
TRAMMEL_HD bool find_in_plane(PlanarTouchWork<T>& work, const PlanarTables& tables, const PlacedShape& curve,
                              const RelativeInPlane<T>& at, const PlacedShape& other, Take&& take) {
  const auto pose = of_own_variables(at.pose);
  const PlanarView& first = tables.curve[curve.curve];
  const bool ground = other.shape.kind == ShapeKind::half_space;
  const PlanarView& second = ground ? *tables.block : tables.curve[other.curve];
  if (!ground && first.circle > 0 && second.circle > 0) {
    take(overlap_of_circles(first, pose.r, second));
    return true;
  }
  PlanarSearch<InPlane<T>> search(work.overlaps);
  if (!(ground ? search.find_cut(first, pose, second) : search.find(first, pose, second))) return false;
  for (const PlanarOverlap<InPlane<T>>& x : work.overlaps.overlaps) take(x);
  return true;
}

/// How far a curve is above the x axis.
TRAMMEL_HD inline double height_above_axis(const PlanarView& curve, const PlanarPose<double>& pose) {
  double least = HUGE_VAL;
  for (int n = 0; n < curve.pieces; ++n) {
    const PlanarPiece& piece = curve.piece[n];
    least = smaller(least, pose.place(piece.a).y);
    const double from = pose.turn(piece.slope(0.0)).y, to = pose.turn(piece.slope(1.0)).y;
    if (piece.kind == PlanarPiece::Kind::line || !(from < 0 && to > 0)) continue;
    double low = 0, high = 1;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (pose.turn(piece.slope(middle)).y < 0 ? low : high) = middle;
    }
    least = smaller(least, pose.place(piece.at(low)).y);
  }
  return least;
}

/// How far two shapes are from each other that do not overlap; 0 where that is not known: of two curves that
/// are no circles.
TRAMMEL_HD inline double distance_between(const PlanarView& first, const PlanarPose<double>& pose,
                                          const PlanarView* second) {
  double gap = 0;
  if (!second)
    gap = height_above_axis(first, pose);
  else if (first.circle > 0 && first.area > 0)
    gap = -nearest(*second, pose.r).depth - first.circle;
  else if (second->circle > 0 && second->area > 0)
    gap = -nearest(first, pose.place_back({0, 0})).depth - second->circle;
  return larger(gap, 0.0);
}

}  // namespace detail

template <class T>
TRAMMEL_CALLED bool find_planar_overlaps(PlanarTouchWork<T>& work, const PlanarTables& tables,
                                         const PlacedShape& I, const Pose<T>& at_I, const PlacedShape& J,
                                         const Pose<T>& at_J) {
  using S = InPlane<T>;
  work.found.clear();
  // The first of the two is a curve; the second gives the axes, but for a point.
  const bool swapped = I.shape.kind != ShapeKind::planar;
  const PlacedShape &first = swapped ? J : I, &second = swapped ? I : J;
  const Pose<T>&at_first = swapped ? at_J : at_I, &at_second = swapped ? at_I : at_J;
  const PlanarView& curve = tables.curve[first.curve];
  const bool point = second.shape.kind == ShapeKind::ball;
  const bool ground = second.shape.kind == ShapeKind::half_space;
  const Pose<T> base = point    ? at_first
                       : ground ? detail::upright(at_second, at_first.A.column(2))
                                : at_second;
  const auto at = detail::in_plane_of(point ? Pose<T>{at_second.r, at_first.A} : at_first, base);
  const auto take = [&](const S& depth, const Vec2<S>& normal, const Vec2<S>& place) {
    const auto back = [&](const S& f) { return detail::by_pose(f, at.pose); };
    const Vec3<T> n = base.A * Vec3<T>{back(normal.x), back(normal.y), T(0.0)};
    work.found.push({back(depth), swapped ? -n : n,
                     base.r + base.A * Vec3<T>{back(place.x), back(place.y), 0.5 * at.out}});
  };
  if (point) {
    const auto r = detail::of_own_variables(at.pose).r;
    const PlanarNearest<S> x = nearest(curve, r);
    take(x.depth, -x.normal, r + S(0.5 * x.depth) * x.normal);
    return !work.found.lacks();
  }
  if (!detail::find_in_plane(work, tables, first, at, second,
                             [&](const PlanarOverlap<S>& x) { take(x.depth, x.normal, x.point); }))
    return false;
  if (work.found.size == 0) {
    const PlanarView* other = ground ? nullptr : &tables.curve[second.curve];
    work.found.push({T(-detail::distance_between(curve, values(at.pose), other)), {}, {}});
  }
  return !work.found.lacks();
}

}  // namespace trammel
