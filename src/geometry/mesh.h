// Surfaces made of triangles.
#pragma once

#include <array>
#include <vector>

#include "math/vec3.h"

namespace trammel {

/// A surface of triangles in the axes and the unit of length of its file or shape. Seen from outside, the
/// vertices of a triangle go round counterclockwise.
struct TriangleMesh {
  std::vector<Vec3d> vertices;
  std::vector<std::array<int, 3>> triangles;  ///< numbers of vertices, from 0
};

}  // namespace trammel
