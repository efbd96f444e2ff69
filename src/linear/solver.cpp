#include "linear/solver.h"

#include "base/diagnostics.h"
#include "linear/klu_solver.h"

namespace trammel {

const std::vector<SolverKind>& linear_solvers() {
  static const std::vector<SolverKind> list{{"klu", make_klu_solver}};
  return list;
}

std::unique_ptr<LinearSolver> make_linear_solver(const std::string& name) {
  std::string names;
  for (const SolverKind& kind : linear_solvers()) {
    if (kind.name == name) return kind.make();
    names += names.empty() ? kind.name : ", " + kind.name;
  }
  fail(ExitCode::usage, "linear solver '{}' does not exist (this build has: {})", name, names);
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
