// Balancing of matrices.
#pragma once

#include <Eigen/Core>

namespace trammel {

/// Balances A in place: D⁻¹ A D has rows and columns of similar sizes, D = diag(d) of powers of two. Returns
/// d. Unknowns before `first` keep their scale. Source: B. N. Parlett, C. Reinsch, Balancing a matrix for
/// calculation of eigenvalues and eigenvectors, Numer. Math. 13 (1969).
Eigen::VectorXd balance(Eigen::MatrixXd& A, Eigen::Index first = 0);

}  // namespace trammel
