// The table of `trammel info --mass`.
#pragma once

#include <string>
#include <vector>

#include "model/solid_masses.h"

namespace trammel {

/// Volume, centroid and inertia of each solid, of all solids of a part together, and the values that the deck
/// gives the part; with a density > 0 [mass/length³] masses instead of volumes, and a line where MASS is far
/// from them.
std::string mass_table(const std::vector<PartSolids>& parts, double density);

}  // namespace trammel
