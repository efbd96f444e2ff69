// Which shapes the GRAPHICS of a deck give, and between which of them a CONTACT can be computed.
#pragma once

#include <optional>
#include <string>

#include "dataset/statement_index.h"
#include "geometry/shape.h"

namespace trammel {

/// The kind of solid that a GRAPHICS statement gives, `mesh` for EXTERNAL, EXTRUSION and REVOLUTION, `planar`
/// for a curve; none for pictures and unknown shapes.
std::optional<ShapeKind> shape_kind(const Statement& graphics);

/// Whether a GRAPHICS is an EXTRUSION or a REVOLUTION.
bool has_profile(const Statement& graphics);

/// The .stl, .obj or .shl file of an EXTERNAL: with FILE=crane.x_t, ELEMENT=SOLID3 first crane_SOLID3.obj
/// beside it; then the file that FILE names, or one of the same name with another extension (for a Parasolid
/// file, which only Parasolid reads); none: there is no such file.
std::optional<std::string> mesh_file(const Description& description, const Statement& graphics);

/// The argument of a GRAPHICS that names the marker to which its shape is fixed; "": it has none.
std::string_view shape_marker(const Statement& graphics);

/// Whether the solid or curve of a GRAPHICS depends on an argument; true of those that only pictures show.
bool shape_depends_on(const Statement& graphics, std::string_view argument);

/// Whether a CONTACT takes the GRAPHICS of this id as a hole in its body: IFLIP (side 0) or JFLIP (1).
bool is_hole(const Statement& contact, int side, int id);

/// Why a CONTACT cannot be computed between its shapes, with the mend; "" where it can, and of other
/// statements.
std::string unsupported_shapes(const Description& description, const StatementIndex& statements,
                               const Statement& contact);

}  // namespace trammel
