#include "linear/redundancy.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <gtest/gtest.h>
#include <Eigen/Dense>
#include <Eigen/SparseQR>

#include "base/diagnostics.h"
#include "linkages.h"

namespace trammel::test_redundancy {
namespace {

using namespace test;

Eigen::MatrixXd dense(const ConstraintRows& rows) {
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(rows.rows(), rows.columns);
  for (int i = 0; i < rows.rows(); ++i) {
    for (int k = rows.row_start[i]; k < rows.row_start[i + 1]; ++k) a(i, rows.column[k]) += rows.value[k];
  }
  return a;
}

/// Rank by Householder QR with column pivoting of the rows scaled to unit norm; pivots below 1e-9 of the
/// largest are zero (the geometry is exact, so true zeros show as 1e-15).
int dense_rank(const ConstraintRows& rows) {
  Eigen::MatrixXd a = dense(rows).transpose();
  for (int i = 0; i < a.cols(); ++i) {
    if (a.col(i).norm() > 0) a.col(i).normalize();
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(a);
  qr.setThreshold(1e-9);
  return static_cast<int>(qr.rank());
}

int sparse_rank(const ConstraintRows& rows) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < rows.rows(); ++i) {
    for (int k = rows.row_start[i]; k < rows.row_start[i + 1]; ++k) {
      entries.emplace_back(rows.column[k], i, rows.value[k]);
    }
  }
  Eigen::SparseMatrix<double> a(rows.columns, rows.rows());
  a.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseQR<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> qr;
  qr.setPivotThreshold(1e-9);
  qr.compute(a);
  return static_cast<int>(qr.rank());
}

ConstraintFactorization factored(const ConstraintRows& rows,
                                 double threshold = ConstraintFactorization::kThreshold) {
  ConstraintFactorization f;
  f.analyze(rows);
  f.factor(rows.value, threshold);
  return f;
}

/// rank + dropped = rows; the rows kept are independent; every dropped row is the combination stated.
void check_decision(const ConstraintRows& rows, const char* name) {
  ConstraintFactorization f = factored(rows);
  EXPECT_EQ(f.rank() + static_cast<int>(f.dropped().size()), rows.rows()) << name;
  const Eigen::MatrixXd a = dense(rows);
  for (int row : f.dropped()) {
    Eigen::RowVectorXd rest = a.row(row);
    for (const RowCoefficient& c : f.dependence(row)) {
      EXPECT_FALSE(std::binary_search(f.dropped().begin(), f.dropped().end(), c.row)) << name;
      rest -= c.coefficient * a.row(c.row);
    }
    // Coefficients below 1e-6 are left out of the list: so much may be missing, per row of the mechanism.
    EXPECT_LT(rest.norm(), 1e-5 * std::max(1.0, a.row(row).norm())) << name << " row " << row;
  }
}

TEST(Redundancy, FourBarChains) {
  for (int windows : {1, 2, 10, 40}) {
    for (double size : {1.0, 1000.0}) {  // metres, millimetres
      const Linkage m = four_bars(windows, size);
      EXPECT_EQ(factored(m.rows()).rank(), 12 * windows + 5) << windows;
      EXPECT_EQ(dense_rank(four_bars(windows).rows()), 12 * windows + 5) << windows;
      check_decision(m.rows(), "four-bars");
    }
  }
}

TEST(Redundancy, ThousandWindows) {
  const Linkage m = four_bars(1000);
  ConstraintFactorization f = factored(m.rows());
  EXPECT_EQ(m.rows().rows(), 15005);
  EXPECT_EQ(f.dropped().size(), 3000u);
  EXPECT_GT(f.smallest_kept(), 1e-3);     // the decision is clear:
  EXPECT_LT(f.largest_dropped(), 1e-12);  // rounding, measured 3e-14
  EXPECT_TRUE(f.strict());
  // Work grows with the length of the chain only.
  EXPECT_LT(f.nonzeros(), 1.1 * 10 * factored(four_bars(100).rows()).nonzeros());
  EXPECT_EQ(sparse_rank(four_bars(100).rows()), 1205);
}

TEST(Redundancy, Bricard) {
  const Linkage m = bricard();
  EXPECT_EQ(dense_rank(m.rows()), 29);
  ConstraintFactorization f = factored(m.rows());
  EXPECT_EQ(f.rank(), 29);
  check_decision(m.rows(), "Bricard");
  // All six hinges take part.
  std::vector<int> groups = f.contradicting_groups(f.dropped()[0]);
  std::sort(groups.begin(), groups.end());
  EXPECT_EQ(groups, (std::vector<int>{0, 1, 2, 3, 4, 5}));
}

TEST(Redundancy, RandomLinkagesAgainstPivotedQr) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const bool planar = seed % 2;
    const Linkage m = random_linkage(12, 12 + static_cast<int>(seed % 7), planar, seed);
    EXPECT_EQ(factored(m.rows()).rank(), dense_rank(m.rows())) << "seed " << seed;
    check_decision(m.rows(), "random");
  }
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const Linkage m = random_linkage(60, 75, seed % 2, seed);
    EXPECT_EQ(factored(m.rows()).rank(), sparse_rank(m.rows())) << "seed " << seed;
  }
}

/// Of the rows 4, -1 of a chain each is a combination of those before it with coefficients -(2 - sqrt(3))^j,
/// j = 1, 2, ... backwards: as many are visited as differ from zero, however long the chain is.
TEST(UpLookingLdl, CombinationsVisitWhatDiffersFromZero) {
  for (const int n : {100, 10000}) {
    UpperTriangle chain{n, {0}, {}};
    for (int k = 0; k < n; ++k) {
      if (k > 0) chain.entry.push_back({k - 1, k - 1});
      chain.start.push_back(static_cast<int>(chain.entry.size()));
    }
    const std::vector<double> diagonal(n, 4.0), values(n - 1, -1.0);
    std::vector<double> z(n, NAN);
    UpLookingLdl ldl;
    ldl.analyze(chain);
    ldl.factor(diagonal, values, [](int, const UpLookingLdl::PivotValue&) { return true; });
    for (const int k : {n - 1, 80}) {
      const std::span<const int> found = ldl.combination(k, values, z);
      EXPECT_NEAR(found.size(), std::log(1e-14) / std::log(2 - std::sqrt(3)), 2) << n;
      for (const int j : found) EXPECT_NEAR(z[j], -std::pow(2 - std::sqrt(3), k - j), 1e-14) << j;
    }
  }
}

TEST(Redundancy, OpenChainsHaveNone) {
  EXPECT_EQ(factored(serial_chain(2000).rows()).rank(), 10000);
  EXPECT_EQ(factored(frame_with_arms(40, false).rows()).rank(), 400);
}

TEST(Redundancy, ExactDuplicatesNameTheTwoJoints) {
  Linkage m;
  const int a = m.body({0, 0, 0}), b = m.body({1, 0, 0}), c = m.body({2, 1, 0});
  m.revolute(-1, a, {0, 0, 0}, {0, 0, 1});
  m.revolute(a, b, {0.5, 0, 0}, {0, 1, 1});
  m.revolute(b, c, {1.5, 0.5, 0}, {1, 0, 0});
  m.revolute(a, b, {0.5, 0, 0}, {0, 1, 1});
  ConstraintFactorization f = factored(m.rows());
  ASSERT_EQ(f.dropped().size(), 5u);
  for (int row : f.dropped()) {
    std::vector<int> groups = f.contradicting_groups(row);
    EXPECT_EQ(groups[0], m.rows().group[row]);
    std::sort(groups.begin(), groups.end());
    EXPECT_EQ(groups, (std::vector<int>{1, 3}));
    ASSERT_EQ(f.dependence(row).size(), 1u);
    EXPECT_NEAR(f.dependence(row)[0].coefficient, 1, 1e-12);
  }
}

// sin^2 of the row that tells a misaligned hinge from an aligned one is 1.8 angle^2 here: 1e-4 is above the
// threshold 1e-10, 1e-6 below.
TEST(Redundancy, NearlyDependentRows) {
  for (auto [angle, rank] : {std::pair{1e-2, 6}, {1e-4, 6}, {1e-6, 5}, {1e-7, 5}, {1e-8, 5}, {0.0, 5}}) {
    EXPECT_EQ(factored(door(angle).rows()).rank(), rank) << angle;
  }
  // A finer threshold sees finer angles, down to rounding: sin^2 of 1e-8 is 1e-16.
  EXPECT_EQ(factored(door(1e-5).rows(), 1e-13).rank(), 6);
  EXPECT_EQ(factored(door(1e-6).rows(), 1e-14).rank(), 6);
  EXPECT_EQ(factored(door(1e-8).rows(), 1e-14).rank(), 5);
}

TEST(Redundancy, HubsStayCheap) {
  const Linkage open = frame_with_arms(500, false), closed = frame_with_arms(500, true);
  EXPECT_EQ(factored(open.rows()).rank(), 5000);
  const ConstraintFactorization f = factored(closed.rows());
  EXPECT_EQ(f.dropped().size(), 1500u);  // three per planar four-bar
  EXPECT_FALSE(f.strict());
  EXPECT_LT(f.nonzeros(), 40L * closed.rows().columns);
}

// The cheap order rests on reaction pairs that balance; rows that do not are found out.
TEST(Redundancy, UnbalancedRowsForceTheStrictOrder) {
  for (int arms : {12, 40}) {
    const Linkage m = disguised_ground(arms);
    EXPECT_EQ(dense_rank(m.rows()), 6 + 11 * arms);
    ConstraintFactorization f;
    f.dear_strict_order = 0;
    f.analyze(m.rows());
    EXPECT_FALSE(f.strict());
    f.factor(m.rows().value);
    EXPECT_TRUE(f.strict());
    EXPECT_EQ(f.rank(), 6 + 11 * arms);
  }
}

// Two hinges on nearly one line lock a door with sin^2 of 1e-9 or so; rows of a third that stands across
// are combinations with coefficients of 1 / angle, and rounding leaves of them u / angle^2: above the
// threshold. In one body the three come in the order given.
TEST(Redundancy, RoundingBehindNearlyDependentRows) {
  for (int k = 1; k <= 40; ++k) {
    const double angle = 1e-5 * k;
    Linkage m = door(angle);
    m.revolute(-1, 0, {0.3, 0.1 * k, 0.2}, {1, std::cos(k), std::sin(k)});
    m.revolute(-1, 0, {0.1 * k, -0.4, 0.9}, {std::cos(k), 1, std::cos(3 * k)});
    EXPECT_EQ(factored(m.rows()).rank(), 6) << angle;
  }
}

TEST(Redundancy, LowerPriorityIsDroppedFirst) {
  for (int preferred : {0, 1}) {
    ConstraintRows rows;
    rows.columns = 2;
    rows.row_start = {0, 2, 4};
    rows.column = {0, 1, 0, 1};
    rows.value = {1, 2, 2, 4};
    rows.group = {7, 7};
    rows.priority = {preferred == 0, preferred == 1};
    const ConstraintFactorization f = factored(rows);
    EXPECT_EQ(f.dropped(), (std::vector<int>{1 - preferred}));
  }
}

TEST(Redundancy, BodiesMayBeUnknown) {
  for (Linkage m : {four_bars(20), frame_with_arms(10, true), random_linkage(12, 17, true, 5)}) {
    const int rank = factored(m.rows()).rank();
    m.rows().body.clear();
    EXPECT_EQ(factored(m.rows()).rank(), rank);
  }
}

TEST(Redundancy, EmptyRowsAreDropped) {
  Linkage m = four_bars(1);
  m.empty_row();
  ConstraintFactorization f = factored(m.rows());
  EXPECT_EQ(f.rank(), 17);
  EXPECT_TRUE(std::binary_search(f.dropped().begin(), f.dropped().end(), 20));
  EXPECT_TRUE(f.dependence(20).empty());
  EXPECT_EQ(factored(ConstraintRows{}).rank(), 0);
}

// A dead centre: the rank is that of the moment; refactoring with other values finds the generic one.
TEST(Redundancy, NewValuesNewDecision) {
  const Linkage bent = door(1e-2), straight = door(0);
  ConstraintFactorization f;
  f.analyze(bent.rows());
  for (int pass = 0; pass < 2; ++pass) {
    f.factor(bent.rows().value);
    EXPECT_EQ(f.rank(), 6);
    f.factor(straight.rows().value);
    EXPECT_EQ(f.rank(), 5);
  }
  EXPECT_THROW(f.factor(std::vector<double>(bent.rows().value.size(), NAN)), Failure);
}

// Against the pseudo-inverse (complete orthogonal decomposition) of Phi W^-1/2; rhs = Phi v is consistent.
TEST(LeastNorm, IsThePseudoInverse) {
  for (Linkage m : {four_bars(5), bricard(), frame_with_arms(6, true), random_linkage(12, 15, false, 2)}) {
    ConstraintRows& rows = m.rows();
    rows.weight.resize(rows.columns);
    for (int j = 0; j < rows.columns; ++j) rows.weight[j] = 1 + 0.9 * std::sin(3.0 * j);
    ConstraintFactorization f = factored(rows);
    const Eigen::MatrixXd a = dense(rows);
    Eigen::VectorXd v(rows.columns), half(rows.columns), w(rows.columns);
    for (int j = 0; j < rows.columns; ++j)
      v[j] = std::cos(j), w[j] = rows.weight[j], half[j] = 1 / std::sqrt(w[j]);
    const Eigen::VectorXd phi = a * v;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod;
    cod.setThreshold(1e-9);
    cod.compute(a * half.asDiagonal());
    const Eigen::VectorXd expected = half.asDiagonal() * cod.solve(phi);

    std::vector<double> d, multiplier;
    const LeastNormResult result = f.solve_least_norm({phi.begin(), phi.end()}, d, &multiplier);
    EXPECT_LT(result.kept, 1e-12);
    EXPECT_LT(result.dropped, 1e-9);  // consistent: dropped rows are satisfied too
    const Eigen::Map<Eigen::VectorXd> answer(d.data(), rows.columns), mu(multiplier.data(), rows.rows());
    // Condition of these linkages is 1e2 .. 1e3; both sides are good to 1e-13 of that.
    EXPECT_LT((answer - expected).norm(), 1e-10 * expected.norm());
    EXPECT_LT((w.asDiagonal() * answer + a.transpose() * mu).norm(), 1e-10 * expected.norm());
  }
}

TEST(LeastNorm, ContradictionIsReported) {
  Linkage m;
  const int a = m.body({1, 0, 0});
  m.revolute(-1, a, {0, 0, 0}, {0, 0, 1});
  m.rotation_motion(-1, a, {0, 0, 1});
  m.rotation_motion(-1, a, {0, 0, 1});
  ConstraintFactorization f = factored(m.rows());
  ASSERT_EQ(f.dropped().size(), 1u);
  std::vector<double> rhs(7, 0.0), d;
  rhs[5] = rhs[6] = 2;
  LeastNormResult result = f.solve_least_norm(rhs, d);
  EXPECT_LT(result.dropped, 1e-14);
  EXPECT_NEAR(d[5], 2, 1e-14);  // turns about z at the speed asked for
  rhs[6] = 3;
  result = f.solve_least_norm(rhs, d);
  EXPECT_EQ(result.worst_dropped, f.dropped()[0]);
  // Row of unit norm in the coordinates of the norm: the contradiction itself up to that factor.
  EXPECT_GT(result.dropped, 0.1);
  EXPECT_LT(result.kept, 1e-14);
}

TEST(Redundancy, RefusesSizesThatDisagree) {
  ConstraintRows rows = bricard().rows();
  ConstraintFactorization f;
  rows.group.pop_back();
  EXPECT_THROW(f.analyze(rows), Failure);
  rows = bricard().rows();
  rows.column[5] = 30;
  EXPECT_THROW(f.analyze(rows), Failure);
  rows = bricard().rows();
  rows.weight.assign(30, -1.0);
  EXPECT_THROW(f.analyze(rows), Failure);
  f.analyze(bricard().rows());
  EXPECT_THROW(f.factor({1.0, 2.0}), Failure);
  f.factor(bricard().rows().value);
  EXPECT_THROW(f.dependence(f.dropped()[0] == 0 ? 1 : 0), Failure);  // a row that was kept
}

}  // namespace
}  // namespace trammel::test_redundancy
