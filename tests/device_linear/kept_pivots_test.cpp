// Solvers of other libraries that keep the pivots which the processor chose: what is handed over, when pivots
// are chosen anew, and what is said when the library fails.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "../support/each_device.h"
#include "base/diagnostics.h"
#include "device_systems.h"
#include "linear/host/klu_solver.h"

namespace trammel::kept_pivots_test {
namespace {

using namespace test;

/// Full, as one body per unknown; the diagonal is added to.
System dense_system(int n, double diagonal) {
  System s;
  s.pattern.n = n;
  s.pattern.column_start = {0};
  for (int j = 0; j < n; ++j) {
    s.graph.vertices.push_back({VertexKind::scalar, j, 1});
    for (int i = 0; i < n; ++i) {
      s.pattern.row.push_back(i);
      s.values.push_back(std::cos(1.0 + 3 * i + 7 * j + 0.1 * i * j) + (i == j ? diagonal : 0));
      if (i < j) s.graph.edges.emplace_back(i, j);
    }
    s.pattern.column_start.push_back(n * (j + 1));
  }
  return s;
}

bool ascending(const std::vector<int>& start, const std::vector<int>& column) {
  for (std::size_t i = 0; i + 1 < start.size(); ++i)
    for (int k = start[i] + 1; k < start[i + 1]; ++k)
      if (column[k - 1] >= column[k]) return false;
  return true;
}

/// The largest |(L U)(i, j) - A(row[i], column[j])| against the terms of the sum: n u at most (Higham:
/// Accuracy and Stability of Numerical Algorithms, 2nd ed., theorem 9.3), n the most terms of an entry.
void expect_product(const System& s, const RowFactors& f, const std::string& name) {
  const int n = s.pattern.n;
  std::vector<int> place(n);
  for (int i = 0; i < n; ++i) place[f.row[i]] = i;
  std::vector<std::vector<std::pair<int, double>>> rows(n);  // of A(row, .), columns as given
  for (int j = 0; j < n; ++j)
    for (int k = s.pattern.column_start[j]; k < s.pattern.column_start[j + 1]; ++k)
      rows[place[s.pattern.row[k]]].emplace_back(j, s.values[k]);
  std::vector<int> column_place(n), terms(n);
  for (int j = 0; j < n; ++j) column_place[f.column[j]] = j;
  std::vector<long double> sum(n), size(n);
  for (int i = 0; i < n; ++i) {
    std::fill(sum.begin(), sum.end(), 0);
    std::fill(size.begin(), size.end(), 0);
    std::fill(terms.begin(), terms.end(), 0);
    ASSERT_EQ(f.l_column[f.l_start[i + 1] - 1], i) << name;
    ASSERT_EQ(f.l_value[f.l_start[i + 1] - 1], 1) << name;
    ASSERT_EQ(f.u_column[f.u_start[i]], i) << name;
    for (int k = f.l_start[i]; k < f.l_start[i + 1]; ++k)
      for (int m = f.u_start[f.l_column[k]]; m < f.u_start[f.l_column[k] + 1]; ++m) {
        const long double term = static_cast<long double>(f.l_value[k]) * f.u_value[m];
        sum[f.u_column[m]] += term;
        size[f.u_column[m]] += std::fabs(term);
        ++terms[f.u_column[m]];
      }
    for (const auto& [j, value] : rows[i]) sum[column_place[j]] -= value;
    for (int j = 0; j < n; ++j)
      ASSERT_LE(std::fabs(sum[j]), (terms[j] + 1) * 0x1p-53 * size[j]) << name << " " << i << " " << j;
  }
}

TEST(RowFactors, multiply_to_the_matrix) {
  std::vector<System> list{dense_system(1, 0), dense_system(2, 0), dense_system(40, 0), dense_system(40, 9)};
  std::vector<std::string> names{"dense", "dense", "dense", "dense"};
  for (const Mechanism& m : topologies(300)) {
    list.push_back(make_system(m, {.values = 0.5, .rotation = 1}));
    list.push_back(make_system(m, {.inactive = 0.5}));  // stored zeros
    names.insert(names.end(), 2, m.name);
  }
  int exchanged = 0;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const System& s = list[k];
    const std::vector<int> order = order_unknowns(s.graph, false, OrderingGoal::device_levels).unknowns;
    RowFactors f;
    ASSERT_EQ(factor_by_rows(s.pattern, order, s.values.data(), 0.01, f), FactorStatus::ok) << names[k];
    EXPECT_EQ(f.column, order) << names[k];
    EXPECT_TRUE(ascending(f.l_start, f.l_column) && ascending(f.u_start, f.u_column)) << names[k];
    expect_product(s, f, names[k]);
    exchanged += f.row != f.column;
  }
  EXPECT_GT(exchanged, 0) << "else rows and columns could be mistaken for each other";
}

TEST(RowFactors, there_are_none_of_a_singular_matrix) {
  System s = dense_system(5, 3);
  for (int k = 0; k < 5; ++k) s.values[5 * k + 2] = 0;  // an equation without terms
  RowFactors f;
  EXPECT_EQ(factor_by_rows(s.pattern, {0, 1, 2, 3, 4}, s.values.data(), 0.01, f), FactorStatus::singular);
}

// ---- on every device with such a solver

class KeptPivots : public DeviceTest {
 protected:
  const DeviceSystemCounters& solved(Uploaded& u, const System& s, double bound) {
    const std::vector<double> b = some_vector(s.pattern.n);
    std::vector<double> x;
    EXPECT_TRUE(u.set_matrix(s.values).ok());
    EXPECT_TRUE(u.solve(b, x).ok());
    EXPECT_LT(row_residual(s.pattern, s.values, x, b), bound);
    return u.system.counters();
  }
  /// The entry at the place where the elimination begins; its row and column are dense.
  double& first_pivot(Uploaded& u, System& s) {
    const int k = u.system.order().unknowns[0];
    return s.values[s.pattern.column_start[k] + k];
  }
};

/// Rounding of the guard's bound, as in system_test: rows of these matrices are of one size.
constexpr double accurate = 1.1e-12;

// A pivot that was large when it was chosen becomes zero, or rounding noise of its column: the processor
// chooses others, and the library answers with them.
TEST_P(KeptPivots, are_chosen_anew_when_one_is_small) {
  for (const double pivot : {0.0, 1e-15, 1e-200}) {
    System s = dense_system(20, 20);
    Uploaded u(device(), s, solver());
    EXPECT_EQ(solved(u, s, accurate).pivot_choices, 1);
    first_pivot(u, s) = pivot;
    const DeviceSystemCounters& c = solved(u, s, accurate);
    EXPECT_EQ(c.pivot_choices, 2) << pivot;
    EXPECT_EQ(c.guard_trips, 1);
    EXPECT_EQ(c.host_answers, 0) << "the library was not asked again";
    first_pivot(u, s) = 20;  // the pivots chosen last are kept
    EXPECT_EQ(solved(u, s, accurate).pivot_choices, 2);
  }
}

// The same found by the answer alone, which refinement with such factors does not mend.
TEST_P(KeptPivots, are_chosen_anew_when_an_answer_is_refused) {
  System s = dense_system(20, 20);
  Uploaded u(device(), s, solver());
  u.system.limits.pivot = 0;
  EXPECT_EQ(solved(u, s, accurate).pivot_choices, 1);
  first_pivot(u, s) = 1e-16;
  const DeviceSystemCounters& c = solved(u, s, accurate);
  EXPECT_EQ(c.pivot_choices, 2);
  EXPECT_EQ(c.guard_trips, 1);
  EXPECT_EQ(c.host_answers, 0);
}

TEST_P(KeptPivots, are_chosen_anew_for_another_matrix_altogether) {
  const System s = dense_system(20, 20);
  Uploaded u(device(), s, solver());
  EXPECT_EQ(solved(u, s, accurate).pivot_choices, 1);
  EXPECT_EQ(solved(u, s, accurate).pivot_choices, 1);
  ASSERT_TRUE(u.set_matrix(s.values, true).ok());
  EXPECT_EQ(u.system.counters().pivot_choices, 2);
  EXPECT_EQ(u.system.counters().guard_trips, 0);
}

// Fresh pivots do not help a singular matrix: it is refused, named as the processor names it, and the next
// one is taken.
TEST_P(KeptPivots, singular_then_regular) {
  const System regular = dense_system(20, 20);
  System s = regular;
  for (int j = 0; j < 20; ++j) s.values[20 * j + 7] = s.values[20 * j + 3];  // an equation twice
  Uploaded u(device(), s, solver());
  EXPECT_EQ(solved(u, regular, accurate).guard_trips, 0);
  const SolveReport report = u.set_matrix(s.values);
  EXPECT_EQ(report.status, SolveStatus::singular);
  EXPECT_TRUE(report.row == 3 || report.row == 7) << report.row;
  EXPECT_EQ(u.system.counters().guard_trips, 1);
  EXPECT_EQ(solved(u, regular, accurate).host_answers, 0);
  Uploaded v(device(), s, solver());
  EXPECT_EQ(v.set_matrix(s.values).status, SolveStatus::singular);
  EXPECT_EQ(v.system.counters().pivot_choices, 1) << "looked for twice in the same matrix";
  EXPECT_EQ(solved(v, regular, accurate).host_answers, 0);
}

// What KLU is known to trip over (docs/linear_algebra.md): pivots chosen while half of the joints are stored
// zeros, then the full matrix. With our order the pivots hold or are chosen anew; the answers are right.
TEST_P(KeptPivots, chosen_among_stored_zeros) {
  for (const Mechanism& m : battery(600)) {
    const System first = make_system(m, {.inactive = 0.5});
    Uploaded u(device(), first, solver());
    solved(u, first, 2e-11);
    for (const double change : {0.1, 0.9}) {
      const System full = make_system(m, {.values = change, .rotation = change});
      const DeviceSystemCounters& c = solved(u, full, 2e-11);
      EXPECT_EQ(c.host_answers, 0) << m.name;
      EXPECT_LE(c.pivot_choices, 2) << m.name;
    }
  }
}

TEST_P(KeptPivots, the_same_bits_again) {
  const System s = make_system(net(9), {.values = 0.9, .rotation = 1});
  const std::vector<double> b = some_vector(s.pattern.n);
  std::vector<double> first, again;
  Uploaded u(device(), make_system(net(9)), solver()), v(device(), make_system(net(9)), solver());
  for (auto [system, x] : {std::pair(&u, &first), std::pair(&v, &again)}) {
    ASSERT_TRUE(system->set_matrix(make_system(net(9)).values).ok());
    ASSERT_TRUE(system->set_matrix(s.values).ok());
    ASSERT_TRUE(system->solve(b, *x).ok());
  }
  if (repeats_bits()) {
    EXPECT_EQ(first, again);
  }
  for (const auto& x : {first, again}) EXPECT_LT(row_residual(s.pattern, s.values, x, b), 2e-11);
}

TEST_P(KeptPivots, says_who_solves) {
  const System s = dense_system(5, 9);
  Uploaded u(device(), s, solver());
  EXPECT_EQ(u.system.info().solver, "cusolver_rf");
  EXPECT_FALSE(u.system.info().version.empty());
  EXPECT_EQ(u.system.info().fronts, 0);
  const std::int64_t before = u.system.info().bytes;
  ASSERT_TRUE(u.set_matrix(s.values).ok());
  EXPECT_GE(u.system.info().bytes, before + 25 * 8) << "the factors' values";
}

INSTANTIATE_TEST_SUITE_P(Devices, KeptPivots,
                         testing::Values(DeviceName{"host", 0, "cusolver_rf"},
                                         DeviceName{"host", 1, "cusolver_rf"},
                                         DeviceName{"cuda", 0, "cusolver_rf"}),
                         name_of_device);

// ---- a library that fails

/// The table of the host's solver, with answers spoiled and errors made up.
class FailingSolver {
 public:
  static const TrammelSolverApi& table() {
    real_ = &load_solver("host", "cusolver_rf");
    api_ = *real_;
    api_.error = [] { return "no more of this"; };
    api_.set_up = [](void* s, const TrammelSolverMatrix* m, const int* order, const TrammelSolverFactors* f) {
      size_ = m->n;
      return real_->set_up(s, m, order, f);
    };
    api_.refactor = [](void* s, double* inverse, int* usable) {
      return broken ? 1 : real_->refactor(s, inverse, usable);
    };
    api_.solve = [](void* s, const double* b, double* x) {
      const int status = real_->solve(s, b, x);
      for (int i = 0; i < size_; ++i) x[i] *= factor;
      return status;
    };
    broken = false;
    factor = 1;
    return api_;
  }
  static inline bool broken = false;
  static inline double factor = 1;

 private:
  static inline const TrammelSolverApi* real_ = nullptr;
  static inline TrammelSolverApi api_{};
  static inline int size_ = 0;
};

class FailingLibrary : public testing::Test {
 protected:
  Device device_{load_backend("host"), 0};
  System s_ = make_system(net(6));
  Uploaded u_{device_, s_, &FailingSolver::table()};
  std::vector<double> b_ = some_vector(s_.pattern.n), x_;
};

// Answers that are off by 1e-5 are refined twice, to 1e-15; if they are off by a half they need pivots chosen
// anew, which do not help, and the processor. No wrong answer gets through.
TEST_F(FailingLibrary, wrong_answers_do_not_get_through) {
  ASSERT_TRUE(u_.set_matrix(s_.values).ok());
  FailingSolver::factor = 1 - 1e-5;
  ASSERT_TRUE(u_.solve(b_, x_).ok());
  EXPECT_LT(row_residual(s_.pattern, s_.values, x_, b_), 2e-11);
  EXPECT_EQ(u_.system.counters().refinements, 2);
  EXPECT_EQ(u_.system.counters().guard_trips, 0);
  for (const double factor : {0.5, static_cast<double>(NAN)}) {
    ASSERT_TRUE(u_.set_matrix(s_.values).ok());
    FailingSolver::factor = factor;
    const DeviceSystemCounters before = u_.system.counters();
    ASSERT_TRUE(u_.solve(b_, x_).ok());
    EXPECT_LT(row_residual(s_.pattern, s_.values, x_, b_), 2e-11);
    EXPECT_EQ(u_.system.counters().pivot_choices, before.pivot_choices + 1);
    EXPECT_EQ(u_.system.counters().guard_trips, before.guard_trips + 1);
    EXPECT_EQ(u_.system.counters().host_answers, before.host_answers + 1);
  }
}

// Three times the answer: a step of refinement doubles the residual; what was before is kept.
TEST_F(FailingLibrary, the_better_answer_is_kept) {
  ASSERT_TRUE(u_.set_matrix(s_.values).ok());
  FailingSolver::factor = 3;
  u_.system.limits.accept = 1e300;
  u_.system.limits.refinements = 0;
  std::vector<double> first;
  const SolveReport without = u_.solve(b_, first);
  u_.system.limits.refinements = 2;
  const SolveReport with = u_.solve(b_, x_);
  EXPECT_EQ(u_.system.counters().refinements, 1);
  EXPECT_EQ(with.backward_error, without.backward_error);
  EXPECT_GT(with.backward_error, 0.1);
  EXPECT_EQ(x_, first);
}

TEST_F(FailingLibrary, its_words_are_told) {
  ASSERT_TRUE(u_.set_matrix(s_.values).ok());
  FailingSolver::broken = true;
  try {
    u_.set_matrix(s_.values);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::backend);
    EXPECT_EQ(std::string(failure.what()), "linear solver cusolver_rf, factoring: no more of this");
  }
}

TEST_F(FailingLibrary, one_of_another_back_end_is_refused) {
  TrammelSolverApi other = load_solver("host", "cusolver_rf");
  other.backend = "cuda";
  try {
    const DeviceSystem system(device_, &other);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::usage);
    EXPECT_EQ(std::string(failure.what()), "linear solver cusolver_rf is one of back end cuda, not of host");
  }
}

// The processor's stand-in looks at what it is handed: an entry that has no place in L + U would be lost.
TEST(HostSolver, refuses_factors_that_do_not_fit) {
  const TrammelSolverApi& api = load_solver("host", "cusolver_rf");
  void* solver = nullptr;
  ASSERT_EQ(api.create(0, nullptr, &solver), 0);
  const int start[] = {0, 2, 4}, column[] = {0, 1, 0, 1}, order[] = {0, 1}, l_start[] = {0, 1, 3},
            l_column[] = {0, 0, 1}, u_start[] = {0, 2, 3}, u_column[] = {0, 1, 1};
  const double values[] = {4, 1, 2, 3}, l_value[] = {1, .5, 1}, u_value[] = {4, 1, 2.5};
  const TrammelSolverMatrix matrix{2, 4, start, column, start, column, values};
  TrammelSolverFactors factors{l_start, l_column, l_value, u_start, u_column, u_value, order, order, values};
  ASSERT_EQ(api.set_up(solver, &matrix, order, &factors), 0);
  double inverse[2], x[2];
  const double b[] = {6, 8};
  int usable = 0;
  ASSERT_EQ(api.refactor(solver, inverse, &usable), 0);
  EXPECT_EQ(usable, 1);
  EXPECT_EQ(inverse[0], 0.25);
  EXPECT_EQ(inverse[1], 0.4);
  ASSERT_EQ(api.solve(solver, b, x), 0);
  EXPECT_EQ(x[0], 1);
  EXPECT_EQ(x[1], 2);
  const int short_start[] = {0, 1, 2}, short_column[] = {0, 1}, wrong_column[] = {0, 0};  // L without L(1, 0)
  factors.l_start = short_start;
  factors.l_column = short_column;
  EXPECT_NE(api.set_up(solver, &matrix, order, &factors), 0);
  EXPECT_EQ(std::string(api.error()), "an entry of the matrix lies outside of L + U");
  factors.l_column = wrong_column;  // its diagonal is not where it has to be
  EXPECT_NE(api.set_up(solver, &matrix, order, &factors), 0);
  EXPECT_EQ(std::string(api.error()), "L or U is not triangular with its diagonal");
  api.destroy(solver);
}

}  // namespace
}  // namespace trammel::kept_pivots_test
