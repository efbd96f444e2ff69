// Symbolic part of the multifrontal factorization: the assembly tree and the positions of entries in fronts.
#pragma once

#include <vector>

#include "linear/host/front_cost.h"
#include "linear/host/front_tree.h"
#include "linear/pattern.h"

namespace trammel {

/// Which unknowns may share a front.
enum class FrontVertices {
  by_pattern,     ///< those with the same pattern, and what cost merges along the elimination tree
  by_neighbours,  ///< neighbouring unknowns, too, whose patterns contain each other: those of a rigid body
};

/// Assembly tree of the pattern, made symmetric, for the given order or one with the same fill (unknowns keep
/// their order within a front). O(nonzeros + rows of all fronts). Pattern and order must be valid. Throws
/// Failure(solver) when sizes exceed 32-bit indices.
FrontTree make_fronts(const SparsePattern& pattern, const std::vector<int>& order, const FrontCost& cost = {},
                      FrontVertices vertices = FrontVertices::by_pattern);

}  // namespace trammel
