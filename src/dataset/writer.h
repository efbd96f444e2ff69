// Description -> dataset text.
#pragma once

#include <string>

#include "dataset/description.h"

namespace trammel {

/// The description as dataset text: one argument a line, full names, numbers in the shortest form that reads
/// back to the same double, angles in radians. Reading it again gives an equal description (places and the
/// original spelling aside).
std::string write_dataset(const Description& description);

/// One statement in the same form, several lines, each ended by a newline.
std::string write_statement(const Statement& statement);

}  // namespace trammel
