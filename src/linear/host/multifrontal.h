// Our own LU factorization by the multifrontal method, with pivots chosen within fronts.
#pragma once

#include <memory>

#include "linear/solver.h"

namespace trammel {

/// Multifrontal LU (Duff, Reid: The multifrontal solution of unsymmetric sets of linear equations, SIAM J.
/// Sci. Stat. Comput. 5, 1984) on the assembly tree of order and pattern, with our own dense kernels.
/// Threshold partial pivoting among the rows eliminated in a front, never its border, so that the structure
/// is fixed; a front without an acceptable pivot takes its largest one, which smallest_pivot() and the
/// residual reveal. Full partial pivoting (factor() with a tolerance of 1) needs the borders, too: it is done
/// by KLU, as is everything up to the next factor(). refactor() chooses the pivots within fronts anew, with
/// the tolerance of the last factor(), at no noticeable cost. The bits do not depend on the number of
/// threads. Allocations: in the first factor() after analyze(), in those by KLU, in the first solve_many().
std::unique_ptr<LinearSolver> make_multifrontal_solver();

}  // namespace trammel
