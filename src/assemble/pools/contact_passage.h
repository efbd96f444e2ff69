// How soon two shapes without closed form might pass each other. Where they are apart their distance is not
// known, so the way that they go is looked along, with the velocities and accelerations that they have.
#pragma once

#include "assemble/pools/contact_pair.h"
#include "geometry/box_gap.h"
#include "math/rotation_vector.h"

namespace trammel {

/// A shape as it goes on, in ground axes: after t the middle of the box around it is at
///   r + v t + a t²/2,   turned by the rotation vector ω t + α t²/2
struct MovingShape {
  Pose<double> now;  ///< of the frame of the shape
  MiddleBox box;
  Vec3d r, v, a, w, alpha;
  TRAMMEL_HD Vec3d place(double t) const { return r + t * (v + (0.5 * t) * a); }
  TRAMMEL_HD Pose<double> after(double t) const {
    const Mat3d A = rotation_by(t * (w + (0.5 * t) * alpha)) * now.A;
    return {place(t) - A * box.middle, A};
  }
  /// Of its point that is at p after t.
  TRAMMEL_HD Vec3d velocity(const Vec3d& p, double t) const {
    return v + t * a + cross(w + t * alpha, p - place(t));
  }
};

/// The box of a mesh; else that of a ball around the shape.
TRAMMEL_HD inline MiddleBox box_around(const ShapeTables& tables, const PlacedShape& shape) {
  if (shape.mesh >= 0) return tables.meshes.solid[shape.mesh].tree.node[0].box;
  return {{}, {shape.reach, shape.reach, shape.reach}};
}

/// Accelerations are those of the body's frame, also of a shape on a node of a flexible body.
TRAMMEL_HD inline MovingShape moving_shape(const AssemblyView& w, const ShapeTables& tables, int marker,
                                           const PlacedShape& shape) {
  const MarkerKinematics<double>& m = w.array.marker[marker];
  MovingShape out{frame_of(shape, m), box_around(tables, shape), {}, {}, {}, m.w, {}};
  out.r = out.now.r + out.now.A * out.box.middle;
  out.v = m.v + cross(m.w, out.r - m.r);
  if (const int body = w.table.marker[marker].body; body >= 0) {
    const BodyKinematics& k = w.array.body[body];
    const Vec3d arm = out.r - k.x;
    out.a = k.a + cross(k.alpha, arm) + cross(k.w, cross(k.w, arm));
    out.alpha = k.alpha;
  }
  return out;
}

/// How fast places go, and their acceleration.
struct PlaceMotion {
  double speed = 0, rate = 0;
  /// The time in which they go a way: speed t + rate t²/2.
  TRAMMEL_HD double time_of(double way) const {
    return 2 * way / (speed + std::sqrt(speed * speed + 2 * rate * way));
  }
};

/// How fast after t two shapes go against each other, as the smaller does in the axes of the larger: its
/// middle, and no less than any place on it. A spin about an axis that a shape is round about moves nothing.
struct PairMotion {
  PlaceMotion middle, any;
};
TRAMMEL_HD inline Vec3d without_spin(const PlacedShape& shape, const MovingShape& moves, const Vec3d& turn) {
  if (shape.shape.kind == ShapeKind::ball) return {};
  const Vec3d axis = moves.now.A.column(2);
  return shape.is_round ? turn - dot(turn, axis) * axis : turn;
}
/// `along`: only along a unit vector; null: in all directions.
TRAMMEL_HD inline PairMotion motion_of_pair(const PlacedShape& I, const MovingShape& of_I,
                                            const PlacedShape& J, const MovingShape& of_J, double t,
                                            const Vec3d* along) {
  const bool is_I = norm(of_I.box.half) < norm(of_J.box.half);
  const PlacedShape &small = is_I ? I : J, &large = is_I ? J : I;
  const MovingShape &a = is_I ? of_I : of_J, &b = is_I ? of_J : of_I;
  const auto size = [&](const Vec3d& x) { return along ? std::fabs(dot(x, *along)) : norm(x); };
  const auto of_turn = [&](const Vec3d& turn) {
    const Vec3d own = without_spin(small, a, turn);
    return norm(a.box.half) * (along ? norm(cross(own, *along)) : norm(own));
  };
  const Vec3d turn = b.w + t * b.alpha, twist = a.alpha - b.alpha;
  PairMotion least{{HUGE_VAL, 0}, {HUGE_VAL, 0}};
  const Vec3d turns[] = {turn, without_spin(large, b, turn)};
  for (const Vec3d& of_large : turns) {
    const double middle = size(a.v - b.v + t * (a.a - b.a) - cross(of_large, a.place(t) - b.place(t)));
    const double any = middle + of_turn(a.w + t * a.alpha - of_large);
    if (any < least.any.speed) least.middle.speed = middle, least.any.speed = any;
  }
  least.middle.rate = size(a.a - b.a);
  least.any.rate = least.middle.rate + of_turn(twist);
  return least;
}

/// What keeps two shapes apart, at least: of meshes the boxes around them, else balls. Curves in a plane have
/// no boxes in space.
TRAMMEL_HD inline BoxGap gap_between(const PlacedShape& I, const MovingShape& of_I, const Pose<double>& at_I,
                                     const PlacedShape& J, const MovingShape& of_J,
                                     const Pose<double>& at_J) {
  if (I.curve < 0 && J.curve < 0) return box_gap(of_I.box, at_I, of_J.box, at_J);
  const Vec3d between = at_I.r - at_J.r;
  const double distance = norm(between), apart = distance - I.reach - J.reach;
  if (!(apart > 0)) return {};
  return {apart, (1 / distance) * between};
}

/// Of two shapes of element n that would go into each other, within a time, by more than the radius of a ball
/// inside the thinner one: about when it is half of that, or a little later; infinite: they do not. Their
/// overlaps are looked for wherever, outside of each other's boxes, they have moved by that radius; by turns
/// three times, at the most; so many times in all: then the time that has been looked through. touches: they
/// overlap now.
TRAMMEL_CALLED inline double passage_of(const ShapeTables& tables, int n, const PlacedShape& I,
                                        const MovingShape& of_I, const PlacedShape& J,
                                        const MovingShape& of_J, bool touches, double time) {
  constexpr int most = 64, of_turns = 3;
  constexpr double least = 0.125;  // of the radius: no step ends nearer
  const double radius = I.inner < J.inner ? I.inner : J.inner;
  const bool has_end = I.inner < HUGE_VAL && J.inner < HUGE_VAL;  // nothing passes a half-space
  if (!has_end || !(radius > 0)) return HUGE_VAL;
  if (!(motion_of_pair(I, of_I, J, of_J, 0, nullptr).any.time_of(radius) < time)) return HUGE_VAL;
  double t = 0;
  bool touched = touches;  // where it was looked last
  for (int k = 0; k < most && t < time; ++k) {
    const Pose<double> at_I = of_I.after(t), at_J = of_J.after(t);
    const BoxGap apart = gap_between(I, of_I, at_I, J, of_J, at_J);
    if (apart.width > 0) {
      t += motion_of_pair(I, of_I, J, of_J, t, &apart.along).any.time_of(apart.width + radius / 2);
      touched = false;
      continue;
    }
    double wait = HUGE_VAL;
    bool touch = false;
    if (k > 0 || touches)
      for_overlaps(tables, n, I, at_I, J, at_J, [&](const ShapePair&, const Incident<double>& at) {
        if (!(at.depth > 0)) return;
        touch = true;
        if (touched && !(at.depth < radius)) return;  // that pushes now
        const double closing = dot(of_J.velocity(at.point, t) - of_I.velocity(at.point, t), at.normal);
        if (!(closing > 0 && at.depth + closing * (time - t) > radius)) return;
        const double to_half = radius / 2 - at.depth,
                     way = to_half > least * radius ? to_half : least * radius;
        wait = way / closing < wait ? way / closing : wait;
      });
    if (wait < HUGE_VAL) return t + wait;
    touched = touch;
    const PairMotion now = motion_of_pair(I, of_I, J, of_J, t, nullptr);
    const double moved = now.middle.time_of(radius), swept = now.any.time_of(radius);
    const double longest = moved < time / of_turns ? moved : time / of_turns;
    t += swept > longest ? swept : longest;
  }
  return t < time ? t : HUGE_VAL;
}

}  // namespace trammel
