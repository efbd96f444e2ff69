// Where two solids overlap that have no closed form together: as meshes.
#pragma once

#include <span>

#include "geometry/mesh_solid.h"
#include "geometry/touch.h"

namespace trammel {

/// All overlaps of a pair of which at least one is a mesh and the other a mesh, a ball or a half-space; at_I,
/// at_J: their frames in ground axes. Normals towards I. Valid until the next call of the same thread.
/// `solids`: what PlacedShape::mesh counts. T: double, or Dual<double, 6>, with as many overlaps in the same
/// order.
template <class T>
std::span<const Incident<T>> mesh_overlaps(const SolidMesh* const* solids, const PlacedShape& I,
                                           const Pose<T>& at_I, const PlacedShape& J, const Pose<T>& at_J);

extern template std::span<const Incident<double>> mesh_overlaps(const SolidMesh* const*, const PlacedShape&,
                                                                const Pose<double>&, const PlacedShape&,
                                                                const Pose<double>&);
extern template std::span<const Incident<Dual<double, 6>>> mesh_overlaps(const SolidMesh* const*,
                                                                         const PlacedShape&,
                                                                         const Pose<Dual<double, 6>>&,
                                                                         const PlacedShape&,
                                                                         const Pose<Dual<double, 6>>&);

}  // namespace trammel
