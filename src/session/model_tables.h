// DEBUG/DOF and DEBUG/TOPOLOGY: tables of a model as text, lines of the message file.
#pragma once

#include <string>

#include "analysis/initial_conditions.h"
#include "model/model.h"

namespace trammel {

/// The count of degrees of freedom: coordinates of each part, less the rows of each constraint, plus
/// redundant ones.
std::string freedom_table(const Model& model, const InitialReport& report);
/// Per part: each element on it, and the parts at the element's other ends.
std::string topology_table(const Model& model);

}  // namespace trammel
