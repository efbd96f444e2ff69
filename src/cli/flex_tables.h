// What the command flex tells of a flexible body.
#pragma once

#include <string>

#include "flexible/reduction.h"

namespace trammel {

/// Size, mass, invariants and the frequencies of its modes.
std::string modal_table(const ModalBody& body);

/// What went into a reduction, and its slowest modes.
std::string reduction_table(const FullModel& model, const Reduction& reduction);

}  // namespace trammel
