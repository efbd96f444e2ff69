// SuiteSparse KLU as a LinearSolver.
#pragma once

#include <memory>
#include <vector>

#include "linear/solver.h"

namespace trammel {

/// KLU with the given order for rows and columns, no block triangular form, no scaling, 32-bit indices
/// (Davis, Palamadai Natarajan: Algorithm 907, ACM TOMS 37, 2010).
std::unique_ptr<LinearSolver> make_klu_solver();

/// (L U)(i, j) = A(row[i], column[j]), L and U by rows, columns ascending, the unit diagonal of L stored.
/// The pattern contains every entry that can arise with these pivots, whatever the values.
struct RowFactors {
  std::vector<int> l_start, l_column, u_start, u_column;
  std::vector<double> l_value, u_value;
  std::vector<int> row, column;
};
/// Factors as make_klu_solver()->factor() does and returns the factors by rows. `out` is set when ok.
FactorStatus factor_by_rows(const SparsePattern& pattern, const std::vector<int>& order, const double* values,
                            double tolerance, RowFactors& out);

}  // namespace trammel
