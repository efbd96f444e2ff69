// Some of the modes of a body.
#pragma once

#include <vector>

#include "flexible/modal_body.h"

namespace trammel {

/// The body with those of its modes alone that have the given numbers, in its order; numbers, nodes and all
/// that does not belong to modes stay. Throws Failure(usage) for a number that no mode has.
ModalBody with_modes(const ModalBody& body, const std::vector<int>& ids);

}  // namespace trammel
