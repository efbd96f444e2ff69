// Inertia of sparse symmetric matrices: how many eigenvalues are negative, zero and positive.
#pragma once

#include <span>
#include <vector>

#include "linear/pattern.h"

namespace trammel {

struct Inertia {
  int negative = 0, zero = 0, positive = 0;
};

/// The largest difference |a_ij − a_ji| of a matrix whose rows and columns are scaled alike to entries of at
/// most about one.
struct Asymmetry {
  double size = 0;
  int row = -1, column = -1;
};

/// The symmetric part of rows and columns of a matrix, of those unknowns that are `taken`.
class SymmetricPart {
 public:
  SymmetricPart(const SparsePattern& pattern, std::vector<unsigned char> taken);

  /// Of a matrix with these values, in units in which `scaled_by` has entries of at most about one.
  Asymmetry asymmetry(std::span<const double> values, std::span<const double> scaled_by) const;
  /// By elimination with pivots of one or two unknowns that are large enough in their columns (Sylvester's
  /// law: the pivots have the inertia of the matrix), so that it is that of a matrix which differs by
  /// rounding of the scaled entries; of those the sparsest are taken. Indefinite matrices need no order of
  /// their own, zeros may stand on the diagonal. Time and memory as a factorization by minimum degree;
  /// nothing is kept. Source: I. S. Duff, J. K. Reid, MA27, Report AERE R10533 (1982).
  Inertia inertia(std::span<const double> values) const;

 private:
  /// Powers of two d by which d_i a_ij d_j are at most about one.
  std::vector<double> scaling(std::span<const double> values) const;

  const SparsePattern& pattern_;
  std::vector<unsigned char> taken_;
};

}  // namespace trammel
