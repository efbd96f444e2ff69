// A yardstick for machines: Eigen's SparseLU (COLAMD) on a matrix of the program.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

#include <Eigen/Sparse>
#include <Eigen/SparseLU>

#include "linear/pattern.h"

namespace trammel::bench {

/// Least milliseconds of twenty factorizations of the nonzero values; the analysis is not timed.
inline double sparse_lu_milliseconds(const SparsePattern& pattern, const std::vector<double>& values) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < pattern.n; ++j)
    for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
      if (values[k] != 0) entries.emplace_back(pattern.row[k], j, values[k]);
  Eigen::SparseMatrix<double> matrix(pattern.n, pattern.n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
  lu.analyzePattern(matrix);
  double least = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < 20; ++repeat) {
    const auto begin = std::chrono::steady_clock::now();
    lu.factorize(matrix);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
    least = std::min(least, taken.count());
  }
  return least;
}

}  // namespace trammel::bench
