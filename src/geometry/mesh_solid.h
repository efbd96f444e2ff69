// A closed mesh with what the search for overlaps needs, made once.
#pragma once

#include <vector>

#include "geometry/bvh.h"
#include "geometry/mesh.h"
#include "geometry/mesh_view.h"

namespace trammel {

struct SolidMesh {
  TriangleMesh mesh;
  std::vector<MeshEdge> edges;
  std::vector<std::array<int, 3>> triangle_edges;  ///< from vertex k of a triangle to the next
  std::vector<int> vertex_edges;  ///< those of vertex v from first_edge[v] to first_edge[v + 1]
  std::vector<int> first_edge;
  std::vector<int> shell;         ///< by vertex
  std::vector<int> shell_vertex;  ///< one vertex of each shell
  std::vector<Vec3d> normals;     ///< by vertex: unit, mean of its triangles' by angle
  Bvh tree;
  bool inside_out;  ///< its triangles face inward: the solid is what lies around them, without end
  Vec3d centroid;   ///< of the volume, mesh's axes
  Vec3d middle;     ///< of the box around it
  double radius;    ///< of a ball about `middle` that holds it
};

/// Takes a mesh that check_mesh() has passed, or such a one with all triangles turned: a hole.
SolidMesh make_solid(TriangleMesh mesh);

MeshView view(const SolidMesh& solid);

}  // namespace trammel
