// A closed mesh with what the search for overlaps needs, as plain pointers: on the processor or on a device.
#pragma once

#include "geometry/bvh_walk.h"

namespace trammel {

struct MeshEdge {
  int low, high;    ///< vertices, low < high
  int along, back;  ///< the triangle that goes from low to high, the one that goes back
};

/// See SolidMesh (mesh_solid.h).
struct MeshView {
  int vertices, triangles, edges, shells;  ///< how many
  const Vec3d* vertex;
  const int (*triangle)[3];
  const MeshEdge* edge;
  const int (*triangle_edge)[3];
  const int *vertex_edge, *first_edge;
  const int *shell, *shell_vertex;
  const Vec3d* normal;
  TreeView tree;
  bool inside_out;
  Vec3d centroid, middle;
  double radius;
};

}  // namespace trammel
