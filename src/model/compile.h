// Description → Model: resolves names, builds tables and tapes.
#pragma once

#include <array>
#include <set>

#include "base/diagnostics.h"
#include "dataset/description.h"
#include "model/model.h"

namespace trammel {

/// AX, AY or AZ (0, 1, 2) between two MARKERs, by their ids, whose turns functions ask for.
using CountedAngle = std::array<int, 3>;
std::set<CountedAngle> counted_angles(const Model& model);

/// Compiles a description that the dataset checks have passed. Mistakes that only show here (expressions,
/// inertia, unsupported arguments) go to `diagnostics`; with errors in it the model must not be run. Turns
/// of the angles `counted` are counted as well, though no function of this model may ask for them: a later
/// one does.
Model compile(const Description& description, Diagnostics& diagnostics,
              const std::set<CountedAngle>& counted = {});

}  // namespace trammel
