// Every set of kernels that this processor runs, against plain loops in long double and against each other.
#include "linear/host/dense_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace trammel::test_dense_kernels {
namespace {

/// A block by columns with padded rows; the padding holds zeros.
struct Block {
  int rows, columns, ld;
  std::vector<double> value;
  Block(int m, int n) : rows(m), columns(n), ld(padded(m)), value(static_cast<size_t>(ld) * n + 16, 0.0) {}
  double& at(int i, int j) { return value[i + static_cast<size_t>(j) * ld]; }
  double at(int i, int j) const { return value[i + static_cast<size_t>(j) * ld]; }
  double* data() { return value.data(); }
};

Block random_block(int m, int n, unsigned seed) {
  std::mt19937 engine(seed);
  Block b(m, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) b.at(i, j) = 2.0 * engine() / 4294967295.0 - 1;
  return b;
}

bool padding_is_zero(const Block& b) {
  for (int j = 0; j < b.columns; ++j)
    for (int i = b.rows; i < b.ld; ++i)
      if (b.at(i, j) != 0) return false;
  return true;
}

std::vector<const DenseKernels*> sets() {
  int count = 0;
  const DenseKernels* const* all = all_dense_kernels(count);
  return {all, all + count};
}

class Kernels : public testing::TestWithParam<const DenseKernels*> {};
INSTANTIATE_TEST_SUITE_P(All, Kernels, testing::ValuesIn(sets()),
                         [](const auto& set) { return std::string(set.param->name); });

constexpr double kRound = 0x1p-53;

TEST_P(Kernels, SubtractsProducts) {
  for (int m : {1, 3, 4, 7, 8, 12, 17, 24, 25, 40, 61}) {
    for (int n : {1, 2, 3, 5, 7, 8, 9, 13, 16, 21}) {
      for (int depth : {0, 1, 5, 8, 33}) {
        const Block c0 = random_block(m, n, 1);
        Block a = random_block(m, depth, 2), b = random_block(depth, n, 3), c = c0;
        GetParam()->subtract_product(c.data(), c.ld, a.data(), a.ld, b.data(), 1, b.ld, padded(m), n, depth);
        Block bt(n, depth), ct = c0;
        for (int k = 0; k < depth; ++k)
          for (int j = 0; j < n; ++j) bt.at(j, k) = b.at(k, j);
        GetParam()->subtract_product(ct.data(), c.ld, a.data(), a.ld, bt.data(), bt.ld, 1, padded(m), n,
                                     depth);
        for (int j = 0; j < n; ++j) {
          for (int i = 0; i < m; ++i) {
            long double sum = c0.at(i, j), terms = std::fabs(c0.at(i, j));
            for (int k = 0; k < depth; ++k) {
              sum -= static_cast<long double>(a.at(i, k)) * b.at(k, j);
              terms += std::fabs(a.at(i, k) * b.at(k, j));
            }
            // Each of 2 depth operations rounds at most u of the sum of the terms.
            ASSERT_NEAR(c.at(i, j), static_cast<double>(sum),
                        2 * (depth + 1) * kRound * static_cast<double>(terms));
            ASSERT_EQ(c.at(i, j), ct.at(i, j)) << "the layout of B must not matter";
          }
        }
        ASSERT_TRUE(padding_is_zero(c));
      }
    }
  }
}

/// max |P D - L U| / sum |L||U|, rows exchanged as the factorization did.
double lu_error(const Block& original, const Block& lu, const std::vector<int>& exchange) {
  const int n = original.rows;
  Block d = original;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j) std::swap(d.at(k, j), d.at(exchange[k], j));
  double worst = 0;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      long double sum = 0, terms = 0;
      for (int k = 0; k <= std::min(i, j); ++k) {
        const long double term = (k == i ? 1.0L : static_cast<long double>(lu.at(i, k))) * lu.at(k, j);
        sum += term;
        terms += std::fabs(term);
      }
      if (terms > 0) worst = std::max(worst, static_cast<double>(std::fabs(sum - d.at(i, j)) / terms));
    }
  }
  return worst;
}

TEST_P(Kernels, FactorsWithPartialPivoting) {
  for (int n : {1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 40, 65, 111, 130}) {
    const Block d0 = random_block(n, n, 7 * n);
    Block d = d0;
    std::vector<int> exchange(n);
    std::vector<double> inverse(n);
    const DensePivots found = GetParam()->factor(d.data(), d.ld, n, 1.0, exchange.data(), inverse.data());
    EXPECT_FALSE(found.singular);
    EXPECT_EQ(found.off_diagonal, std::count_if(exchange.begin(), exchange.end(),
                                                [&, k = 0](int row) mutable { return row != k++; }));
    // |P D - L U| <= n u / (1 - n u) |L||U| (Higham, Accuracy and Stability, theorem 9.3), and the product
    // with the reciprocal instead of a division: 2 u more.
    EXPECT_LT(lu_error(d0, d, exchange), (n + 3) * kRound) << n;
    EXPECT_TRUE(padding_is_zero(d));
    for (int j = 0; j < n; ++j) {
      EXPECT_EQ(inverse[j], 1 / d.at(j, j));
      for (int i = j + 1; i < n; ++i) ASSERT_LE(std::fabs(d.at(i, j)), 1 + 2 * kRound);
    }
  }
}

// The diagonal stays while it is large enough: with a weak diagonal and tolerance 0 nothing is exchanged.
TEST_P(Kernels, ToleranceKeepsTheDiagonal) {
  const int n = 21;
  Block d = random_block(n, n, 5);
  for (int k = 0; k < n; ++k) d.at(k, k) = 3 + k;  // below: up to 1
  for (double tolerance : {0.0, 0.01, 0.1, 1.0}) {
    Block lu = d;
    std::vector<int> exchange(n);
    std::vector<double> inverse(n);
    lu.at(9, 0) = 200;  // column 0: diagonal 3 against 200
    const auto found = GetParam()->factor(lu.data(), lu.ld, n, tolerance, exchange.data(), inverse.data());
    EXPECT_EQ(exchange[0], tolerance * 200 > 3 ? 9 : 0) << tolerance;
    EXPECT_EQ(found.off_diagonal > 0, tolerance * 200 > 3) << tolerance;
  }
}

TEST_P(Kernels, ZeroAndInfinitePivotsAreTold) {
  for (int n : {3, 8, 20}) {
    for (int dead : {0, n / 2, n - 1}) {
      Block d = random_block(n, n, 3);
      for (int i = 0; i < n; ++i) d.at(i, dead) = 0;
      std::vector<int> exchange(n);
      std::vector<double> inverse(n);
      EXPECT_TRUE(GetParam()->factor(d.data(), d.ld, n, 0.1, exchange.data(), inverse.data()).singular);
      EXPECT_EQ(inverse[dead], 0);
      EXPECT_EQ(d.at(dead, dead), 0);
      d = random_block(n, n, 3);
      d.at(n / 2, dead) = std::numeric_limits<double>::quiet_NaN();
      EXPECT_TRUE(GetParam()->factor(d.data(), d.ld, n, 0.1, exchange.data(), inverse.data()).singular);
    }
  }
}

/// Well-conditioned triangles: unit lower with small entries, upper with diagonal near 2.
Block triangles(int n) {
  Block d = random_block(n, n, 11);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) d.at(i, j) = i == j ? 2 + 0.1 * d.at(i, j) : d.at(i, j) / n;
  return d;
}

// X T = A to within n u of the terms of each entry.
TEST_P(Kernels, TriangularSolves) {
  for (int n : {1, 2, 5, 7, 8, 9, 16, 17, 30, 70}) {
    for (int m : {1, 4, 6, 8, 23, 24, 40}) {
      Block d = triangles(n);
      std::vector<double> inverse(n);
      for (int k = 0; k < n; ++k) inverse[k] = 1 / d.at(k, k);
      const Block a = random_block(m, n, 12);
      Block lower = a, upper = a, transposed = a;
      GetParam()->solve_lower(lower.data(), lower.ld, d.data(), d.ld, padded(m), n);
      GetParam()->solve_upper(upper.data(), upper.ld, d.data(), d.ld, inverse.data(), padded(m), n);
      GetParam()->solve_upper_transposed(transposed.data(), a.ld, d.data(), d.ld, inverse.data(), padded(m),
                                         n);
      const auto check = [&](const Block& x, auto t) {
        for (int i = 0; i < m; ++i) {
          for (int j = 0; j < n; ++j) {
            long double sum = 0, terms = 0;
            for (int k = 0; k < n; ++k) {
              const long double term = static_cast<long double>(x.at(i, k)) * t(k, j);
              sum += term;
              terms += std::fabs(term);
            }
            ASSERT_NEAR(static_cast<double>(sum), a.at(i, j), (n + 4) * kRound * static_cast<double>(terms));
          }
        }
        ASSERT_TRUE(padding_is_zero(x));
      };
      check(lower, [&](int k, int j) { return k < j ? d.at(j, k) : k == j ? 1.0 : 0.0; });
      check(upper, [&](int k, int j) { return k <= j ? d.at(k, j) : 0.0; });
      check(transposed, [&](int k, int j) { return k >= j ? d.at(j, k) : 0.0; });
    }
  }
}

TEST_P(Kernels, SolvesOfOneFront) {
  for (int n : {1, 2, 3, 4, 5, 8, 9, 13, 30}) {
    for (int m : {0, 1, 3, 4, 9, 33}) {
      Block d = triangles(n), l = random_block(m, n, 2), v = random_block(m, n, 3);
      std::vector<double> inverse(n), x(padded(n), 0.0), w(padded(m) + 4, 0.0);
      for (int k = 0; k < n; ++k) inverse[k] = 1 / d.at(k, k);
      for (int k = 0; k < n; ++k) x[k] = std::sin(1.0 + k);
      const std::vector<double> b = x;
      GetParam()->forward(d.data(), d.ld, l.data(), l.ld, padded(m), n, x.data(), w.data());
      for (int i = 0; i < n; ++i) {
        long double sum = x[i];
        for (int k = 0; k < i; ++k) sum += static_cast<long double>(d.at(i, k)) * x[k];
        ASSERT_NEAR(static_cast<double>(sum), b[i], (n + 4) * kRound * 4);  // terms: |x| < 2, entries < 1 / n
      }
      for (int i = 0; i < m; ++i) {
        long double sum = 0;
        for (int k = 0; k < n; ++k) sum -= static_cast<long double>(l.at(i, k)) * x[k];
        ASSERT_NEAR(static_cast<double>(sum), w[i], n * (n + 4) * kRound * 2);
      }
      for (int i = 0; i < m; ++i) w[i] = std::cos(i);
      const std::vector<double> c = x;
      GetParam()->backward(d.data(), d.ld, v.data(), v.ld, inverse.data(), padded(m), n, x.data(), w.data());
      for (int i = 0; i < n; ++i) {
        long double sum = 0;
        for (int k = i; k < n; ++k) sum += static_cast<long double>(d.at(i, k)) * x[k];
        for (int k = 0; k < m; ++k) sum += static_cast<long double>(v.at(k, i)) * w[k];
        ASSERT_NEAR(static_cast<double>(sum), c[i], (n + m + 4) * kRound * (4.0 + 8 + m));
      }
    }
  }
}

// Threads cut blocks by rows and columns: no bit may depend on where.
TEST_P(Kernels, CutsChangeNoBit) {
  const int m = 72, n = 37, depth = 50;
  Block a = random_block(m, depth, 1), b = random_block(n, depth, 2);
  const Block c0 = random_block(m, n, 3);
  Block whole = c0;
  GetParam()->subtract_product(whole.data(), m, a.data(), m, b.data(), b.ld, 1, m, n, depth);
  for (int row : {4, 8, 20, 68}) {
    for (int column : {1, 3, 8, 30}) {
      Block parts = c0;
      for (int i : {0, row})
        for (int j : {0, column})
          GetParam()->subtract_product(&parts.at(i, j), m, &a.at(i, 0), m, &b.at(j, 0), b.ld, 1,
                                       i == 0 ? row : m - row, j == 0 ? column : n - column, depth);
      ASSERT_EQ(parts.value, whole.value);
    }
  }
  Block d = triangles(depth), v = a;
  GetParam()->solve_lower(v.data(), m, d.data(), d.ld, m, depth);
  Block parts = a;
  GetParam()->solve_lower(parts.data(), m, d.data(), d.ld, 20, depth);
  GetParam()->solve_lower(&parts.at(20, 0), m, d.data(), d.ld, m - 20, depth);
  ASSERT_EQ(parts.value, v.value);
}

// The two sets with fused multiply-add do the same operations in the same order.
TEST(KernelSets, SetsWithFusedMultiplyAddAgreeInEveryBit) {
  const auto all = sets();
  if (all.size() < 3) GTEST_SKIP() << "this processor runs " << all.size() << " set(s)";
  for (int n : {5, 23, 111}) {
    std::vector<Block> result;
    for (const DenseKernels* set : {all[1], all[2]}) {
      Block d = random_block(n, n, 4), v = random_block(40, n, 5);
      std::vector<int> exchange(n);
      std::vector<double> inverse(n);
      set->factor(d.data(), d.ld, n, 0.01, exchange.data(), inverse.data());
      set->solve_upper(v.data(), v.ld, d.data(), d.ld, inverse.data(), 40, n);
      set->solve_lower(v.data(), v.ld, d.data(), d.ld, 40, n);
      result.push_back(d);
      result.push_back(v);
    }
    EXPECT_EQ(result[0].value, result[2].value) << n;
    EXPECT_EQ(result[1].value, result[3].value) << n;
  }
}

}  // namespace
}  // namespace trammel::test_dense_kernels
