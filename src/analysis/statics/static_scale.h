// The size of a model and a slow rate of its motion: what the limits of a search for equilibrium are made of
// where the deck gives none, so that they do not depend on its units.
#pragma once

#include "analysis/analysis_options.h"
#include "model/model.h"
#include "model/state.h"

namespace trammel {

struct StaticScale {
  double extent = 1;  ///< the largest distance of a body or marker from the middle of the bodies
  double square = 1;  ///< 1/s², or 0.01 g/extent where that is more: the square of a slow rate [1/time²]
  double longest =
      10;  ///< translation of one iteration: ten extents, or half of what shapes of contacts measure
};
StaticScale static_scale(const Model& model, const State& state);

/// TLIMIT and STABILITY of the methods other than ORIGINAL, where the deck gives none: `longest`, and 1e-5 of
/// the square of that rate.
EquilibriumOptions scaled(const EquilibriumOptions& options, const StaticScale& scale);

}  // namespace trammel
