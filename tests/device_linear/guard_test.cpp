// A wrong answer with status ok must not happen: singular and nearly singular systems, spoiled factors,
// numbers that are not finite.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "../support/each_device.h"
#include "device_systems.h"
#include "spied_device.h"

namespace trammel::guard_test {
namespace {

using namespace test;

/// Whichever solver.
class DeviceGuards : public DeviceTest {};
/// Our own.
class DeviceFronts : public DeviceTest {};

/// What the processor's own system says of the matrix.
SolveReport report_of_host(const System& s) {
  GuardedSystem host;
  host.analyze(s.pattern, s.graph);
  return host.set_matrix(s.values.data());
}

void expect_same(const SolveReport& a, const SolveReport& b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.row, b.row);
  EXPECT_EQ(a.column, b.column);
  EXPECT_EQ(a.pivot, b.pivot);
}

void expect_zero(const std::vector<double>& x) {
  EXPECT_TRUE(std::all_of(x.begin(), x.end(), [](double v) { return v == 0; }));
}

double& entry(System& s, int i, int j) {
  const auto begin = s.pattern.row.begin() + s.pattern.column_start[j];
  const auto end = s.pattern.row.begin() + s.pattern.column_start[j + 1];
  return s.values[std::lower_bound(begin, end, i) - s.pattern.row.begin()];
}

/// A chain of 20 bodies with its twelfth joint listed twice, value by value: five equations too many. The
/// copy is off by `error`.
System chain_with_a_joint_twice(double error) {
  Mechanism m = chain(20, 5);
  m.joints.push_back(m.joints[11]);
  System s = make_system(m);
  const int first = 120 + 5 * 11, copy = 120 + 5 * 20;
  for (int r = 0; r < 5; ++r)
    for (int c = 6 * 10; c < 6 * 12; ++c) {
      if (c % 6 < 3 && (r >= 3 || c % 6 != r)) continue;  // not in the pattern
      const double change = 1 + error * std::cos(r + 3 * c);
      entry(s, copy + r, c) = entry(s, first + r, c) * change;
      entry(s, c, copy + r) = entry(s, c, first + r) * change;
    }
  return s;
}

TEST_P(DeviceGuards, redundant_constraints_are_singular_and_named) {
  const System s = chain_with_a_joint_twice(0);
  Uploaded u(device(), s, solver());
  const SolveReport report = u.set_matrix(s.values);
  EXPECT_EQ(report.status, SolveStatus::singular);
  expect_same(report, report_of_host(s));
  EXPECT_FALSE(u.system.has_matrix());
  std::vector<double> x;
  EXPECT_EQ(u.solve(some_vector(s.pattern.n), x).status, SolveStatus::singular);
  expect_zero(x);
  EXPECT_EQ(u.system.counters().guard_trips, 1);
  // The next matrix is as good as ever: rounding leaves 1e-12 of a row's terms and 8 u of the largest row's.
  const System t = chain_with_a_joint_twice(0.1);
  ASSERT_TRUE(u.set_matrix(t.values).ok());
  ASSERT_TRUE(u.solve(some_vector(s.pattern.n), x).ok());
  EXPECT_LT(row_residual(t.pattern, t.values, x, some_vector(s.pattern.n)), 1e-9);
}

/// The smallest tol with |r_i| <= tol w_i + 8 u max w in the scaled system, as GuardedSystem::solve defines
/// it, in long double.
double backward_error(const System& s, const Scaling& scaling, const std::vector<double>& x,
                      const std::vector<double>& b) {
  std::vector<long double> r(b.begin(), b.end()), w(b.size());
  for (int i = 0; i < s.pattern.n; ++i) w[i] = std::fabs(r[i] *= scaling.row[i]);
  for (int j = 0; j < s.pattern.n; ++j)
    for (int k = s.pattern.column_start[j]; k < s.pattern.column_start[j + 1]; ++k) {
      const int i = s.pattern.row[k];
      const long double term = static_cast<long double>(s.values[k]) * scaling.row[i] * x[j];
      r[i] -= term;
      w[i] += std::fabs(term);
    }
  const long double rounding = 8 * 0x1p-53L * *std::max_element(w.begin(), w.end());
  long double error = 0;
  for (int i = 0; i < s.pattern.n; ++i)
    if (std::fabs(r[i]) > rounding) error = std::max(error, (std::fabs(r[i]) - rounding) / w[i]);
  return static_cast<double>(error);
}

// Between regular and singular, with answers up to 1e12: what the device answers is within the guard's
// definition, computed independently; its own residual rounds by at most the 25 terms of a row, 3e-15 of it.
TEST_P(DeviceGuards, nearly_singular_is_refused_or_right) {
  int refused = 0, answered = 0;
  for (double error : {1e-2, 1e-3, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14, 1e-16}) {
    const System s = chain_with_a_joint_twice(error);
    Uploaded u(device(), s, solver());
    std::vector<double> x;
    const std::vector<double> b = some_vector(s.pattern.n);
    SolveReport report = u.set_matrix(s.values);
    if (report.ok()) report = u.solve(b, x);
    refused += !report.ok();
    if (!report.ok() || u.system.counters().host_answers > 0) continue;
    ++answered;
    EXPECT_LE(report.backward_error, 1e-10);
    EXPECT_NEAR(backward_error(s, u.system.scaling(), x, b), report.backward_error, 3e-15) << error;
  }
  EXPECT_GT(answered, 2);
  EXPECT_GT(refused, 0);
}

TEST_P(DeviceGuards, unheld_massless_coordinate_is_named) {
  System s = make_system(chain(10));
  const int dead = 6 * 4 + 5;
  for (int j = 0; j < s.pattern.n; ++j)
    for (int k = s.pattern.column_start[j]; k < s.pattern.column_start[j + 1]; ++k)
      if (j == dead || s.pattern.row[k] == dead) s.values[k] = 0;
  Uploaded u(device(), s, solver());
  const SolveReport report = u.set_matrix(s.values);
  EXPECT_EQ(report.status, SolveStatus::singular);
  EXPECT_EQ(report.column, dead);
}

// Unknown 0 has a zero on its diagonal and one neighbour, in a dense block too dear to be merged: a pivot
// that only rows outside of its front can give. The processor answers, with full pivoting; the next matrix
// does without.
TEST_P(DeviceFronts, pivots_outside_of_fronts_are_left_to_the_processor) {
  const int n = 181;
  System s;
  s.pattern.n = n;
  s.pattern.column_start = {0};
  for (int j = 0; j < n; ++j) {
    for (int i = j < 2 ? 0 : 1; i < (j == 0 ? 2 : n); ++i) {
      s.pattern.row.push_back(i);
      s.values.push_back(i != j ? std::cos(i + 3 * j) : j == 0 ? 0.0 : 20.0);
    }
    s.pattern.column_start.push_back(static_cast<int>(s.pattern.row.size()));
  }
  s.graph.vertices = {{VertexKind::scalar, 0, 1}, {VertexKind::scalar, 1, 1}, {VertexKind::scalar, 2, n - 2}};
  s.graph.edges = {{0, 1}, {1, 2}};
  Uploaded u(device(), s, solver());
  ASSERT_GT(u.system.info().fronts, 1) << "else the pivot is inside its front";
  const std::vector<double> b = some_vector(n);
  std::vector<double> x;
  ASSERT_TRUE(u.set_matrix(s.values).ok());
  for (int k = 1; k <= 2; ++k) {
    ASSERT_TRUE(u.solve(b, x).ok());
    EXPECT_LT(row_residual(s.pattern, s.values, x, b), 1e-12);
    EXPECT_EQ(u.system.counters().host_answers, k);
  }
  s.values[0] = 3;
  ASSERT_TRUE(u.set_matrix(s.values).ok());
  ASSERT_TRUE(u.solve(b, x).ok());
  EXPECT_LT(row_residual(s.pattern, s.values, x, b), 1e-12);
  EXPECT_EQ(u.system.counters().host_answers, 2);
  EXPECT_EQ(u.system.counters().guard_trips, 1);
}

// A scaling that is wrong by up to 2^40 either way for every unknown: pivots that look large are not.
TEST_P(DeviceGuards, absurd_scaling) {
  const System s = make_system(net(6));
  Uploaded u(device(), s, solver());
  std::vector<double> row(s.pattern.n), column(s.pattern.n), x;
  for (int i = 0; i < s.pattern.n; ++i) {
    row[i] = std::ldexp(1.0, (i * 7919) % 81 - 40);
    column[i] = std::ldexp(1.0, (i * 104729) % 81 - 40);
  }
  u.system.set_scaling({row, column});
  const std::vector<double> b = some_vector(s.pattern.n);
  ASSERT_TRUE(u.set_matrix(s.values).ok());
  ASSERT_TRUE(u.solve(b, x).ok());
  EXPECT_LT(row_residual(s.pattern, s.values, x, b), 1e-10);
  EXPECT_EQ(u.system.counters().host_answers, 1);
}

// A link of next to no mass: refused or answered, never wrong (rows of the link are small against the
// others', of which the guard allows 8 u).
TEST_P(DeviceGuards, light_links) {
  for (double mass : {1e-4, 1e-8, 1e-12, 1e-16, 0.0}) {
    System s = make_system(chain(10, 5));
    for (int j = 24; j < 30; ++j)
      for (int k = s.pattern.column_start[j]; k < s.pattern.column_start[j + 1]; ++k)
        if (s.pattern.row[k] >= 24 && s.pattern.row[k] < 30) s.values[k] *= mass;
    Uploaded u(device(), s, solver());
    std::vector<double> x;
    const std::vector<double> b = some_vector(s.pattern.n);
    ASSERT_TRUE(u.set_matrix(s.values).ok()) << mass;
    ASSERT_TRUE(u.solve(b, x).ok()) << mass;
    EXPECT_LT(row_residual(s.pattern, s.values, x, b), 1e-8) << mass;
  }
}

/// Memory that was allocated for an array of so many bytes, if it was large enough to get its own.
auto piece_of(std::size_t bytes) {
  return std::find_if(Spy::allocated().begin(), Spy::allocated().end(), [&](const auto& a) {
    return a.second >= bytes && a.second < bytes + DeviceArena::alignment;
  });
}

// Factors that were spoiled after the factorization: a digit of one entry, then all of them, then NaN. The
// residual is formed from the matrix, so the answer is refined, or the processor's.
TEST_P(DeviceFronts, spoiled_factors_are_noticed) {
  const System s = make_system(net(16));
  Device spied(Spy::on(GetParam()), GetParam().index);
  Uploaded u(spied, s);
  const auto bytes = static_cast<std::size_t>(u.system.info().factor_bytes);
  const auto found = piece_of(bytes);
  ASSERT_NE(found, Spy::allocated().end());
  const std::vector<double> b = some_vector(s.pattern.n);
  std::vector<double> x, factor(bytes / sizeof(double));
  int noticed = 0;
  for (int what = 0; what < 12; ++what) {
    ASSERT_TRUE(u.set_matrix(s.values).ok());
    spied.download(factor.data(), found->first, bytes);
    if (what < 10) {
      factor[(what * 7919) % factor.size()] += 0.01;
    } else {
      for (double& f : factor) f *= what == 10 ? 1.001 : NAN;
    }
    spied.upload(found->first, factor.data(), bytes);
    const long before = u.system.counters().refinements + u.system.counters().host_answers;
    const SolveReport report = u.solve(b, x);
    noticed += u.system.counters().refinements + u.system.counters().host_answers > before;
    ASSERT_TRUE(report.ok());
    EXPECT_LE(report.backward_error, 1e-10);
    EXPECT_LT(row_residual(s.pattern, s.values, x, b), 1e-9) << what;
  }
  EXPECT_GE(noticed, 8) << "else the entries that were spoiled do not matter";
  EXPECT_GT(u.system.counters().host_answers, 0);
}

// Factors so wrong that a step of refinement makes the answer worse: the one before is kept, and told with
// its own error. With a limit that accepts everything that can be seen.
TEST_P(DeviceFronts, the_better_answer_is_kept) {
  const System s = make_system(net(16));
  Device spied(Spy::on(GetParam()), GetParam().index);
  Uploaded u(spied, s);
  const auto bytes = static_cast<std::size_t>(u.system.info().factor_bytes);
  const auto found = piece_of(bytes);
  ASSERT_NE(found, Spy::allocated().end());
  ASSERT_TRUE(u.set_matrix(s.values).ok());
  std::vector<double> factor(bytes / sizeof(double));
  spied.download(factor.data(), found->first, bytes);
  for (double& f : factor) f *= -1;
  spied.upload(found->first, factor.data(), bytes);
  const std::vector<double> b = some_vector(s.pattern.n);
  std::vector<double> first, x;
  u.system.limits.accept = 1e300;
  u.system.limits.refinements = 0;
  const SolveReport without = u.solve(b, first);
  u.system.limits.refinements = 2;
  const SolveReport with = u.solve(b, x);
  ASSERT_EQ(u.system.counters().refinements, 1) << "refinement helps: this shows nothing";
  EXPECT_EQ(with.backward_error, without.backward_error);
  EXPECT_EQ(x, first);
  EXPECT_NEAR(backward_error(s, u.system.scaling(), x, b), with.backward_error, 1e-12);
  EXPECT_GT(with.backward_error, 1e-3);
}

TEST_P(DeviceGuards, not_finite) {
  const System s = make_system(chain(5));
  Uploaded u(device(), s, solver());
  std::vector<double> values(s.values), b = some_vector(s.pattern.n), x;
  ASSERT_TRUE(u.set_matrix(values).ok());
  for (const double bad : {static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    b[7] = bad;
    EXPECT_EQ(u.solve(b, x).status, SolveStatus::not_finite);
    expect_zero(x);
    b[7] = 1;
    EXPECT_TRUE(u.solve(b, x).ok());  // the factors are still there
    EXPECT_EQ(u.system.counters().factorizations, 1);
  }
  for (const double bad : {static_cast<double>(NAN), -static_cast<double>(INFINITY)}) {
    values = s.values;
    values[3] = bad;
    Uploaded v(device(), s, solver());
    EXPECT_EQ(v.set_matrix(values).status, SolveStatus::not_finite);
    EXPECT_EQ(v.solve(b, x).status, SolveStatus::not_finite);
    expect_zero(x);
    EXPECT_TRUE(v.set_matrix(s.values).ok());
    EXPECT_TRUE(v.solve(b, x).ok());
    EXPECT_EQ(v.system.counters().host_answers, 0);
  }
}

// Every single value of the matrix in turn: none is left out of the look for what is not finite.
TEST_P(DeviceGuards, every_value_is_looked_at) {
  const System s = make_system(chain(2, 5));
  Uploaded u(device(), s, solver());
  ASSERT_TRUE(u.set_matrix(s.values).ok());
  for (std::size_t k = 0; k < s.values.size(); ++k) {
    std::vector<double> values(s.values);
    values[k] = NAN;
    EXPECT_EQ(u.set_matrix(values).status, SolveStatus::not_finite) << k;
  }
  EXPECT_EQ(u.system.counters().guard_trips, 0) << "the processor had to look";
}

TEST_P(DeviceGuards, zero_right_hand_side_gives_zero) {
  const System s = make_system(chain(5));
  Uploaded u(device(), s, solver());
  ASSERT_TRUE(u.set_matrix(s.values).ok());
  std::vector<double> x;
  const SolveReport report = u.solve(std::vector<double>(s.pattern.n, 0.0), x);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.backward_error, 0);
  expect_zero(x);
}

TRAMMEL_EVERY_SOLVER(DeviceGuards);
TRAMMEL_EVERY_DEVICE(DeviceFronts);

}  // namespace
}  // namespace trammel::guard_test
