// Whether a mesh bounds a solid, and what can be mended.
#pragma once

#include <string>

#include "base/diagnostics.h"
#include "geometry/mesh.h"

namespace trammel {

/// Makes `mesh`, of the file or shape `name`, the outward surface of a solid. Mended with a note each:
/// triangles with a vertex twice and triangles that are there twice (removed); triangles of the opposite
/// sense to their neighbours and shells that are inside out (turned). A shell inside another may be inside
/// out: a cavity. That there are several shells is noted, too. Triangles of no area that close the surface
/// stay. Throws Failure(input) if the surface is open, has an edge of more than two triangles, has only one
/// side, or encloses no volume.
void check_mesh(TriangleMesh& mesh, const std::string& name, Diagnostics& diagnostics);

}  // namespace trammel
