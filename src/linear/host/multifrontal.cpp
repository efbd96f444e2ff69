#include "linear/host/multifrontal.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "base/diagnostics.h"
#include "base/thread_pool.h"
#include "linear/host/front_numeric.h"
#include "linear/host/fronts.h"
#include "linear/host/full_pivoting.h"
#include "linear/host/subtree_shares.h"

namespace trammel {
namespace {

/// Fronts above the subtrees with fewer operations are processed by one thread.
constexpr double kSharedFront = 3e6;
/// Number of right-hand sides solved together.
constexpr int kWide = 8;

class MultifrontalSolver final : public LinearSolver {
 public:
  void analyze(const SparsePattern& pattern, const std::vector<int>& order) override {
    check_pattern(pattern);
    check_order(order, pattern.n);
    analyzed_ = factored_ = usable_ = false;
    factors_ = {};
    take(std::make_shared<FrontTree>(make_fronts(pattern, order)));
  }
  std::unique_ptr<LinearSolver> with_same_analysis() const override {
    auto same = std::make_unique<MultifrontalSolver>();
    same->take(tree_);
    return same;
  }

  FactorStatus factor(const double* values, double tolerance) override {
    if (!analyzed_) fail(ExitCode::internal, "linear solver: factor() before analyze()");
    usable_ = factored_ = false;
    try {
      allocate();
    } catch (const std::bad_alloc&) {
      factors_ = {};
      factored_ = false;
      return FactorStatus::out_of_memory;
    }
    tolerance_ = tolerance;
    factored_ = true;
    return eliminate(values);
  }

  FactorStatus refactor(const double* values) override {
    if (tree_->n > 0 && !usable_) return FactorStatus::singular;
    return eliminate(values);
  }

  using LinearSolver::solve;
  void solve(const double* b, double* x) const override {
    check_factored();
    double* y = y_.data();
    for_subtrees(SubtreeShares::half_a_solution, [&](const Subtree& subtree, int thread) {
      gather(subtree, b, y, 1);
      for (int s = subtree.begin; s < subtree.end; ++s) {
        if (s + 1 < subtree.end) prefetch_forward(*tree_, factors_, s + 1);
        forward_front(*tree_, kernels_, factors_, s, y, scratch_[thread]);
      }
    });
    gather_top(b, y);
    collect(y, 1);
    const int count = static_cast<int>(tree_->top.size());
    for (int k = 0; k < count; ++k) {
      if (k + 1 < count) prefetch_forward(*tree_, factors_, tree_->top[k + 1]);
      forward_front(*tree_, kernels_, factors_, tree_->top[k], y, scratch_[0]);
    }
    for (int k = count - 1; k >= 0; --k) {
      if (k > 0) prefetch_backward(*tree_, factors_, tree_->top[k - 1]);
      backward_front(*tree_, kernels_, factors_, tree_->top[k], y, scratch_[0]);
      scatter(tree_->fronts[tree_->top[k]], y, x);
    }
    for_subtrees(SubtreeShares::half_a_solution, [&](const Subtree& subtree, int thread) {
      distribute(subtree, y, 1);
      for (int s = subtree.end - 1; s >= subtree.begin; --s) {
        if (s > subtree.begin) prefetch_backward(*tree_, factors_, s - 1);
        backward_front(*tree_, kernels_, factors_, s, y, scratch_[thread]);
        scatter(tree_->fronts[s], y, x);
      }
    });
  }

  void solve_many(double* b, int columns, int stride) const override {
    check_factored();
    if (columns < 2) {
      if (columns == 1) solve(b);
      return;
    }
    many_.resize(static_cast<size_t>(kWide) * (tree_->n + tree_->buffer_size));
    many_scratch_.resize(scratch_.size());
    for (auto& w : many_scratch_) w.resize(static_cast<size_t>(kWide) * tree_->largest_border);
    for (int c = 0; c < columns; c += kWide)
      solve_strip(b + static_cast<std::int64_t>(c) * stride, std::min(kWide, columns - c), stride);
  }

  Pivot smallest_pivot(const double* column_magnitude) const override {
    Pivot smallest;
    if (!factored_ || tree_->n == 0) return smallest;
    smallest.relative = INFINITY;
    int front = -1, at = -1;
    for_pivots([&](int s, int k, double pivot) {
      const int column = tree_->order[tree_->fronts[s].first + k];
      const double size = std::fabs(pivot), magnitude = column_magnitude[column];
      // A pivot that is not finite, or in a column of zeros, counts as 0.
      const double relative = magnitude > 0 && std::isfinite(size) ? size / magnitude : 0;
      if (relative < smallest.relative) smallest = {-1, column, relative}, front = s, at = k;
    });
    if (front >= 0) smallest.row = tree_->order[tree_->fronts[front].first + row_of_pivot(front, at)];
    return smallest;
  }

  FactorInfo info() const override {
    FactorInfo info;
    if (!factored_) return info;
    info.nonzeros = static_cast<long>(tree_->nonzeros);
    info.off_diagonal_pivots = off_diagonal_;
    info.flops = tree_->flops;
    double least = INFINITY, most = 0;
    for_pivots([&](int, int, double pivot) {
      least = std::min(least, std::fabs(pivot));
      most = std::max(most, std::fabs(pivot));
    });
    info.rcond = most > 0 ? least / most : 0;
    return info;
  }

  void set_pool(std::shared_ptr<ThreadPool> pool) override {
    pool_ = pool && pool->threads() > 1 ? std::move(pool) : nullptr;
    if (analyzed_) assign_subtrees();
    if (y_.empty()) return;
    make_arenas();
    make_scratch();
  }

 private:
  void take(std::shared_ptr<const FrontTree> tree) {
    tree_ = std::move(tree);
    analyzed_ = true;
    assign_subtrees();
  }

  void check_factored() const {
    if (!factored_) fail(ExitCode::internal, "linear solver: solve() before factor()");
  }

  void assign_subtrees() {
    std::vector<double> work;
    for (const Subtree& subtree : tree_->subtrees) work.push_back(subtree.work);
    shares_.divide(work, pool_);
  }

  /// Allocates all storage, at the first factorization.
  void allocate() {
    make_arenas();
    if (!y_.empty() && factors_.factor.size() >= static_cast<size_t>(tree_->factor_size)) return;
    factors_.factor.assign(tree_->factor_size + kBeyond, 0.0);
    factors_.inverse.assign(tree_->n, 0.0);
    factors_.exchange.assign(tree_->n, 0);
    found_.assign(tree_->subtrees.size() + tree_->top.size(), {});
    y_.assign(tree_->n + tree_->buffer_size + kBeyond, 0.0);
    make_scratch();
  }

  int threads() const { return pool_ ? pool_->threads() : 1; }

  /// Contribution blocks: the shared ones, then an arena for each thread.
  void make_arenas() {
    const std::int64_t size = tree_->block_size + threads() * tree_->arena_size + kBeyond;
    if (factors_.block.size() != static_cast<size_t>(size)) factors_.block = std::vector<double>(size);
  }
  /// Those of a front of a subtree that a thread works on.
  BlockArrays arrays_of(const Subtree& subtree, int s, int thread) {
    double* shared = factors_.block.data();
    double* arena = shared + tree_->block_size + thread * tree_->arena_size;
    return {s == subtree.end - 1 ? shared : arena, arena};
  }
  BlockArrays shared_arrays() { return {factors_.block.data(), factors_.block.data()}; }

  void make_scratch() {
    const size_t size = padded(tree_->largest) + 2 * kRowGroup;
    scratch_.assign(pool_ ? pool_->threads() : 1, {std::vector<double>(size), std::vector<double>(size)});
  }

  template <class F>
  void for_subtrees(double part_of_work, F f) const {
    shares_.for_each(part_of_work, [&](int k, int thread) { f(tree_->subtrees[k], thread); });
  }

  FactorStatus eliminate(const double* values) {
    std::fill(found_.begin(), found_.end(), DensePivots{});
    const auto add = [](DensePivots& sum, const DensePivots& more) {
      sum.off_diagonal += more.off_diagonal;
      sum.singular |= more.singular;
    };
    for_subtrees(SubtreeShares::factorization, [&](const Subtree& subtree, int thread) {
      DensePivots& found = found_[&subtree - tree_->subtrees.data()];
      for (int s = subtree.begin; s < subtree.end; ++s) {
        if (s + 1 < subtree.end) prefetch_values(*tree_, s + 1, values);
        add(found, factor_front(*tree_, kernels_, factors_, s, values, tolerance_,
                                arrays_of(subtree, s, thread), nullptr));
      }
    });
    for (size_t w = 0; w + 1 < tree_->wave_start.size(); ++w)
      eliminate_wave(tree_->wave_start[w], tree_->wave_start[w + 1], values);
    DensePivots all;
    for (const DensePivots& found : found_) add(all, found);
    off_diagonal_ = all.off_diagonal;
    usable_ = !all.singular;
    return usable_ ? FactorStatus::ok : FactorStatus::singular;
  }

  /// Eliminates independent fronts above the subtrees: in parallel while there are enough of them, else one
  /// after the other, large ones divided among the threads.
  void eliminate_wave(int begin, int end, const double* values) {
    DensePivots* found = found_.data() + tree_->subtrees.size();
    const int threads = pool_ ? pool_->threads() : 1;
    if (threads > 1 && end - begin >= threads) {
      pool_->run(threads, [&](int thread) {
        for (int k = begin + thread; k < end; k += threads)
          found[k] = factor_front(*tree_, kernels_, factors_, tree_->top[k], values, tolerance_,
                                  shared_arrays(), nullptr);
      });
      return;
    }
    for (int k = begin; k < end; ++k) {
      if (k + 1 < static_cast<int>(tree_->top.size())) prefetch_values(*tree_, tree_->top[k + 1], values);
      const Front& front = tree_->fronts[tree_->top[k]];
      const bool large = threads > 1 && front_flops(front.pivots, front.border) > kSharedFront;
      found[k] = factor_front(*tree_, kernels_, factors_, tree_->top[k], values, tolerance_, shared_arrays(),
                              large ? pool_.get() : nullptr);
    }
  }

  // ---- right-hand sides: `wide` values per place, followed by the subtrees' buffers

  void gather(const Subtree& subtree, const double* b, double* y, int wide) const {
    const Front& root = tree_->fronts[subtree.end - 1];
    for (int k = tree_->fronts[subtree.begin].first; k < root.first + root.pivots; ++k)
      y[static_cast<std::int64_t>(k) * wide] = b[tree_->order[k]];
    std::fill_n(y + static_cast<std::int64_t>(subtree.buffer) * wide,
                static_cast<std::int64_t>(root.border) * wide, 0.0);
  }
  void gather_top(const double* b, double* y) const {
    for (int s : tree_->top) {
      const Front& front = tree_->fronts[s];
      for (int k = front.first; k < front.first + front.pivots; ++k) y[k] = b[tree_->order[k]];
    }
  }
  void scatter(const Front& front, const double* y, double* x) const {
    for (int k = front.first; k < front.first + front.pivots; ++k) x[tree_->order[k]] = y[k];
  }
  /// Adds the subtrees' buffers to the right-hand side, in a fixed order whatever the number of threads.
  void collect(double* y, int wide) const {
    for (const Subtree& subtree : tree_->subtrees) {
      const Front& root = tree_->fronts[subtree.end - 1];
      const double* from = y + static_cast<std::int64_t>(subtree.buffer) * wide;
      for (int k = 0; k < root.border; ++k) {
        double* to = y + static_cast<std::int64_t>(tree_->row[root.rows + k]) * wide;
        for (int c = 0; c < wide; ++c) to[c] += from[k * wide + c];
      }
    }
  }
  void distribute(const Subtree& subtree, double* y, int wide) const {
    const Front& root = tree_->fronts[subtree.end - 1];
    double* to = y + static_cast<std::int64_t>(subtree.buffer) * wide;
    for (int k = 0; k < root.border; ++k)
      std::copy_n(y + static_cast<std::int64_t>(tree_->row[root.rows + k]) * wide, wide, to + k * wide);
  }

  void solve_strip(double* b, int count, int stride) const {
    const int wide = padded(count);
    double* y = many_.data();
    for (int k = 0; k < tree_->n; ++k) {
      double* to = y + static_cast<std::int64_t>(k) * wide;
      for (int c = 0; c < wide; ++c)
        to[c] = c < count ? b[static_cast<std::int64_t>(c) * stride + tree_->order[k]] : 0.0;
    }
    std::fill_n(y + static_cast<std::int64_t>(tree_->n) * wide,
                static_cast<std::int64_t>(tree_->buffer_size) * wide, 0.0);
    for_subtrees(SubtreeShares::half_a_solution, [&](const Subtree& subtree, int thread) {
      for (int s = subtree.begin; s < subtree.end; ++s)
        forward_front_many(*tree_, kernels_, factors_, s, y, wide, many_scratch_[thread].data());
    });
    collect(y, wide);
    double* w = many_scratch_[0].data();
    for (int s : tree_->top) forward_front_many(*tree_, kernels_, factors_, s, y, wide, w);
    for (auto s = tree_->top.rbegin(); s != tree_->top.rend(); ++s)
      backward_front_many(*tree_, kernels_, factors_, *s, y, wide, w);
    for_subtrees(SubtreeShares::half_a_solution, [&](const Subtree& subtree, int thread) {
      distribute(subtree, y, wide);
      for (int s = subtree.end - 1; s >= subtree.begin; --s)
        backward_front_many(*tree_, kernels_, factors_, s, y, wide, many_scratch_[thread].data());
    });
    for (int k = 0; k < tree_->n; ++k)
      for (int c = 0; c < count; ++c)
        b[static_cast<std::int64_t>(c) * stride + tree_->order[k]] =
            y[static_cast<std::int64_t>(k) * wide + c];
  }

  // ---- pivots

  template <class F>
  void for_pivots(F f) const {
    for (int s = 0; s < static_cast<int>(tree_->fronts.size()); ++s) {
      const Front& front = tree_->fronts[s];
      const double* d = factors_.factor.data() + front.factor;
      const std::int64_t step = padded(front.pivots) + 1;
      for (int k = 0; k < front.pivots; ++k) f(s, k, d[k * step]);
    }
  }

  /// The unpermuted row of the k-th pivot of front s: applies the exchanges in reverse order.
  int row_of_pivot(int s, int k) const {
    const int* exchange = factors_.exchange.data() + tree_->fronts[s].first;
    int row = k;
    for (; k >= 0; --k) row = row == k ? exchange[k] : row == exchange[k] ? k : row;
    return row;
  }

  const DenseKernels& kernels_ = dense_kernels();
  std::shared_ptr<const FrontTree> tree_ = std::make_shared<FrontTree>();
  FrontFactors factors_;
  std::shared_ptr<ThreadPool> pool_;
  SubtreeShares shares_;
  bool analyzed_ = false, factored_ = false, usable_ = false;
  double tolerance_ = 0.01;
  int off_diagonal_ = 0;
  std::vector<DensePivots> found_;                         ///< per subtree, then per front above them
  mutable std::vector<double> y_, many_;                   ///< right-hand sides by places
  mutable std::vector<SolveScratch> scratch_;              ///< per thread
  mutable std::vector<std::vector<double>> many_scratch_;  ///< per thread
};

}  // namespace

std::unique_ptr<LinearSolver> make_multifrontal_solver() {
  return with_full_pivoting(std::make_unique<MultifrontalSolver>());
}

}  // namespace trammel
