// Tables of the command flex about a flexible body.
#pragma once

#include <string>

#include "flexible/reduction.h"

namespace trammel {

/// Size, mass, invariants and the frequencies of its modes.
std::string modal_table(const ModalBody& body);

/// The input of a reduction, and its slowest modes.
std::string reduction_table(const FullModel& model, const Reduction& reduction);

}  // namespace trammel
