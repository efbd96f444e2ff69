#include "linear/host/complex_system.h"

#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "allocations.h"
#include "mechanisms.h"

namespace trammel::test_complex_system {
namespace {

using namespace test;
using Complex = std::complex<double>;
using DenseMatrix = Eigen::MatrixXcd;

Scaling no_scaling(int n) {
  return {std::vector<double>(n, 1.0), std::vector<double>(n, 1.0)};
}

/// A mechanism's matrix with imaginary parts beside the real ones.
struct ComplexMatrix {
  System system;
  std::vector<Complex> values;
  explicit ComplexMatrix(const Mechanism& mechanism, double phase) : system(make_system(mechanism)) {
    const SparsePattern& p = system.pattern;
    for (int j = 0; j < p.n; ++j)
      for (int k = p.column_start[j]; k < p.column_start[j + 1]; ++k)
        values.push_back(system.values[k] * std::polar(1.0, phase * std::sin(p.row[k] * j)));
  }
  DenseMatrix dense() const {
    const SparsePattern& p = system.pattern;
    DenseMatrix a = DenseMatrix::Zero(p.n, p.n);
    for (int j = 0; j < p.n; ++j)
      for (int k = p.column_start[j]; k < p.column_start[j + 1]; ++k) a(p.row[k], j) = values[k];
    return a;
  }
};

std::vector<Complex> right_hand_side(int n) {
  std::vector<Complex> b;
  for (int i = 0; i < n; ++i) b.emplace_back(std::sin(1.0 + i), std::cos(2.0 * i));
  return b;
}

/// Beside dense LU of Eigen: with fresh pivots, then with those pivots in another matrix.
TEST(ComplexSystem, solves_with_new_and_with_fixed_pivots) {
  const Mechanism mechanism = closed_chain(8);
  ComplexSystem solver;
  for (const double phase : {0.3, 0.35}) {
    const ComplexMatrix m(mechanism, phase);
    const int n = m.system.pattern.n;
    if (phase == 0.3) solver.analyze(m.system.pattern, elimination_order(m.system.graph));
    ASSERT_TRUE(solver.set_matrix(m.values.data(), no_scaling(n)).ok());
    const std::vector<Complex> b = right_hand_side(n);
    std::vector<Complex> x(n);
    const SolveReport report = solver.solve(b.data(), x.data());
    ASSERT_TRUE(report.ok());
    EXPECT_LT(report.backward_error, 1e-12);
    const Eigen::VectorXcd expected =
        m.dense().fullPivLu().solve(Eigen::Map<const Eigen::VectorXcd>(b.data(), n));
    for (int i = 0; i < n; ++i) EXPECT_LT(std::abs(x[i] - expected[i]), 1e-9 * expected.norm()) << i;
  }
}

TEST(ComplexSystem, names_the_singular_pivot) {
  ComplexMatrix m(chain(4), 0.3);
  const SparsePattern& p = m.system.pattern;
  const int dead = 7;  // a column of zeros
  for (int k = p.column_start[dead]; k < p.column_start[dead + 1]; ++k) m.values[k] = 0;
  ComplexSystem solver;
  solver.analyze(p, elimination_order(m.system.graph));
  const SolveReport report = solver.set_matrix(m.values.data(), no_scaling(p.n));
  EXPECT_EQ(report.status, SolveStatus::singular);
  EXPECT_EQ(report.column, dead);
  std::vector<Complex> x = right_hand_side(p.n);
  EXPECT_FALSE(solver.solve(x.data(), x.data()).ok());
  for (const Complex& value : x) EXPECT_EQ(value, 0.0);
  // A regular matrix brings it back.
  const ComplexMatrix regular(chain(4), 0.3);
  EXPECT_TRUE(solver.set_matrix(regular.values.data(), no_scaling(p.n)).ok());
  m.values[3] = NAN;
  EXPECT_EQ(solver.set_matrix(m.values.data(), no_scaling(p.n)).status, SolveStatus::not_finite);
}

/// A restored system has the bits of the saved one, with pivots of an earlier matrix.
TEST(ComplexSystem, restores_the_bits_of_its_factors) {
  const ComplexMatrix first(net(3), 0.3), second(net(3), 0.4);
  const int n = first.system.pattern.n;
  const auto begin = [&](ComplexSystem& s) {
    s.analyze(first.system.pattern, elimination_order(first.system.graph));
  };
  ComplexSystem saved, restored;
  begin(saved);
  begin(restored);
  ASSERT_TRUE(saved.set_matrix(first.values.data(), no_scaling(n)).ok());
  ASSERT_TRUE(saved.set_matrix(second.values.data(), no_scaling(n)).ok());
  Archive to;
  saved.archive(to);
  Archive from(to.bytes());
  restored.archive(from);
  const std::vector<Complex> b = right_hand_side(n);
  std::vector<Complex> x(n), y(n);
  ASSERT_TRUE(saved.solve(b.data(), x.data()).ok());
  ASSERT_TRUE(restored.solve(b.data(), y.data()).ok());
  EXPECT_EQ(x, y);
}

TEST(ComplexSystem, allocates_nothing_with_fixed_pivots) {
  if (!allocations_counted()) GTEST_SKIP() << "allocations are not counted in this build";
  const ComplexMatrix m(net(3), 0.3);
  const int n = m.system.pattern.n;
  ComplexSystem solver;
  solver.analyze(m.system.pattern, elimination_order(m.system.graph));
  const Scaling scaling = no_scaling(n);
  ASSERT_TRUE(solver.set_matrix(m.values.data(), scaling).ok());
  std::vector<Complex> x = right_hand_side(n);
  const long before = allocation_count();
  ASSERT_TRUE(solver.set_matrix(m.values.data(), scaling).ok());
  ASSERT_TRUE(solver.solve(x.data(), x.data()).ok());
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace trammel::test_complex_system
