// Friction as arguments of a JOINT (FRICTION=ON), as older datasets give it.
#pragma once

#include <optional>

#include "dataset/description.h"

namespace trammel {

/// The description with a FRICTION more for each JOINT that has friction; nothing where none has.
std::optional<Description> with_joint_frictions(const Description& description, Diagnostics& diagnostics);

}  // namespace trammel
