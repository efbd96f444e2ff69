// Whether the modes of a file can be those of a body.
#pragma once

#include "base/diagnostics.h"
#include "flexible/modal_body.h"

namespace trammel {

/// Errors and warnings, each with the file and what would mend it.
void check_modal_body(const ModalBody& body, Diagnostics& diagnostics);

/// Indices of the modes that move the body without deforming it: the lowest, at most six, whose frequency is
/// below a thousandth of the next one's.
std::vector<int> rigid_modes(const ModalBody& body);

}  // namespace trammel
