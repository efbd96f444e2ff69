// Merging of an elimination tree for a short longest path, as on a device.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "../support/random.h"
#include "linear/host/front_merging.h"

namespace trammel::test_front_merging {
namespace {

using test::Random;

/// Parents of a binary tree of full levels, children before parents: the last vertex is the root.
std::vector<int> binary_tree(int levels) {
  const int n = (1 << levels) - 1;
  std::vector<int> parent(n, -1);
  for (int v = 0; v + 1 < n; ++v) parent[v] = n - 1 - (n - 2 - v) / 2;
  return parent;
}

/// A forest whose vertices mostly have few children, some very many.
std::vector<int> random_forest(int n, Random& random) {
  std::vector<int> parent(n, -1);
  for (int v = 0; v + 1 < n; ++v) {
    const int reach = random.uniform(0, 1) < 0.1 ? n - 1 - v : std::min(n - 1 - v, 5);
    if (random.uniform(0, 1) < 0.99) parent[v] = v + 1 + static_cast<int>(random.uniform(0, 0.999) * reach);
  }
  return parent;
}

/// The longest path of a merged tree by PathCost, computed from the leaves up.
double longest_path(const MergingTree& tree, const PathCost& cost) {
  std::vector<double> below(tree.size(), 0);
  double longest = 0;
  for (int v = 0; v < tree.size(); ++v) {
    if (tree.into[v] != v) continue;
    below[v] += cost.of(tree.width[v], tree.height[v]);
    longest = std::max(longest, below[v]);
    if (const int p = tree.parent[v]; p >= 0) below[p] = std::max(below[p], below[v]);
  }
  return longest;
}

std::vector<int> numbers_to(int n) {
  std::vector<int> numbers(n);
  for (int k = 0; k < n; ++k) numbers[k] = k;
  return numbers;
}

/// Costs by which nothing is merged but for the path: the operations, of which a merged front has more.
FrontCost path_alone(const PathCost& path) {
  FrontCost cost;
  cost.front = cost.entry = cost.block = 0;
  cost.path = path;
  return cost;
}

// Three pivots a vertex: a front of two levels is worth its longer chain of pivots (13 > 6), one of three too
// (13 > 12), one of four is not (13 < 24).
TEST(FrontMerging, levels_of_a_binary_tree_are_taken_together) {
  const int n = (1 << 9) - 1;
  MergingTree tree(binary_tree(9), std::vector<double>(n, 3), std::vector<double>(n, 9));
  const PathCost path{13, 1, 100, 16, 0};
  EXPECT_EQ(longest_path(tree, path), 9 * (13 + 3));
  merge_vertices(tree, path_alone(path), numbers_to(n));
  EXPECT_EQ(longest_path(tree, path), 3 * (13 + 21));
  for (int v = 0; v < n; ++v) EXPECT_EQ(tree.width[tree.into[v]], 21) << v;
}

TEST(FrontMerging, fronts_stay_within_rows_and_children) {
  Random random(5);
  for (int k = 0; k < 20; ++k) {
    const int n = 400;
    const std::vector<int> parents = random_forest(n, random);
    std::vector<double> width(n), height(n);
    for (int v = n - 1; v >= 0; --v) {  // a border is within the rows of the parent
      const double most = parents[v] < 0 ? 0 : std::min(height[parents[v]], 12.0);
      width[v] = 1 + static_cast<int>(random.uniform(0, 6));
      height[v] = width[v] + static_cast<int>(random.uniform(0, most));
    }
    const PathCost path{20, 1, 40, 8, 0};
    const MergingTree before(parents, width, height);
    MergingTree after = before;
    merge_vertices(after, path_alone(path), numbers_to(n));
    EXPECT_LE(longest_path(after, path), longest_path(before, path));
    double widths = 0;
    for (int v = 0; v < n; ++v) {
      const int front = after.into[v];
      ASSERT_EQ(after.into[front], front);
      if (front != v) {
        ASSERT_EQ(after.into[parents[v]], front) << "fronts are connected";
        continue;
      }
      widths += after.width[v];
      int children = 0;
      for (int c = after.first[v]; c >= 0; c = after.next[c]) {
        ASSERT_EQ(after.parent[c], v);
        ++children;
      }
      ASSERT_EQ(after.children[v], children);
      if (after.width[v] == width[v]) continue;
      EXPECT_LE(after.height[v], path.most_rows);
      EXPECT_TRUE(children <= path.most_children || children <= before.children[v]) << children;
    }
    double all = 0;
    for (const double w : width) all += w;
    EXPECT_EQ(widths, all);
  }
}

// What FrontCost merges beside the longest path leaves that as it is.
TEST(FrontMerging, cheaper_fronts_beside_the_longest_path) {
  Random random(6);
  for (int k = 0; k < 20; ++k) {
    const int n = 400;
    const std::vector<int> parents = random_forest(n, random);
    const std::vector<double> width(n, 2), height(n, 8);
    const PathCost path{20, 1, 32, 16, 0};
    MergingTree alone(parents, width, height), both = alone;
    FrontCost cost = path_alone(path);
    merge_vertices(alone, cost, numbers_to(n));
    cost.front = 500;
    merge_vertices(both, cost, numbers_to(n));
    EXPECT_LE(longest_path(both, path), longest_path(alone, path));
    const auto fronts = [](const MergingTree& tree) {
      int count = 0;
      for (int v = 0; v < tree.size(); ++v) count += tree.into[v] == v;
      return count;
    };
    EXPECT_LT(fronts(both), fronts(alone));
  }
}

}  // namespace
}  // namespace trammel::test_front_merging
