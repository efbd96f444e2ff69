#include "linear/solver.h"

#include <cstddef>

#include "base/diagnostics.h"
#include "base/thread_pool.h"

namespace trammel {

void LinearSolver::solve_many(double* b, int columns, int stride) const {
  for (int c = 0; c < columns; ++c) solve(b + static_cast<std::ptrdiff_t>(c) * stride);
}

void LinearSolver::set_pool(std::shared_ptr<ThreadPool>) {}

void LinearSolver::set_threads(int threads) {
  set_pool(std::make_shared<ThreadPool>(threads));
}

void check_order(const std::vector<int>& order, int n) {
  if (static_cast<int>(order.size()) != n) {
    fail(ExitCode::internal, "elimination order has {} entries for {} unknowns", order.size(), n);
  }
  std::vector<char> seen(n, 0);
  for (int i : order) {
    if (i < 0 || i >= n || seen[i]) {
      fail(ExitCode::internal, "elimination order is no permutation: {} out of range or twice", i);
    }
    seen[i] = 1;
  }
}

void check_pattern(const SparsePattern& pattern) {
  const auto& start = pattern.column_start;
  if (static_cast<int>(start.size()) != pattern.n + 1 || start[0] != 0 ||
      start[pattern.n] != pattern.nonzeros()) {
    fail(ExitCode::internal, "sparse pattern: column starts do not fit {} columns, {} nonzeros", pattern.n,
         pattern.nonzeros());
  }
  for (int j = 0; j < pattern.n; ++j) {
    if (start[j] > start[j + 1])
      fail(ExitCode::internal, "sparse pattern: column {} ends before it starts", j);
    for (int k = start[j]; k < start[j + 1]; ++k) {
      const bool sorted = k == start[j] || pattern.row[k - 1] < pattern.row[k];
      if (!sorted || pattern.row[k] < 0 || pattern.row[k] >= pattern.n) {
        fail(ExitCode::internal, "sparse pattern: column {} is unsorted or has a row out of range ({})", j,
             pattern.row[k]);
      }
    }
  }
}

}  // namespace trammel
