// How a search for an equilibrium ended.
#pragma once

#include <optional>

#include "analysis/statics/rest_stability.h"

namespace trammel {

/// An equilibrium that was found, or where the search ended.
struct EquilibriumReport {
  int iterations = 0;
  double imbalance = 0;                    ///< largest residual left
  double correction = 0;                   ///< the last [length or rad]
  bool limited = false;                    ///< by ALIMIT or TLIMIT in the last iteration
  std::optional<RestStability> stability;  ///< where it was looked at
};

}  // namespace trammel
