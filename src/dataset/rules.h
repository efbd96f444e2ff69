// Rules of single statements that no table expresses, by keyword (rules.cpp lists them all).
#pragma once

#include "base/diagnostics.h"
#include "dataset/description.h"

namespace trammel::rules {

void array(const Statement& s, Diagnostics& diagnostics);
void matrix(const Statement& s, Diagnostics& diagnostics);

/// Whether the integrator of this INTEGRATOR has no other formulation than I3.
bool knows_only_index3(const Statement& integrator);

}  // namespace trammel::rules
