// Eigenvalues and eigenvectors of small motions.
#pragma once

#include <Eigen/Core>

namespace trammel {

struct Spectrum {
  Eigen::VectorXcd s;       ///< every eigenvalue, as often as its multiplicity [1/time]; zeros first
  Eigen::MatrixXcd vector;  ///< a column for each eigenvalue, of length one; zeros beyond the null vectors,
                            ///< in chains, repeat these
  Eigen::MatrixXd still;    ///< orthonormal basis of A x = 0: states that stay constant
  double error = 0;         ///< largest |A x − s x| / |A|
};

/// Eigenvalues and vectors of a real matrix whose entries are known to `accuracy`. The null space to that
/// accuracy is taken out first, chain by chain, so that eigenvalues of zero are exactly zero, and not roots
/// of rounding. Source: the staircase form at zero, as in finite_part(); then the QR algorithm.
Spectrum spectrum_of(const Eigen::MatrixXd& A, double accuracy = 0);

/// A X of a real and a complex matrix by two real products, which go by blocks.
Eigen::MatrixXcd product(const Eigen::MatrixXd& A, const Eigen::MatrixXcd& X);

}  // namespace trammel
