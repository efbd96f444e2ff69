#include <algorithm>

#include "geometry/planar_curve.h"

namespace trammel {

namespace {

/// The places at the distance `thickness` to the left of a path: of its ends, of corners along the line that
/// halves the angle.
std::vector<Vec2d> behind(const PlanarPath& path, double thickness) {
  std::vector<Vec2d> out;
  const auto add = [&](const Vec2d& place, const Vec2d& before, const Vec2d& after) {
    const Vec2d n = left_of(before), m = left_of(after);
    const double share = std::max(0.1, 1 + dot(n, m));
    out.push_back(place + (thickness / share) * (n + m));
  };
  Vec2d before = unit(path.pieces.front().slope(0.0));
  for (const PlanarPiece& piece : path.pieces) {
    add(piece.a, before, unit(piece.slope(0.0)));
    before = unit(piece.slope(1.0));
  }
  add(path.pieces.back().b, before, before);
  return out;
}

}  // namespace

PlanarCurve make_planar_wall(const PlanarPath& path, double& thickness) {
  const double length = path.length();
  for (thickness = length / 4; thickness > 1e-4 * length; thickness /= 2) {
    PlanarPath around = path;
    const std::vector<Vec2d> back = behind(path, thickness);
    Vec2d from = path.pieces.back().b;
    for (auto place = back.rbegin(); place != back.rend(); ++place) {
      around.add_line(from, *place);
      from = *place;
    }
    around.add_line(from, path.pieces.front().a);
    PlanarCurve wall = make_planar_curve(around);
    const Vec2d first = wall.pieces.front().a, begins = path.pieces.front().a;
    const bool kept = first.x == begins.x && first.y == begins.y;  // not reversed: solid to the left
    if (kept && !crosses_itself(wall)) return wall;
  }
  return {};
}

}  // namespace trammel
