// Full partial pivoting for solvers whose pivots come from within fronts.
#pragma once

#include <memory>

#include "linear/solver.h"

namespace trammel {

/// `inner`, except for factor() with a tolerance of 1: full partial pivoting takes pivots from the borders of
/// fronts, too, and is done by KLU, as is everything up to the next factor().
std::unique_ptr<LinearSolver> with_full_pivoting(std::unique_ptr<LinearSolver> inner);

}  // namespace trammel
