// Eigenvalues and eigenvectors of small motions.
#pragma once

#include <Eigen/Core>

namespace trammel {

struct Spectrum {
  Eigen::VectorXcd s;       ///< every eigenvalue, as often as it is [1/time]; those that are zero first
  Eigen::MatrixXcd vector;  ///< a column for each, of length one; of zeros that form chains the same one
  Eigen::MatrixXd still;    ///< an orthonormal basis of A x = 0: states that stay as they are
  double error = 0;         ///< largest |A x − s x| of any, in units of the norm of A
};

/// Of a real matrix, whose entries are known to `accuracy`. What it maps to nothing, to that accuracy, is
/// taken out first, chain by chain, so that eigenvalues of zero are zero, and not roots of rounding. Source:
/// the staircase form at zero, as of finite_part(); then the QR algorithm.
Spectrum spectrum_of(const Eigen::MatrixXd& A, double accuracy = 0);

}  // namespace trammel
