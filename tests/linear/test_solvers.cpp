// Every solver of linear_solvers() against every topology; a new solver is tested by being in the list.
#include <algorithm>
#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "allocations.h"
#include "base/diagnostics.h"
#include "linear/ordering.h"
#include "linear/scaling.h"
#include "linear/solver.h"
#include "mechanisms.h"

namespace trammel::test_solvers {
namespace {

using namespace test;

/// The values as the contract wants them: scaled.
std::vector<double> scaled(const System& s, const std::vector<double>& values) {
  const Scaling scaling = kkt_scaling(s.pattern, s.values.data(), s.graph);
  std::vector<double> v(values);
  for (int j = 0; j < s.pattern.n; ++j) {
    for (int k = s.pattern.column_start[j]; k < s.pattern.column_start[j + 1]; ++k) {
      v[k] *= scaling.row[s.pattern.row[k]] * scaling.column[j];
    }
  }
  return v;
}

std::vector<double> column_largest(const SparsePattern& a, const std::vector<double>& values) {
  std::vector<double> largest(a.n, 0);
  for (int j = 0; j < a.n; ++j) {
    for (int k = a.column_start[j]; k < a.column_start[j + 1]; ++k) {
      largest[j] = std::max(largest[j], std::fabs(values[k]));
    }
  }
  return largest;
}

class Solvers : public testing::TestWithParam<SolverKind> {};
INSTANTIATE_TEST_SUITE_P(All, Solvers, testing::ValuesIn(linear_solvers()),
                         [](const auto& kind) { return kind.param.name; });

// Pivots of the first matrix (or from the same rows), then masses, inertias and couplings changed by 1 .. 90
// % and bodies turned by 0.01 .. 1 rad. Without any refinement the residual stays at rounding: below 1e-12
// against the largest terms; row by row against the row's own terms within what the guard accepts (worst seen
// 5e-12, nets).
TEST_P(Solvers, FixedPivotsStayAccurateOnEveryTopology) {
  for (int n : {100, 1000, 10000}) {
    std::vector<Mechanism> mechanisms = topologies(n);
    if (n == 1000) {
      for (const Mechanism& m : heavy_topologies()) mechanisms.push_back(m);
    }
    for (const Mechanism& m : mechanisms) {
      const System s = make_system(m);
      auto solver = GetParam().make();
      solver->analyze(s.pattern, elimination_order(s.graph));
      ASSERT_EQ(solver->factor(scaled(s, s.values).data()), FactorStatus::ok) << m.name;
      const std::vector<double> b = some_vector(s.pattern.n);
      for (double change : {0.0, 0.01, 0.1, 1.0}) {
        const System t = make_system(m, {.values = std::min(change, 0.9), .rotation = change});
        const std::vector<double> values = scaled(s, t.values);
        ASSERT_EQ(solver->refactor(values.data()), FactorStatus::ok) << m.name;
        std::vector<double> x(b);
        solver->solve(x.data());
        EXPECT_LT(residual(s.pattern, values, x, b), 1e-12) << m.name << " n " << n << " change " << change;
        EXPECT_LT(row_residual(s.pattern, values, x, b), 1e-10)
            << m.name << " n " << n << " change " << change;
      }
    }
  }
}

// Entries whose mirror images are not stored: the pattern itself is unsymmetric.
TEST_P(Solvers, UnsymmetricPatterns) {
  for (const Mechanism& m : {chain(30), net(8), controlled_chain(30)}) {
    System s = make_system(m);
    std::vector<double> values = scaled(s, s.values), kept;
    SparsePattern thinned{s.pattern.n, {0}, {}};
    int entry = 0, left_out = 0;
    for (int j = 0; j < s.pattern.n; ++j) {
      for (int k = s.pattern.column_start[j]; k < s.pattern.column_start[j + 1]; ++k) {
        const int i = s.pattern.row[k];
        const bool inner = i != j && i < s.pattern.n - s.multipliers && j < s.pattern.n - s.multipliers;
        if (inner && ++entry % 3 == 0) {
          ++left_out;
          continue;
        }
        thinned.row.push_back(i);
        kept.push_back(values[k]);
      }
      thinned.column_start.push_back(static_cast<int>(thinned.row.size()));
    }
    ASSERT_GT(left_out, 20);
    auto solver = GetParam().make();
    solver->analyze(thinned, elimination_order(s.graph));
    ASSERT_EQ(solver->factor(kept.data()), FactorStatus::ok) << m.name;
    const std::vector<double> b = some_vector(s.pattern.n);
    std::vector<double> x(b);
    solver->solve(x.data());
    EXPECT_LT(row_residual(thinned, kept, x, b), 1e-11) << m.name;
  }
}

TEST_P(Solvers, StronglyUnsymmetricBlocks) {
  for (const Mechanism& m : topologies(1000)) {
    const System s = make_system(m, {.unsymmetric = 0.03});  // a third of the inertias
    auto solver = GetParam().make();
    solver->analyze(s.pattern, elimination_order(s.graph));
    const std::vector<double> values = scaled(s, s.values);
    ASSERT_EQ(solver->factor(values.data()), FactorStatus::ok) << m.name;
    const std::vector<double> b = some_vector(s.pattern.n);
    std::vector<double> x(b);
    solver->solve(x.data());
    EXPECT_LT(row_residual(s.pattern, values, x, b), 1e-12) << m.name;
  }
}

// Contacts that do not touch and dropped rows are stored zeros at the first factorization.
TEST_P(Solvers, StoredZerosAtTheFirstFactorization) {
  for (const Mechanism& m : topologies(1000)) {
    const System active = make_system(m), half = make_system(m, {.inactive = 0.5});
    auto solver = GetParam().make();
    solver->analyze(active.pattern, elimination_order(active.graph));
    ASSERT_EQ(solver->factor(scaled(active, half.values).data()), FactorStatus::ok) << m.name;
    const std::vector<double> values = scaled(active, active.values), b = some_vector(active.pattern.n);
    ASSERT_EQ(solver->refactor(values.data()), FactorStatus::ok) << m.name;
    std::vector<double> x(b);
    solver->solve(x.data());
    EXPECT_LT(row_residual(active.pattern, values, x, b), 1e-12) << m.name;
  }
}

TEST_P(Solvers, RefactorAndSolveDoNotAllocate) {
  if (!allocations_counted()) GTEST_SKIP() << "allocations are not counted in this build";
  const System s = make_system(controlled_chain(50));
  auto solver = GetParam().make();
  solver->analyze(s.pattern, elimination_order(s.graph));
  const std::vector<double> values = scaled(s, s.values), largest = column_largest(s.pattern, values);
  std::vector<double> x = some_vector(s.pattern.n);
  const long before_factor = allocation_count();
  ASSERT_EQ(solver->factor(values.data()), FactorStatus::ok);
  EXPECT_GT(allocation_count(), before_factor);  // the counter sees the solver's library
  const long before = allocation_count();
  solver->refactor(values.data());
  solver->smallest_pivot(largest.data());
  solver->solve(x.data());
  EXPECT_EQ(allocation_count(), before);
}

TEST_P(Solvers, ManyRightHandSides) {
  for (const Mechanism& m : {controlled_chain(40), net(12), flexible_chain(3, 30)}) {
    const System s = make_system(m);
    const int n = s.pattern.n, stride = n + 3;
    auto solver = GetParam().make();
    solver->analyze(s.pattern, elimination_order(s.graph));
    const std::vector<double> values = scaled(s, s.values);
    ASSERT_EQ(solver->factor(values.data()), FactorStatus::ok);
    for (int columns : {0, 1, 2, 4, 5, 8, 9, 19}) {
      std::vector<double> b(static_cast<size_t>(stride) * columns, 7.0);
      for (int c = 0; c < columns; ++c)
        for (int i = 0; i < n; ++i) b[c * stride + i] = std::sin(1.0 + i * (c + 1));
      std::vector<double> x(b);
      solver->solve_many(x.data(), columns, stride);
      for (int c = 0; c < columns; ++c) {
        const auto part = [&](const std::vector<double>& v) {
          return std::vector<double>(v.begin() + c * stride, v.begin() + c * stride + n);
        };
        EXPECT_LT(row_residual(s.pattern, values, part(x), part(b)), 1e-12) << m.name << " column " << c;
        for (int i = n; i < stride; ++i) EXPECT_EQ(x[c * stride + i], 7.0);  // between the columns: untouched
      }
    }
  }
}

// A row and column of zeros, and two equal rows: found, and named where it can be told.
TEST_P(Solvers, SingularMatrices) {
  const System s = make_system(closed_chain(12));
  auto solver = GetParam().make();
  solver->analyze(s.pattern, elimination_order(s.graph));
  const std::vector<double> good = scaled(s, s.values);
  const int dead = 6 * 7 + 4;
  std::vector<double> values(good);
  for (int j = 0; j < s.pattern.n; ++j) {
    for (int k = s.pattern.column_start[j]; k < s.pattern.column_start[j + 1]; ++k) {
      if (j == dead || s.pattern.row[k] == dead) values[k] = 0;
    }
  }
  EXPECT_EQ(solver->factor(values.data()), FactorStatus::singular);
  const Pivot pivot = solver->smallest_pivot(column_largest(s.pattern, values).data());
  EXPECT_EQ(pivot.column, dead);
  EXPECT_EQ(pivot.relative, 0);
  EXPECT_EQ(solver->refactor(values.data()), FactorStatus::singular);
  EXPECT_EQ(solver->factor(good.data()), FactorStatus::ok);  // and it recovers
  EXPECT_EQ(solver->refactor(values.data()), FactorStatus::singular);
}

TEST_P(Solvers, NotFiniteIsNotOk) {
  const System s = make_system(chain(5));
  auto solver = GetParam().make();
  solver->analyze(s.pattern, elimination_order(s.graph));
  std::vector<double> values = scaled(s, s.values);
  ASSERT_EQ(solver->factor(values.data()), FactorStatus::ok);
  values[s.pattern.column_start[9]] = NAN;
  EXPECT_NE(solver->refactor(values.data()), FactorStatus::ok);
  EXPECT_NE(solver->factor(values.data()), FactorStatus::ok);
}

TEST_P(Solvers, EmptyAndOneByOne) {
  auto solver = GetParam().make();
  SparsePattern empty;
  empty.column_start = {0};
  solver->analyze(empty, {});
  EXPECT_EQ(solver->factor(nullptr), FactorStatus::ok);
  solver->analyze({1, {0, 1}, {0}}, {0});
  double a = 4, x = 2;
  EXPECT_EQ(solver->factor(&a), FactorStatus::ok);
  solver->solve(&x);
  EXPECT_EQ(x, 0.5);
}

TEST_P(Solvers, RefusesBadPatternsAndOrders) {
  auto solver = GetParam().make();
  EXPECT_THROW(solver->analyze({2, {0, 2, 3}, {1, 0, 1}}, {0, 1}), Failure);  // unsorted
  EXPECT_THROW(solver->analyze({2, {0, 1, 2}, {0, 2}}, {0, 1}), Failure);     // row out of range
  EXPECT_THROW(solver->analyze({2, {0, 1}, {0}}, {0, 1}), Failure);           // starts too short
  EXPECT_THROW(solver->analyze({2, {0, 1, 2}, {0, 1}}, {0, 0}), Failure);     // no permutation
  EXPECT_THROW(solver->factor(nullptr), Failure);                             // nothing analyzed
  EXPECT_THROW(make_linear_solver("pardiso"), Failure);
}

// Numerical fill: nnz(L+U) per unknown does not grow with the mechanism (measured 11.6 .. 13.9).
TEST_P(Solvers, FactorsOfChainsAndTreesGrowLinearly) {
  const auto nonzeros = [&](const Mechanism& m) {
    const System s = make_system(m);
    auto solver = GetParam().make();
    solver->analyze(s.pattern, elimination_order(s.graph));
    EXPECT_EQ(solver->factor(scaled(s, s.values).data()), FactorStatus::ok);
    return static_cast<double>(solver->info().nonzeros);
  };
  EXPECT_LT(nonzeros(chain(1600)), 1.1 * 16 * nonzeros(chain(100)));
  EXPECT_LT(nonzeros(tree(1600)), 1.1 * 16 * nonzeros(tree(100)));
  EXPECT_LT(nonzeros(closed_chain(1600)), 1.1 * 16 * nonzeros(closed_chain(100)));
}

}  // namespace
}  // namespace trammel::test_solvers
