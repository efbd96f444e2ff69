// Sums over the nodes of a flexible body by which its mass matrix depends on its modal coordinates.
#pragma once

#include "flexible/modal_body.h"

namespace trammel {

/// All nine sums, over masses, rotary inertias and shapes of the nodes. Throws Failure(input) where the
/// masses of nodes are not told.
Invariants lumped_invariants(const ModalBody& body);

}  // namespace trammel
