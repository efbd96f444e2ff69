#include "analysis/linear/sparse_pencil.h"

#include <algorithm>
#include <cmath>

namespace trammel {

void SparsePencil::hold(const std::vector<int>& unknowns) {
  std::vector<unsigned char> held(pattern.n, 0);
  for (const int k : unknowns) held[k] = 1;
  for (int column = 0; column < pattern.n; ++column)
    for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k) {
      if (!held[pattern.row[k]]) continue;
      M[k] = C[k] = 0;
      K[k] = pattern.row[k] == column;
    }
}

std::vector<unsigned char> SparsePencil::moving() const {
  std::vector<unsigned char> out(pattern.n, 0);
  for (int column = 0; column < pattern.n; ++column)
    for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k)
      if (M[k] != 0 || C[k] != 0) out[column] = 1;
  return out;
}

double SparsePencil::frequency(int coordinates) const {
  double out = 0;
  for (int column = 0; column < coordinates; ++column)
    for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k)
      if (pattern.row[k] == column && M[k] > 0)
        out = std::max({out, std::sqrt(std::abs(K[k]) / M[k]), std::abs(C[k]) / M[k]});
  return out;
}

}  // namespace trammel
