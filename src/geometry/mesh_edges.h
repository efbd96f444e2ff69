// Which triangles of a mesh meet at an edge.
#pragma once

#include <vector>

#include "geometry/mesh.h"

namespace trammel {

/// A side of a triangle, between vertices low < high.
struct TriangleSide {
  int low, high;
  int triangle;
  bool forward;  ///< the triangle goes from low to high
};

/// All sides, three a triangle, those of one edge side by side: by low, high, triangle.
std::vector<TriangleSide> sorted_sides(const TriangleMesh& mesh);

}  // namespace trammel
