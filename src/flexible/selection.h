// Some of the modes of a body.
#pragma once

#include <vector>

#include "flexible/modal_body.h"

namespace trammel {

/// The body with only those of its modes that have the given numbers, in its order; the modes keep their
/// numbers, and all that does not belong to modes stays. Throws Failure(usage) for a number that no mode has.
ModalBody with_modes(const ModalBody& body, const std::vector<int>& ids);

}  // namespace trammel
