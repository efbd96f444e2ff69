// How deep a point is in a solid in a plane.
#pragma once

#include "geometry/planar_roots.h"
#include "geometry/planar_view.h"

namespace trammel {

/// Of a point, in the axes of the solid: its distance from the boundary, positive inside, and the outward
/// unit normal where that is nearest.
template <class T>
struct PlanarNearest {
  T depth;
  Vec2<T> normal;
};

namespace detail {

/// f = (x − p)·x' and f' at a place of a piece: zero where the distance from p is least.
TRAMMEL_HD inline ValueAndSlope along_piece(const PlanarPiece& piece, const Vec2d& p, double t) {
  const auto moving = Dual<double, 1>::variable(t, 0);
  const Vec2<Dual<double, 1>> d = piece.slope(moving);
  const Vec2d from = piece.at(t) - p, d1{d.x.v, d.y.v}, d2{d.x.d[0], d.y.d[0]};
  return {dot(from, d1), dot(d1, d1) + dot(from, d2)};
}

/// The parameter of a piece nearest to p.
TRAMMEL_CALLED inline double nearest_on(const PlanarPiece& piece, const Vec2d& p) {
  const auto f = [&](double t) { return along_piece(piece, p, t); };
  const bool away = f(0.0).value >= 0, back = f(1.0).value <= 0;
  if (!away && !back) return bracketed_root(f, 0, 1, false, 0.5);
  if (away != back) return away ? 0 : 1;
  const Vec2d a = piece.a - p, b = piece.b - p;
  return dot(a, a) <= dot(b, b) ? 0 : 1;
}

/// Beyond an end of a piece: the corner's distance, on the side that the mean normal says.
template <class T>
TRAMMEL_HD PlanarNearest<T> at_corner(const Vec2d& corner, const Vec2d& mean, const Vec2<T>& p) {
  const Vec2<T> off{p.x - corner.x, p.y - corner.y};
  const Vec2d away = values(off);
  if (away.x == 0 && away.y == 0) return {T(0.0), {T(mean.x), T(mean.y)}};
  const double side = dot(away, mean) < 0 ? 1 : -1;
  const T distance = norm(off);
  return {side * distance, T(-side / distance) * off};
}

}  // namespace detail

/// T: double or Dual<double, 3>. Where several places are as near one of them is taken.
template <class T>
TRAMMEL_CALLED PlanarNearest<T> nearest(const PlanarView& curve, const Vec2<T>& p) {
  const Vec2d here = values(p);
  double radius = HUGE_VAL, at = 0;
  int best = 0;
  visit_within(curve.tree, {here.x, here.y, 0}, radius, [&](int n) {
    const double t = detail::nearest_on(curve.piece[n], here), d = norm(curve.piece[n].at(t) - here);
    if (d < radius) radius = d, best = n, at = t;
  });
  const PlanarPiece& piece = curve.piece[best];
  const int count = curve.pieces;
  if (at == 0 || at == 1) {
    const PlanarPiece &before = at == 0 ? curve.piece[(best + count - 1) % count] : piece,
                      &after = at == 0 ? piece : curve.piece[(best + 1) % count];
    const Vec2d in = unit(before.slope(1.0)), out = unit(after.slope(0.0));
    constexpr double smooth = 1e-9;
    if (std::fabs(cross(in, out)) > smooth || dot(in, out) < 0)
      return detail::at_corner(at == 0 ? piece.a : piece.b, unit(-left_of(in + out)), p);
  }
  T t(at);
  if constexpr (!std::is_same_v<T, double>) {  // f(t, p) = 0 to first order
    const double bend = detail::along_piece(piece, here, at).slope;
    const Vec2d d = piece.slope(at);
    T along = d.x * p.x + d.y * p.y;
    along.v = 0;
    t = at + along * (1 / bend);
  }
  const Vec2<T> d = piece.slope(t), n = T(-1.0 / norm(d)) * left_of(d), x = piece.at(t);
  return {dot(n, x - p), n};
}

}  // namespace trammel
