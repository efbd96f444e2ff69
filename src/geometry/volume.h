// Volume and inertia of shapes in closed form.
#pragma once

#include "geometry/mesh_mass.h"
#include "geometry/shape.h"

namespace trammel {

/// Volume, centroid and inertia about it of a shape in its own axes (theory.md, contact); a point has none.
/// Throws Failure(input) for a half-space, which has no end; of meshes: mesh_mass().
MeshMass shape_mass(const Shape& shape);

/// The same in axes turned by A and moved by r: x = r + A x_shape.
MeshMass placed_mass(const MeshMass& mass, const Vec3d& r, const Mat3d& A);

/// Of two solids that have nothing in common, together.
MeshMass sum_of(const MeshMass& a, const MeshMass& b);

/// The inertia about a point [length⁵]: that about the centroid and volume times squares of distances.
Mat3d inertia_about(const MeshMass& mass, const Vec3d& point);

}  // namespace trammel
