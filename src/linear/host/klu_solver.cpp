#include "linear/host/klu_solver.h"

#include <cmath>
#include <utility>

#include <klu.h>

#include "base/diagnostics.h"
#include "linear/row_view.h"

namespace trammel {
namespace {

/// Converts a matrix from columns to rows; column indices come out ascending.
void turn(const std::vector<int>& start, const std::vector<int>& row, const std::vector<double>& value,
          std::vector<int>& row_start, std::vector<int>& column, std::vector<double>& row_value) {
  RowView rows = by_rows(start, row);
  row_start = std::move(rows.start);
  column = std::move(rows.column);
  row_value.resize(row.size());
  for (std::size_t k = 0; k < row.size(); ++k) row_value[rows.place[k]] = value[k];
}

class KluSolver final : public LinearSolver {
 public:
  KluSolver() {
    klu_defaults(&common_);
    common_.btf = 0;     // maximum matching and block triangular form would change the order
    common_.scale = -1;  // values are scaled by the caller
    // Continue past a zero pivot, so that its row and column can be reported.
    common_.halt_if_singular = 0;
    static_assert(sizeof(double) == 2 * sizeof(int), "columns of KLU's factors are counted in doubles");
  }
  ~KluSolver() override { clear(); }
  KluSolver(const KluSolver&) = delete;
  KluSolver& operator=(const KluSolver&) = delete;

  void analyze(const SparsePattern& pattern, const std::vector<int>& order) override {
    check_pattern(pattern);
    check_order(order, pattern.n);
    clear();
    pattern_ = pattern;
    order_ = order;
    analyzed_ = true;
    inverse_pivot_.assign(pattern.n, 0.0);
    work_.assign(pattern.n, 0.0);
    if (pattern.n == 0) return;
    symbolic_ = klu_analyze_given(pattern.n, pattern_.column_start.data(), pattern_.row.data(), order_.data(),
                                  order_.data(), &common_);
    if (!symbolic_) fail(ExitCode::internal, "KLU refused the pattern (status {})", common_.status);
  }

  FactorStatus factor(const double* values, double tolerance) override {
    if (!analyzed_) fail(ExitCode::internal, "linear solver: factor() before analyze()");
    if (pattern_.n == 0) return FactorStatus::ok;
    if (numeric_) klu_free_numeric(&numeric_, &common_);
    usable_ = false;
    common_.tol = tolerance;
    numeric_ = klu_factor(starts(), rows(), const_cast<double*>(values), symbolic_, &common_);
    off_diagonal_ = numeric_ ? common_.noffdiag : 0;
    if (!numeric_)
      return common_.status == KLU_SINGULAR ? FactorStatus::singular : FactorStatus::out_of_memory;
    usable_ = common_.status == KLU_OK && pivots_finite();
    invert_pivots();
    return usable_ ? FactorStatus::ok : FactorStatus::singular;
  }

  FactorStatus refactor(const double* values) override {
    if (pattern_.n == 0) return FactorStatus::ok;
    if (!numeric_ || !usable_) return FactorStatus::singular;
    common_.halt_if_singular = 1;
    const int done =
        klu_refactor(starts(), rows(), const_cast<double*>(values), symbolic_, numeric_, &common_);
    common_.halt_if_singular = 0;
    // KLU leaves the pivots from there on as they were.
    if (common_.status == KLU_SINGULAR) static_cast<double*>(numeric_->Udiag)[common_.numerical_rank] = 0;
    invert_pivots();
    return done && common_.status == KLU_OK && pivots_finite() ? FactorStatus::ok : FactorStatus::singular;
  }

  using LinearSolver::solve;
  void solve(const double* b, double* x) const override {
    if (pattern_.n == 0) return;
    if (!numeric_) fail(ExitCode::internal, "linear solver: solve() before factor()");
    // klu_solve() divides by the pivots in one dependent chain of operations: 5 % of the time of a step with
    // a chain of 1000 links.
    const int n = pattern_.n;
    double* y = work_.data();
    for (int k = 0; k < n; ++k) y[k] = b[numeric_->Pnum[k]];
    for (int k = 0; k < n; ++k) {
      const Column l = column(numeric_->Lip, numeric_->Llen, k);
      const double yk = y[k];
      for (int i = 0; i < l.size; ++i) y[l.row[i]] -= l.value[i] * yk;
    }
    for (int k = n - 1; k >= 0; --k) {
      const Column u = column(numeric_->Uip, numeric_->Ulen, k);
      const double yk = y[k] *= inverse_pivot_[k];
      for (int i = 0; i < u.size; ++i) y[u.row[i]] -= u.value[i] * yk;
    }
    for (int k = 0; k < n; ++k) x[symbolic_->Q[k]] = y[k];
  }

  Pivot smallest_pivot(const double* column_magnitude) const override {
    Pivot smallest;
    if (!numeric_) return smallest;
    smallest.relative = INFINITY;
    const double* pivot = static_cast<const double*>(numeric_->Udiag);
    for (int k = 0; k < pattern_.n; ++k) {
      const int column = symbolic_->Q[k];
      const double size = std::fabs(pivot[k]), magnitude = column_magnitude[column];
      // A pivot that is not finite, or in a column of zeros, counts as 0.
      const double relative = magnitude > 0 && std::isfinite(size) ? size / magnitude : 0;
      if (relative < smallest.relative) smallest = {numeric_->Pnum[k], column, relative};
    }
    return smallest;
  }

  /// The present factors by rows. KLU's columns are unsorted; the conversion sorts them.
  RowFactors by_rows() const {
    const int n = pattern_.n;
    if (n == 0) return {{0}, {}, {0}, {}, {}, {}, {}, {}};
    std::vector<int> l_start(n + 1), l_row(numeric_->lnz), u_start(n + 1), u_row(numeric_->unz);
    std::vector<double> l_value(l_row.size()), u_value(u_row.size());
    RowFactors out;
    out.row.resize(n);
    out.column.resize(n);
    if (!klu_extract(numeric_, symbolic_, l_start.data(), l_row.data(), l_value.data(), u_start.data(),
                     u_row.data(), u_value.data(), nullptr, nullptr, nullptr, out.row.data(),
                     out.column.data(), nullptr, nullptr, &common_))
      fail(ExitCode::internal, "KLU did not give its factors (status {})", common_.status);
    turn(l_start, l_row, l_value, out.l_start, out.l_column, out.l_value);
    turn(u_start, u_row, u_value, out.u_start, out.u_column, out.u_value);
    return out;
  }

  FactorInfo info() const override {
    FactorInfo info;
    if (!numeric_) return info;
    info.nonzeros = static_cast<long>(numeric_->lnz) + numeric_->unz - pattern_.n;
    info.off_diagonal_pivots = off_diagonal_;
    klu_flops(symbolic_, numeric_, &common_);
    info.flops = common_.flops;
    klu_rcond(symbolic_, numeric_, &common_);
    info.rcond = common_.rcond;
    return info;
  }

 private:
  int* starts() { return pattern_.column_start.data(); }
  int* rows() { return pattern_.row.data(); }

  /// A column of L or U. Without BTF there is one block, which stores for each column its row indices, then
  /// its values.
  struct Column {
    int size;
    const int* row;
    const double* value;
  };
  Column column(const int* start, const int* length, int k) const {
    if (pattern_.n == 1) return {0, nullptr, nullptr};  // KLU stores no columns of a single pivot
    const double* at = static_cast<const double*>(numeric_->LUbx[0]) + start[k];
    const int size = length[k];
    return {size, reinterpret_cast<const int*>(at), at + (size + 1) / 2};
  }

  void invert_pivots() {
    const double* pivot = static_cast<const double*>(numeric_->Udiag);
    for (int k = 0; k < pattern_.n; ++k) inverse_pivot_[k] = 1 / pivot[k];
  }

  /// KLU does not check for NaN or infinity; after a zero pivot later pivots are one of them.
  bool pivots_finite() const {
    const double* pivot = static_cast<const double*>(numeric_->Udiag);
    double sum = 0;
    for (int k = 0; k < pattern_.n; ++k) sum += pivot[k] * 0.0;
    return sum == 0;
  }

  void clear() {
    if (numeric_) klu_free_numeric(&numeric_, &common_);
    if (symbolic_) klu_free_symbolic(&symbolic_, &common_);
    usable_ = analyzed_ = false;
  }

  SparsePattern pattern_;
  std::vector<int> order_;
  mutable klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
  int off_diagonal_ = 0;
  bool analyzed_ = false;
  std::vector<double> inverse_pivot_;
  mutable std::vector<double> work_;  ///< n: x of solve()
  bool usable_ = false;               ///< the factors are complete: refactor() may use their pivots
};

}  // namespace

std::unique_ptr<LinearSolver> make_klu_solver() {
  return std::make_unique<KluSolver>();
}

FactorStatus factor_by_rows(const SparsePattern& pattern, const std::vector<int>& order, const double* values,
                            double tolerance, RowFactors& out) {
  KluSolver solver;
  solver.analyze(pattern, order);
  const FactorStatus status = solver.factor(values, tolerance);
  if (status != FactorStatus::ok) return status;
  out = solver.by_rows();
  for (int i = 0; i < pattern.n; ++i)  // KLU continues past a zero pivot
    if (out.u_value[out.u_start[i]] == 0) return FactorStatus::singular;
  return FactorStatus::ok;
}

}  // namespace trammel
