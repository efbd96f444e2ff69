// Pieces of curves in a plane: lines, circular arcs and cubics, without inflection and with little turn.
#pragma once

#include <cmath>
#include <type_traits>

#include "geometry/order.h"
#include "math/vec2.h"

namespace trammel {

/// A piece from a (t = 0) to b (t = 1), whose direction turns one way and by `turn_limit` at most. So it is a
/// graph over its chord: with x along the chord from a and y to its left, its height is a function of x.
///   arc    (x, y) = middle + radius (cos, sin)(angle + sweep t), in the axes of the curve
///   cubic  c[0] t + c[1] t² + c[2] t³, along the chord and to its left
struct PlanarPiece {
  static constexpr double turn_limit = 0.53;  // 30°

  enum class Kind : unsigned char { line, arc, cubic };
  Kind kind = Kind::line;
  Vec2d a, b;         ///< to the last bit those of its neighbours
  Vec2d along;        ///< unit vector of the chord
  double length = 0;  ///< of the chord
  double bend = 0;    ///< the angle by which it turns over `length`, positive to the left
  Vec2d middle;
  double radius = 0, angle = 0, sweep = 0;
  Vec2d c[3];

  template <class T>
  TRAMMEL_HD Vec2<T> at(const T& t) const;
  /// Derivative by t.
  template <class T>
  TRAMMEL_HD Vec2<T> slope(const T& t) const;
  /// Its height over x along the chord, with the slope and with t there; beyond its ends that of its tangents
  /// there.
  struct Height {
    double y, slope, t;
  };
  TRAMMEL_CALLED Height height(double x) const;

 private:
  TRAMMEL_HD Vec2d in_chord_axes(const Vec2d& v) const { return {dot(along, v), cross(along, v)}; }
  template <class T>
  TRAMMEL_HD Vec2<T> from_chord_axes(const Vec2<T>& v) const {
    return {v.x * along.x - v.y * along.y, v.x * along.y + v.y * along.x};
  }
  TRAMMEL_HD Height cubic_height(double x) const;
  TRAMMEL_HD Height beyond(double x, double t) const;
};

template <class T>
TRAMMEL_HD inline Vec2<T> PlanarPiece::at(const T& t) const {
  using std::cos, std::sin;
  if constexpr (std::is_same_v<T, double>) {
    if (t == 0 || t == 1) return t == 0 ? a : b;
  }
  switch (kind) {
    case Kind::line:
      return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
    case Kind::arc: {
      const T phi = angle + sweep * t;
      return {middle.x + radius * cos(phi), middle.y + radius * sin(phi)};
    }
    case Kind::cubic:
      break;
  }
  const Vec2<T> v = from_chord_axes(
      Vec2<T>{t * (c[0].x + t * (c[1].x + t * c[2].x)), t * (c[0].y + t * (c[1].y + t * c[2].y))});
  return {a.x + v.x, a.y + v.y};
}

template <class T>
TRAMMEL_HD inline Vec2<T> PlanarPiece::slope(const T& t) const {
  using std::cos, std::sin;
  switch (kind) {
    case Kind::line:
      return {T(b.x - a.x), T(b.y - a.y)};
    case Kind::arc: {
      const T phi = angle + sweep * t;
      return {-(radius * sweep) * sin(phi), (radius * sweep) * cos(phi)};
    }
    case Kind::cubic:
      break;
  }
  return from_chord_axes(
      Vec2<T>{c[0].x + t * (2 * c[1].x + t * (3 * c[2].x)), c[0].y + t * (2 * c[1].y + t * (3 * c[2].y))});
}

/// On the tangent at the end t.
TRAMMEL_HD inline auto PlanarPiece::beyond(double x, double t) const -> Height {
  const Vec2d v = in_chord_axes(slope(t));
  const double from = t == 0 ? 0 : length, steep = v.y / v.x;
  return {steep * (x - from), steep, t + (x - from) / v.x};
}

TRAMMEL_HD inline auto PlanarPiece::cubic_height(double x) const -> Height {
  double low = 0, high = 1, t = x / length;
  for (int k = 0; k < 60; ++k) {
    const double f = t * (c[0].x + t * (c[1].x + t * c[2].x)) - x;
    const double rate = c[0].x + t * (2 * c[1].x + t * (3 * c[2].x));
    (f < 0 ? low : high) = t;
    double next = t - f / rate;
    if (!(next >= low && next <= high)) next = 0.5 * (low + high);
    if (std::fabs(next - t) <= 2e-16) break;
    t = next;
  }
  const Vec2d v{c[0].x + t * (2 * c[1].x + t * (3 * c[2].x)), c[0].y + t * (2 * c[1].y + t * (3 * c[2].y))};
  return {t * (c[0].y + t * (c[1].y + t * c[2].y)), v.y / v.x, t};
}

TRAMMEL_CALLED inline auto PlanarPiece::height(double x) const -> Height {
  if (kind == Kind::line) return {0, 0, x / length};
  if (x < 0) return beyond(x, 0);
  if (x > length) return beyond(x, 1);
  if (kind == Kind::cubic) return cubic_height(x);
  // A circle about (½ length, ± r cos β), β half the sweep: the arc is below its chord where it turns left.
  const double beta = 0.5 * std::fabs(sweep), off = x - 0.5 * length, side = sweep > 0 ? -1 : 1;
  const double up = std::sqrt((radius - off) * (radius + off)), base = radius * std::cos(beta);
  return {side * (up - base), -side * off / up,
          0.5 + 0.5 * std::asin(smaller(larger(off / radius, -1.0), 1.0)) / beta};
}

}  // namespace trammel
