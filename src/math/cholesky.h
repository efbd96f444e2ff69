// Cholesky's factors of small dense matrices.
#pragma once

#include <cmath>
#include <vector>

namespace trammel {

/// L of S = L Lᵀ, the symmetric part S of the n × n matrix m, by rows, in the place of m (entries above the
/// diagonal are left as they were). The first row with which S is not positive definite; −1: it is.
inline int factor_cholesky(std::vector<double>& m, int n) {
  for (int r = 0; r < n; ++r)
    for (int c = 0; c <= r; ++c) {
      double sum = 0.5 * (m[r * n + c] + m[c * n + r]);
      for (int k = 0; k < c; ++k) sum -= m[r * n + k] * m[c * n + k];
      if (c == r && !(sum > 0)) return r;
      m[r * n + c] = c < r ? sum / m[c * n + c] : std::sqrt(sum);
    }
  return -1;
}

}  // namespace trammel
