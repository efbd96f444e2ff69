#include "linear/host/blocks.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "base/diagnostics.h"
#include "linear/host/block_plan.h"
#include "linear/host/dense_kernels.h"
#include "linear/host/full_pivoting.h"
#include "linear/host/subtree_shares.h"

namespace trammel {
namespace {

class BlockSolver final : public LinearSolver {
 public:
  void analyze(const SparsePattern& pattern, const std::vector<int>& order) override {
    check_pattern(pattern);
    check_order(order, pattern.n);
    factored_ = usable_ = false;
    lower_ = {};
    take(std::make_shared<BlockPlan>(make_block_plan(pattern, order)));
  }
  std::unique_ptr<LinearSolver> with_same_analysis() const override {
    auto same = std::make_unique<BlockSolver>();
    same->take(plan_);
    return same;
  }

  FactorStatus factor(const double* values, double tolerance) override {
    usable_ = factored_ = false;
    try {
      allocate();
    } catch (const std::bad_alloc&) {
      lower_ = {};
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
    if (shares_.threads() == 1) return solve_alone(b, x);
    double* y = y_.data();
    shares_.for_each(SubtreeShares::half_a_solution, [&](int k, int thread) {
      const BlockSubtree& subtree = plan_->subtrees[k];
      gather(subtree.begin, subtree.end, b);
      clear_sums(subtree);
      kernels_.forward_blocks(schedule_, subtree.begin, subtree.end, numbers_[thread], y);
    });
    gather(plan_->top, plan_->end(), b);
    kernels_.forward_blocks(schedule_, plan_->top, plan_->end(), numbers_[0], y);
    kernels_.backward_blocks(schedule_, plan_->top, plan_->end(), numbers_[0], y);
    scatter(plan_->top, plan_->end(), x);
    shares_.for_each(SubtreeShares::half_a_solution, [&](int k, int thread) {
      const BlockSubtree& subtree = plan_->subtrees[k];
      kernels_.backward_blocks(schedule_, subtree.begin, subtree.end, numbers_[thread], y);
      scatter(subtree.begin, subtree.end, x);
    });
  }

  void set_pool(std::shared_ptr<ThreadPool> pool) override {
    pool_ = pool && pool->threads() > 1 ? std::move(pool) : nullptr;
    divide();
    if (!lower_.empty()) make_areas();
  }

  Pivot smallest_pivot(const double* column_magnitude) const override {
    Pivot smallest;
    if (!factored_ || plan_->n == 0) return smallest;
    // The largest quotient of column and pivot; infinite where a pivot is not finite or a column zero.
    double largest = -1;
    int at = 0;
    for (int k = 0; k < plan_->slots(); ++k) {
      const int unknown = plan_->unknown[k];
      if (unknown < 0) continue;
      const double magnitude = column_magnitude[unknown], inverse = std::fabs(inverse_[k]);
      const double quotient = magnitude > 0 && inverse > 0 ? magnitude * inverse : INFINITY;
      if (quotient > largest) largest = quotient, at = k;
    }
    return {row_of_pivot(at), plan_->unknown[at], 1 / largest};
  }

  FactorInfo info() const override {
    FactorInfo info;
    if (!factored_) return info;
    info.nonzeros = static_cast<long>(plan_->nonzeros);
    info.off_diagonal_pivots = off_diagonal_;
    info.flops = plan_->flops;
    double least = INFINITY, most = 0;  // of the pivots' inverses
    for (int k = 0; k < plan_->slots(); ++k) {
      if (plan_->unknown[k] < 0) continue;
      least = std::min(least, std::fabs(inverse_[k]));
      most = std::max(most, std::fabs(inverse_[k]));
    }
    info.rcond = most > 0 ? least / most : 0;
    return info;
  }

 private:
  void take(std::shared_ptr<const BlockPlan> plan) {
    plan_ = std::move(plan);
    schedule_ = plan_->schedule();
    divide();
  }

  void divide() {
    std::vector<double> work;
    for (const BlockSubtree& subtree : plan_->subtrees) work.push_back(subtree.work);
    shares_.divide(work, pool_);
  }

  /// solve() by one thread, to the same bits: subtrees stand before the fronts above them in the list.
  void solve_alone(const double* b, double* x) const {
    const int n = plan_->n;
    const int* slot = plan_->slot.data();
    double* y = y_.data();
    for (const BlockSubtree& subtree : plan_->subtrees) clear_sums(subtree);
    for (int i = 0; i < n; ++i) y[slot[i]] = b[i];
    kernels_.forward_blocks(schedule_, 0, plan_->end(), numbers_[0], y);
    kernels_.backward_blocks(schedule_, 0, plan_->end(), numbers_[0], y);
    for (int i = 0; i < n; ++i) x[i] = y[slot[i]];
  }

  /// A subtree's sums for rows above it begin with zeros in each solve.
  void clear_sums(const BlockSubtree& subtree) const {
    if (subtree.contribution < 0) return;
    const BlockFront& sums = plan_->fronts[subtree.contribution];
    std::fill_n(y_.data() + sums.slot, sums.border, 0.0);
  }

  /// The right-hand side of fronts [begin, end), by slots.
  void gather(int begin, int end, const double* b) const {
    for (int f = begin; f < end; ++f) {
      const BlockFront& front = plan_->fronts[f];
      for (int k = front.slot; k < front.slot + front.pivots; ++k) y_[k] = b[plan_->unknown[k]];
    }
  }
  void scatter(int begin, int end, double* x) const {
    for (int f = begin; f < end; ++f) {
      const BlockFront& front = plan_->fronts[f];
      for (int k = front.slot; k < front.slot + front.pivots; ++k) x[plan_->unknown[k]] = y_[k];
    }
  }

  /// A work area and scratch for each thread.
  void make_areas() {
    const int border = padded(plan_->largest_border);
    areas_.resize(shares_.threads());
    numbers_.clear();
    for (Area& a : areas_) {
      a.work.assign(plan_->work_size + kBeyond, 0.0);
      a.x.assign(padded(plan_->largest_pivots) + kBeyond, 0.0);
      a.w.assign(border + kBeyond, 0.0);
      a.block.assign(static_cast<std::size_t>(border) * plan_->largest_border + kBeyond, 0.0);
      numbers_.push_back({a.work.data(), contribution_.data(), lower_.data(), upper_.data(), inverse_.data(),
                          exchange_.data(), exchanged_.get(), a.x.data(), a.w.data(), a.block.data()});
    }
  }

  /// Allocates all storage, at the first factorization.
  void allocate() {
    if (!lower_.empty()) return;
    const int slots = plan_->slots();
    lower_.assign(plan_->lower_size + kBeyond, 0.0);
    upper_.assign(plan_->upper_size + kBeyond, 0.0);
    inverse_.assign(slots + kBeyond, 0.0);
    exchange_.assign(slots, 0);
    exchanged_ = std::make_unique<bool[]>(plan_->end());
    y_.assign(slots + kBeyond, 0.0);
    contribution_.assign(plan_->contribution_size + kBeyond, 0.0);
    found_.resize(plan_->subtrees.size());
    make_areas();
  }

  FactorStatus eliminate(const double* values) {
    shares_.for_each(SubtreeShares::factorization, [&](int k, int thread) {
      const BlockSubtree& subtree = plan_->subtrees[k];
      const BlockNumbers& numbers = numbers_[thread];
      found_[k] =
          kernels_.eliminate_blocks(schedule_, subtree.begin, subtree.end, numbers, values, tolerance_);
      if (subtree.contribution < 0) return;
      const BlockFront& sums = plan_->fronts[subtree.contribution];
      std::copy_n(numbers.work + sums.work, padded(sums.border) * sums.border,
                  contribution_.data() + sums.lower);
    });
    DensePivots all =
        kernels_.eliminate_blocks(schedule_, plan_->top, plan_->end(), numbers_[0], values, tolerance_);
    for (const DensePivots& found : found_) {
      all.off_diagonal += found.off_diagonal;
      all.singular |= found.singular;
    }
    off_diagonal_ = all.off_diagonal;
    usable_ = !all.singular;
    return usable_ ? FactorStatus::ok : FactorStatus::singular;
  }

  /// The unpermuted row of the pivot in a slot: applies the exchanges in reverse order.
  int row_of_pivot(int slot) const {
    const auto front = std::upper_bound(plan_->fronts.begin(), plan_->fronts.end() - 1, slot,
                                        [](int s, const BlockFront& f) { return s < f.slot; }) -
                       1;
    int row = slot - front->slot;
    if (!exchanged_[front - plan_->fronts.begin()]) return plan_->unknown[slot];
    const int* exchange = exchange_.data() + front->slot;
    for (int k = row; k >= 0; --k) row = row == k ? exchange[k] : row == exchange[k] ? k : row;
    return plan_->unknown[front->slot + row];
  }

  const DenseKernels& kernels_ = dense_kernels();
  /// Where a thread eliminates.
  struct Area {
    std::vector<double> work, x, w, block;
  };

  std::shared_ptr<ThreadPool> pool_;
  SubtreeShares shares_;
  std::shared_ptr<const BlockPlan> plan_ = std::make_shared<BlockPlan>();
  BlockSchedule schedule_;
  std::vector<double> contribution_, lower_, upper_, inverse_;
  std::vector<int> exchange_;
  std::unique_ptr<bool[]> exchanged_;
  std::vector<Area> areas_;
  std::vector<BlockNumbers> numbers_;  ///< of each thread
  std::vector<DensePivots> found_;     ///< in each subtree
  mutable std::vector<double> y_;      ///< a right-hand side by slots
  bool factored_ = false, usable_ = false;
  double tolerance_ = 0.01;
  int off_diagonal_ = 0;
};

}  // namespace

std::unique_ptr<LinearSolver> make_block_solver() {
  return with_full_pivoting(std::make_unique<BlockSolver>());
}

}  // namespace trammel
