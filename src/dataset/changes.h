// Changes of a description after it was read: by commands between simulations and by --set.
#pragma once

#include <string>

#include "base/diagnostics.h"
#include "dataset/description.h"

namespace trammel {

/// What keeps a change from being made: "PART/9 does not exist", "MOTION/1 is left out"; "" if nothing does.
std::string missing_target(const Description& description, const Statement& change);

/// Applies one change: a redefinition of a dataset statement (PART/2, MASS=3.5), ACTIVATE, DEACTIVATE. A
/// redefinition replaces the arguments that it names; arguments that belong to a choice it replaces are taken
/// out (ALPHA at a change from HHT to GSTIFF), and the whole statement is checked again. ACTIVATE and
/// DEACTIVATE mark the elements they name. Mistakes go to `diagnostics` at the command's place: an element
/// that does not exist, arguments that do not fit together. A change of an absent statement
/// (Description::absent) does nothing, without a message. References between statements are not checked:
/// check_description() does that, once for several changes.
void apply_change(Description& description, const Statement& change, Diagnostics& diagnostics);

}  // namespace trammel
