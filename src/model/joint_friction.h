// Friction as arguments of a JOINT (FRICTION=ON), as older datasets give it.
#pragma once

#include <optional>

#include "dataset/description.h"

namespace trammel {

/// The description with a FRICTION more for each JOINT that has friction; nothing where none has.
std::optional<Description> with_joint_frictions(const Description& description, Diagnostics& diagnostics);

/// FRICTION=OFF in each JOINT whose friction is wrong or lacks something, with a warning that says what: the
/// joint itself holds without it.
void leave_out_wrong_frictions(Description& description, Diagnostics& diagnostics);

}  // namespace trammel
