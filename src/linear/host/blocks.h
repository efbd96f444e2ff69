// Our own LU factorization by blocks, for mechanisms whose fronts are small: chains, loops, trees.
#pragma once

#include <memory>

#include "linear/solver.h"

namespace trammel {

/// Right-looking LU of dense blocks: each front, once eliminated, is subtracted from the later fronts at
/// places that analyze() has found, so that one table is read from its first row to its last. Pivots within
/// fronts as in make_multifrontal_solver(), chosen anew by refactor(), full partial pivoting by KLU. Subtrees
/// are divided among the threads; the sums of what they do to the fronts above are the same for any number of
/// threads. Allocations: in the first factor() after analyze(), and in those by KLU.
std::unique_ptr<LinearSolver> make_block_solver();

}  // namespace trammel
