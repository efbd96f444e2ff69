// What is particular to the multifrontal solver: its tree, pivots inside fronts, growth.
#include "linear/host/multifrontal.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "linear/host/dense_kernels.h"
#include "linear/host/fronts.h"
#include "linear/ordering.h"
#include "linear/scaling.h"
#include "mechanisms.h"

namespace trammel::test_multifrontal {
namespace {

using namespace test;

std::vector<Mechanism> mechanisms(int n) {
  std::vector<Mechanism> list = topologies(n);
  for (const Mechanism& m : heavy_topologies()) list.push_back(m);
  return list;
}

/// Contribution blocks that are still needed.
class LiveBlocks {
 public:
  explicit LiveBlocks(const FrontTree& tree) : tree_(tree) {}
  std::int64_t size_of(int f) const {
    return static_cast<std::int64_t>(padded(tree_.fronts[f].border)) * tree_.fronts[f].border;
  }
  /// A block comes into being: none that is needed lies there.
  void add(int f, std::int64_t room) {
    const std::int64_t begin = tree_.fronts[f].block, end = begin + size_of(f);
    ASSERT_GE(begin, 0);
    ASSERT_LE(end, room);
    for (const int other : live_) {
      const std::int64_t from = tree_.fronts[other].block, to = from + size_of(other);
      ASSERT_TRUE(end <= from || to <= begin || end == begin || from == to) << f << " over " << other;
    }
    live_.insert(f);
  }
  /// The front has taken the blocks of its children.
  void take_children(int f) {
    for (int k = tree_.child_start[f]; k < tree_.child_start[f + 1]; ++k) live_.erase(tree_.child[k]);
  }
  bool empty() const { return live_.empty(); }

 private:
  const FrontTree& tree_;
  std::set<int> live_;
};

// In a subtree's arena, and above the subtrees wave by wave, no contribution block is written over one that
// its parent has not taken yet.
TEST(Fronts, BlocksDoNotMeet) {
  bool again = false;
  for (const Mechanism& m : mechanisms(1000)) {
    const System s = make_system(m);
    const FrontTree tree = make_fronts(s.pattern, elimination_order(s.graph));
    LiveBlocks shared(tree);
    std::int64_t sum = 0;
    for (const Subtree& subtree : tree.subtrees) {
      LiveBlocks arena(tree);
      for (int f = subtree.begin; f < subtree.end - 1; ++f) {
        arena.add(f, tree.arena_size);
        arena.take_children(f);
      }
      arena.take_children(subtree.end - 1);
      EXPECT_TRUE(arena.empty());
      if (tree.fronts[subtree.end - 1].parent >= 0) shared.add(subtree.end - 1, tree.block_size);
      sum += shared.size_of(subtree.end - 1);
    }
    for (std::size_t w = 0; w + 1 < tree.wave_start.size(); ++w) {
      for (int k = tree.wave_start[w]; k < tree.wave_start[w + 1]; ++k) {
        if (tree.fronts[tree.top[k]].parent >= 0) shared.add(tree.top[k], tree.block_size);
        sum += shared.size_of(tree.top[k]);
      }
      for (int k = tree.wave_start[w]; k < tree.wave_start[w + 1]; ++k) shared.take_children(tree.top[k]);
    }
    EXPECT_TRUE(shared.empty());
    again = again || tree.block_size < sum;
  }
  EXPECT_TRUE(again) << "no room was used twice";
}

// Every place is eliminated once, children come before parents, borders lie in the parent's front, and every
// stored value has one place that no other value has.
TEST(Fronts, TreeIsConsistent) {
  for (const Mechanism& m : mechanisms(1000)) {
    const System s = make_system(m);
    const FrontTree tree = make_fronts(s.pattern, elimination_order(s.graph));
    std::vector<int> sorted(tree.order);
    std::sort(sorted.begin(), sorted.end());
    for (int i = 0; i < s.pattern.n; ++i) ASSERT_EQ(sorted[i], i);
    int next = 0;
    const int fronts = static_cast<int>(tree.fronts.size());
    for (int f = 0; f < fronts; ++f) {
      const Front& front = tree.fronts[f];
      ASSERT_EQ(front.first, next);
      next += front.pivots;
      ASSERT_EQ(front.parent < 0, front.border == 0) << "a front without a border is a root";
      if (front.parent < 0) continue;
      ASSERT_GT(front.parent, f);
      const Front& parent = tree.fronts[front.parent];
      for (int k = front.rows; k < front.rows + front.border; ++k) {
        ASSERT_GE(tree.row[k], next);
        if (k > front.rows) {
          ASSERT_LT(tree.row[k - 1], tree.row[k]);
        }
        const int at = tree.target[k];
        ASSERT_EQ(tree.row[k],
                  at < parent.pivots ? parent.first + at : tree.row[parent.rows + at - parent.pivots]);
      }
    }
    ASSERT_EQ(next, s.pattern.n);
    std::vector<char> taken(tree.factor_size, 0), seen(s.pattern.nonzeros(), 0);
    for (int f = 0; f < fronts; ++f) {
      const Front& front = tree.fronts[f];
      const std::int64_t end = f + 1 < fronts ? tree.fronts[f + 1].factor : tree.factor_size;
      for (int k = tree.run_start[f]; k < tree.run_start[f + 1]; ++k) {
        const ValueRun& run = tree.runs[k];
        const std::int64_t step = run.length < 0 ? (front.border + 3) / 4 * 4 : 1;
        for (int i = 0; i < std::abs(run.length); ++i) {
          const std::int64_t place = run.target + i * step;
          ASSERT_TRUE(place >= front.factor && place < end);
          ASSERT_FALSE(taken[place]++);
          ASSERT_FALSE(seen[run.source + i]++);
        }
      }
    }
    ASSERT_TRUE(std::all_of(seen.begin(), seen.end(), [](char c) { return c == 1; })) << m.name;
  }
}

// Amalgamation stores zeros to have fewer fronts: both sides of the bargain.
TEST(Fronts, AmalgamationHasFewerFrontsAndFewZeros) {
  FrontCost separate;
  separate.front = 0;
  for (const Mechanism& m : mechanisms(5000)) {
    const System s = make_system(m);
    const auto order = elimination_order(s.graph);
    const FrontTree merged = make_fronts(s.pattern, order), plain = make_fronts(s.pattern, order, separate);
    EXPECT_LE(merged.fronts.size(), plain.fronts.size()) << m.name;
    EXPECT_LT(merged.nonzeros, 1.6 * plain.nonzeros) << m.name;
  }
}

// Fronts, entries and operations grow with the unknowns, no faster than n^1.05, from 10^3 to 10^6.
TEST(Fronts, CountsOfChainsTreesAndTracksGrowLinearly) {
  const auto counts = [](const Mechanism& m) {
    const System s = make_system(m);
    const FrontTree tree = make_fronts(s.pattern, elimination_order(s.graph));
    return std::vector<double>{tree.flops, tree.nonzeros, static_cast<double>(tree.fronts.size()),
                               static_cast<double>(tree.row.size()), static_cast<double>(s.pattern.n)};
  };
  const struct {
    const char* name;
    Mechanism small, large;
  } cases[] = {{"chain", chain(111), chain(111111)},
               {"tree", tree(91), tree(90909)},
               {"vehicles", vehicles(1, 40), vehicles(480, 80)}};
  for (const auto& c : cases) {
    const auto small = counts(c.small), large = counts(c.large);
    const double growth = std::pow(large.back() / small.back(), 1.05);
    for (size_t k = 0; k + 1 < small.size(); ++k)
      EXPECT_LT(large[k], growth * small[k]) << c.name << " count " << k;
  }
}

// There is work for several threads: many subtrees, and no long way through the tree.
TEST(Multifrontal, TreesLeaveWorkForThreads) {
  for (const Mechanism& m : {chain(5000), tree(4000), vehicles(10, 80), net(60), flexible_chain(300, 20)}) {
    const System s = make_system(m);
    const auto order = order_unknowns(s.graph, false, OrderingGoal::device_levels).unknowns;
    const FrontTree tree = make_fronts(s.pattern, order);
    double most = 0;
    for (const Subtree& subtree : tree.subtrees) most = std::max(most, subtree.work);
    // A 48th of all, and some fronts above that wait for this subtree alone.
    EXPECT_LE(most, 1.25 * std::max(2e4, tree.work / 48)) << m.name;
    // The longest way down the tree bounds the time with many threads; a net's separators are long ones.
    EXPECT_LT(tree.longest_path, (m.name == "net" ? 0.35 : 0.15) * tree.flops) << m.name;
  }
}

// A zero on the diagonal that only its neighbour in the front can replace: [0 1; 1 0] blocks on a chain.
TEST(Multifrontal, PivotsInsideFronts) {
  const int n = 40;
  SparsePattern a{n, {0}, {}};
  std::vector<double> values;
  for (int j = 0; j < n; ++j) {
    const int mate = j ^ 1;
    std::vector<std::pair<int, double>> column{{j, 0.0}, {mate, 1.0 + 0.1 * j}};
    if (j >= 2) column.push_back({(j & ~1) - 1, 0.3});
    if ((j | 1) + 1 < n) column.push_back({(j | 1) + 1, -0.2});
    std::sort(column.begin(), column.end());
    for (const auto& [i, v] : column) a.row.push_back(i), values.push_back(v);
    a.column_start.push_back(static_cast<int>(a.row.size()));
  }
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  auto solver = make_multifrontal_solver();
  solver->analyze(a, order);
  ASSERT_EQ(solver->factor(values.data(), 0.01), FactorStatus::ok);
  EXPECT_GT(solver->info().off_diagonal_pivots, 0);
  const std::vector<double> b = some_vector(n);
  std::vector<double> x(b);
  solver->solve(x.data());
  EXPECT_LT(row_residual(a, values, x, b), 1e-14);
}

// The smallest pivot is told with the row it was taken from: of a permutation matrix inside one front that is
// where the column's entry stands.
TEST(Multifrontal, RowOfTheSmallestPivot) {
  const int n = 7, row[n] = {3, 5, 0, 6, 2, 1, 4};
  SparsePattern a{n, {0}, {}};
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) a.row.push_back(i);
    a.column_start.push_back(n * (j + 1));
  }
  const std::vector<double> ones(n, 1.0);
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  auto solver = make_multifrontal_solver();
  solver->analyze(a, order);
  for (int smallest = 0; smallest < n; ++smallest) {
    std::vector<double> values(n * n, 0.0);
    for (int j = 0; j < n; ++j) values[n * j + row[j]] = j == smallest ? 0.25 : 1 + j;
    ASSERT_EQ(solver->factor(values.data(), 0.1), FactorStatus::ok);
    const Pivot pivot = solver->smallest_pivot(ones.data());
    EXPECT_EQ(pivot.column, smallest);
    EXPECT_EQ(pivot.row, row[smallest]);
    EXPECT_EQ(pivot.relative, 0.25);
  }
}

// Full partial pivoting reaches beyond the fronts: tolerance 1 succeeds where pivots inside fronts are small,
// and the next factorization is the solver's own again.
TEST(Multifrontal, FullPivotingLeavesTheFronts) {
  // Unknown 0 has a zero on its diagonal and one neighbour, in a dense block of 100: too dear to be merged.
  const int n = 101;
  SparsePattern a{n, {0}, {}};
  std::vector<double> values;
  for (int j = 0; j < n; ++j) {
    for (int i = j < 2 ? 0 : 1; i < (j == 0 ? 2 : n); ++i) {
      a.row.push_back(i);
      values.push_back(i != j ? std::cos(i + 3 * j) : j == 0 ? 0.0 : 20.0);
    }
    a.column_start.push_back(static_cast<int>(a.row.size()));
  }
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  auto solver = make_multifrontal_solver();
  solver->analyze(a, order);
  ASSERT_EQ(solver->factor(values.data(), 0.01), FactorStatus::singular) << "else this test shows nothing";
  ASSERT_EQ(solver->factor(values.data(), 1.0), FactorStatus::ok);
  const std::vector<double> b = some_vector(n);
  std::vector<double> x(b);
  solver->solve(x.data());
  EXPECT_LT(row_residual(a, values, x, b), 1e-14);
  EXPECT_GT(solver->info().nonzeros, n);
  ASSERT_EQ(solver->refactor(values.data()), FactorStatus::ok);
  values[0] = 3;
  ASSERT_EQ(solver->factor(values.data(), 0.01), FactorStatus::ok);
  x = b;
  solver->solve(x.data());
  EXPECT_LT(row_residual(a, values, x, b), 1e-14);
}

}  // namespace
}  // namespace trammel::test_multifrontal
