// The result of a search for an equilibrium.
#pragma once

#include <optional>
#include <string>

#include "analysis/statics/rest_stability.h"

namespace trammel {

/// About the equilibrium found, or about the state where the search ended.
struct EquilibriumReport {
  int iterations = 0;
  double imbalance = 0;                    ///< largest residual left
  double correction = 0;                   ///< largest entry of the last correction [length or rad]
  bool limited = false;                    ///< whether ALIMIT or TLIMIT shortened the last correction
  std::optional<RestStability> stability;  ///< where it was determined
  std::string creeping;  ///< what states still have to go that were not waited for; empty: nothing
};

}  // namespace trammel
