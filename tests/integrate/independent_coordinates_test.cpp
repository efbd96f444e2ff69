// Formulas of RKF45 and ABAM by the conditions that define their orders; the choice of independent
// coordinates.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "../support/random.h"
#include "integrate/methods/adams_formulas.h"
#include "integrate/methods/partition.h"
#include "integrate/methods/rkf45_formulas.h"

namespace trammel::independent_coordinates_test {
namespace {

using namespace test;

// ---- RKF45

using Stages = std::array<double, rkf45::stages>;

/// A Φ of a rooted tree: the product over the subtrees of the root of A (their Φ).
Stages times_a(const Stages& x) {
  Stages out{};
  for (int i = 0; i < rkf45::stages; ++i)
    for (int j = 0; j < rkf45::stages; ++j) out[i] += rkf45::a[i].w[j] * x[j];
  return out;
}
Stages product(const Stages& x, const Stages& y) {
  Stages out{};
  for (int i = 0; i < rkf45::stages; ++i) out[i] = x[i] * y[i];
  return out;
}
double sum(const rkf45::Row& w, const Stages& x) {
  double total = 0;
  for (int i = 0; i < rkf45::stages; ++i) total += w.w[i] * x[i];
  return total;
}

/// All rooted trees to order 5 with their density γ: b·Φ = 1/γ (Hairer, Nørsett, Wanner I, II.2).
TEST(Rkf45Formulas, satisfy_the_conditions_of_order) {
  Stages one;
  one.fill(1);
  const Stages c = times_a(one), c2 = product(c, c), c3 = product(c2, c), ac = times_a(c), ac2 = times_a(c2),
               aac = times_a(ac);
  for (int i = 0; i < rkf45::stages; ++i) EXPECT_NEAR(c[i], rkf45::c[i], 1e-15) << i;  // rounding of ones
  const struct {
    Stages phi;
    double gamma;
    int order;
  } trees[] = {{one, 1, 1},
               {c, 2, 2},
               {c2, 3, 3},
               {ac, 6, 3},
               {c3, 4, 4},
               {product(c, ac), 8, 4},
               {ac2, 12, 4},
               {aac, 24, 4},
               {product(c3, c), 5, 5},
               {product(c2, ac), 10, 5},
               {product(ac, ac), 20, 5},
               {product(c, ac2), 15, 5},
               {product(c, aac), 30, 5},
               {times_a(c3), 20, 5},
               {times_a(product(c, ac)), 40, 5},
               {times_a(ac2), 60, 5},
               {times_a(aac), 120, 5}};
  double missed = 0;
  for (const auto& tree : trees) {
    EXPECT_NEAR(sum(rkf45::b, tree.phi), 1 / tree.gamma, 1e-15) << tree.gamma;
    // The embedded formula is of order 4: its difference vanishes to that order, and not beyond.
    if (tree.order < 5) {
      EXPECT_NEAR(sum(rkf45::error, tree.phi), 0, 1e-15) << tree.gamma;
    } else {
      missed = std::max(missed, std::abs(sum(rkf45::error, tree.phi)));
    }
  }
  EXPECT_GT(missed, 1e-4);
  for (int j = 0; j < rkf45::stages; ++j)
    EXPECT_NEAR(rkf45::beyond_stage.w[j], rkf45::b.w[j] - rkf45::a[rkf45::stage_at_end].w[j], 1e-14) << j;
}

/// |R(−z)| = 1 where the formula of order 5 ceases to be stable, R(z) = 1 + z b (1 − z A)⁻¹ 1.
TEST(Rkf45Formulas, limit_of_stability) {
  const auto amplification = [](double z) {
    Stages y;
    for (int i = 0; i < rkf45::stages; ++i) {
      y[i] = 1;
      for (int j = 0; j < i; ++j) y[i] += z * rkf45::a[i].w[j] * y[j];
    }
    return std::abs(1 + z * sum(rkf45::b, y));
  };
  EXPECT_LT(amplification(-0.97 * rkf45::stability_limit), 1);
  EXPECT_GT(amplification(-1.05 * rkf45::stability_limit), 1);
}

// ---- ABAM

/// Times of past points at distances that differ up to sixfold, in units of the step.
std::vector<double> past_times(int count, Random& random) {
  std::vector<double> x(count);
  for (int m = 1; m < count; ++m) x[m] = x[m - 1] - random.uniform(0.3, 2);
  return x;
}

TEST(AdamsFormulas, are_exact_for_polynomials) {
  Random random(1);
  for (int k = 1; k <= adams::highest_order; ++k) {
    const std::vector<double> x = past_times(k, random);
    const adams::Weights predictor = adams::predictor(x.data(), k), at_end = adams::lagrange(x.data(), k, 1);
    for (int power = 0; power <= k; ++power) {
      double predicted = 0, extrapolated = 0, size = 1;
      for (int m = 0; m < k; ++m) {
        predicted += predictor.w[m] * std::pow(x[m], power);
        extrapolated += at_end.w[m] * std::pow(x[m], power);
        size = std::max(size, std::abs(at_end.w[m] * std::pow(x[m], power)));
      }
      const double exact = 1.0 / (power + 1),
                   rounding = 1e-12 * size;  // of weights, some thousand operations
      if (power < k) {
        EXPECT_NEAR(predicted, exact, rounding) << k << " " << power;
      }
      const double corrected = predicted + adams::corrector_gain(x.data(), k) * (1 - extrapolated);
      EXPECT_NEAR(corrected, exact, rounding) << k << " " << power;
    }
  }
}

/// h J_k e_k is the difference of the correctors of order k + 1 and k, the latter without the oldest point.
TEST(AdamsFormulas, error_is_the_difference_of_two_correctors) {
  Random random(2);
  for (int k = 2; k <= adams::highest_order; ++k) {
    const std::vector<double> x = past_times(k, random);
    std::vector<double> f(k + 1);
    for (double& value : f) value = random.uniform(-1, 1);
    const auto corrected = [&](int order, double& miss) {
      const adams::Weights p = adams::predictor(x.data(), order), e = adams::lagrange(x.data(), order, 1);
      double y = 0;
      miss = f[k];
      for (int m = 0; m < order; ++m) y += p.w[m] * f[m], miss -= e.w[m] * f[m];
      return y + adams::corrector_gain(x.data(), order) * miss;
    };
    double miss = 0, unused = 0;
    const double higher = corrected(k, miss), lower = corrected(k - 1, unused);
    EXPECT_NEAR(adams::error_gain(x.data(), k) * miss, higher - lower, 1e-11 * std::abs(miss)) << k;
  }
}

/// y' = λ y in steps of one size: the pair is stable at 0.9 of the limit, and not at 1.15 of it.
TEST(AdamsFormulas, limits_of_stability) {
  for (int k = 1; k <= adams::highest_order; ++k) {
    std::vector<double> x(k);
    for (int m = 0; m < k; ++m) x[m] = -m;
    const adams::Weights p = adams::predictor(x.data(), k), e = adams::lagrange(x.data(), k, 1);
    const double gain = adams::corrector_gain(x.data(), k);
    const auto after = [&](double z) {
      std::vector<double> f(k);  // the latest first
      for (int m = 0; m < k; ++m) f[m] = std::cos(1.0 + 3 * m);
      double y = f[0] / z, largest = 0;
      for (int step = 0; step < 4000; ++step) {
        double predicted = y, extrapolated = 0;
        for (int m = 0; m < k; ++m) predicted += p.w[m] * f[m], extrapolated += e.w[m] * f[m];
        y = predicted + gain * (z * predicted - extrapolated);
        f.insert(f.begin(), z * y);
        f.pop_back();
        largest = std::max(largest, std::abs(y));
        if (largest > 1e12) break;
      }
      return std::abs(y);
    };
    EXPECT_LT(after(-0.9 * adams::stability_limit[k]), 1) << k;
    EXPECT_GT(after(-1.15 * adams::stability_limit[k]), 1e6) << k;
  }
}

// ---- the choice of coordinates

ConstraintRows dense_rows(const std::vector<std::vector<double>>& a) {
  ConstraintRows rows;
  rows.columns = static_cast<int>(a[0].size());
  for (const auto& row : a) {
    for (int j = 0; j < rows.columns; ++j)
      if (row[j] != 0) rows.column.push_back(j), rows.value.push_back(row[j]);
    rows.row_start.push_back(static_cast<int>(rows.column.size()));
  }
  return rows;
}

/// |det| of a matrix, by elimination with pivots.
double determinant(std::vector<std::vector<double>> a) {
  double det = 1;
  for (std::size_t k = 0; k < a.size(); ++k) {
    std::size_t best = k;
    for (std::size_t i = k; i < a.size(); ++i)
      if (std::abs(a[i][k]) > std::abs(a[best][k])) best = i;
    std::swap(a[k], a[best]);
    det *= std::abs(a[k][k]);
    for (std::size_t i = k + 1; i < a.size(); ++i)
      for (std::size_t j = a.size(); j-- > k;) a[i][j] -= a[i][k] / a[k][k] * a[k][j];
  }
  return det;
}

/// Of all choices of dependent coordinates, the determinant of the one taken is not far below the largest:
/// each pivot is at least half of the largest entry, whatever comes later.
TEST(Partition, dependent_columns_are_regular) {
  Random random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const int m = 4, n = 7;
    std::vector<std::vector<double>> a(m, std::vector<double>(n));
    for (auto& row : a)
      for (double& x : row) x = random.uniform(0, 1) < 0.3 ? 0 : random.uniform(-1, 1);
    std::vector<double> scale(n);
    for (double& s : scale) s = std::pow(10, random.uniform(-3, 3));
    std::vector<int> order(n + m);
    for (int k = 0; k < n + m; ++k) order[k] = k;
    CoordinatePartition partition;
    partition.analyze(n, m, order);
    bool changed = false;
    const std::vector<unsigned char> held(m, 0);
    ASSERT_EQ(partition.choose(dense_rows(a), held, scale.data(), changed), -1);
    const auto columns_of = [&](const std::function<bool(int)>& wanted) {
      std::vector<std::vector<double>> square(m);
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
          if (wanted(j)) square[i].push_back(a[i][j] * scale[j]);
      return square;
    };
    const auto chosen = columns_of([&](int j) { return !partition.independent()[j]; });
    ASSERT_EQ(chosen[0].size(), static_cast<std::size_t>(m));
    double best = 0;
    for (int set = 0; set < 1 << n; ++set)
      if (__builtin_popcount(static_cast<unsigned>(set)) == m)
        best = std::max(best, determinant(columns_of([&](int j) { return set >> j & 1; })));
    // Elimination keeps determinants, and leaves in a row no entry above twice its pivot, of which m are in
    // any choice: Hadamard's bound.
    EXPECT_GE(determinant(chosen) * (1 + 1e-9), best / std::pow(2 * std::sqrt(double(m)), m)) << trial;
  }
}

TEST(Partition, names_a_dependent_row_unless_it_is_held) {
  const std::vector<std::vector<double>> a = {{1, 2, 0, 1}, {0, 1, 1, 0}, {1, 4, 2, 1}};  // row 2 = 0 + 2·1
  const double scale[] = {1, 1, 1, 1};
  CoordinatePartition partition;
  partition.analyze(4, 3, {0, 1, 2, 3, 4, 5, 6});
  bool changed = false;
  EXPECT_EQ(partition.choose(dense_rows(a), std::vector<unsigned char>{0, 0, 0}, scale, changed), 2);
  EXPECT_EQ(partition.choose(dense_rows(a), std::vector<unsigned char>{0, 0, 1}, scale, changed), -1);
  EXPECT_FALSE(changed);
}

}  // namespace
}  // namespace trammel::independent_coordinates_test
