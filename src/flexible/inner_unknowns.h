// Unknowns that finite elements have for themselves, beside those of their nodes.
#pragma once

#include <vector>

#include "flexible/full_model.h"

namespace trammel {

/// Takes the unknowns from `nodal` on out of both matrices: unknowns that belong to one element each, as the
/// nine of CalculiX's C3D8I, which bend its faces inward (incompatible modes). Without loads of their own
/// they follow the nodes,
///     u_i = T u_o,   T = −K_ii⁻¹ K_io,   K ← K_oo + K_oi T,   M ← M_oo + M_oi T + Tᵀ M_io + Tᵀ M_ii T
/// exact for the stiffness. Rigid motions do not strain the element, so that T of them is zero, and mass and
/// inertia stay as they are. Gives −1, or an unknown of a group that has not nine of them or whose K_ii is
/// not positive definite; then nothing is changed.
int condense_inner_unknowns(int nodal, int all, std::vector<MatrixEntry>& stiffness,
                            std::vector<MatrixEntry>& mass);

}  // namespace trammel
