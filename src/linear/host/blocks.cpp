#include "linear/host/blocks.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "base/diagnostics.h"
#include "linear/host/block_plan.h"
#include "linear/host/dense_kernels.h"
#include "linear/host/full_pivoting.h"

namespace trammel {
namespace {

class BlockSolver final : public LinearSolver {
 public:
  void analyze(const SparsePattern& pattern, const std::vector<int>& order) override {
    check_pattern(pattern);
    check_order(order, pattern.n);
    factored_ = usable_ = false;
    work_ = {};
    plan_ = make_block_plan(pattern, order);
    schedule_ = plan_.schedule();
  }

  FactorStatus factor(const double* values, double tolerance) override {
    usable_ = factored_ = false;
    try {
      allocate();
    } catch (const std::bad_alloc&) {
      work_ = {};
      return FactorStatus::out_of_memory;
    }
    tolerance_ = tolerance;
    factored_ = true;
    return eliminate(values);
  }

  FactorStatus refactor(const double* values) override {
    return usable_ ? eliminate(values) : FactorStatus::singular;
  }

  using LinearSolver::solve;
  void solve(const double* b, double* x) const override {
    if (!factored_) fail(ExitCode::internal, "linear solver: solve() before factor()");
    const int n = plan_.n;
    const int* slot = plan_.slot.data();
    double* y = y_.data();
    for (int i = 0; i < n; ++i) y[slot[i]] = b[i];
    kernels_.solve_blocks(schedule_, numbers_, y);
    for (int i = 0; i < n; ++i) x[i] = y[slot[i]];
  }

  Pivot smallest_pivot(const double* column_magnitude) const override {
    Pivot smallest;
    if (!factored_ || plan_.n == 0) return smallest;
    // The largest quotient of column and pivot; infinite where a pivot is not finite or a column zero.
    double largest = -1;
    int at = 0;
    for (int k = 0; k < plan_.slots(); ++k) {
      const int unknown = plan_.unknown[k];
      if (unknown < 0) continue;
      const double magnitude = column_magnitude[unknown], inverse = std::fabs(inverse_[k]);
      const double quotient = magnitude > 0 && inverse > 0 ? magnitude * inverse : INFINITY;
      if (quotient > largest) largest = quotient, at = k;
    }
    return {row_of_pivot(at), plan_.unknown[at], 1 / largest};
  }

  FactorInfo info() const override {
    FactorInfo info;
    if (!factored_) return info;
    info.nonzeros = static_cast<long>(plan_.nonzeros);
    info.off_diagonal_pivots = off_diagonal_;
    info.flops = plan_.flops;
    double least = INFINITY, most = 0;  // of the pivots' inverses
    for (int k = 0; k < plan_.slots(); ++k) {
      if (plan_.unknown[k] < 0) continue;
      least = std::min(least, std::fabs(inverse_[k]));
      most = std::max(most, std::fabs(inverse_[k]));
    }
    info.rcond = most > 0 ? least / most : 0;
    return info;
  }

 private:
  /// Allocates all storage, at the first factorization.
  void allocate() {
    if (!work_.empty()) return;
    const int slots = plan_.slots(), border = padded(plan_.largest_border);
    lower_.assign(plan_.lower_size + kBeyond, 0.0);
    upper_.assign(plan_.upper_size + kBeyond, 0.0);
    inverse_.assign(slots, 0.0);
    exchange_.assign(slots, 0);
    exchanged_ = std::make_unique<bool[]>(schedule_.fronts);
    y_.assign(slots + kBeyond, 0.0);
    x_.assign(padded(plan_.largest_pivots) + kBeyond, 0.0);
    w_.assign(border + kBeyond, 0.0);
    block_.assign(static_cast<std::size_t>(border) * plan_.largest_border + kBeyond, 0.0);
    work_.assign(plan_.work_size + kBeyond, 0.0);
    numbers_ = {work_.data(),     lower_.data(), upper_.data(), inverse_.data(), exchange_.data(),
                exchanged_.get(), x_.data(),     w_.data(),     block_.data()};
  }

  FactorStatus eliminate(const double* values) {
    const DensePivots found = kernels_.eliminate_blocks(schedule_, numbers_, values, tolerance_);
    off_diagonal_ = found.off_diagonal;
    usable_ = !found.singular;
    return usable_ ? FactorStatus::ok : FactorStatus::singular;
  }

  /// The unpermuted row of the pivot in a slot: applies the exchanges in reverse order.
  int row_of_pivot(int slot) const {
    const auto front = std::upper_bound(plan_.fronts.begin(), plan_.fronts.end() - 1, slot,
                                        [](int s, const BlockFront& f) { return s < f.slot; }) -
                       1;
    int row = slot - front->slot;
    if (!exchanged_[front - plan_.fronts.begin()]) return plan_.unknown[slot];
    const int* exchange = exchange_.data() + front->slot;
    for (int k = row; k >= 0; --k) row = row == k ? exchange[k] : row == exchange[k] ? k : row;
    return plan_.unknown[front->slot + row];
  }

  const DenseKernels& kernels_ = dense_kernels();
  BlockPlan plan_;
  BlockSchedule schedule_;
  BlockNumbers numbers_;
  std::vector<double> work_, lower_, upper_, inverse_;
  std::vector<int> exchange_;
  std::unique_ptr<bool[]> exchanged_;
  std::vector<double> x_, w_, block_;
  mutable std::vector<double> y_;  ///< a right-hand side by slots
  bool factored_ = false, usable_ = false;
  double tolerance_ = 0.01;
  int off_diagonal_ = 0;
};

}  // namespace

std::unique_ptr<LinearSolver> make_block_solver() {
  return with_full_pivoting(std::make_unique<BlockSolver>());
}

}  // namespace trammel
