#include "linear/inertia.h"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include "../support/random.h"

namespace trammel::test_inertia {
namespace {

using test::Random;

struct Sparse {
  SparsePattern pattern;
  std::vector<double> values;
};

/// Stored zeros stay out.
Sparse sparse(const Eigen::MatrixXd& A) {
  Sparse out;
  out.pattern.n = static_cast<int>(A.rows());
  out.pattern.column_start.push_back(0);
  for (Eigen::Index j = 0; j < A.cols(); ++j) {
    for (Eigen::Index i = 0; i < A.rows(); ++i)
      if (A(i, j) != 0) {
        out.pattern.row.push_back(static_cast<int>(i));
        out.values.push_back(A(i, j));
      }
    out.pattern.column_start.push_back(out.pattern.nonzeros());
  }
  return out;
}

Inertia inertia(const Eigen::MatrixXd& A) {
  const Sparse s = sparse(A);
  return SymmetricPart(s.pattern, std::vector<unsigned char>(A.rows(), 1)).inertia(s.values);
}

/// [K Φᵀ; Φ 0] of few entries, K with as many on its diagonal as chance leaves, rows in units of any size.
Eigen::MatrixXd random_constrained(Random& random, int n, int m) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + m, n + m);
  const auto put = [&](int i, int j) { A(i, j) = A(j, i) = random.uniform(-1, 1); };
  const auto any = [&](int below) { return static_cast<int>(random.uniform(0, below)); };
  for (int k = 0; k < 2 * n; ++k) put(any(n), any(n));
  for (int row = n; row < n + m; ++row) {
    put(row, row - n);
    for (int k = 0; k < 3; ++k) put(row, any(n));
  }
  Eigen::VectorXd unit(n + m);
  for (Eigen::Index k = 0; k < unit.size(); ++k) unit[k] = std::exp2(random.uniform(-8, 8));
  return unit.asDiagonal() * A * unit.asDiagonal();
}

TEST(Inertia, is_that_of_dense_eigenvalues) {
  Random random(7);
  int looked_at = 0;
  for (int k = 0; k < 400; ++k) {
    const int n = 2 + k % 40, m = k % (n / 2 + 1);
    const Eigen::MatrixXd A = random_constrained(random, n, m);
    const Eigen::VectorXd s = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A).eigenvalues();
    // Where chance makes it singular neither can tell a sign.
    if (s.cwiseAbs().minCoeff() < 1e-10 * s.cwiseAbs().maxCoeff()) continue;
    ++looked_at;
    const Inertia found = inertia(A);
    EXPECT_EQ(found.negative, (s.array() < 0).count()) << k;
    EXPECT_EQ(found.positive, (s.array() > 0).count()) << k;
    EXPECT_EQ(found.zero, 0) << k;
  }
  EXPECT_GT(looked_at, 200);
}

/// A chain of springs between free masses has one motion that stretches none.
TEST(Inertia, a_free_chain_has_one_zero) {
  const int n = 50;
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  for (int k = 0; k + 1 < n; ++k) K.block<2, 2>(k, k) += Eigen::Matrix2d{{1, -1}, {-1, 1}};
  const Inertia found = inertia(K);
  EXPECT_EQ(found.positive, n - 1);
  EXPECT_EQ(found.zero, 1);
  EXPECT_EQ(found.negative, 0);
}

TEST(Inertia, takes_the_unknowns_it_is_told_and_the_symmetric_part) {
  Eigen::MatrixXd A{{2, 5, 1}, {3, 1, 0}, {1, 0, -7}};
  const Sparse s = sparse(A);
  // [2 4; 4 1] has determinant −14; with the third unknown as well there is one negative more.
  const Inertia two = SymmetricPart(s.pattern, {1, 1, 0}).inertia(s.values);
  EXPECT_EQ(two.negative, 1);
  EXPECT_EQ(two.positive, 1);
  EXPECT_EQ(inertia(A).negative, 2);
  const Asymmetry found = SymmetricPart(s.pattern, {1, 1, 1}).asymmetry(s.values, s.values);
  EXPECT_EQ(found.row + found.column, 1);
  EXPECT_GT(found.size, 0.1);
  EXPECT_EQ(SymmetricPart(s.pattern, {1, 0, 1}).asymmetry(s.values, s.values).size, 0);
}

}  // namespace
}  // namespace trammel::test_inertia
