// Our own LU factorization: a tree of dense fronts, pivots chosen inside them.
#pragma once

#include <memory>

#include "linear/solver.h"

namespace trammel {

/// Multifrontal LU (Duff, Reid: The multifrontal solution of unsymmetric sets of linear equations, SIAM J.
/// Sci. Stat. Comput. 5, 1984) on the tree that follows from the order and the pattern; dense kernels of our
/// own. Pivots are chosen by threshold partial pivoting among the rows that a front eliminates, never from
/// its border, so the structure never changes; a front without an acceptable pivot takes the largest it has,
/// and it is smallest_pivot() and the residual that tell. Full partial pivoting, which factor() with a
/// tolerance of 1 asks for, has to see the borders, too: such a factorization, and what follows until the
/// next factor(), is done by KLU. refactor() chooses the pivots in the fronts again, with the tolerance of
/// the last factor(): that costs nothing noticeable, and values may change more. All bits are the same for
/// every number of threads. The first factor() after analyze() allocates, and those by KLU, and the first
/// solve_many().
std::unique_ptr<LinearSolver> make_multifrontal_solver();

}  // namespace trammel
