#include "geometry/planar_piece.h"

#include <algorithm>

namespace trammel {

/// On the tangent at the end t.
auto PlanarPiece::beyond(double x, double t) const -> Height {
  const Vec2d v = in_chord_axes(slope(t));
  const double from = t == 0 ? 0 : length, steep = v.y / v.x;
  return {steep * (x - from), steep, t + (x - from) / v.x};
}

auto PlanarPiece::cubic_height(double x) const -> Height {
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

auto PlanarPiece::height(double x) const -> Height {
  if (kind == Kind::line) return {0, 0, x / length};
  if (x < 0) return beyond(x, 0);
  if (x > length) return beyond(x, 1);
  if (kind == Kind::cubic) return cubic_height(x);
  // A circle about (½ length, ± r cos β), β half the sweep: the arc is below its chord where it turns left.
  const double beta = 0.5 * std::fabs(sweep), off = x - 0.5 * length, side = sweep > 0 ? -1 : 1;
  const double up = std::sqrt((radius - off) * (radius + off)), base = radius * std::cos(beta);
  return {side * (up - base), -side * off / up,
          0.5 + 0.5 * std::asin(std::clamp(off / radius, -1.0, 1.0)) / beta};
}

}  // namespace trammel
