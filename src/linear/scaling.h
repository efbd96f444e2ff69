// Power-of-two row and column factors that bring the entries of the system matrix near one.
#pragma once

#include <vector>

#include "linear/pattern.h"

namespace trammel {

/// The scaled matrix is row[i] * a_ij * column[j]; all factors are powers of two, so scaling is exact.
struct Scaling {
  std::vector<double> row;
  std::vector<double> column;
};

/// Factors from characteristic magnitudes: row[i] = 1 / row_magnitude[i] (unit of equation i), column[j] =
/// column_magnitude[j] (unit of unknown j), rounded to powers of two. Throws Failure(internal) for magnitudes
/// that are not finite and positive.
Scaling characteristic_scaling(const std::vector<double>& row_magnitude,
                               const std::vector<double>& column_magnitude);

/// Throws Failure(internal) unless there is a pattern (`analyzed`) and the factors are n and n.
void check_scaling(const Scaling& scaling, int n, bool analyzed);

/// Factors from one matrix [ M Phi^T ; Phi 0 ], by kind of unknown. Coordinates of bodies symmetrically, d_i
/// d_i |m_ii| ~ 1 (by the row's largest entry where the diagonal is small), so that the Schur complement of
/// the multipliers is that of unit masses; then rows and columns of multipliers and scalars by their largest
/// entries. Bodies without mass, or lighter than 1e-6 of the median of the same coordinate, are scaled as if
/// they had that mass: their small pivots are then rejected in favour of their constraints. Rows or columns
/// of zeros keep the factor 1.
Scaling kkt_scaling(const SparsePattern& pattern, const double* values, const MechanismGraph& graph);

/// Factors from one matrix whatever the kinds of unknowns: largest entry of each row and column ~ 1 (Ruiz: A
/// scaling algorithm to equilibrate both rows and columns norms in matrices, RAL-TR-2001-034).
Scaling plain_scaling(const SparsePattern& pattern, const double* values);

}  // namespace trammel
