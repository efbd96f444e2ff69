#include "linear/system.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/diagnostics.h"
#include "linear/guard.h"
#include "linear/host/dense_kernels.h"

namespace trammel {

namespace {
// Shorter chunks, below some 10 us, are not worth another thread.
constexpr int columns_per_chunk = 2048, groups_per_chunk = 1024, values_per_chunk = 8192;

ResidualExtent join_extents(const ResidualExtent& a, const ResidualExtent& b) {
  return {a.total + b.total, std::max(a.largest, b.largest), std::max(a.scale, b.scale)};
}
}  // namespace

SystemCounters& SystemCounters::operator+=(const SystemCounters& c) {
  factorizations += c.factorizations;
  refactorizations += c.refactorizations;
  solves += c.solves;
  refinements += c.refinements;
  guard_trips += c.guard_trips;
  full_pivotings += c.full_pivotings;
  return *this;
}

GuardedSystem::GuardedSystem(const std::string& solver) : wanted_(solver) {
  if (wanted_ != "auto") solver_ = make_linear_solver(wanted_);
}

void GuardedSystem::use(std::shared_ptr<ThreadPool> pool) {
  pool_ = std::move(pool);
  parallel_ = Parallel(pool_.get());
  if (solver_) solver_->set_pool(pool_);
}

void GuardedSystem::analyze(const SparsePattern& pattern, const MechanismGraph& graph) {
  analyze(pattern, graph, order_unknowns(graph, false, OrderingGoal::cpu_threads));
}

void GuardedSystem::analyze(const SparsePattern& pattern, const MechanismGraph& graph,
                            const EliminationOrder& order) {
  const std::string name = wanted_ == "auto" ? preferred_solver(order) : wanted_;
  if (name != solver_name_) {
    solver_ = make_linear_solver(name);
    solver_name_ = name;
    solver_->set_pool(pool_);
  }
  solver_->analyze(pattern, order.unknowns);
  analyzed_ = std::make_shared<Analyzed>(pattern, graph, order);
  rows_.analyze(pattern);
  begin();
}

void GuardedSystem::analyze_as(const GuardedSystem& other) {
  std::unique_ptr<LinearSolver> same = other.solver_->with_same_analysis();
  if (!same || wanted_ != other.wanted_)
    return analyze(other.pattern(), other.analyzed_->graph, other.order());
  solver_ = std::move(same);
  solver_name_ = other.solver_name_;
  solver_->set_pool(pool_);
  analyzed_ = other.analyzed_;
  rows_.analyze_as(other.rows_);
  begin();
}

/// After the analysis of a pattern: nothing is known of a matrix, and there is no room for one before it
/// comes.
void GuardedSystem::begin() {
  scaled_ = scaling_given_ = false;
  counters_ = {};
  state_ = State::analyzed;
  forget_matrix();
}

void GuardedSystem::make_room() {
  value_.assign(pattern().nonzeros(), 0.0);
  for (auto* v : {&column_largest_, &c_, &y_, &r_, &w_, &kept_}) v->assign(pattern().n + kBeyond, 0.0);
  rows_.make_room();
}

void GuardedSystem::forget_matrix() {
  if (state_ == State::empty) return;
  state_ = State::analyzed;
  if (std::unique_ptr<LinearSolver> without_factors = solver_->with_same_analysis()) {
    solver_ = std::move(without_factors);
    solver_->set_pool(pool_);
  }
  for (auto* v : {&value_, &pivot_value_, &column_largest_, &c_, &y_, &r_, &w_, &kept_})
    *v = std::vector<double>();  // `= {}` keeps the memory
  pivots_of_value_ = false;
  rows_.give_up_room();
}

void GuardedSystem::set_scaling(const Scaling& scaling) {
  check_scaling(scaling, pattern().n, state_ != State::empty);
  scaling_ = scaling;
  scaled_ = scaling_given_ = true;
  state_ = State::analyzed;  // factors of another scaling do not fit
}

/// B = R A C and the largest entry of each column. False when A is not finite.
bool GuardedSystem::scale_matrix(const double* values) {
  if (!scaled_) {
    scaling_ = kkt_scaling(pattern(), values, analyzed_->graph);
    scaled_ = true;
  }
  const int *start = pattern().column_start.data(), *row = pattern().row.data();
  const double* by_row = scaling_.row.data();
  double* scaled = value_.data();
  const double total = parallel_.sum(pattern().n, columns_per_chunk, [&](int begin, int end) {
    double sum = 0;
    for (int j = begin; j < end; ++j) {
      const double factor = scaling_.column[j];
      double largest = 0;
      for (int k = start[j]; k < start[j + 1]; ++k) {
        const double entry = values[k] * by_row[row[k]] * factor;
        const double size = std::fabs(entry);
        scaled[k] = entry;
        sum += size;
        largest = std::max(largest, size);
      }
      column_largest_[j] = largest;
    }
    return sum;
  });
  return std::isfinite(total);
}

/// Replaces the scaling by plain_scaling(); exact, since all factors are powers of two.
void GuardedSystem::rescale_matrix() {
  const SparsePattern& a = pattern();
  const Scaling more = plain_scaling(a, value_.data());
  for (int j = 0; j < a.n; ++j) {
    column_largest_[j] = 0;
    for (int k = a.column_start[j]; k < a.column_start[j + 1]; ++k) {
      value_[k] *= more.row[a.row[k]] * more.column[j];
      column_largest_[j] = std::max(column_largest_[j], std::fabs(value_[k]));
    }
  }
  for (int i = 0; i < a.n; ++i) {
    scaling_.row[i] *= more.row[i];
    scaling_.column[i] *= more.column[i];
  }
}

bool GuardedSystem::factor_with(Pivoting pivoting) {
  FactorStatus status;
  if (pivoting == fixed_pivots) {
    ++counters_.refactorizations;
    status = solver_->refactor(value_.data());
  } else {
    if (pivoting == full_pivoting) {
      ++counters_.full_pivotings;
      rescale_matrix();
    }
    ++counters_.factorizations;
    pivots_of_value_ = true;
    pivot_value_.reserve(value_.size());  // for the time when another matrix takes these pivots
    pivot_tolerance_ = pivoting == full_pivoting ? 1.0 : limits.pivot_tolerance;
    status = solver_->factor(value_.data(), pivot_tolerance_);
  }
  if (status == FactorStatus::out_of_memory) {
    fail(ExitCode::solver, "out of memory in the factorization of a matrix of {} unknowns", pattern().n);
  }
  rows_.take(parallel_, value_);
  pivoting_ = pivoting;
  pivot_ = solver_->smallest_pivot(column_largest_.data());
  return status == FactorStatus::ok && (pattern().n == 0 || pivot_.relative >= limits.pivot);
}

/// Tries kinds of pivoting from `pivoting` on until the present matrix has factors with large enough pivots.
/// `inaccurate`: those before were large enough, and are given up for their solution.
bool GuardedSystem::factor_from(int pivoting, bool inaccurate) {
  PivotsLost lost{pivot_, pivoting_ == fixed_pivots, inaccurate};
  bool any = inaccurate;
  for (; pivoting <= full_pivoting && !lost.found_others; ++pivoting) {
    lost.found_others = factor_with(static_cast<Pivoting>(pivoting));
    if (lost.found_others) continue;
    if (pivoting == fixed_pivots) ++counters_.guard_trips;
    if (!any) {
      lost.smallest = pivot_;
      lost.kept = pivoting == fixed_pivots;
    }
    any = true;
  }
  if (lost.found_others) state_ = State::factored;
  if (any && on_pivots_lost) on_pivots_lost(lost);
  return lost.found_others;
}

SolveReport GuardedSystem::refuse(SolveStatus status) {
  state_ = State::refused;
  refusal_ = {status, pivot_.row, pivot_.column, pivot_.relative, 0};
  return refusal_;
}

namespace {
/// The first entry that is no finite number; its place alone.
Pivot not_finite(const SparsePattern& pattern, const double* values) {
  for (int j = 0; j < pattern.n; ++j)
    for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
      if (!std::isfinite(values[k])) return {pattern.row[k], j, 0};
  return {};
}
}  // namespace

SolveReport GuardedSystem::set_matrix(const double* values, bool fresh) {
  if (state_ == State::empty) fail(ExitCode::internal, "linear system: set_matrix() before analyze()");
  const bool fixed = state_ == State::factored && !fresh;
  if (value_.empty()) make_room();
  if (fresh && !scaling_given_) scaled_ = false;  // another matrix altogether: scale anew
  pivot_ = {};
  if (std::exchange(pivots_of_value_, false) && fixed) pivot_value_ = value_;
  if (!scale_matrix(values)) {
    pivot_ = not_finite(pattern(), values);
    return refuse(SolveStatus::not_finite);
  }
  if (!factor_from(fixed ? fixed_pivots : fresh_pivots)) return refuse(SolveStatus::singular);
  return {};
}

void GuardedSystem::archive(Archive& a) {
  a.section("linear system");
  bool has_room = !value_.empty();
  a(has_room);
  if (a.restores()) has_room ? make_room() : forget_matrix();
  if (std::exchange(pivots_of_value_, false) && !a.restores()) pivot_value_ = value_;
  a(state_, pivoting_, scaled_, scaling_given_, scaling_.row, scaling_.column, pivot_value_,
    pivot_tolerance_);
  a.sized(value_, "matrix values");
  a.sized(column_largest_, "unknowns");
  a(pivot_, refusal_);
  a.plain(counters_);
  if (!a.restores() || state_ != State::factored) return;
  solver_->factor(pivot_value_.data(), pivot_tolerance_);
  if (pivoting_ == fixed_pivots) solver_->refactor(value_.data());
  rows_.take(parallel_, value_);
}

/// r = c - B y and its backward error. Most often all |r_i| are rounding, below 8 u max w, and the error is
/// 0: max w needs no sums |B||y| + |c| to be bounded from below, by the largest of their terms.
double GuardedSystem::residual() {
  const DenseKernels& kernels = dense_kernels();
  const RowGroupTables tables = rows_.tables();
  const ResidualExtent found = parallel_.joined(
      rows_.count(), groups_per_chunk,
      [&](int begin, int end) {
        return kernels.subtract_rows(tables, begin, end, c_.data(), y_.data(), column_largest_.data(),
                                     r_.data());
      },
      join_extents);
  if (std::isfinite(found.total) && found.largest <= rounding_of(found.scale)) return 0;
  return backward_error();
}

/// The smallest tol with |r_i| <= tol w_i + 8 u max w for all i, w = |B||y| + |c|, of the present r; infinity
/// when anything is not finite. The second term allows for rounding of the largest rows in rows whose own
/// terms vanish (out-of-plane forces of a plane motion).
double GuardedSystem::backward_error() {
  const int n = pattern().n;
  const DenseKernels& kernels = dense_kernels();
  const RowGroupTables tables = rows_.tables();
  parallel_(rows_.count(), groups_per_chunk, [&](int begin, int end, int) {
    kernels.row_sizes(tables, begin, end, c_.data(), y_.data(), w_.data());
  });
  struct Sizes {
    double total = 0, largest = 0;
  };
  const Sizes sizes = parallel_.joined(
      n, values_per_chunk,
      [&](int begin, int end) {
        Sizes found;
        for (int i = begin; i < end; ++i) {
          found.total += w_[i];
          found.largest = std::max(found.largest, w_[i]);
        }
        return found;
      },
      [](const Sizes& a, const Sizes& b) {
        return Sizes{a.total + b.total, std::max(a.largest, b.largest)};
      });
  if (!std::isfinite(sizes.total)) return INFINITY;
  const double rounding = rounding_of(sizes.largest);
  return parallel_.joined(
      n, values_per_chunk,
      [&](int begin, int end) {
        double error = 0;
        for (int i = begin; i < end; ++i) {
          const double excess = std::fabs(r_[i]) - rounding;
          if (excess > error * w_[i]) error = excess / w_[i];
        }
        return error;
      },
      [](double a, double b) { return std::max(a, b); });
}

double GuardedSystem::first_answer() {
  solver_->solve(c_.data(), y_.data());
  return residual();
}

double GuardedSystem::refined() {
  ++counters_.refinements;
  kept_ = y_;
  solver_->solve(r_.data());
  for (int i = 0; i < pattern().n; ++i) y_[i] += r_[i];
  return residual();
}

/// x_i = s_i b_i.
void GuardedSystem::scale(const std::vector<double>& s, const double* b, double* x) {
  parallel_(pattern().n, values_per_chunk, [&](int begin, int end, int) {
    for (int i = begin; i < end; ++i) x[i] = s[i] * b[i];
  });
}

SolveReport GuardedSystem::solve(const double* b, double* x) {
  if (state_ == State::empty || state_ == State::analyzed) {
    fail(ExitCode::internal, "linear system: solve() before set_matrix()");
  }
  ++counters_.solves;
  const int n = pattern().n;
  SolveReport report = refusal_;
  while (state_ == State::factored) {
    report = {};
    scale(scaling_.row, b, c_.data());
    report.backward_error = guarded_answer(*this, limits);
    if (report.backward_error <= limits.accept) {
      scale(scaling_.column, y_.data(), x);
      return report;
    }
    if (!std::all_of(b, b + n, [](double v) { return std::isfinite(v); })) {
      report.status = SolveStatus::not_finite;  // the factors are kept: the right-hand side is not finite
      break;
    }
    if (pivoting_ == full_pivoting) {
      const double error = report.backward_error;
      report = refuse(SolveStatus::inaccurate);
      report.backward_error = error;
    } else {
      ++counters_.guard_trips;
      if (!factor_from(pivoting_ + 1, true)) report = refuse(SolveStatus::singular);
    }
  }
  std::fill_n(x, n, 0.0);
  return report;
}

}  // namespace trammel
