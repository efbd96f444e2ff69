// Invariants of a flexible body by the mass matrix of its finite elements.
#pragma once

#include "flexible/full_model.h"

namespace trammel {

/// All nine invariants, from T = ½ u̇ᵀ M u̇ with the velocities that the nodes have in the frame's axes,
///   u̇_p = v + ω × (s_p + Φ_p q) + Φ_p q̇,   ϑ̇_p = ω + Φ*_p q̇:
/// products of the mass matrix with the motions of the frame e_i, e_i × s, the modes, and e_i × φ_j. Exact
/// for elements without rotations; of rotary inertia what changes with q is left out, as lumped_invariants()
/// leaves it out. `shapes`: unknowns × modes, by columns.
Invariants consistent_invariants(const FullModel& model, const std::vector<double>& shapes, int modes);

}  // namespace trammel
