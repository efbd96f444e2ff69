// Volumes and inertias of the solids that GRAPHICS statements give.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "dataset/description.h"
#include "geometry/mesh_mass.h"

namespace trammel {

/// A solid of a part. Solids of one part may overlap: each counts in full.
struct SolidMass {
  const Statement* graphics = nullptr;
  std::string reason;  ///< why it has no volume: what is missing; empty: it has one
  MeshMass mass{};     ///< in the axes of the part, from its centre of mass
};
struct PartSolids {
  std::string name;
  double mass = 0;  ///< as the deck gives it
  Mat3d inertia;    ///< about the centre of mass, axes of the part, as the deck gives it
  std::vector<SolidMass> solids;
};

/// The solids of each part with GRAPHICS, in the order of the deck, ground first. Pictures and planes are
/// left out. The description must be one that compile() has taken.
std::vector<PartSolids> solids_of_parts(const Description& description);

}  // namespace trammel
