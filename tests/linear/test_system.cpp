#include "linear/system.h"

#include <malloc.h>

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "allocations.h"
#include "base/diagnostics.h"
#include "mechanisms.h"

namespace trammel::test_system {
namespace {

using namespace test;

using DenseMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using DenseVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

/// x of the scaled dense system in long double with full pivoting, scaled back.
std::vector<double> dense_answer(const System& s, const Scaling& scaling, const std::vector<double>& b) {
  const int n = s.pattern.n;
  DenseMatrix a = DenseMatrix::Zero(n, n);
  DenseVector c(n);
  for (int j = 0; j < n; ++j) {
    c[j] = static_cast<long double>(b[j]) * scaling.row[j];
    for (int k = s.pattern.column_start[j]; k < s.pattern.column_start[j + 1]; ++k) {
      const int i = s.pattern.row[k];
      a(i, j) = static_cast<long double>(s.values[k]) * scaling.row[i] * scaling.column[j];
    }
  }
  const DenseVector y = a.fullPivLu().solve(c);
  std::vector<double> x(n);
  for (int j = 0; j < n; ++j) x[j] = static_cast<double>(y[j] * scaling.column[j]);
  return x;
}

/// Every scalar a vertex of its own, as a sparse library sees the matrix: zero pivots and all.
std::vector<int> library_order(const SparsePattern& a) {
  MechanismGraph graph;
  for (int i = 0; i < a.n; ++i) graph.vertices.push_back({VertexKind::scalar, i, 1});
  for (int j = 0; j < a.n; ++j) {
    for (int k = a.column_start[j]; k < a.column_start[j + 1]; ++k) {
      if (a.row[k] < j) graph.edges.emplace_back(a.row[k], j);
    }
  }
  return elimination_order(graph);
}

class GuardedSystems : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, GuardedSystems, testing::Values("klu", "multifrontal", "blocks"),
                         [](const auto& name) { return name.param; });

/// The solution for a right-hand side, with pivots chosen for this matrix.
std::vector<double> fresh_answer(GuardedSystem& system, const System& s, const std::vector<double>& b) {
  EXPECT_TRUE(system.set_matrix(s.values.data(), true).ok());
  std::vector<double> x(b);
  EXPECT_TRUE(system.solve(x.data(), x.data()).ok());
  return x;
}

// Two systems of one analysis do not know of each other; a matrix that is forgotten is set anew.
TEST_P(GuardedSystems, share_an_analysis_and_forget_matrices) {
  const System s = make_system(closed_chain(40));
  System other = s;
  for (double& v : other.values) v *= 1.5;
  const std::vector<double> b = some_vector(s.pattern.n);
  GuardedSystem one(GetParam()), two(GetParam());
  one.analyze(s.pattern, s.graph);
  two.analyze_as(one);
  const std::vector<double> x = fresh_answer(one, s, b), y = fresh_answer(two, other, b);
  for (int i = 0; i < s.pattern.n; ++i) EXPECT_NEAR(1.5 * y[i], x[i], 1e-9 * std::fabs(x[i]) + 1e-12) << i;
  two.forget_matrix();
  EXPECT_FALSE(two.has_matrix());
  EXPECT_EQ(fresh_answer(one, s, b), x);
  EXPECT_EQ(fresh_answer(two, s, b), x);
}

/// Bytes that the program has from the allocator of the C library.
std::size_t bytes_in_use() {
  const auto all = mallinfo2();
  return all.uordblks + all.hblkhd;
}

// The matrix, by columns and by groups of rows, the one in which pivots were chosen, and six vectors.
TEST_P(GuardedSystems, give_the_memory_of_a_forgotten_matrix_back) {
  if (!allocations_counted()) GTEST_SKIP() << "other allocators do not tell the C library's numbers";
  const System s = make_system(closed_chain(3000));
  const std::vector<double> b = some_vector(s.pattern.n);
  GuardedSystem system(GetParam());
  system.analyze(s.pattern, s.graph);
  fresh_answer(system, s, b);
  const std::size_t full = bytes_in_use();
  system.forget_matrix();
  const std::size_t numbers = 3 * s.pattern.nonzeros() + 6 * s.pattern.n;
  EXPECT_GE(full - bytes_in_use(), numbers * sizeof(double));
}

std::string saved(GuardedSystem& system) {
  Archive a;
  system.archive(a);
  return a.bytes();
}

// A system that has had a matrix of its own restores the matrix whose pivots are kept, and keeps it when it
// takes another one.
TEST_P(GuardedSystems, restore_over_a_matrix_of_their_own) {
  const System s = make_system(closed_chain(20));
  std::vector<double> other = s.values, third = s.values;
  for (double& x : other) x *= 1.25;
  for (double& x : third) x *= 0.75;
  GuardedSystem kept(GetParam()), used(GetParam());
  for (GuardedSystem* system : {&kept, &used}) system->analyze(s.pattern, s.graph);
  ASSERT_TRUE(kept.set_matrix(s.values.data()).ok());
  ASSERT_TRUE(kept.set_matrix(other.data()).ok());
  ASSERT_TRUE(used.set_matrix(third.data()).ok());
  Archive from(saved(kept));
  used.archive(from);
  for (GuardedSystem* system : {&kept, &used}) ASSERT_TRUE(system->set_matrix(third.data()).ok());
  EXPECT_EQ(saved(used), saved(kept));
}

/// An order that nobody has counted.
EliminationOrder by(const std::vector<int>& unknowns) {
  EliminationOrder order;
  order.unknowns = unknowns;
  return order;
}

TEST_P(GuardedSystems, AnswersEveryTopologyWithOneFactorization) {
  for (int n : {100, 1000, 10000}) {
    std::vector<Mechanism> mechanisms = topologies(n);
    if (n == 1000) {
      for (const Mechanism& m : heavy_topologies()) mechanisms.push_back(m);
    }
    for (const Mechanism& m : mechanisms) {
      const System s = make_system(m);
      GuardedSystem system(GetParam());
      system.analyze(s.pattern, s.graph);
      const std::vector<double> b = some_vector(s.pattern.n);
      std::vector<double> x(b.size());
      for (double change : {0.0, 0.01, 0.1, 1.0}) {
        const System t = make_system(m, {.values = std::min(change, 0.9), .rotation = change});
        ASSERT_TRUE(system.set_matrix(t.values.data()).ok()) << m.name;
        const SolveReport report = system.solve(b.data(), x.data());
        ASSERT_TRUE(report.ok()) << m.name;
        EXPECT_LE(report.backward_error, 1e-12);
        // Row by row without the rounding that the guard allows for: worst seen 2e-12 (net of 9000).
        EXPECT_LT(row_residual(t.pattern, t.values, x, b), 2e-11) << m.name;
      }
      EXPECT_EQ(system.counters().factorizations, 1) << m.name;
      EXPECT_EQ(system.counters().refactorizations, 3) << m.name;
      EXPECT_EQ(system.counters().solves, 4) << m.name;
      EXPECT_EQ(system.counters().guard_trips, 0) << m.name;
    }
  }
}

// The forward error is at most the condition number times the backward error: scaled condition numbers of
// these models are 1e1 .. 1e4 in all four systems of units (by singular values), backward errors some
// 1e-15; 1e-10 of the largest scaled unknown leaves a factor of ten.
TEST_P(GuardedSystems, AgreesWithDenseFullPivotingInAnyUnits) {
  const Variation units[] = {{},
                             {.mass = 1e-3, .length = 1e3, .stiffness = 1e6},     // tonne-mm-s, stiff
                             {.mass = 1e-3, .length = 1e3, .stiffness = 1e-2},    // and soft
                             {.mass = 5e-3, .length = 39.37, .stiffness = 5.7}};  // lbf-inch-s
  for (const Variation& v : units) {
    for (const Mechanism& m : topologies(120)) {
      if (m.name == "vehicles") continue;  // 800 unknowns: dense long double takes seconds
      const System s = make_system(m, v);
      GuardedSystem system(GetParam());
      system.analyze(s.pattern, s.graph);
      ASSERT_TRUE(system.set_matrix(s.values.data()).ok()) << m.name;
      const std::vector<double> b = some_vector(s.pattern.n);
      std::vector<double> x(b.size());
      const SolveReport report = system.solve(b.data(), x.data());
      ASSERT_TRUE(report.ok()) << m.name;
      EXPECT_LE(report.backward_error, 1e-12) << m.name;
      const std::vector<double> exact = dense_answer(s, system.scaling(), b);
      double largest = 0, error = 0;
      for (int i = 0; i < s.pattern.n; ++i) {
        largest = std::max(largest, std::fabs(exact[i] / system.scaling().column[i]));
        error = std::max(error, std::fabs((x[i] - exact[i]) / system.scaling().column[i]));
      }
      EXPECT_LT(error, 1e-10 * largest) << m.name << " mass " << v.mass << " stiffness " << v.stiffness;
    }
  }
}

TEST(GuardedSystem, ScaledEntriesAreNearOneInAnyUnits) {
  for (const Variation& v : {Variation{}, Variation{.mass = 1e-3, .length = 1e3, .stiffness = 1e2}}) {
    const System s = make_system(controlled_chain(20), v);
    const Scaling scaling = kkt_scaling(s.pattern, s.values.data(), s.graph);
    for (int j = 0; j < s.pattern.n; ++j) {
      double largest = 0;
      int exponent = 0;
      EXPECT_EQ(std::frexp(scaling.row[j], &exponent), 0.5);  // a power of two
      EXPECT_EQ(std::frexp(scaling.column[j], &exponent), 0.5);
      for (int k = s.pattern.column_start[j]; k < s.pattern.column_start[j + 1]; ++k) {
        largest =
            std::max(largest, std::fabs(s.values[k]) * scaling.row[s.pattern.row[k]] * scaling.column[j]);
      }
      EXPECT_GT(largest, 0.25);
      EXPECT_LT(largest, 8);
    }
  }
}

// KLU with a library's order, first factored while half of the joints are inactive: the refactorization
// says ok and the answer is wrong in the first digit. The guard refuses the pivots and answers rightly.
TEST(GuardedSystem, CatchesFixedPivotsThatNoLongerFit) {
  const System half = make_system(net(9), {.inactive = 0.5});
  const System t = make_system(net(9), {.values = 0.01, .rotation = 1});
  const std::vector<int> order = library_order(t.pattern);
  const std::vector<double> b = some_vector(t.pattern.n);
  std::vector<double> x(b);

  auto bare = make_linear_solver("klu");
  bare->analyze(t.pattern, order);
  ASSERT_EQ(bare->factor(half.values.data()), FactorStatus::ok);
  ASSERT_EQ(bare->refactor(t.values.data()), FactorStatus::ok);
  bare->solve(x.data());
  ASSERT_GT(row_residual(t.pattern, t.values, x, b), 1e-2);  // otherwise this test shows nothing

  for (double pivot_limit : {1e-13, 0.0}) {  // by the small pivot; by the residual alone
    GuardedSystem system("klu");
    system.limits.pivot = pivot_limit;
    std::vector<PivotsLost> told;
    system.on_pivots_lost = [&](const PivotsLost& lost) { told.push_back(lost); };
    system.analyze(t.pattern, t.graph, by(order));
    ASSERT_TRUE(system.set_matrix(half.values.data()).ok());
    EXPECT_TRUE(told.empty());
    ASSERT_TRUE(system.set_matrix(t.values.data()).ok());
    const SolveReport report = system.solve(b.data(), x.data());
    EXPECT_TRUE(report.ok());
    EXPECT_LT(row_residual(t.pattern, t.values, x, b), 1e-10);
    EXPECT_EQ(system.counters().guard_trips, 1);
    EXPECT_EQ(system.counters().factorizations, 2);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_TRUE(told[0].kept && told[0].found_others);
    EXPECT_EQ(told[0].inaccurate, pivot_limit == 0);
    EXPECT_LT(told[0].smallest.relative, 1e-13);
  }
}

// The same over all topologies, orders and first matrices: ok implies a small residual, whatever happens.
TEST_P(GuardedSystems, OkMeansRight) {
  for (const Mechanism& m : topologies(1000)) {
    for (double inactive : {0.0, 0.5, 0.9}) {
      const System first = make_system(m, {.inactive = inactive});
      const System t = make_system(m, {.values = 0.9, .rotation = 1});
      GuardedSystem system(GetParam());
      system.analyze(t.pattern, t.graph, by(library_order(t.pattern)));
      system.set_matrix(first.values.data());
      const std::vector<double> b = some_vector(t.pattern.n);
      std::vector<double> x(b.size());
      const bool ok = system.set_matrix(t.values.data()).ok() && system.solve(b.data(), x.data()).ok();
      ASSERT_TRUE(ok) << m.name;
      EXPECT_LT(row_residual(t.pattern, t.values, x, b), 1e-9) << m.name;
    }
  }
}

// A revolute joint listed twice: five equations too many. Named: rows of one of the two joints.
TEST_P(GuardedSystems, RedundantConstraintsAreSingularAndNamed) {
  Mechanism m = chain(20, 5);
  const System single = make_system(m);
  m.joints.push_back(m.joints[11]);
  System twice = make_system(m);
  const int first = 120 + 5 * 11, copy = 120 + 5 * 20;
  // Give the copy the very values of the original (the generator draws new ones).
  const auto entry = [](System& s, int i, int j) -> double& {
    const auto begin = s.pattern.row.begin() + s.pattern.column_start[j];
    const auto end = s.pattern.row.begin() + s.pattern.column_start[j + 1];
    return s.values[std::lower_bound(begin, end, i) - s.pattern.row.begin()];
  };
  for (int r = 0; r < 5; ++r) {
    for (int c = 6 * 10; c < 6 * 12; ++c) {
      if (r < 3 && c % 6 < 3 && c % 6 != r) continue;  // not in the pattern
      if (r >= 3 && c % 6 < 3) continue;
      entry(twice, copy + r, c) = entry(twice, first + r, c);
      entry(twice, c, copy + r) = entry(twice, c, first + r);
    }
  }
  GuardedSystem system(GetParam());
  system.analyze(twice.pattern, twice.graph);
  const SolveReport report = system.set_matrix(twice.values.data());
  EXPECT_EQ(report.status, SolveStatus::singular);
  const auto in = [&](int i) { return (i >= first && i < first + 5) || (i >= copy && i < copy + 5); };
  EXPECT_TRUE(in(report.column)) << report.column;
  EXPECT_LT(report.pivot, 1e-13);
  std::vector<double> b = some_vector(twice.pattern.n), x(b.size(), 1.0);
  EXPECT_EQ(system.solve(b.data(), x.data()).status, SolveStatus::singular);
  EXPECT_TRUE(std::all_of(x.begin(), x.end(), [](double v) { return v == 0; }));
}

TEST_P(GuardedSystems, UnheldMasslessCoordinateIsNamed) {
  System s = make_system(chain(10));
  const int dead = 6 * 4 + 5;
  for (int j = 0; j < s.pattern.n; ++j) {
    for (int k = s.pattern.column_start[j]; k < s.pattern.column_start[j + 1]; ++k) {
      if (j == dead || s.pattern.row[k] == dead) s.values[k] = 0;
    }
  }
  GuardedSystem system(GetParam());
  system.analyze(s.pattern, s.graph);
  const SolveReport report = system.set_matrix(s.values.data());
  EXPECT_EQ(report.status, SolveStatus::singular);
  EXPECT_EQ(report.column, dead);
}

// A link without mass, or with next to none, between heavy ones: the late order divides by its mass; the
// fall-back scales and pivots without regard to the mechanism.
TEST_P(GuardedSystems, MasslessAndVeryLightLinks) {
  for (double mass : {1e-4, 1e-8, 1e-12, 1e-16, 0.0}) {
    System s = make_system(chain(10, 5));
    for (int j = 24; j < 30; ++j) {
      for (int k = s.pattern.column_start[j]; k < s.pattern.column_start[j + 1]; ++k) {
        if (s.pattern.row[k] >= 24 && s.pattern.row[k] < 30) s.values[k] *= mass;
      }
    }
    GuardedSystem system(GetParam());
    system.analyze(s.pattern, s.graph);
    ASSERT_TRUE(system.set_matrix(s.values.data()).ok()) << mass;
    const std::vector<double> b = some_vector(s.pattern.n);
    std::vector<double> x(b.size());
    ASSERT_TRUE(system.solve(b.data(), x.data()).ok()) << mass;
    // The guard allows 8 u of the largest row in every row: 9e-8 of a row that is 1e-8 of it.
    EXPECT_LT(row_residual(s.pattern, s.values, x, b), 1e-7) << mass;
    // The answer changes by O(mass) when the link's mass goes; the dense one has the same mass.
    const std::vector<double> exact = dense_answer(s, system.scaling(), b);
    double largest = 0, error = 0;
    for (int i = 0; i < 60; ++i) {
      largest = std::max(largest, std::fabs(exact[i]));
      error = std::max(error, std::fabs(x[i] - exact[i]));
    }
    EXPECT_LT(error, 1e-6 * largest) << mass;
  }
}

// A scaling that is wrong by up to 2^40 either way for every unknown: pivots that look large are not. The
// last way scales anew and pivots fully.
TEST_P(GuardedSystems, RecoversFromAnAbsurdScaling) {
  const System s = make_system(net(6));
  GuardedSystem system(GetParam());
  system.analyze(s.pattern, s.graph);
  std::vector<double> row(s.pattern.n), column(s.pattern.n);
  for (int i = 0; i < s.pattern.n; ++i) {
    row[i] = std::ldexp(1.0, (i * 7919) % 81 - 40);
    column[i] = std::ldexp(1.0, (i * 104729) % 81 - 40);
  }
  system.set_scaling({row, column});
  const std::vector<double> b = some_vector(s.pattern.n);
  std::vector<double> x(b.size());
  ASSERT_TRUE(system.set_matrix(s.values.data()).ok());
  ASSERT_TRUE(system.solve(b.data(), x.data()).ok());
  EXPECT_LT(row_residual(s.pattern, s.values, x, b), 1e-10);
  EXPECT_EQ(system.counters().full_pivotings, 1);
}

TEST_P(GuardedSystems, FrozenMatrixIsSolvedManyTimes) {
  const System s = make_system(vehicles(1, 20));
  GuardedSystem system(GetParam());
  system.analyze(s.pattern, s.graph);
  std::vector<double> values(s.values);
  ASSERT_TRUE(system.set_matrix(values.data()).ok());
  std::fill(values.begin(), values.end(), NAN);  // the caller's array may change: the system keeps its own
  std::vector<double> x = some_vector(s.pattern.n);
  for (int k = 0; k < 10; ++k) {
    std::vector<double> b(x);
    for (double& v : b) v = std::cos(v + k);
    x = b;
    ASSERT_TRUE(system.solve(x.data(), x.data()).ok());  // in place
    EXPECT_LT(row_residual(s.pattern, s.values, x, b), 1e-12);
  }
  EXPECT_EQ(system.counters().factorizations + system.counters().refactorizations, 1);
  EXPECT_EQ(system.counters().solves, 10);
}

TEST_P(GuardedSystems, SolvingDoesNotAllocate) {
  if (!allocations_counted()) GTEST_SKIP() << "allocations are not counted in this build";
  const System s = make_system(controlled_chain(30));
  GuardedSystem system(GetParam());
  system.analyze(s.pattern, s.graph);
  ASSERT_TRUE(system.set_matrix(s.values.data()).ok());
  system.limits.target = -1;  // refine always, to see that path too
  std::vector<double> b = some_vector(s.pattern.n), x(b.size());
  const long before = allocation_count();
  const bool ok = system.set_matrix(s.values.data()).ok() && system.solve(b.data(), x.data()).ok();
  EXPECT_EQ(allocation_count(), before);
  EXPECT_TRUE(ok);
  EXPECT_GT(system.counters().refinements, 0);
}

TEST_P(GuardedSystems, NotFinite) {
  const System s = make_system(chain(5));
  GuardedSystem system(GetParam());
  system.analyze(s.pattern, s.graph);
  std::vector<double> values(s.values), b = some_vector(s.pattern.n), x(b.size());
  ASSERT_TRUE(system.set_matrix(values.data()).ok());
  b[7] = NAN;
  EXPECT_EQ(system.solve(b.data(), x.data()).status, SolveStatus::not_finite);
  b[7] = 1;
  EXPECT_TRUE(system.solve(b.data(), x.data()).ok());  // the factors are still there
  EXPECT_EQ(system.counters().factorizations, 1);
  values[3] = INFINITY;
  EXPECT_EQ(system.set_matrix(values.data()).status, SolveStatus::not_finite);
  EXPECT_EQ(system.solve(b.data(), x.data()).status, SolveStatus::not_finite);
  EXPECT_TRUE(system.set_matrix(s.values.data()).ok());
}

TEST_P(GuardedSystems, ZeroRightHandSideGivesZero) {
  const System s = make_system(chain(5));
  GuardedSystem system(GetParam());
  system.analyze(s.pattern, s.graph);
  ASSERT_TRUE(system.set_matrix(s.values.data()).ok());
  std::vector<double> b(s.pattern.n, 0.0), x(s.pattern.n, 1.0);
  const SolveReport report = system.solve(b.data(), x.data());
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.backward_error, 0);
  EXPECT_EQ(x, b);
}

// Numbers near the least ones, which have no digits left, are solved with what they have.
TEST_P(GuardedSystems, DenormalRightHandSidesAreSolved) {
  const System s = make_system(closed_chain(12));
  GuardedSystem system(GetParam());
  system.analyze(s.pattern, s.graph);
  const std::vector<double> unit = fresh_answer(system, s, some_vector(s.pattern.n));
  for (const double size : {1e-280, 1e-300, 1e-306, 1e-310, 1e-318, 1e-323}) {
    std::vector<double> b = some_vector(s.pattern.n), x(b.size());
    for (double& v : b) v *= size;
    const SolveReport report = system.solve(b.data(), x.data());
    EXPECT_TRUE(report.ok()) << size;
    // Beside the rounding of solutions, what is lost of numbers below 1e-308, times entries of the inverse.
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_NEAR(x[i], size * unit[i], 1e-9 * size * std::fabs(unit[i]) + 1e-300) << size;
  }
}

// Factors are powers of two: an answer does not depend on them beyond the choice of pivots, and a pure
// change of units of all equations changes no bit.
TEST_P(GuardedSystems, CharacteristicScaling) {
  const System s = make_system(chain(12, 5));
  const std::vector<double> one(s.pattern.n, 1.0), thousand(s.pattern.n, 1000.0);
  const std::vector<double> b = some_vector(s.pattern.n);
  std::vector<double> x(b.size()), y(b.size());
  GuardedSystem system(GetParam());
  EXPECT_THROW(system.set_scaling(characteristic_scaling(one, one)), Failure);  // nothing analyzed
  system.analyze(s.pattern, s.graph);
  system.set_scaling(characteristic_scaling(one, one));
  ASSERT_TRUE(system.set_matrix(s.values.data()).ok());
  ASSERT_TRUE(system.solve(b.data(), x.data()).ok());
  system.set_scaling(characteristic_scaling(thousand, one));
  EXPECT_EQ(system.scaling().row[0], std::ldexp(1.0, -10));
  EXPECT_FALSE(system.has_matrix());
  ASSERT_TRUE(system.set_matrix(s.values.data()).ok());
  ASSERT_TRUE(system.solve(b.data(), y.data()).ok());
  EXPECT_EQ(x, y);
  EXPECT_THROW(characteristic_scaling({0.0}, {1.0}), Failure);
}

TEST_P(GuardedSystems, MisuseIsRefused) {
  GuardedSystem system(GetParam());
  double a = 1;
  EXPECT_THROW(system.set_matrix(&a), Failure);
  EXPECT_THROW(system.solve(&a, &a), Failure);
  EXPECT_THROW(GuardedSystem("none"), Failure);
}

// "auto" takes blocks where fronts are small (a chain), the multifrontal solver where they are not (a net).
TEST(GuardedSystem, ChoosesTheSolverByTheOrder) {
  GuardedSystem system;
  for (const auto& [mechanism, name] :
       {std::pair{chain(300), "blocks"}, {net(40), "multifrontal"}, {chain(20), "blocks"}}) {
    const System s = make_system(mechanism);
    system.analyze(s.pattern, s.graph);
    EXPECT_EQ(system.solver_name(), name);
    EXPECT_TRUE(system.set_matrix(s.values.data()).ok());
  }
  EXPECT_THROW(GuardedSystem("no such solver"), Failure);
}

}  // namespace
}  // namespace trammel::test_system
