// What is particular to the factorization by blocks: every set of its kernels, its tables, exchanges of rows.
#include "linear/host/blocks.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "linear/host/block_plan.h"
#include "linear/host/dense_kernels.h"
#include "linear/ordering.h"
#include "mechanisms.h"

namespace trammel::test_blocks {
namespace {

using namespace test;

/// A plan with numbers of its own, eliminated and solved by a set of kernels.
struct Elimination {
  explicit Elimination(BlockPlan made) : plan(std::move(made)) {}
  BlockPlan plan;
  std::vector<double> work, contribution, lower, upper, inverse, x, w, block, y;
  std::vector<int> exchange;
  std::unique_ptr<bool[]> exchanged;

  std::vector<double> answer(const DenseKernels& kernels, const std::vector<double>& values,
                             const std::vector<double>& b) {
    const int slots = plan.slots(), border = padded(plan.largest_border);
    work.assign(plan.work_size + kBeyond, NAN);  // what is not set must not be read
    contribution.assign(plan.contribution_size + kBeyond, NAN);
    lower.assign(plan.lower_size + kBeyond, NAN);
    upper.assign(plan.upper_size + kBeyond, NAN);
    inverse.assign(slots + kBeyond, 0);
    exchange.assign(slots, 0);
    exchanged = std::make_unique<bool[]>(plan.fronts.size());
    x.assign(padded(plan.largest_pivots) + kBeyond, 0);
    w.assign(border + kBeyond, 0);
    block.assign(static_cast<size_t>(border) * border + kBeyond, 0);
    y.assign(slots + kBeyond, 0);
    const BlockSchedule schedule = plan.schedule();
    const BlockNumbers numbers{work.data(),    contribution.data(), lower.data(),    upper.data(),
                               inverse.data(), exchange.data(),     exchanged.get(), x.data(),
                               w.data(),       block.data()};
    for (int i = 0; i < plan.n; ++i) y[plan.slot[i]] = b[i];
    for (const BlockSubtree& s : plan.subtrees) {
      EXPECT_FALSE(kernels.eliminate_blocks(schedule, s.begin, s.end, numbers, values.data(), 0.01).singular);
      kernels.forward_blocks(schedule, s.begin, s.end, numbers, y.data());
      if (s.contribution < 0) continue;
      const BlockFront& sums = plan.fronts[s.contribution];
      std::copy_n(work.data() + sums.work, padded(sums.border) * sums.border, &contribution[sums.lower]);
    }
    EXPECT_FALSE(
        kernels.eliminate_blocks(schedule, plan.top, plan.end(), numbers, values.data(), 0.01).singular);
    kernels.forward_blocks(schedule, plan.top, plan.end(), numbers, y.data());
    kernels.backward_blocks(schedule, plan.top, plan.end(), numbers, y.data());
    for (const BlockSubtree& s : plan.subtrees)
      kernels.backward_blocks(schedule, s.begin, s.end, numbers, y.data());
    std::vector<double> out(plan.n);
    for (int i = 0; i < plan.n; ++i) out[i] = y[plan.slot[i]];
    return out;
  }
};

// Each set of kernels leaves a residual of rounding on every topology, small fronts and large.
TEST(Blocks, EverySetOfKernels) {
  int count = 0;
  const DenseKernels* const* sets = all_dense_kernels(count);
  int in_parts = 0;
  for (const int unknowns :
       {1000, 30000})  // the latter in several subtrees, but for chains that are one path
    for (const Mechanism& m : topologies(unknowns)) {
      const System s = make_system(m);
      const std::vector<double> values = scaled(s), b = some_vector(s.pattern.n);
      Elimination e(make_block_plan(s.pattern, elimination_order(s.graph)));
      in_parts += e.plan.subtrees.size() > 1;
      for (int k = 0; k < count; ++k) {
        const std::vector<double> x = e.answer(*sets[k], values, b);
        // No refinement, as in test_solvers.cpp: rows of nets and frames lose some digits to their neighbours
        // (without fused operations 1.2e-11).
        EXPECT_LT(row_residual(s.pattern, values, x, b), 2e-11) << m.name << " " << sets[k]->name;
      }
    }
  EXPECT_GE(in_parts, 7);
}

/// Four full blocks of `pivots` unknowns, each coupled to the same `shared` further ones.
struct Blocks {
  SparsePattern pattern;
  std::vector<double> values;
  Blocks(int pivots, int shared) : pattern{4 * pivots + shared, {0}, {}} {
    const auto block = [&](int i) { return i / pivots < 4 ? i / pivots : 4; };
    for (int j = 0; j < pattern.n; ++j) {
      for (int i = 0; i < pattern.n; ++i) {
        if (block(i) != block(j) && block(i) < 4 && block(j) < 4) continue;
        pattern.row.push_back(i);
        values.push_back(i == j ? 3.0 + std::cos(i) : std::sin(1.0 + 2.3 * i + 1.7 * j) / pivots);
      }
      pattern.column_start.push_back(static_cast<int>(pattern.row.size()));
    }
  }
};

// Small fronts of each number of pivots have kernels of their own, and larger ones others.
TEST(Blocks, FrontsOfEverySize) {
  int count = 0;
  const DenseKernels* const* sets = all_dense_kernels(count);
  std::set<int> seen;
  for (int pivots = 1; pivots <= kSmallFront + 2; ++pivots)
    for (const int shared : {3, 7, 8, 13, 30}) {
      const Blocks a(pivots, shared);
      std::vector<int> order(a.pattern.n);
      std::iota(order.begin(), order.end(), 0);
      Elimination e(make_block_plan(a.pattern, order));
      for (const BlockFront& f : e.plan.fronts)
        if (f.border > 0) seen.insert(f.pivots);
      const std::vector<double> b = some_vector(a.pattern.n);
      for (int k = 0; k < count; ++k) {
        const std::vector<double> x = e.answer(*sets[k], a.values, b);
        // The diagonal is larger than what stands beside it: rounding does not grow.
        EXPECT_LT(row_residual(a.pattern, a.values, x, b), 1e-14)
            << pivots << " " << shared << " " << sets[k]->name;
      }
    }
  // Those of less than four pivots are merged here; chains have them.
  for (int pivots = 4; pivots <= kSmallFront + 1; ++pivots) EXPECT_TRUE(seen.contains(pivots)) << pivots;
}

// An open chain ends in its middle: two subtrees have all but a few of its fronts, half each, however long it
// is.
TEST(Blocks, ChainsHaveTwoHalves) {
  for (const int bodies : {3000, 12000}) {
    const System s = make_system(chain(bodies));
    const BlockPlan plan = make_block_plan(s.pattern, elimination_order(s.graph));
    ASSERT_EQ(plan.subtrees.size(), 2u) << bodies;
    const double one = plan.subtrees[0].work, other = plan.subtrees[1].work;
    EXPECT_LT(std::max(one, other), 1.3 * std::min(one, other));  // a half from ground has larger fronts
    EXPECT_LE(plan.end() - plan.top, 10);
  }
}

// A rigid body and what holds it are few small fronts; every value of the matrix has one place; the work area
// of a chain does not grow with it.
TEST(Blocks, TablesOfAChain) {
  const auto plan_of = [](int bodies) {
    const System s = make_system(chain(bodies, 5));
    BlockPlan plan = make_block_plan(s.pattern, elimination_order(s.graph));
    EXPECT_EQ(plan.clears.back().values, s.pattern.nonzeros());
    std::vector<int> source;
    for (int k = 0; k < s.pattern.nonzeros(); ++k) source.push_back(plan.values[k].source);
    std::sort(source.begin(), source.end());
    for (int k = 0; k < s.pattern.nonzeros(); ++k) EXPECT_EQ(source[k], k);
    return plan;
  };
  const BlockPlan small = plan_of(100), large = plan_of(1000);
  EXPECT_LE(large.work_size, small.work_size);
  for (const BlockFront& front : large.fronts) EXPECT_LE(front.pivots, kSmallFront + 4);
  EXPECT_LE(large.fronts.size(), 4u * 1000);
}

// One front, whose diagonal is zero: rows are exchanged, and the row of each pivot is told.
TEST(Blocks, ExchangesInsideOfAFront) {
  for (const int n : {3, 7, 10, 12, 16, 17, 20}) {  // small fronts and large
    SparsePattern a{n, {0}, {}};
    std::vector<double> values;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        a.row.push_back(i);
        values.push_back(i == j ? 0.0 : i == (j + 2) % n ? 2.0 + j : 0.1 * std::sin(1.0 + i + n * j));
      }
      a.column_start.push_back(static_cast<int>(a.row.size()));
    }
    std::vector<int> order(n);
    for (int i = 0; i < n; ++i) order[i] = i;
    auto solver = make_block_solver();
    solver->analyze(a, order);
    ASSERT_EQ(solver->factor(values.data()), FactorStatus::ok);
    EXPECT_GT(solver->info().off_diagonal_pivots, 0);
    const std::vector<double> b = some_vector(n);
    for (int again = 0; again < 2; ++again) {
      std::vector<double> x(b);
      solver->solve(x.data());
      // Pivots are kept from 0.01 of their column on, so entries may grow by some hundred.
      EXPECT_LT(row_residual(a, values, x, b), 1e-12) << n;
      ASSERT_EQ(solver->refactor(values.data()), FactorStatus::ok);
    }
    // Magnitudes that make the pivot of column 1 the smallest: it stands in row 3 mod n.
    std::vector<double> magnitude(n, 1.0);
    magnitude[1] = 1e6;
    EXPECT_EQ(solver->smallest_pivot(magnitude.data()).column, 1);
    EXPECT_EQ(solver->smallest_pivot(magnitude.data()).row, 3 % n);
    // With a strong diagonal nothing is exchanged any more.
    for (int j = 0; j < n; ++j) values[j * n + j] = 100;
    ASSERT_EQ(solver->refactor(values.data()), FactorStatus::ok);
    EXPECT_EQ(solver->info().off_diagonal_pivots, 0);
    std::vector<double> x(b);
    solver->solve(x.data());
    EXPECT_LT(row_residual(a, values, x, b), 1e-14) << n;
  }
}

}  // namespace
}  // namespace trammel::test_blocks
