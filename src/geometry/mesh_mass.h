// Volume and inertia of the solid in a mesh.
#pragma once

#include "geometry/mesh.h"

namespace trammel {

struct MeshMass {
  double volume;   ///< negative if the mesh is inside out [length³]
  Vec3d centroid;  ///< in the mesh's axes; of all vertices where the volume is zero [length]
  Mat3d inertia;  ///< about the centroid, per unit density, mesh's axes: Σ ∫ (|x|² 1 − x xᵀ) dV [length⁵]
};

/// By the divergence theorem, as a sum of tetrahedra on the triangles (theory.md, overlap of meshes).
MeshMass mesh_mass(const TriangleMesh& mesh);

}  // namespace trammel
