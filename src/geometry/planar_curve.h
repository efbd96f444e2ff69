// Solids in a plane by their boundaries: closed curves of exact pieces.
#pragma once

#include <vector>

#include "geometry/bvh.h"
#include "geometry/planar_view.h"

namespace trammel {

/// A line from place to place, made of pieces.
struct PlanarPath {
  std::vector<PlanarPiece> pieces;

  void add_line(const Vec2d& a, const Vec2d& b);
  /// From `angle` on; `sweep` < 0: clockwise, |sweep| up to 2π.
  void add_arc(const Vec2d& middle, double radius, double angle, double sweep);
  /// A cubic by its ends and its derivatives there by a parameter from 0 to 1.
  void add_cubic(const Vec2d& a, const Vec2d& b, const Vec2d& slope_a, const Vec2d& slope_b);
  void reverse();
  double length() const;
  /// Whether its ends are one place, within 1e-9 of its length.
  bool closed() const;
};

/// A solid in the plane, to the left of its boundary; in the axes of its frame.
struct PlanarCurve {
  std::vector<PlanarPiece> pieces;  ///< each begins where the one before ends, the first where the last ends
  Bvh tree;                         ///< around the pieces; their numbers are its triangles'
  double area = 0;                  ///< < 0: the solid is outside the curve
  Vec2d centroid;                   ///< of what is inside the curve
  double reach = 0;                 ///< greatest distance of the curve from the origin
  double inner = 0;                 ///< less than the radius of a circle inside the solid
  double circle = 0;                ///< radius of a circle about the origin; 0: it is something else
};

/// The solid inside a closed path, whichever way that goes, or outside it.
PlanarCurve make_planar_curve(PlanarPath path, bool outside = false);

PlanarView view(const PlanarCurve& curve);

/// Whether two pieces that are no neighbours cross.
bool crosses_itself(const PlanarCurve& curve);

/// A wall with an open path as its face, solid to the left of it: it ends at right angles to the face, and is
/// as thick as a quarter of the path's length, or less where that would fold. `thickness` becomes that; no
/// pieces: the path crosses itself, or is folded more sharply than 1e-4 of its length.
PlanarCurve make_planar_wall(const PlanarPath& path, double& thickness);

}  // namespace trammel
