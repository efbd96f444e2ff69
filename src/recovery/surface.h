// The outside of a body of solid elements.
#pragma once

#include <array>
#include <vector>

#include "flexible/modal_fields.h"

namespace trammel {

/// Corners of a face, indices of nodes in the fields, around it; of a triangle the last one twice.
using SurfaceFace = std::array<int, 4>;

/// The faces that belong to one element only.
std::vector<SurfaceFace> surface_of(const ModalFields& fields);

}  // namespace trammel
