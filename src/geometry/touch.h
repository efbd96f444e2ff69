// Where two solids overlap: pairs with a ball, by the distance of its middle, and pairs with a half-space, by
// what it cuts off.
#pragma once

#include "geometry/nearest.h"
#include "geometry/round_cap.h"
#include "geometry/walls.h"
#include "math/pose.h"

namespace trammel {

/// A solid that has its place in a body: its frame in that of the body.
struct PlacedShape {
  Shape shape;
  Vec3d r;
  Mat3d A = Mat3d::identity();
  double reach = 0;         ///< of the shape: see reach()
  double inner = 0;         ///< inner_radius(), or less
  int mesh = -1;            ///< its place among the solids of a model; −1: it has none
  int curve = -1;           ///< its place among the planar curves of a model; −1: it is none
  bool inside_out = false;  ///< the body is what lies around the shape, which is a hole in it
  bool is_round = false;    ///< about its z axis: a turn about it leaves the surface where it is
  int id = 0;               ///< its number in the model
};

/// How a pair of solids is held against each other in closed form.
enum class PairKind : unsigned char {
  none,             ///< it is not: as meshes
  ball_and_solid,   ///< I is a ball
  solid_and_ball,   ///< J is
  solid_on_ground,  ///< J is a half-space
  ground_on_solid,  ///< I is
  planar            ///< it is not: in a plane, one or both are planar
};

TRAMMEL_HD constexpr bool has_cap(ShapeKind kind) {
  return kind != ShapeKind::ball && kind != ShapeKind::half_space && kind != ShapeKind::mesh &&
         kind != ShapeKind::planar;
}
TRAMMEL_HD constexpr PairKind pair_kind(ShapeKind I, ShapeKind J) {
  if (I == ShapeKind::planar || J == ShapeKind::planar) return PairKind::planar;
  if (I == ShapeKind::mesh || J == ShapeKind::mesh) return PairKind::none;
  if (I == ShapeKind::ball) return PairKind::ball_and_solid;
  if (J == ShapeKind::ball) return PairKind::solid_and_ball;
  if (J == ShapeKind::half_space && has_cap(I)) return PairKind::solid_on_ground;
  if (I == ShapeKind::half_space && has_cap(J)) return PairKind::ground_on_solid;
  return PairKind::none;
}
TRAMMEL_HD constexpr PairKind pair_kind(const PlacedShape& I, const PlacedShape& J) {
  if (!I.inside_out && !J.inside_out) return pair_kind(I.shape.kind, J.shape.kind);
  const PlacedShape &hole = I.inside_out ? I : J, &other = I.inside_out ? J : I;
  const bool closed =
      hole.shape.kind != ShapeKind::mesh && other.shape.kind == ShapeKind::ball && !other.inside_out;
  if (!closed) return PairKind::none;
  return I.inside_out ? PairKind::solid_and_ball : PairKind::ball_and_solid;
}

TRAMMEL_HD constexpr bool in_closed_form(PairKind kind) {
  return kind != PairKind::none && kind != PairKind::planar;
}

/// How many overlaps a pair may have at once in closed form; 0: it has none, and its overlaps are those of
/// meshes or of curves in a plane.
TRAMMEL_HD constexpr int overlap_count(const PlacedShape& I, const PlacedShape& J) {
  if (!in_closed_form(pair_kind(I, J))) return 0;
  return I.inside_out ? walls(I.shape.kind) : J.inside_out ? walls(J.shape.kind) : 1;
}

namespace detail {

/// A ball of I at a place of J's surface; I, J: the frames of both, `at` in that of J.
template <class T>
TRAMMEL_HD Incident<T> ball_at_place(const Shape& ball, const Pose<T>& I, const Nearest<T>& at,
                                     const Pose<T>& J) {
  Incident<T> out;
  out.depth = ball.size[0] - at.distance;
  out.normal = J.A * at.normal;
  out.point = I.r - T(0.5 * (ball.size[0] + at.distance)) * out.normal;
  return out;
}

/// A ball of I and a solid of J.
template <class T>
TRAMMEL_HD Incident<T> ball_at_solid(const Shape& ball, const Pose<T>& I, const Shape& solid,
                                     const Pose<T>& J) {
  return ball_at_place(ball, I, nearest(solid, transpose_times(J.A, I.r - J.r)), J);
}

/// A ball of I in a hole of J, at one wall of it.
template <class T>
TRAMMEL_HD Incident<T> ball_in_hole(const Shape& ball, const Pose<T>& I, const Shape& hole, const Pose<T>& J,
                                    int wall) {
  const Nearest<T> at = nearest_on_wall(hole, wall, transpose_times(J.A, I.r - J.r));
  return ball_at_place(ball, I, Nearest<T>{T(-1.0 * at.distance), -at.normal}, J);
}

template <class T>
TRAMMEL_HD Cap<T> cap_of(const Shape& solid, const Vec3<T>& n, const T& d) {
  if (solid.kind == ShapeKind::box) return cap_of_box(solid.size, n, d);
  if (solid.kind == ShapeKind::frustum) return cap_of_frustum(solid.size, n, d);
  if (solid.kind == ShapeKind::torus) return cap_of_torus(solid.size, n, d);
  return cap_of_ellipsoid(solid.size, n, d);
}

/// A solid of I and a half-space of J.
template <class T>
TRAMMEL_HD Incident<T> solid_on_ground(const Shape& solid, const Pose<T>& I, const Pose<T>& J) {
  const Vec3<T> up = J.A.column(2), n = transpose_times(I.A, up);
  const T d = dot(up, J.r - I.r);
  const Cap<T> cap = cap_of(solid, n, d);
  Incident<T> out;
  out.depth = cap.depth;
  out.normal = up;
  const T above = dot(n, cap.centroid) - d + 0.5 * cap.depth;  // the middle between plane and surface
  out.point = I.r + I.A * cap.centroid - above * up;
  return out;
}

template <class T>
TRAMMEL_HD Incident<T> swapped(Incident<T> incident) {
  incident.normal = -incident.normal;
  return incident;
}

}  // namespace detail

/// The overlap of a solid of I with one of J, given their frames in ground axes. depth ≤ 0: there is none,
/// and −depth is the distance between them.
template <class T>
TRAMMEL_CALLED Incident<T> overlap(const Shape& I, const Pose<T>& at_I, const Shape& J, const Pose<T>& at_J) {
  switch (pair_kind(I.kind, J.kind)) {
    case PairKind::ball_and_solid:
      return detail::ball_at_solid(I, at_I, J, at_J);
    case PairKind::solid_and_ball:
      return detail::swapped(detail::ball_at_solid(J, at_J, I, at_I));
    case PairKind::solid_on_ground:
      return detail::solid_on_ground(I, at_I, at_J);
    case PairKind::ground_on_solid:
      return detail::swapped(detail::solid_on_ground(J, at_J, at_I));
    case PairKind::none:
    case PairKind::planar:
      break;
  }
  return {};
}

/// One of overlap_count(I, J) overlaps of placed solids, of which one may be a hole.
template <class T>
TRAMMEL_HD Incident<T> overlap(const PlacedShape& I, const Pose<T>& at_I, const PlacedShape& J,
                               const Pose<T>& at_J, int number) {
  if (I.inside_out) return detail::swapped(detail::ball_in_hole(J.shape, at_J, I.shape, at_I, number));
  if (J.inside_out) return detail::ball_in_hole(I.shape, at_I, J.shape, at_J, number);
  return overlap(I.shape, at_I, J.shape, at_J);
}

/// The frame of a solid, given that of its body.
template <class T>
TRAMMEL_CALLED Pose<T> frame_of(const PlacedShape& placed, const Pose<T>& body) {
  Vec3<T> r;
  Mat3<T> A;
  for (int k = 0; k < 3; ++k) r[k] = T(placed.r[k]);
  for (int k = 0; k < 9; ++k) A.m[k] = T(placed.A.m[k]);
  return {body.r + body.A * r, body.A * A};
}

}  // namespace trammel
