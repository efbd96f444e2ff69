// What the readers of meshes share: polygons cut into triangles, equal vertices made one.
#pragma once

#include <vector>

#include "geometry/mesh.h"

namespace trammel {

/// The most vertices of a polygon that cut_polygon() takes: its work grows with their square or worse.
inline constexpr int longest_polygon = 1000;

/// Appends the triangles of the polygon with these vertices of the mesh, of the same sense: by ears, so that
/// a plane polygon may have corners that point inward. Of one that crosses itself a fan is what remains.
void cut_polygon(TriangleMesh& mesh, std::vector<int> polygon);

/// Makes vertices within `tolerance` [length] of each other one, and drops those of no triangle. Returns how
/// many were made one with others that they do not equal.
int merge_vertices(TriangleMesh& mesh, double tolerance);

/// The lower and the upper corner of the box around all vertices [length].
std::array<Vec3d, 2> mesh_bounds(const TriangleMesh& mesh);

/// The diagonal of the box around all vertices [length].
double mesh_size(const TriangleMesh& mesh);

}  // namespace trammel
