// A solid in a plane as plain pointers: on the processor or on a device.
#pragma once

#include "geometry/bvh_walk.h"
#include "geometry/planar_piece.h"

namespace trammel {

/// See PlanarCurve (planar_curve.h).
struct PlanarView {
  int pieces;  ///< how many
  const PlanarPiece* piece;
  TreeView tree;
  double area;
  Vec2d centroid;
  double reach, circle;
};

/// Half the diagonal of the box around a curve.
TRAMMEL_HD inline double half_size(const PlanarView& curve) {
  return norm(curve.tree.node[0].box.half);
}

}  // namespace trammel
