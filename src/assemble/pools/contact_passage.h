// How soon two shapes might pass each other: the way that they go is looked along, with the velocities and
// accelerations that they have.
#pragma once

#include "assemble/pools/contact_pair.h"
#include "geometry/box_gap.h"
#include "math/rotation_vector.h"

namespace trammel {

/// A shape as it goes on, in ground axes: its body's centre of mass is after t at x + v t + a t²/2, and all
/// of it turned about that by the rotation vector ω t + α t²/2.
struct MovingShape {
  Pose<double> now;  ///< of the frame of the shape
  MiddleBox box;     ///< around it, in that frame
  Vec3d arm;         ///< from the centre of mass to the middle of the box, now
  Vec3d x, v, a, w, alpha;
  TRAMMEL_HD Vec3d centre(double t) const { return x + t * (v + (0.5 * t) * a); }
  TRAMMEL_HD Pose<double> after(double t) const {
    const Mat3d turned = rotation_by(t * (w + (0.5 * t) * alpha)), A = turned * now.A;
    return {centre(t) + turned * arm - A * box.middle, A};
  }
  /// Of its point that is at p after t.
  TRAMMEL_HD Vec3d velocity(const Vec3d& p, double t) const {
    return v + t * a + cross(w + t * alpha, p - centre(t));
  }
};

/// The box of a mesh or a curve; else that of a ball around the shape.
TRAMMEL_HD inline MiddleBox box_around(const ShapeTables& tables, const PlacedShape& shape) {
  if (shape.mesh >= 0) return tables.meshes.solid[shape.mesh].tree.node[0].box;
  if (shape.curve >= 0) return tables.curves.curve[shape.curve].tree.node[0].box;
  return {{}, {shape.reach, shape.reach, shape.reach}};
}

/// A node of a flexible body goes on with its velocity; accelerations are those of the body's frame.
TRAMMEL_HD inline MovingShape moving_shape(const AssemblyView& w, const ShapeTables& tables, int marker,
                                           const PlacedShape& shape) {
  const MarkerKinematics<double>& m = w.array.marker[marker];
  MovingShape out{frame_of(shape, m), box_around(tables, shape), {}, {}, {}, {}, m.w, {}};
  const Vec3d middle = out.now.r + out.now.A * out.box.middle;
  out.x = middle;
  if (const int body = w.table.marker[marker].body; body >= 0) {
    const BodyKinematics& k = w.array.body[body];
    out.x = k.x, out.a = k.a, out.alpha = k.alpha;
  }
  out.arm = middle - out.x;
  out.v = m.v + cross(m.w, out.x - m.r);
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

/// What of an angular velocity of a shape, or its rate, moves its surface: not a spin about the axis that it
/// is round about.
TRAMMEL_HD inline Vec3d without_spin(const PlacedShape& shape, const MovingShape& moves, const Vec3d& turn) {
  if (shape.shape.kind == ShapeKind::ball) return {};
  const Vec3d axis = moves.now.A.column(2);
  return shape.is_round ? turn - dot(turn, axis) * axis : turn;
}

/// No less than how fast any place on a shape goes along n in the time from t on.
TRAMMEL_HD inline double speed_along(const PlacedShape& shape, const MovingShape& m, const Vec3d& n,
                                     double t) {
  const Vec3d turn = m.w + t * m.alpha;
  const double arm = norm(cross(turn, m.arm)), across = norm(cross(turn, n)) * norm(m.arm);
  return (arm < across ? arm : across) + norm(cross(without_spin(shape, m, turn), n)) * norm(m.box.half);
}
/// No less than how fast any places on both come nearer to each other along n, a unit vector.
TRAMMEL_HD inline PlaceMotion motion_along(const PlacedShape& I, const MovingShape& of_I,
                                           const PlacedShape& J, const MovingShape& of_J, const Vec3d& n,
                                           double t) {
  const Vec3d a = of_I.a - of_J.a, v = of_I.v - of_J.v + t * a;
  return {std::fabs(dot(v, n)) + speed_along(I, of_I, n, t) + speed_along(J, of_J, n, t),
          std::fabs(dot(a, n)) + norm(of_I.alpha) * (norm(of_I.arm) + norm(of_I.box.half)) +
              norm(of_J.alpha) * (norm(of_J.arm) + norm(of_J.box.half))};
}

/// How fast two shapes go against each other after t: the centres of mass of their bodies and, as it is seen
/// from the larger, no less than any place on the smaller.
struct PairMotion {
  PlaceMotion centre, any;
};
TRAMMEL_HD inline PairMotion motion_of_pair(const PlacedShape& I, const MovingShape& of_I,
                                            const PlacedShape& J, const MovingShape& of_J, double t) {
  const bool is_I = norm(of_I.box.half) < norm(of_J.box.half);
  const PlacedShape &small = is_I ? I : J, &large = is_I ? J : I;
  const MovingShape &a = is_I ? of_I : of_J, &b = is_I ? of_J : of_I;
  const Pose<double> at_a = a.after(t), at_b = b.after(t);
  const Vec3d r_a = at_a.r + at_a.A * a.box.middle, r_b = at_b.r + at_b.A * b.box.middle;
  const Vec3d v = a.velocity(r_a, t) - b.velocity(r_b, t), turn = b.w + t * b.alpha;
  const Vec3d turns[] = {turn, without_spin(large, b, turn)};
  const double reach = norm(a.box.half), rate = norm(a.a - b.a);
  double any = HUGE_VAL;
  for (const Vec3d& of_large : turns) {
    const double speed = norm(v - cross(of_large, r_a - r_b)) +
                         reach * norm(without_spin(small, a, a.w + t * a.alpha - of_large));
    any = speed < any ? speed : any;
  }
  return {{norm(a.v - b.v + t * (a.a - b.a)), rate},
          {any, rate + (norm(a.arm) + reach) * norm(without_spin(small, a, a.alpha - b.alpha))}};
}

/// What keeps two shapes apart, at least: of meshes the boxes around them, of curves in a plane balls around
/// these, seen along its normal.
TRAMMEL_HD inline BoxGap gap_between(const PlacedShape& I, const MovingShape& of_I, const Pose<double>& at_I,
                                     const PlacedShape& J, const MovingShape& of_J,
                                     const Pose<double>& at_J) {
  if (I.curve < 0 && J.curve < 0) return box_gap(of_I.box, at_I, of_J.box, at_J);
  const Vec3d normal = (I.curve >= 0 ? at_I : at_J).A.column(2);
  Vec3d between = at_I.r + at_I.A * of_I.box.middle - at_J.r - at_J.A * of_J.box.middle;
  between -= dot(between, normal) * normal;
  const double distance = norm(between), apart = distance - norm(of_I.box.half) - norm(of_J.box.half);
  if (!(apart > 0)) return {};
  return {apart, (1 / distance) * between};
}

/// The depth from which on one might come out on the other side of the other, infinite of a hole or a
/// half-space, which nothing passes: of closed form, where it is that from a centre to a surface, the mean
/// radius of balls inside both; of others the radius of a ball inside the thinner one that is no point.
TRAMMEL_HD inline double passing_depth(const PlacedShape& I, const PlacedShape& J) {
  if (overlap_count(I, J) > 0) return 0.5 * (I.inner + J.inner);
  const double thin = I.inner < J.inner ? I.inner : J.inner, thick = I.inner < J.inner ? J.inner : I.inner;
  return thick < HUGE_VAL && !(thin > 0) ? thick : thick < HUGE_VAL ? thin : HUGE_VAL;
}

/// A time in which two shapes that are apart do not go into each other by more than a depth; 0: they may not
/// be apart. Of closed form the distance between them is known.
TRAMMEL_HD inline double time_apart(const PlacedShape& I, const MovingShape& of_I, const Pose<double>& at_I,
                                    const PlacedShape& J, const MovingShape& of_J, const Pose<double>& at_J,
                                    double depth, double t) {
  if (overlap_count(I, J) > 0) {
    const double distance = -overlap(I, at_I, J, at_J, 0).depth;
    return distance > 0 ? motion_of_pair(I, of_I, J, of_J, t).any.time_of(distance + depth) : 0;
  }
  const BoxGap apart = gap_between(I, of_I, at_I, J, of_J, at_J);
  return apart.width > 0 ? motion_along(I, of_I, J, of_J, apart.along, t).time_of(apart.width + depth) : 0;
}

/// Of two shapes of element n that would go into each other, within a time, by more than passing_depth():
/// about when it is half of that, or a little later; infinite: they do not. Their overlaps are looked for
/// wherever, where they may not be apart, they have moved by that depth, or have turned for a tenth of the
/// time; so many times in all: then the time that has been looked through. touches: they overlap now.
TRAMMEL_CALLED inline double passage_of(const ShapeTables& tables, int n, const PlacedShape& I,
                                        const MovingShape& of_I, const PlacedShape& J,
                                        const MovingShape& of_J, bool touches, double time) {
  constexpr int most = 64, of_turns = 10;
  constexpr double least = 0.125;  // of the radius: no step ends nearer
  const double radius = passing_depth(I, J);
  if (!(radius > 0 && radius < HUGE_VAL)) return HUGE_VAL;
  if (!(motion_of_pair(I, of_I, J, of_J, 0).any.time_of(radius) < time)) return HUGE_VAL;
  double t = 0;
  bool touched = touches;  // where it was looked last
  for (int k = 0; k < most && t < time; ++k) {
    const Pose<double> at_I = of_I.after(t), at_J = of_J.after(t);
    if (const double apart = time_apart(I, of_I, at_I, J, of_J, at_J, radius / 2, t); apart > 0) {
      t += apart;
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
    const PairMotion now = motion_of_pair(I, of_I, J, of_J, t);
    const double moved = now.centre.time_of(radius), swept = now.any.time_of(radius);
    const double longest = moved < time / of_turns ? moved : time / of_turns;
    t += swept > longest ? swept : longest;
  }
  return t < time ? t : HUGE_VAL;
}

}  // namespace trammel
