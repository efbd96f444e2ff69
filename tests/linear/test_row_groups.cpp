// Residuals by groups of rows against sums in long double, row by row.
#include "linear/host/row_groups.h"

#include "linear/host/dense_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace trammel::test_row_groups {
namespace {

struct Case {
  SparsePattern pattern;
  std::vector<double> value, c, y, column_largest;
};

/// A pattern in which neighbouring rows are often alike, as those of a body are; its diagonal is stored.
Case random_case(int n, double density, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  std::bernoulli_distribution block(density), alone(0.02);
  std::vector<std::vector<char>> has(n, std::vector<char>(n, 0));
  for (int i = 0; i < n; i += 3)
    for (int j = 0; j < n; j += 3)
      if (block(random))
        for (int k = i; k < std::min(n, i + 3); ++k)
          for (int l = j; l < std::min(n, j + 3); ++l) has[k][l] = 1;
  Case made;
  made.pattern.n = n;
  made.pattern.column_start.push_back(0);
  for (int j = 0; j < n; ++j) {
    double largest = 0;
    for (int i = 0; i < n; ++i) {
      if (!has[i][j] && i != j && !alone(random)) continue;
      made.pattern.row.push_back(i);
      made.value.push_back(number(random));
      largest = std::max(largest, std::fabs(made.value.back()));
    }
    made.pattern.column_start.push_back(made.pattern.nonzeros());
    made.column_largest.push_back(largest);
  }
  for (int i = 0; i < n; ++i) {
    made.c.push_back(number(random));
    made.y.push_back(number(random));
  }
  // What lies behind the vectors must not be seen.
  for (auto* v : {&made.c, &made.y, &made.column_largest}) v->resize(n + kBeyond, std::nan(""));
  return made;
}

/// r = c - B y, and the sums |c| + |B||y| that bound its rounding.
struct Exact {
  std::vector<long double> r, size;
};
Exact exact(const Case& a) {
  Exact out{{a.c.begin(), a.c.begin() + a.pattern.n}, std::vector<long double>(a.pattern.n)};
  for (int i = 0; i < a.pattern.n; ++i) out.size[i] = std::fabs(a.c[i]);
  for (int j = 0; j < a.pattern.n; ++j)
    for (int k = a.pattern.column_start[j]; k < a.pattern.column_start[j + 1]; ++k) {
      const long double term = static_cast<long double>(a.value[k]) * a.y[j];
      out.r[a.pattern.row[k]] -= term;
      out.size[a.pattern.row[k]] += std::fabs(term);
    }
  return out;
}

TEST(RowGroups, ResidualsAndTheirExtent) {
  int sets = 0;
  const DenseKernels* const* kernels = all_dense_kernels(sets);
  for (unsigned seed = 0; seed < 60; ++seed) {
    const int n = 1 + static_cast<int>(seed * 7 % 71);
    const Case a = random_case(n, seed % 3 == 0 ? 0.02 : 0.3, seed);
    const Exact expected = exact(a);
    RowGroups rows;
    rows.analyze(a.pattern);
    rows.make_room();
    rows.take(Parallel(), a.value);
    for (int s = 0; s < sets; ++s) {
      std::vector<double> r(n + kBeyond, std::nan(""));
      const ResidualExtent found = kernels[s]->subtract_rows(rows.tables(), 0, rows.count(), a.c.data(),
                                                             a.y.data(), a.column_largest.data(), r.data());
      double total = 0, largest = 0, scale = 0;
      for (int i = 0; i < n; ++i) {
        // Fewer than n + 2 roundings of partial sums, none larger than `size`.
        EXPECT_NEAR(r[i], static_cast<double>(expected.r[i]), (n + 2) * 0x1p-53 * expected.size[i])
            << kernels[s]->name << ", seed " << seed << ", row " << i;
        total += std::fabs(r[i]);
        largest = std::max(largest, std::fabs(r[i]));
        scale = std::max({scale, std::fabs(a.c[i]), a.column_largest[i] * std::fabs(a.y[i])});
      }
      EXPECT_TRUE(std::isnan(r[n])) << "written behind the rows";
      EXPECT_NEAR(found.total, total, n * 0x1p-53 * total);
      EXPECT_EQ(found.largest, largest);
      EXPECT_EQ(found.scale, scale);
      std::vector<double> w(n + kBeyond, std::nan(""));
      kernels[s]->row_sizes(rows.tables(), 0, rows.count(), a.c.data(), a.y.data(), w.data());
      for (int i = 0; i < n; ++i) {
        const double size = static_cast<double>(expected.size[i]);
        EXPECT_NEAR(w[i], size, (n + 2) * 0x1p-53 * size) << kernels[s]->name << ", seed " << seed;
      }
      EXPECT_TRUE(std::isnan(w[n])) << "written behind the rows";
    }
  }
}

// Groups of a thread write their own rows alone, with the bits of the whole.
TEST(RowGroups, PartsAreThoseOfTheWhole) {
  const Case a = random_case(64, 0.2, 5);
  RowGroups rows;
  rows.analyze(a.pattern);
  rows.make_room();
  rows.take(Parallel(), a.value);
  const auto residual = [&](int begin, int end, std::vector<double>& r) {
    return dense_kernels().subtract_rows(rows.tables(), begin, end, a.c.data(), a.y.data(),
                                         a.column_largest.data(), r.data());
  };
  std::vector<double> whole(64 + kBeyond), parts(64 + kBeyond);
  residual(0, rows.count(), whole);
  for (int g = rows.count() - 1; g >= 0; --g) residual(g, g + 1, parts);
  EXPECT_EQ(parts, whole);
}

// The sum of sizes tells of any number that is not finite; nothing may hide in lanes without a row.
TEST(RowGroups, NoNumberIsFoundInTheTotal) {
  for (int at = 0; at < 23; ++at) {
    Case a = random_case(23, 0.2, 9);
    RowGroups rows;
    rows.analyze(a.pattern);
    rows.make_room();
    rows.take(Parallel(), a.value);
    std::vector<double> r(23 + kBeyond, std::nan(""));
    for (const double wrong : {std::nan(""), HUGE_VAL}) {
      a.y[at] = wrong;
      const ResidualExtent found = dense_kernels().subtract_rows(
          rows.tables(), 0, rows.count(), a.c.data(), a.y.data(), a.column_largest.data(), r.data());
      EXPECT_FALSE(std::isfinite(found.total)) << at;
    }
  }
}

// Six rows that are alike are two groups.
TEST(RowGroups, NeighboursWithTheSameColumnsShareRegisters) {
  SparsePattern dense{6, {0}, {}};
  for (int j = 0; j < 6; ++j) {
    for (int i = 0; i < 6; ++i) dense.row.push_back(i);
    dense.column_start.push_back(dense.nonzeros());
  }
  RowGroups rows;
  rows.analyze(dense);
  rows.make_room();
  EXPECT_EQ(rows.count(), 2);
}

}  // namespace
}  // namespace trammel::test_row_groups
