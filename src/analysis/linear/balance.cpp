#include "analysis/linear/balance.h"

#include <cmath>

namespace trammel {

Eigen::VectorXd balance(Eigen::MatrixXd& A, Eigen::Index first) {
  const Eigen::Index n = A.rows();
  Eigen::VectorXd d = Eigen::VectorXd::Ones(n);
  for (bool changed = true; changed;) {
    changed = false;
    for (Eigen::Index k = first; k < n; ++k) {
      const double own = std::abs(A(k, k)), row = A.row(k).cwiseAbs().sum() - own,
                   column = A.col(k).cwiseAbs().sum() - own;
      if (!(row > 0 && column > 0)) continue;
      const double f = std::exp2(std::round(0.5 * std::log2(row / column)));
      if ((column * f + row / f) >= 0.95 * (column + row)) continue;
      A.col(k) *= f;
      A.row(k) /= f;
      d[k] *= f;
      changed = true;
    }
  }
  return d;
}

}  // namespace trammel
