// What a library does on these matrices when it is left alone, and that the guard finds it out.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <klu.h>

#include "linear/system.h"
#include "mechanisms.h"

namespace trammel::test_klu_defaults {
namespace {

using namespace test;

/// KLU with an order of its own: its defaults (block triangular form, AMD, own scaling, pivot tolerance
/// 0.001), or AMD alone. The order given is ignored.
class LibrarySolver final : public LinearSolver {
 public:
  explicit LibrarySolver(bool defaults) {
    klu_defaults(&common_);
    if (!defaults) {
      common_.btf = 0;
      common_.scale = -1;
    }
  }
  ~LibrarySolver() override {
    klu_free_numeric(&numeric_, &common_);
    klu_free_symbolic(&symbolic_, &common_);
  }
  void analyze(const SparsePattern& pattern, const std::vector<int>&) override {
    a_ = pattern;
    symbolic_ = klu_analyze(a_.n, a_.column_start.data(), a_.row.data(), &common_);
  }
  FactorStatus factor(const double* values, double tolerance) override {
    common_.tol = tolerance >= 1 ? 1 : 0.001;  // its own, until the guard asks for full pivoting
    klu_free_numeric(&numeric_, &common_);
    numeric_ =
        klu_factor(a_.column_start.data(), a_.row.data(), const_cast<double*>(values), symbolic_, &common_);
    return numeric_ ? FactorStatus::ok : FactorStatus::singular;
  }
  FactorStatus refactor(const double* values) override {
    const int done = klu_refactor(a_.column_start.data(), a_.row.data(), const_cast<double*>(values),
                                  symbolic_, numeric_, &common_);
    return done && common_.status == KLU_OK ? FactorStatus::ok : FactorStatus::singular;
  }
  using LinearSolver::solve;
  void solve(const double* b, double* x) const override {
    if (x != b) std::copy_n(b, a_.n, x);
    klu_solve(symbolic_, numeric_, a_.n, 1, x, &common_);
  }
  /// Says nothing of pivots, so that the residual alone has to find out.
  Pivot smallest_pivot(const double*) const override { return {0, 0, 1}; }
  FactorInfo info() const override { return {}; }

 private:
  SparsePattern a_;
  mutable klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
};

/// Without the zeros stored on the diagonal of the multipliers, which steer the library's matching.
System without_zero_diagonal(System s) {
  const SparsePattern old = s.pattern;
  const std::vector<double> values = s.values;
  s.pattern = {old.n, {0}, {}};
  s.values.clear();
  for (int j = 0; j < old.n; ++j) {
    for (int k = old.column_start[j]; k < old.column_start[j + 1]; ++k) {
      if (old.row[k] == j && j >= old.n - s.multipliers) continue;
      s.pattern.row.push_back(old.row[k]);
      s.values.push_back(values[k]);
    }
    s.pattern.column_start.push_back(static_cast<int>(s.pattern.row.size()));
  }
  return s;
}

void register_library_solvers() {
  register_linear_solver(
      {"klu defaults", [] { return std::unique_ptr<LinearSolver>(new LibrarySolver(true)); }});
  register_linear_solver({"klu amd", [] { return std::unique_ptr<LinearSolver>(new LibrarySolver(false)); }});
}

struct Case {
  std::string solver;
  Mechanism mechanism;
  Variation first, then;
  bool zero_diagonal;  ///< stored
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.solver << ", " << c.mechanism.name;
}

class LibraryOrders : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    Wrong, LibraryOrders,
    testing::Values(
        // Values change by 1 %, bodies turn by 0.01 rad.
        Case{"klu defaults", coupled_vehicles(1, 80), {}, {.values = 0.01, .rotation = 0.01}, false},
        // First factored while half of the joints are inactive, that is stored zeros.
        Case{"klu amd", net(9), {.inactive = 0.5}, {.values = 0.01, .rotation = 1}, true}));

// The library reports success after klu_refactor and its answer is wrong; behind the guard the same factors
// give no wrong answer: it is refined, or factored afresh.
TEST_P(LibraryOrders, AreFoundOutByTheGuard) {
  register_library_solvers();
  const Case& c = GetParam();
  System first = make_system(c.mechanism, c.first), then = make_system(c.mechanism, c.then);
  if (!c.zero_diagonal) first = without_zero_diagonal(first), then = without_zero_diagonal(then);
  const std::vector<double> b = some_vector(then.pattern.n);
  std::vector<double> x(b);

  auto bare = make_linear_solver(c.solver);
  bare->analyze(first.pattern, {});
  ASSERT_EQ(bare->factor(first.values.data()), FactorStatus::ok);
  ASSERT_EQ(bare->refactor(then.values.data()), FactorStatus::ok);
  bare->solve(x.data());
  const double alone = row_residual(then.pattern, then.values, x, b);
  RecordProperty("residual", std::to_string(alone));
  EXPECT_GT(alone, 1e-2) << "otherwise this test shows nothing";

  GuardedSystem system(c.solver);
  system.analyze(first.pattern, first.graph);
  ASSERT_TRUE(system.set_matrix(first.values.data()).ok());
  ASSERT_TRUE(system.set_matrix(then.values.data()).ok());
  const SolveReport report = system.solve(b.data(), x.data());
  EXPECT_TRUE(report.ok());
  EXPECT_LE(report.backward_error, 1e-10);
  EXPECT_LT(row_residual(then.pattern, then.values, x, b), 1e-9);
  EXPECT_GT(system.counters().guard_trips + system.counters().refinements, 0);
}

// The same matrices with both of our solvers: one factorization, no step of refinement that is needed.
TEST(OurOrders, NeedNoHelpOnTheSameMatrices) {
  for (const char* name : {"klu", "multifrontal"}) {
    const System first = make_system(coupled_vehicles(1, 80), {.inactive = 0.5}),
                 then = make_system(coupled_vehicles(1, 80), {.values = 0.01, .rotation = 0.01});
    GuardedSystem system(name);
    system.analyze(first.pattern, first.graph);
    ASSERT_TRUE(system.set_matrix(first.values.data()).ok());
    ASSERT_TRUE(system.set_matrix(then.values.data()).ok());
    const std::vector<double> b = some_vector(then.pattern.n);
    std::vector<double> x(b);
    const SolveReport report = system.solve(b.data(), x.data());
    EXPECT_TRUE(report.ok());
    EXPECT_LE(report.backward_error, 1e-12);
    EXPECT_EQ(system.counters().guard_trips, 0);
  }
}

}  // namespace
}  // namespace trammel::test_klu_defaults
