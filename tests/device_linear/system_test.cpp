// The linear system on every device: right answers for all topologies, agreement with the processor's system.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "../support/each_device.h"
#include "base/diagnostics.h"
#include "device_systems.h"

namespace trammel::system_test {
namespace {

using namespace test;

class DeviceSystems : public DeviceTest {
 protected:
  bool keeps_pivots() { return solver() && solver()->keeps_pivots; }
  /// What is large for threads that are made anew at every launch.
  bool slow() const { return std::string(GetParam().backend) == "host" && GetParam().index == 1; }
};

// Residuals are formed in long double from the matrix as given. Pivots inside fronts and one right-hand side:
// the bound is the guard's own, 1e-12 of the terms of each row, and twenty times that without the rounding of
// the largest rows which the guard allows for.
TEST_P(DeviceSystems, answers_every_topology) {
  for (int n : {100, 1000}) {
    for (const Mechanism& m : n == 1000 ? battery(n) : topologies(n)) {
      const System s = make_system(m);
      Uploaded device_system(device(), s, solver());
      const std::vector<double> b = some_vector(s.pattern.n);
      std::vector<double> x;
      for (double change : {0.0, 0.1, 1.0}) {
        const System t = make_system(m, {.values = change, .rotation = change});
        ASSERT_TRUE(device_system.set_matrix(t.values).ok()) << m.name;
        const SolveReport report = device_system.solve(b, x);
        ASSERT_TRUE(report.ok()) << m.name;
        EXPECT_LE(report.backward_error, 1e-12) << m.name;
        EXPECT_LT(row_residual(t.pattern, t.values, x, b), 2e-11) << m.name << " " << change;
        EXPECT_LT(residual(t.pattern, t.values, x, b), 1e-12) << m.name << " " << change;
      }
      EXPECT_EQ(device_system.system.counters().factorizations, 3);
      EXPECT_EQ(device_system.system.counters().solves, 3);
      EXPECT_EQ(device_system.system.counters().guard_trips, 0) << m.name;
      EXPECT_EQ(device_system.system.counters().host_answers, 0) << m.name;
      EXPECT_EQ(device_system.system.counters().pivot_choices, keeps_pivots() ? 1 : 0) << m.name;
    }
  }
}

// Another solver, another order, another sequence of operations. Both residuals are below 1e-12 of the terms;
// the scaled condition numbers of these models are at most 1e4 (tests/linear), which leaves 2e-8, and
// rounding that accepts a backward error near 1e-15 gives 1e-10 of the largest scaled unknown.
TEST_P(DeviceSystems, agrees_with_klu_in_any_units) {
  const Variation units[] = {{},
                             {.mass = 1e-3, .length = 1e3, .stiffness = 1e6},     // tonne-mm-s, stiff
                             {.mass = 5e-3, .length = 39.37, .stiffness = 5.7}};  // lbf-inch-s
  for (const Variation& v : units) {
    for (const Mechanism& m : topologies(400)) {
      const System s = make_system(m, v);
      Uploaded device_system(device(), s, solver());
      GuardedSystem klu("klu");
      klu.analyze(s.pattern, s.graph);
      const std::vector<double> b = some_vector(s.pattern.n);
      std::vector<double> x, y(b.size());
      ASSERT_TRUE(device_system.set_matrix(s.values).ok()) << m.name;
      ASSERT_TRUE(device_system.solve(b, x).ok()) << m.name;
      ASSERT_TRUE(klu.set_matrix(s.values.data()).ok());
      ASSERT_TRUE(klu.solve(b.data(), y.data()).ok());
      EXPECT_EQ(device_system.system.scaling().row, klu.scaling().row);
      EXPECT_EQ(device_system.system.scaling().column, klu.scaling().column);
      double largest = 0, difference = 0;
      for (int i = 0; i < s.pattern.n; ++i) {
        largest = std::max(largest, std::fabs(y[i] / klu.scaling().column[i]));
        difference = std::max(difference, std::fabs((x[i] - y[i]) / klu.scaling().column[i]));
      }
      EXPECT_LT(difference, 1e-10 * largest) << m.name << " mass " << v.mass;
      EXPECT_EQ(device_system.system.counters().host_answers, 0) << m.name;
    }
  }
}

// Half of the joints are stored zeros with a unit diagonal first; the same analysis then takes the full
// matrix.
TEST_P(DeviceSystems, stored_zeros_first) {
  for (const Mechanism& m : topologies(slow() ? 300 : 1000)) {
    const System first = make_system(m, {.inactive = 0.5});
    const System t = make_system(m, {.values = 0.9, .rotation = 1});
    Uploaded device_system(device(), first, solver());
    const std::vector<double> b = some_vector(t.pattern.n);
    std::vector<double> x;
    ASSERT_TRUE(device_system.set_matrix(first.values).ok()) << m.name;
    ASSERT_TRUE(device_system.solve(b, x).ok()) << m.name;
    EXPECT_LT(residual(first.pattern, first.values, x, b), 1e-12) << m.name;
    ASSERT_TRUE(device_system.set_matrix(t.values).ok()) << m.name;
    ASSERT_TRUE(device_system.solve(b, x).ok()) << m.name;
    EXPECT_LT(row_residual(t.pattern, t.values, x, b), 2e-11) << m.name;
    EXPECT_EQ(device_system.system.counters().host_answers, 0) << m.name;
  }
}

// Fronts above what a block holds: a body of 300 coordinates, a net, one dense matrix in a single front.
TEST_P(DeviceSystems, large_fronts) {
  std::vector<Mechanism> list{flexible_chain(3, 250)};
  if (!slow()) list.push_back(net(30));
  list.push_back(star(40));
  list.back().modes = 30;
  for (const Mechanism& m : list) {
    const System s = make_system(m, {.values = 0.5, .rotation = 1});
    Uploaded device_system(device(), s, solver());
    const std::vector<double> b = some_vector(s.pattern.n);
    std::vector<double> x;
    ASSERT_TRUE(device_system.set_matrix(s.values).ok()) << m.name;
    const SolveReport report = device_system.solve(b, x);
    ASSERT_TRUE(report.ok()) << m.name;
    EXPECT_LE(report.backward_error, 1e-12);
    EXPECT_LT(row_residual(s.pattern, s.values, x, b), 2e-11) << m.name;
    if (own() && m.name == "flexible chain") {
      EXPECT_GT(device_system.system.info().large, 0) << m.name;
    }
    EXPECT_EQ(device_system.system.counters().host_answers, 0) << m.name;
  }
}

/// A dense system as one body.
System dense_system(int n, double diagonal) {
  System s;
  s.graph.vertices = {{VertexKind::body, 0, n}};
  s.pattern.n = n;
  s.pattern.column_start = {0};
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      s.pattern.row.push_back(i);
      s.values.push_back(std::cos(1.0 + 3 * i + 7 * j + 0.1 * i * j) + (i == j ? diagonal : 0));
    }
    s.pattern.column_start.push_back(n * (j + 1));
  }
  return s;
}

// One front; without a dominant diagonal rows are exchanged in every class. The tolerance of 0.01 lets
// entries grow; the guard's bound holds row by row: 1e-12 of a row's own terms and 8 u of the largest row's,
// which here are within a factor of ten of each other (1e-14).
TEST_P(DeviceSystems, one_front_with_exchanges) {
  for (int n : {1, 2, 3, 31, 32, 33, 65, 150, 200}) {
    for (double diagonal : {0.0, 3.0}) {
      const System s = dense_system(n, diagonal);
      Uploaded device_system(device(), s, solver());
      const std::vector<double> b = some_vector(n);
      std::vector<double> x;
      ASSERT_TRUE(device_system.set_matrix(s.values).ok()) << n;
      ASSERT_TRUE(device_system.solve(b, x).ok()) << n;
      EXPECT_LT(row_residual(s.pattern, s.values, x, b), 1.01e-12) << n << " " << diagonal;
      if (own()) {
        EXPECT_EQ(device_system.system.info().fronts, 1);
      }
      EXPECT_EQ(device_system.system.counters().host_answers, 0) << n << " " << diagonal;
    }
  }
}

// Exact: a permutation matrix times powers of two in one front has its answer without any rounding.
TEST_P(DeviceSystems, permutations_are_exact) {
  for (int n : {7, 40, 200}) {
    System s = dense_system(n, 0);
    std::fill(s.values.begin(), s.values.end(), 0.0);
    std::vector<double> expected(n), b(n), x;
    for (int j = 0; j < n; ++j) {
      const int i = (j * 37 + 11) % n;  // 37 is prime to 7, 40 and 200
      s.values[n * j + i] = std::ldexp(1.0, j % 5);
      expected[j] = j - 3;
      b[i] = expected[j] * std::ldexp(1.0, j % 5);
    }
    Uploaded device_system(device(), s, solver());
    ASSERT_TRUE(device_system.set_matrix(s.values).ok()) << n;
    ASSERT_TRUE(device_system.solve(b, x).ok()) << n;
    EXPECT_EQ(x, expected) << n;
    EXPECT_EQ(device_system.system.counters().host_answers, 0) << n;
  }
}

TEST_P(DeviceSystems, tiny_and_empty) {
  Uploaded empty(device(), System{{}, {0, {0}, {}}, {}, 0}, solver());
  std::vector<double> nothing;
  EXPECT_TRUE(empty.set_matrix({}).ok());
  EXPECT_TRUE(empty.solve({}, nothing).ok());
  EXPECT_EQ(empty.system.info().fronts, 0);
  EXPECT_EQ(device().counters().launches, 0);
  Uploaded one(device(), dense_system(1, 4), solver());
  std::vector<double> x;
  ASSERT_TRUE(one.set_matrix({4}).ok());
  ASSERT_TRUE(one.solve({6}, x).ok());
  EXPECT_EQ(x[0], 1.5);
}

// Bodies that nothing couples: many roots.
TEST_P(DeviceSystems, forests) {
  Mechanism m{"loose bodies", 50, {}, {}, {}, 0};
  const System s = make_system(m);
  Uploaded device_system(device(), s, solver());
  const std::vector<double> b = some_vector(s.pattern.n);
  std::vector<double> x;
  ASSERT_TRUE(device_system.set_matrix(s.values).ok());
  ASSERT_TRUE(device_system.solve(b, x).ok());
  EXPECT_LT(row_residual(s.pattern, s.values, x, b), 1e-14);
  if (own()) {
    EXPECT_EQ(device_system.system.info().levels, 1);
  }
}

TEST_P(DeviceSystems, frozen_matrix_is_solved_many_times) {
  const System s = make_system(vehicles(1, 20));
  Uploaded device_system(device(), s, solver());
  ASSERT_TRUE(device_system.set_matrix(s.values).ok());
  const std::vector<double> spoiled(s.values.size(), NAN);  // the caller's array may change
  device().upload(device_system.values(), spoiled.data(), spoiled.size() * sizeof(double));
  std::vector<double> x = some_vector(s.pattern.n);
  for (int k = 0; k < 5; ++k) {
    std::vector<double> b(x);
    for (double& v : b) v = std::cos(v + k);
    device().upload(device_system.b(), b.data(), b.size() * sizeof(double));
    ASSERT_TRUE(device_system.system.solve(device_system.b(), device_system.b()).ok());  // in place
    device().download(x.data(), device_system.b(), x.size() * sizeof(double));
    EXPECT_LT(row_residual(s.pattern, s.values, x, b), 1e-12);
  }
  EXPECT_EQ(device_system.system.counters().factorizations, 1);
}

// Factors are powers of two: a change of units of all equations changes no bit.
TEST_P(DeviceSystems, given_scaling) {
  const System s = make_system(chain(12, 5));
  const std::vector<double> one(s.pattern.n, 1.0), thousand(s.pattern.n, 1000.0);
  const std::vector<double> b = some_vector(s.pattern.n);
  std::vector<double> x, y;
  Uploaded device_system(device(), solver());
  EXPECT_THROW(device_system.system.set_scaling(characteristic_scaling(one, one)), Failure);
  device_system.analyze(s);
  EXPECT_THROW(device_system.system.set_scaling({{1.0}, {1.0}}), Failure);
  device_system.system.set_scaling(characteristic_scaling(one, one));
  ASSERT_TRUE(device_system.set_matrix(s.values).ok());
  ASSERT_TRUE(device_system.solve(b, x).ok());
  device_system.system.set_scaling(characteristic_scaling(thousand, one));
  EXPECT_FALSE(device_system.system.has_matrix());
  EXPECT_THROW(device_system.system.solve(device_system.b(), device_system.b()), Failure);
  ASSERT_TRUE(device_system.set_matrix(s.values).ok());
  ASSERT_TRUE(device_system.solve(b, y).ok());
  if (repeats_bits()) {
    EXPECT_EQ(x, y);
  }
  for (const auto& answer : {x, y}) EXPECT_LT(row_residual(s.pattern, s.values, answer, b), 1e-12);
}

TEST_P(DeviceSystems, misuse_is_refused) {
  DeviceSystem system(device(), solver());
  EXPECT_THROW(system.set_matrix(nullptr), Failure);
  EXPECT_THROW(system.solve(nullptr, nullptr), Failure);
  EXPECT_THROW(system.analyze({2, {0, 1, 1}, {5}}, {}), Failure);
}

TRAMMEL_EVERY_SOLVER(DeviceSystems);

}  // namespace
}  // namespace trammel::system_test
