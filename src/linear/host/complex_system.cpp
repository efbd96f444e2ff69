#include "linear/host/complex_system.h"

#include <algorithm>
#include <cmath>

#include <klu.h>

#include "base/diagnostics.h"
#include "linear/guard.h"
#include "linear/solver.h"

namespace trammel {

namespace {
double* plain(const std::complex<double>* x) {
  return reinterpret_cast<double*>(const_cast<std::complex<double>*>(x));
}
/// |Re x| + |Im x|: within √2 of |x|, without a root.
double size_of_number(const std::complex<double>& x) {
  return std::fabs(x.real()) + std::fabs(x.imag());
}
}  // namespace

/// KLU's own objects.
struct ComplexSystem::Factors {
  std::vector<int> order;
  klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;

  Factors() {
    klu_defaults(&common);
    common.btf = 0;  // block triangular form would change the order
    common.scale = -1;
    common.halt_if_singular = 0;  // so that the row and column of a zero pivot can be told
  }
  ~Factors() { clear(); }
  void clear() {
    if (numeric) klu_z_free_numeric(&numeric, &common);
    if (symbolic) klu_free_symbolic(&symbolic, &common);
  }
  /// The smallest pivot relative to its column; one that is not finite counts as 0.
  Pivot smallest(const std::vector<double>& column_largest) const {
    Pivot out;
    if (!numeric) return out;
    out.relative = INFINITY;
    const auto* pivot = static_cast<const std::complex<double>*>(numeric->Udiag);
    for (std::size_t k = 0; k < column_largest.size(); ++k) {
      const int column = symbolic->Q[k];
      const double size = size_of_number(pivot[k]), largest = column_largest[column];
      const double relative = largest > 0 && std::isfinite(size) ? size / largest : 0;
      if (relative < out.relative) out = {numeric->Pnum[k], column, relative};
    }
    return out;
  }
};

ComplexSystem::ComplexSystem() : factors_(std::make_unique<Factors>()) {}
ComplexSystem::~ComplexSystem() = default;

void ComplexSystem::analyze(const SparsePattern& pattern, const std::vector<int>& order) {
  check_pattern(pattern);
  check_order(order, pattern.n);
  factors_->clear();
  factors_->order = order;
  pattern_ = pattern;
  pivoting_ = none;
  for (auto* v : {&value_, &pivot_value_}) v->assign(pattern.nonzeros(), 0.0);
  for (auto* v : {&c_, &y_, &r_, &kept_}) v->assign(pattern.n, 0.0);
  for (auto* v : {&column_largest_, &w_}) v->assign(pattern.n, 0.0);
  if (pattern.n == 0) return;
  factors_->symbolic = klu_analyze_given(pattern.n, pattern_.column_start.data(), pattern_.row.data(),
                                         factors_->order.data(), factors_->order.data(), &factors_->common);
  if (!factors_->symbolic)
    fail(ExitCode::internal, "KLU refused the pattern (status {})", factors_->common.status);
}

bool ComplexSystem::factor_with(int pivoting) {
  Factors& f = *factors_;
  int *start = pattern_.column_start.data(), *row = pattern_.row.data();
  if (pivoting == fixed_pivots) {
    if (!f.numeric || !klu_z_refactor(start, row, plain(value_.data()), f.symbolic, f.numeric, &f.common))
      return false;
  } else {
    pivot_value_ = value_;
    pivot_tolerance_ = pivoting == partial_pivoting ? 1.0 : limits.pivot_tolerance;
    f.common.tol = pivot_tolerance_;
    if (f.numeric) klu_z_free_numeric(&f.numeric, &f.common);
    f.numeric = klu_z_factor(start, row, plain(value_.data()), f.symbolic, &f.common);
    if (!f.numeric && f.common.status != KLU_SINGULAR)
      fail(ExitCode::solver, "out of memory in the factorization of a complex matrix of {} unknowns",
           pattern_.n);
  }
  pivoting_ = pivoting;
  return f.common.status == KLU_OK && f.smallest(column_largest_).relative >= limits.pivot;
}

/// Tries kinds of pivoting from `pivoting` on until the pivots are large enough.
bool ComplexSystem::factor_from(int pivoting) {
  for (; pivoting <= partial_pivoting; ++pivoting)
    if (factor_with(pivoting)) return true;
  return false;
}

SolveReport ComplexSystem::refuse(SolveStatus status) {
  const Pivot pivot = factors_->smallest(column_largest_);
  pivoting_ = none;
  return refusal_ = {status, pivot.row, pivot.column, pivot.relative, 0};
}

SolveReport ComplexSystem::set_matrix(const Number* values, const Scaling& scaling) {
  check_scaling(scaling, pattern_.n, factors_->symbolic || pattern_.n == 0);
  if (pattern_.n == 0) return {};
  scaling_ = scaling;
  double total = 0;
  for (int j = 0; j < pattern_.n; ++j) {
    double largest = 0;
    for (int k = pattern_.column_start[j]; k < pattern_.column_start[j + 1]; ++k) {
      value_[k] = scaling.row[pattern_.row[k]] * scaling.column[j] * values[k];
      const double size = size_of_number(value_[k]);
      total += size;
      largest = std::max(largest, size);
    }
    column_largest_[j] = largest;
  }
  if (!std::isfinite(total)) return refuse(SolveStatus::not_finite);
  if (!factor_from(pivoting_ == none ? fresh_pivots : fixed_pivots)) return refuse(SolveStatus::singular);
  return {};
}

/// r = c − B y; the smallest tol with |r_i| ≤ tol w_i + 8 u max w, as GuardedSystem::solve() has it.
double ComplexSystem::residual() {
  r_ = c_;
  for (int i = 0; i < pattern_.n; ++i) w_[i] = size_of_number(c_[i]);
  for (int j = 0; j < pattern_.n; ++j) {
    const double yr = y_[j].real(), yi = y_[j].imag(), size = size_of_number(y_[j]);
    for (int k = pattern_.column_start[j]; k < pattern_.column_start[j + 1]; ++k) {
      const int i = pattern_.row[k];
      const double br = value_[k].real(), bi = value_[k].imag();
      r_[i] -= Number(br * yr - bi * yi, br * yi + bi * yr);
      w_[i] += size_of_number(value_[k]) * size;
    }
  }
  double largest = 0, error = 0, total = 0;
  for (int i = 0; i < pattern_.n; ++i) {
    largest = std::max(largest, w_[i]);
    total += w_[i];
  }
  if (!std::isfinite(total)) return INFINITY;
  for (int i = 0; i < pattern_.n; ++i) {
    const double excess = size_of_number(r_[i]) - rounding_of(largest);
    if (excess > error * w_[i]) error = excess / w_[i];
  }
  return error;
}

double ComplexSystem::first_answer() {
  y_ = c_;
  klu_z_solve(factors_->symbolic, factors_->numeric, pattern_.n, 1, plain(y_.data()), &factors_->common);
  return residual();
}

double ComplexSystem::refined() {
  kept_ = y_;
  klu_z_solve(factors_->symbolic, factors_->numeric, pattern_.n, 1, plain(r_.data()), &factors_->common);
  for (int i = 0; i < pattern_.n; ++i) y_[i] += r_[i];
  return residual();
}

SolveReport ComplexSystem::solve(const Number* b, Number* x) {
  const int n = pattern_.n;
  if (n == 0) return {};
  SolveReport report = refusal_;
  while (pivoting_ != none) {
    report = {};
    for (int i = 0; i < n; ++i) c_[i] = scaling_.row[i] * b[i];
    report.backward_error = guarded_answer(*this, limits);
    if (report.backward_error <= limits.accept) {
      for (int i = 0; i < n; ++i) x[i] = scaling_.column[i] * y_[i];
      return report;
    }
    if (!std::all_of(b, b + n, [](const Number& v) { return std::isfinite(size_of_number(v)); })) {
      report.status = SolveStatus::not_finite;
      break;
    }
    if (pivoting_ == partial_pivoting) {
      const double error = report.backward_error;
      report = refuse(SolveStatus::inaccurate);
      report.backward_error = error;
    } else if (!factor_from(pivoting_ + 1)) {
      report = refuse(SolveStatus::singular);
    }
  }
  std::fill_n(x, n, 0.0);
  return report;
}

void ComplexSystem::archive(Archive& a) {
  a.section("complex linear system");
  const auto numbers = [&](std::vector<Number>& v) { a.numbers(plain(v.data()), 2 * v.size()); };
  a(pivoting_, pivot_tolerance_, scaling_.row, scaling_.column, refusal_);
  numbers(value_);
  numbers(pivot_value_);
  a.sized(column_largest_, "unknowns");
  if (!a.restores() || pivoting_ == none || pattern_.n == 0) return;
  const int how = pivoting_;
  const double tolerance = pivot_tolerance_;
  const std::vector<Number> present = value_;
  value_ = pivot_value_;
  factor_with(tolerance == 1.0 ? partial_pivoting : fresh_pivots);
  value_ = present;
  if (how == fixed_pivots) factor_with(fixed_pivots);
  pivoting_ = how;
}

}  // namespace trammel
