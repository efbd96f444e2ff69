#include "backends/host_solver.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace trammel {
namespace {

thread_local std::string last_error;

int refuse(std::string text) {
  last_error = std::move(text);
  return 1;
}

/// M = L - 1 + U, the factors of B(row, column), by rows, columns ascending.
struct Solver {
  int n = 0;
  std::vector<int> start, column, diagonal;  ///< n + 1, nonzeros, n: index of u_ii
  std::vector<int> source;                   ///< row of B in each row of M
  std::vector<int> target;                   ///< k-th value of B -> its index in M
  std::vector<int> unknown;                  ///< place (position in the elimination order) -> unknown
  const double* b = nullptr;                 ///< values of B
  std::vector<double> value, work;
};

/// The pattern of M from those of L and U. False: an entry is in the wrong triangle, or a diagonal is not
/// stored.
bool join_factors(const TrammelSolverFactors& f, Solver& s) {
  s.start.assign(1, 0);
  s.column.clear();
  s.diagonal.clear();
  for (int i = 0; i < s.n; ++i) {
    const int *l = f.l_column + f.l_start[i], *l_end = f.l_column + f.l_start[i + 1];
    const int *u = f.u_column + f.u_start[i], *u_end = f.u_column + f.u_start[i + 1];
    if (l == l_end || u == u_end || l_end[-1] != i || *u != i) return false;
    if (!std::is_sorted(l, l_end) || !std::is_sorted(u, u_end)) return false;
    s.column.insert(s.column.end(), l, l_end - 1);
    s.diagonal.push_back(static_cast<int>(s.column.size()));
    s.column.insert(s.column.end(), u, u_end);
    s.start.push_back(static_cast<int>(s.column.size()));
  }
  return true;
}

/// Index in M of every value of B. False: a value is outside the pattern of M.
bool place_values(const TrammelSolverMatrix& b, const TrammelSolverFactors& f, Solver& s) {
  std::vector<int> place(s.n);
  for (int j = 0; j < s.n; ++j) place[f.column[j]] = j;
  s.target.resize(b.nonzeros);
  for (int i = 0; i < s.n; ++i) {
    const auto begin = s.column.begin() + s.start[i], end = s.column.begin() + s.start[i + 1];
    for (int k = b.row_start[f.row[i]]; k < b.row_start[f.row[i] + 1]; ++k) {
      const auto found = std::lower_bound(begin, end, place[b.column[k]]);
      if (found == end || *found != place[b.column[k]]) return false;
      s.target[k] = static_cast<int>(found - s.column.begin());
    }
  }
  return true;
}

/// Computes M row by row: L_ij = (M_ij - sum_k L_ik U_kj) / U_jj, within the pattern. False: a pivot is zero.
bool eliminate(Solver& s) {
  std::vector<double>& w = s.work;
  for (int i = 0; i < s.n; ++i) {
    for (int k = s.start[i]; k < s.start[i + 1]; ++k) w[s.column[k]] = s.value[k];
    for (int k = s.start[i]; k < s.diagonal[i]; ++k) {
      const int j = s.column[k];
      const double l = w[j] /= s.value[s.diagonal[j]];
      for (int m = s.diagonal[j] + 1; m < s.start[j + 1]; ++m) w[s.column[m]] -= l * s.value[m];
    }
    for (int k = s.start[i]; k < s.start[i + 1]; ++k) s.value[k] = w[s.column[k]];
    if (s.value[s.diagonal[i]] == 0) return false;
  }
  return true;
}

// ---- the table of functions

Solver& of(void* solver) {
  return *static_cast<Solver*>(solver);
}

const char* error() {
  return last_error.c_str();
}

const char* version() {
  return "the processor's, with fixed pivots";
}

int create(int, void*, void** solver) {
  *solver = new Solver;
  return 0;
}

void destroy(void* solver) {
  delete static_cast<Solver*>(solver);
}

int set_up(void* solver, const TrammelSolverMatrix* matrix, const int*, const TrammelSolverFactors* factors) {
  Solver& s = of(solver);
  s.n = matrix->n;
  if (!join_factors(*factors, s)) return refuse("L or U is not triangular with its diagonal");
  if (!place_values(*matrix, *factors, s)) return refuse("an entry of the matrix lies outside of L + U");
  s.source.assign(factors->row, factors->row + s.n);
  s.unknown.assign(factors->column, factors->column + s.n);
  s.b = matrix->value_there;
  s.value.resize(s.column.size());
  s.work.resize(s.n);
  return 0;
}

int refactor(void* solver, double* inverse_pivot, int* usable) {
  Solver& s = of(solver);
  std::fill(s.value.begin(), s.value.end(), 0.0);
  for (std::size_t k = 0; k < s.target.size(); ++k) s.value[s.target[k]] = s.b[k];
  *usable = eliminate(s);
  for (int i = 0; i < s.n; ++i) {
    const double inverse = 1 / s.value[s.diagonal[i]];
    inverse_pivot[i] = *usable && std::isfinite(inverse) ? inverse : 0;
  }
  return 0;
}

int solve(void* solver, const double* b, double* x) {
  Solver& s = of(solver);
  std::vector<double>& w = s.work;
  for (int i = 0; i < s.n; ++i) {
    w[i] = b[s.source[i]];
    for (int k = s.start[i]; k < s.diagonal[i]; ++k) w[i] -= s.value[k] * w[s.column[k]];
  }
  for (int i = s.n - 1; i >= 0; --i) {
    for (int k = s.diagonal[i] + 1; k < s.start[i + 1]; ++k) w[i] -= s.value[k] * w[s.column[k]];
    w[i] /= s.value[s.diagonal[i]];
  }
  for (int i = 0; i < s.n; ++i) x[s.unknown[i]] = w[i];
  return 0;
}

std::uint64_t bytes(void* solver) {
  const Solver& s = of(solver);
  return (s.value.size() + s.work.size()) * sizeof(double) +
         (s.start.size() + s.column.size() + s.diagonal.size() + s.source.size() + s.target.size() +
          s.unknown.size()) *
             sizeof(int);
}

}  // namespace

const TrammelSolverApi& host_solver_api() {
  static const TrammelSolverApi api{
      TRAMMEL_SOLVER_ABI, "cusolver_rf", "host", 1, error, version, create, destroy, set_up,
      refactor,           solve,         bytes};
  return api;
}

}  // namespace trammel
