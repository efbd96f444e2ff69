// The list of all analyses, in which SIMULATE looks a name up. An analysis is one file of this folder and one
// line here.
#pragma once

#include <span>

#include "analysis/analysis.h"

namespace trammel {

// clang-format off
#define TRAMMEL_ANALYSES(X) \
  X(dynamics_analysis) \
  X(initial_analysis) \
  X(kinematics_analysis) \
  X(statics_analysis)
// clang-format on

#define TRAMMEL_DECLARE(row) extern const AnalysisRow row;
TRAMMEL_ANALYSES(TRAMMEL_DECLARE)
#undef TRAMMEL_DECLARE

std::span<const AnalysisRow* const> analyses();

}  // namespace trammel
