// Files of triangle meshes: .stl, .obj, .shl (docs/file_formats.md).
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "geometry/mesh.h"

namespace trammel {

enum class MeshFormat { stl, obj, shl };

/// By the end of the file's name, case ignored. Throws Failure(unsupported) for any other.
MeshFormat mesh_format(const std::string& path);

/// A part of a file, by the name that it has there: `o` or `g` of .obj, `solid` of text .stl; case is
/// ignored.
struct MeshElement {
  std::string_view name;
  bool found = false;  ///< that a part has the name; of a file with one part or none all is taken if not
};

/// The mesh in the bytes of a file called `name`, or one element of it; numbers as the file has them.
/// Polygons are cut into triangles, vertices within 1e-9 of the mesh's size of each other are made one (a
/// note, unless they are equal). Whether it bounds a solid is for check_mesh(). Throws Failure(input) with
/// name and line, or byte of a binary file, and where none of several parts is the element.
TriangleMesh parse_mesh(std::string_view bytes, MeshFormat format, const std::string& name,
                        Diagnostics& diagnostics, MeshElement* element = nullptr);

/// The mesh of a file. Throws Failure(io) if it cannot be read, and what parse_mesh() does.
TriangleMesh read_mesh(const std::string& path, Diagnostics& diagnostics, MeshElement* element = nullptr);

}  // namespace trammel
