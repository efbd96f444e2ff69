// SuiteSparse KLU behind the solver contract.
#pragma once

#include <memory>

#include "linear/solver.h"

namespace trammel {

/// KLU with the given order for rows and columns, no block triangular form, no scaling, 32-bit indices
/// (Davis, Palamadai Natarajan: Algorithm 907, ACM TOMS 37, 2010).
std::unique_ptr<LinearSolver> make_klu_solver();

}  // namespace trammel
