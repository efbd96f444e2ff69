#include "linear/ordering.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "linear/graph.h"
#include "mechanisms.h"

namespace trammel::test_ordering {
namespace {

using namespace test;

bool is_permutation_of(const std::vector<int>& order, int n) {
  std::vector<int> sorted(order);
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> expected(n);
  std::iota(expected.begin(), expected.end(), 0);
  return sorted == expected;
}

/// Constraint rows that come before a body or scalar they act on; `exempt` as from preceded_body().
int early_rows(const MechanismGraph& graph, const std::vector<int>& order, const std::vector<int>& exempt) {
  std::vector<int> place(order.size());
  for (size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<int>(k);
  int early = 0;
  const auto check = [&](int c, int b) {
    if (graph.vertices[c].kind != VertexKind::constraint || graph.vertices[b].kind == VertexKind::constraint)
      return;
    const GraphVertex &rows = graph.vertices[c], &unknowns = graph.vertices[b];
    if (exempt[c] == b) return;
    for (int i = rows.first; i < rows.first + rows.count; ++i) {
      for (int j = unknowns.first; j < unknowns.first + unknowns.count; ++j) early += place[i] < place[j];
    }
  };
  for (const auto& [a, b] : graph.edges) check(a, b), check(b, a);
  return early;
}

TEST(Ordering, IsAPermutationAndTakesMultipliersLate) {
  for (int n : {100, 1000, 10000}) {
    for (const Mechanism& m : topologies(n)) {
      const System s = make_system(m);
      const int size = static_cast<int>(s.graph.vertices.size());
      const auto exempt = preceded_body(s.graph, make_adjacency(size, s.graph.edges));
      const std::vector<int> none(size, -1);
      const auto order = order_unknowns(s.graph);
      EXPECT_TRUE(is_permutation_of(order.unknowns, s.pattern.n)) << m.name;
      EXPECT_EQ(early_rows(s.graph, order.unknowns, exempt), 0) << m.name;
      const auto strict = order_unknowns(s.graph, true);
      EXPECT_TRUE(is_permutation_of(strict.unknowns, s.pattern.n)) << m.name;
      EXPECT_EQ(early_rows(s.graph, strict.unknowns, none), 0) << m.name;
      for (OrderingGoal goal : {OrderingGoal::cpu_threads, OrderingGoal::device_levels}) {
        const auto other = order_unknowns(s.graph, false, goal);
        EXPECT_TRUE(is_permutation_of(other.unknowns, s.pattern.n)) << m.name;
        EXPECT_EQ(early_rows(s.graph, other.unknowns, other.strict ? none : exempt), 0) << m.name;
      }
    }
  }
}

TEST(Ordering, SameGraphSameOrder) {
  for (const Mechanism& m : topologies(2000)) {
    const System s = make_system(m);
    EXPECT_EQ(elimination_order(s.graph), elimination_order(s.graph)) << m.name;
  }
}

// The claim behind the exceptions: eliminating without any pivoting, no pivot vanishes. Symmetric positive
// definite M, full-rank Phi. Dense LDL^T in long double; pivots relative to the terms they are formed from.
// A rank-deficient leading block would give rounding noise, about 1e-18 here; 1e-9 is far from both sides
// (smallest seen: 4e-5, tree).
class OrderingGoals : public testing::TestWithParam<OrderingGoal> {};
INSTANTIATE_TEST_SUITE_P(All, OrderingGoals,
                         testing::Values(OrderingGoal::cpu_flops, OrderingGoal::cpu_threads,
                                         OrderingGoal::device_levels));

TEST_P(OrderingGoals, EveryLeadingBlockIsRegular) {
  const OrderingGoal goal = GetParam();
  for (const Mechanism& m : topologies(250)) {
    const System s = make_system(m, {.unsymmetric = 0});
    if (m.name == "controlled chain" || m.name == "vehicles" || m.name == "bushed net")
      continue;  // M unsymmetric
    const int n = s.pattern.n;
    const auto order = order_unknowns(s.graph, false, goal).unknowns;
    std::vector<long double> a(static_cast<size_t>(n) * n, 0), terms(n, 0);
    std::vector<int> place(n);
    for (int k = 0; k < n; ++k) place[order[k]] = k;
    for (int j = 0; j < n; ++j) {
      for (int k = s.pattern.column_start[j]; k < s.pattern.column_start[j + 1]; ++k) {
        a[static_cast<size_t>(place[s.pattern.row[k]]) * n + place[j]] = s.values[k];
      }
    }
    long double smallest = 1;
    for (int k = 0; k < n; ++k) terms[k] = std::fabs(a[static_cast<size_t>(k) * n + k]);
    for (int k = 0; k < n; ++k) {
      const long double pivot = a[static_cast<size_t>(k) * n + k];
      smallest = std::min(smallest, std::fabs(pivot) / terms[k]);
      for (int i = k + 1; i < n; ++i) {
        const long double l = a[static_cast<size_t>(i) * n + k] / pivot;
        if (l == 0) continue;
        terms[i] += std::fabs(l * a[static_cast<size_t>(k) * n + i]);
        for (int j = k; j < n; ++j)
          a[static_cast<size_t>(i) * n + j] -= l * a[static_cast<size_t>(k) * n + j];
      }
    }
    EXPECT_GT(static_cast<double>(smallest), 1e-9) << m.name;
  }
}

// The counts against an elimination carried out on sets of vertices.
TEST(Ordering, CountsAreThoseOfAnElimination) {
  for (const Mechanism& m : topologies(300)) {
    const MechanismGraph graph = make_system(m).graph;
    const int n = static_cast<int>(graph.vertices.size());
    std::vector<int> order(n);  // any order will do: every 7th vertex, and so on
    for (int k = 0; k < n; ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(), [](int a, int b) { return a % 7 < b % 7; });
    std::vector<std::set<int>> neighbours(n);
    for (const auto& [a, b] : graph.edges)
      if (a != b) neighbours[a].insert(b), neighbours[b].insert(a);
    std::vector<int> place(n);
    for (int k = 0; k < n; ++k) place[order[k]] = k;
    OrderingCost counted;
    std::vector<double> path(n, 0);
    std::vector<int> height(n, 1);
    for (int v : order) {
      const double w = graph.vertices[v].count;
      double c = 0;
      int parent = -1;
      for (int u : neighbours[v]) {
        c += graph.vertices[u].count;
        if (parent < 0 || place[u] < place[parent]) parent = u;
        neighbours[u].erase(v);
        for (int t : neighbours[v])
          if (t != u) neighbours[u].insert(t);
      }
      // LU of the pivot block, two triangular solves, one product.
      const double flops = 2.0 / 3 * w * w * w + 2 * w * w * c + 2 * w * c * c;
      path[v] += flops;
      counted.flops += flops;
      counted.nonzeros += w * w + 2 * w * c;
      counted.largest = std::max(counted.largest, static_cast<int>(w + c));
      counted.levels = std::max(counted.levels, height[v]);
      counted.longest_path = std::max(counted.longest_path, path[v]);
      if (parent >= 0) {
        path[parent] = std::max(path[parent], path[v]);
        height[parent] = std::max(height[parent], height[v] + 1);
      }
    }
    const OrderingCost cost = count_elimination(graph, order);
    EXPECT_NEAR(cost.flops, counted.flops, 1e-12 * counted.flops) << m.name;
    EXPECT_EQ(cost.nonzeros, counted.nonzeros) << m.name;
    EXPECT_EQ(cost.largest, counted.largest) << m.name;
    EXPECT_EQ(cost.levels, counted.levels) << m.name;
    EXPECT_NEAR(cost.longest_path, counted.longest_path, 1e-12 * counted.flops) << m.name;
  }
}

// All candidates are told, the one taken is the cheapest for the goal, and goals differ where they should.
TEST(Ordering, GoalsAndCandidates) {
  std::vector<Mechanism> mechanisms = topologies(3000);
  for (const Mechanism& m : heavy_topologies()) mechanisms.push_back(m);
  for (const Mechanism& m : mechanisms) {
    const MechanismGraph graph = make_system(m).graph;
    for (OrderingGoal goal : {OrderingGoal::cpu_flops, OrderingGoal::device_levels}) {
      const auto order = order_unknowns(graph, false, goal);
      int taken = 0;
      for (const OrderingCandidate& candidate : order.candidates) {
        EXPECT_GE(candidate.cost.of(goal), order.of(goal)) << m.name;
        if (!candidate.taken) continue;
        ++taken;
        EXPECT_EQ(candidate.method, order.method);
        EXPECT_EQ(candidate.cost.flops, order.flops);
      }
      EXPECT_EQ(taken, 1) << m.name;
    }
  }
  // A chain has a logarithm of its bodies as levels when that is asked for, at less than twice the work.
  const MechanismGraph graph = make_system(chain(2000)).graph;
  const auto flops = order_unknowns(graph), threads = order_unknowns(graph, false, OrderingGoal::cpu_threads),
             levels = order_unknowns(graph, false, OrderingGoal::device_levels);
  EXPECT_GT(flops.levels, 2000);
  EXPECT_LT(levels.levels, 3 * std::log2(2000.0));
  EXPECT_LT(levels.flops, 2 * flops.flops);
  EXPECT_EQ(threads.method, "from its ends");
  EXPECT_LT(threads.longest_path, 0.6 * threads.flops);  // half of the chain, and some more for its other end
  EXPECT_LT(threads.flops, 1.3 * flops.flops);
  EXPECT_EQ(order_unknowns(make_system(chain(200)).graph, false, OrderingGoal::cpu_threads).method, "amd");
  EXPECT_STREQ(preferred_solver(flops), "blocks");
  EXPECT_STREQ(preferred_solver(order_unknowns(make_system(net(10)).graph)), "blocks");
  EXPECT_STREQ(preferred_solver(order_unknowns(make_system(net(40)).graph)), "multifrontal");
  EXPECT_STREQ(preferred_solver(order_unknowns(make_system(flexible_chain(5, 50)).graph)), "multifrontal");
}

// A body with modes is one vertex: the order does not depend on how many there are.
TEST(Ordering, ModalBodiesAreOneVertex) {
  const auto order = order_unknowns(make_system(flexible_chain(30, 40)).graph);
  const auto rigid = order_unknowns(make_system(chain(30, 5)).graph);
  EXPECT_EQ(order.levels, rigid.levels);
  for (size_t k = 1; k < order.unknowns.size(); ++k) {
    const int body = order.unknowns[k] / 46, before = order.unknowns[k - 1] / 46;
    if (order.unknowns[k] < 30 * 46 && order.unknowns[k] % 46 != 0) {
      EXPECT_EQ(body, before);  // its coordinates stay together
    }
  }
}

// Perfect elimination orders exist for these graphs; per body the factors take a fixed number of entries.
TEST(Ordering, FillOfChainsAndTreesGrowsLinearly) {
  for (const auto make :
       {+[](int n) { return chain(n); }, +[](int n) { return chain(n, 5); }, +[](int n) { return tree(n); },
        +[](int n) { return closed_chain(n); }, +[](int n) { return ladder(n / 2); },
        +[](int n) { return star(n / 2); }, +[](int n) { return controlled_chain(n); }}) {
    const auto small = order_unknowns(make_system(make(200)).graph),
               large = order_unknowns(make_system(make(3200)).graph);
    // 16 times the bodies; 10 % for what differs at the ends and in the cuts of nested dissection.
    EXPECT_LT(large.nonzeros, 1.1 * 16 * small.nonzeros) << make(1).name;
  }
}

// A chain hanging on ground has an order without any fill: blocks 6 x 6, 3 x 6, and 3 x 3 per joint.
TEST(Ordering, ChainHasNoFill) {
  const int bodies = 50;
  const System s = make_system(chain(bodies));
  // Per body 36 + 9 on the diagonal, 2 * 18 with its own joint; 2 * 18 between a joint and its parent, and
  // the parent's block with the child's multipliers is that same block: nothing else.
  const double without_fill = bodies * (36 + 9 + 36) + (bodies - 1) * 36;
  const double nonzeros = order_unknowns(s.graph).nonzeros;
  EXPECT_GE(nonzeros, without_fill);       // nothing can be below
  EXPECT_LE(nonzeros, without_fill + 36);  // minimum degree may start at the held end: one block or two
}

// 300 two-body arms on one frame: strictly late multipliers couple all 1500 rows at the frame, 1500^2
// entries; the order without that rule on the frame keeps them apart.
TEST(Ordering, HubDoesNotFillUp) {
  const System s = make_system(star(300));
  const auto order = order_unknowns(s.graph), strict = order_unknowns(s.graph, true);
  EXPECT_FALSE(order.strict);
  EXPECT_GT(strict.nonzeros, 1500.0 * 1500.0);
  EXPECT_LT(order.nonzeros, 20.0 * s.pattern.n);
}

TEST(Ordering, NestedDissectionIsTakenForMeshes) {
  const auto order = order_unknowns(make_system(net(91)).graph);
  EXPECT_EQ(order.method, "metis");
  // Levels of a separator tree with separators of about 91 bodies' joints; 16380 joints in all.
  EXPECT_LT(order.levels, 1000);
}

TEST(Ordering, PrecededBodyIsTheParentInATree) {
  // ground - j - 0 - j - 1, and a loop 0 - 2 - 3 - 0 beside it.
  Mechanism m{"", 4, {{-1, 0, 5}, {0, 1, 5}, {0, 2, 5}, {2, 3, 5}, {3, 0, 5}}, {}, {}};
  const System s = make_system(m);
  const auto body = preceded_body(s.graph, make_adjacency(9, s.graph.edges));
  EXPECT_EQ(body[4], -1);  // on ground: waits for body 0
  EXPECT_EQ(body[5], 0);
  EXPECT_EQ(body[6], 0);
  EXPECT_EQ(body[7], -1);  // 2 - 3: both in the loop's block, neither its root
  EXPECT_EQ(body[8], 0);
  // With body 1 on ground too there is no articulation between ground, 0 and 1.
  m.joints.push_back({-1, 1, 5});
  const System closed = make_system(m);
  const auto none = preceded_body(closed.graph, make_adjacency(10, closed.graph.edges));
  EXPECT_EQ(none[5], -1);
}

TEST(Ordering, OddGraphs) {
  EXPECT_TRUE(elimination_order({}).empty());
  MechanismGraph free{{{VertexKind::body, 0, 6}, {VertexKind::scalar, 6, 1}, {VertexKind::constraint, 7, 0}},
                      {}};
  EXPECT_TRUE(is_permutation_of(elimination_order(free), 7));
  // Edges twice, reversed, and loops say nothing new.
  MechanismGraph pair{{{VertexKind::constraint, 0, 3}, {VertexKind::body, 3, 6}},
                      {{0, 1}, {1, 0}, {1, 1}, {0, 1}}};
  EXPECT_EQ(elimination_order(pair), (std::vector<int>{3, 4, 5, 6, 7, 8, 0, 1, 2}));
}

TEST(Ordering, RefusesGraphsThatDoNotCoverTheUnknowns) {
  EXPECT_THROW(elimination_order({{{VertexKind::body, 0, 6}, {VertexKind::body, 5, 6}}, {}}), Failure);
  EXPECT_THROW(elimination_order({{{VertexKind::body, 1, 6}}, {}}), Failure);
  EXPECT_THROW(elimination_order({{{VertexKind::body, 0, 6}}, {{0, 1}}}), Failure);
}

}  // namespace
}  // namespace trammel::test_ordering
