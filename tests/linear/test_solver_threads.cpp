// Solvers that divide their work among threads.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "allocations.h"
#include "base/thread_pool.h"
#include "linear/ordering.h"
#include "linear/solver.h"
#include "mechanisms.h"

namespace trammel::test_solver_threads {
namespace {

using namespace test;

class SolverThreads : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, SolverThreads, testing::Values("multifrontal", "blocks"),
                         [](const auto& solver) { return std::string(solver.param); });

struct Answer {
  std::vector<double> x, many;
  FactorInfo info;
  Pivot smallest;
};

Answer answer_with(const std::string& name, int threads, const System& s, const std::vector<double>& values,
                   const std::vector<int>& order) {
  auto solver = make_linear_solver(name);
  solver->set_threads(threads);
  solver->analyze(s.pattern, order);
  EXPECT_EQ(solver->factor(values.data(), 0.01), FactorStatus::ok);
  EXPECT_EQ(solver->refactor(values.data()), FactorStatus::ok);
  Answer answer;
  answer.x = some_vector(s.pattern.n);
  solver->solve(answer.x.data());
  for (int c = 0; c < 3; ++c) {
    const auto b = some_vector(s.pattern.n);
    answer.many.insert(answer.many.end(), b.begin(), b.end());
  }
  solver->solve_many(answer.many.data(), 3, s.pattern.n);
  answer.info = solver->info();
  answer.smallest = solver->smallest_pivot(std::vector<double>(s.pattern.n, 1.0).data());
  return answer;
}

// Large enough that subtrees are shared out and, for the net and the flexible star, fronts of the top are
// cut.
TEST_P(SolverThreads, same_bits_for_any_number) {
  Mechanism flexible = star(12);
  flexible.modes = 120;
  for (const Mechanism& m :
       {chain(2000), net(50), tree(1500), vehicles(4, 80), coupled_vehicles(1, 80), flexible}) {
    const System s = make_system(m);
    const std::vector<double> values = scaled(s);
    const auto order = order_unknowns(s.graph, false, OrderingGoal::cpu_threads).unknowns;
    const Answer one = answer_with(GetParam(), 1, s, values, order);
    EXPECT_LT(row_residual(s.pattern, values, one.x, some_vector(s.pattern.n)), 1e-11) << m.name;
    for (int threads : {2, 3, 5}) {
      const Answer other = answer_with(GetParam(), threads, s, values, order);
      EXPECT_EQ(one.x, other.x) << m.name << " " << threads;
      EXPECT_EQ(one.many, other.many) << m.name << " " << threads;
      EXPECT_EQ(one.info.off_diagonal_pivots, other.info.off_diagonal_pivots);
      EXPECT_EQ(one.info.rcond, other.info.rcond);
      EXPECT_EQ(one.smallest.row, other.smallest.row);
      EXPECT_EQ(one.smallest.relative, other.smallest.relative);
    }
  }
}

TEST_P(SolverThreads, nothing_is_allocated_after_the_first_factorization) {
  if (!allocations_counted()) GTEST_SKIP() << "allocations are not counted in this build";
  const System s = make_system(net(40));
  const std::vector<double> values = scaled(s), ones(s.pattern.n, 1.0);
  for (int threads : {1, 2}) {
    auto solver = make_linear_solver(GetParam());
    solver->set_threads(threads);
    solver->analyze(s.pattern, elimination_order(s.graph));
    ASSERT_EQ(solver->factor(values.data(), 0.01), FactorStatus::ok);
    std::vector<double> x = some_vector(s.pattern.n), many(9 * static_cast<size_t>(s.pattern.n), 1.0);
    solver->solve_many(many.data(), 9, s.pattern.n);
    const long before = allocation_count();
    const FactorStatus first = solver->factor(values.data(), 0.1), second = solver->refactor(values.data());
    solver->solve(x.data());
    solver->solve_many(many.data(), 9, s.pattern.n);
    solver->smallest_pivot(ones.data());
    solver->info();
    EXPECT_EQ(allocation_count(), before) << threads;
    EXPECT_EQ(first, FactorStatus::ok);
    EXPECT_EQ(second, FactorStatus::ok);
  }
}

// Two objects may share one pool, one after the other; the pool may come and go.
TEST_P(SolverThreads, pools_are_shared_and_come_and_go) {
  const System s = make_system(net(40));
  const std::vector<double> values = scaled(s), b = some_vector(s.pattern.n);
  const auto order = elimination_order(s.graph);
  auto pool = std::make_shared<ThreadPool>(2);
  std::vector<double> first;
  for (int k = 0; k < 2; ++k) {
    auto solver = make_linear_solver(GetParam());
    solver->analyze(s.pattern, order);
    ASSERT_EQ(solver->factor(values.data(), 0.01), FactorStatus::ok);
    solver->set_pool(pool);
    ASSERT_EQ(solver->refactor(values.data()), FactorStatus::ok);
    std::vector<double> x(b);
    solver->solve(x.data());
    if (first.empty()) first = x;
    EXPECT_EQ(x, first);
    solver->set_pool(nullptr);
    x = b;
    solver->solve(x.data());
    EXPECT_EQ(x, first);
  }
}

}  // namespace
}  // namespace trammel::test_solver_threads
