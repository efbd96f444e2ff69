// DEBUG/DOF and DEBUG/TOPOLOGY: tables of a model as text, lines of the message file.
#pragma once

#include <string>

#include "analysis/initial_conditions.h"
#include "model/model.h"

namespace trammel {

/// How the degrees of freedom are counted: what parts add, what each constraint takes away, what is
/// redundant.
std::string freedom_table(const Model& model, const InitialReport& report);
/// By part: each element on it, and the parts at its other end.
std::string topology_table(const Model& model);

}  // namespace trammel
