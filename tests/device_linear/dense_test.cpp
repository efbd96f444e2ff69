// The elimination in one front against its definition and against the processor's kernels.
#include <algorithm>
#include <barrier>
#include <cmath>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "../support/random.h"
#include "device_api/kernel.h"
#include "linear/device/dense.h"
#include "linear/device/row_fronts.h"
#include "linear/host/dense_kernels.h"

namespace trammel::dense_test {
namespace {

using test::Random;

/// A front of p + r rows by columns, pivots first, and room for the elimination.
struct DenseFront {
  int p, r;
  std::vector<double> d, l, v, c, inverse, largest;
  std::vector<int> exchange, row;

  DenseFront(int pivots, int border, Random& random)
      : p(pivots), r(border), d(p * p), l(p * r), v(p * r), c(r * r), inverse(p), exchange(p) {
    for (auto* part : {&d, &l, &v, &c})
      for (double& x : *part) x = random.uniform(-1, 1);
    largest.resize(PivotSearch::parts);
    row.resize(PivotSearch::parts);
  }
  template <int Width>
  void eliminate(double tolerance) {
    eliminate_front<Width, 4>(SerialGroup(nullptr),
                              {p, r, d.data(), l.data(), v.data(), c.data(), inverse.data(), exchange.data()},
                              tolerance, {largest.data(), row.data()});
  }
  /// The matrix as it stands: [D V^T; L C].
  double at(int i, int j) const {
    if (j < p) return i < p ? d[i + j * p] : l[i - p + j * r];
    return i < p ? v[j - p + i * r] : c[i - p + (j - p) * r];
  }
};

// A with rows exchanged is the product of the unit lower and the upper triangle that the elimination leaves,
// C with the identity. Rounding is below (p + 1) u |L||U| (Higham: Accuracy and Stability of Numerical
// Algorithms, 2nd ed., theorem 9.3; one more for the reciprocal of the pivot).
TEST(DeviceDense, factors_multiply_to_the_matrix) {
  Random random(11);
  for (const auto& [p, r] : {std::pair{1, 0}, {1, 5}, {7, 9}, {16, 16}, {17, 3}, {33, 40}, {70, 21}}) {
    const DenseFront before(p, r, random);
    DenseFront after(before);
    after.eliminate<16>(0.5);
    const int n = p + r;
    std::vector<int> row(n);
    for (int i = 0; i < n; ++i) row[i] = i;
    for (int k = 0; k < p; ++k) std::swap(row[k], row[after.exchange[k]]);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        long double sum = 0, size = 0;
        for (int k = 0; k <= std::min({i, j, p - 1}); ++k) {
          const long double term = (k == i ? 1.0L : after.at(i, k)) * after.at(k, j);
          sum += term;
          size += std::fabs(term);
        }
        if (i >= p && j >= p) sum += after.at(i, j), size += std::fabs(after.at(i, j));
        ASSERT_LE(std::fabs(static_cast<double>(sum) - before.at(row[i], j)), (p + 1) * 0x1p-53 * size)
            << p << " " << r << " at " << i << ", " << j;
      }
    }
  }
}

// The rule of the processor's kernels: diagonal entries stay while they are large enough, or else the same
// rows go.
TEST(DeviceDense, pivots_are_those_of_the_processor) {
  Random random(5);
  int kept = 0, exchanged = 0;
  for (const int n : {1, 2, 5, 15, 16, 17, 33, 64}) {
    for (const double tolerance : {0.0, 0.01, 0.3, 1.0}) {
      DenseFront front(n, 0, random);
      const int ld = padded(n);
      std::vector<double> d(ld * n, 0.0), inverse(ld);
      for (int j = 0; j < n; ++j) std::copy_n(front.d.data() + j * n, n, d.data() + j * ld);
      std::vector<int> exchange(n);
      const DensePivots found =
          dense_kernels().factor(d.data(), ld, n, tolerance, exchange.data(), inverse.data());
      front.eliminate<16>(tolerance);
      EXPECT_EQ(front.exchange, exchange) << n << " " << tolerance;
      exchanged += found.off_diagonal;
      kept += n - found.off_diagonal;
    }
  }
  EXPECT_GT(kept, 100);
  EXPECT_GT(exchanged, 100);
}

// Panels of any width: the same bits, exchanges and all.
TEST(DeviceDense, width_of_panels_changes_no_bit) {
  Random random(7);
  const DenseFront before(50, 23, random);
  DenseFront one(before), four(before), all(before);
  one.eliminate<1>(0.3);
  four.eliminate<4>(0.3);
  all.eliminate<64>(0.3);
  for (const DenseFront* other : {&four, &all}) {
    EXPECT_EQ(one.exchange, other->exchange);
    EXPECT_EQ(one.d, other->d);
    EXPECT_EQ(one.l, other->l);
    EXPECT_EQ(one.v, other->v);
    EXPECT_EQ(one.c, other->c);
  }
}

// A thread to a row of the whole front instead of panels, lines and products: the same bits.
TEST(DeviceDense, rows_have_the_bits_of_panels) {
  Random random(13);
  for (const auto& [p, r] : {std::pair{1, 0}, {1, 1}, {2, 5}, {20, 12}, {17, 0}, {31, 1}, {33, 40}}) {
    const int n = p + r, stride = front_stride(n);
    EXPECT_EQ(stride % 4, 2);
    EXPECT_GE(stride, n);
    DenseFront front(p, r, random);
    std::vector<double> rows(n * stride, 0.0), inverse(p);
    std::vector<int> permutation(p), expected(p);
    for (int k = 0; k < p; ++k) permutation[k] = expected[k] = k;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) rows[i * stride + j] = front.at(i, j);
    for (int k = 0; k < p * n; ++k)  // D and L
      EXPECT_EQ(rows[place_by_rows(p, r, k)], k < p * p ? front.d[k] : front.l[k - p * p]);
    for (int k = 0; k < p * r; ++k) EXPECT_EQ(rows[place_by_rows(p, r, p * n + k)], front.v[k]);

    eliminate_rows(SerialGroup(nullptr),
                   RowFront{p, n, stride, rows.data(), inverse.data(), permutation.data()}, 0.3,
                   {front.largest.data(), front.row.data()});
    front.eliminate<16>(0.3);
    for (int k = 0; k < p; ++k) std::swap(expected[k], expected[front.exchange[k]]);
    EXPECT_EQ(permutation, expected);
    EXPECT_EQ(inverse, front.inverse);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) ASSERT_EQ(rows[i * stride + j], front.at(i, j)) << i << " " << j;
  }
}

/// Threads that wait for each other, each with a row of its own, as on a device.
class RowThreads {
 public:
  static constexpr bool thread_per_lane = true;
  RowThreads(int rank, int size, std::barrier<>& barrier) : rank_(rank), size_(size), barrier_(barrier) {}
  int rank() const { return rank_; }
  int size() const { return size_; }
  void sync() const { barrier_.arrive_and_wait(); }

 private:
  int rank_, size_;
  std::barrier<>& barrier_;
};

/// Eliminates with as many threads as rows, or with one that plays all; gives the rows that they keep.
template <int count>
std::vector<KeptRow<count>> kept_rows(const SharedRows& f, double tolerance, bool threads) {
  std::vector<KeptRow<count>> kept(count);
  const auto eliminate = [&]<class Group>(const Group& group) {
    const auto rows = std::make_unique<KeptRows<count, Group>>();
    keep_rows<count>(group, f, *rows);
    eliminate_kept_rows<count>(group, f, *rows, tolerance);
    rows->each(group, f.size, [&](int lane, KeptRow<count>& row) { kept[lane] = row; });
  };
  if (!threads) {
    eliminate(SerialGroup(nullptr));
    return kept;
  }
  std::barrier<> barrier(count);
  std::vector<std::jthread> all;
  for (int k = 0; k < count; ++k) all.emplace_back([&, k] { eliminate(RowThreads(k, count, barrier)); });
  all.clear();
  return kept;
}

/// A front whose rows threads keep, beside panels: the same exchanges and bits of L, U and C.
template <int count>
void expect_bits_of_panels(DenseFront front, double tolerance, bool threads = false) {
  const int p = front.p, n = front.p + front.r, stride = front_stride(n);
  std::vector<double> shared(row_front_memory(p, front.r, count, 0) / sizeof(double) + 1);
  const DeviceFront shape{0, 0, 0, p, front.r, 0, 0, 0, 0, 0};
  SharedRows f = shared_rows<count>(shape, shared.data(), 0);
  std::vector<double> largest(count);  // of all threads: those of a device compare by warps
  std::vector<int> row(count);
  std::vector<unsigned> words(2 * count);
  f.search = {largest.data(), row.data()};
  f.largest = words.data();
  f.parts = count;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) f.a[i * stride + j] = front.at(i, j);
  const std::vector<KeptRow<count>> kept = kept_rows<count>(f, tolerance, threads);
  front.eliminate<16>(tolerance);
  std::vector<int> lane(n);
  for (int i = 0; i < n; ++i) lane[i] = i;
  for (int k = 0; k < p; ++k) std::swap(lane[k], lane[front.exchange[k]]);
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  for (int k = 0; k < p; ++k) {
    EXPECT_EQ(f.lane[k], lane[k]);
    EXPECT_EQ(f.inverse[k], front.inverse[k]);
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double x = i < p && j >= i ? f.u(i)[j - i] : j < p ? f.a[lane[i] * stride + j] : kept[i].a[j - p];
      ASSERT_TRUE(same(x, front.at(i, j)))
          << count << ": " << p << " " << front.r << " at " << i << ", " << j;
    }
  }
}

TEST(DeviceDense, rows_in_registers_have_the_bits_of_panels) {
  Random random(19);
  for (const double tolerance : {0.0, 0.3, 1.0}) {
    for (const auto& [p, r] : {std::pair{1, 0}, {1, 1}, {2, 5}, {8, 24}, {20, 12}, {17, 0}, {31, 1}, {32, 0}})
      expect_bits_of_panels<32>(DenseFront(p, r, random), tolerance);
    for (const auto& [p, r] : {std::pair{1, 0}, {5, 7}, {24, 18}, {33, 31}, {20, 30}, {10, 54}, {64, 0}})
      expect_bits_of_panels<64>(DenseFront(p, r, random), tolerance);
  }
  expect_bits_of_panels<32>(DenseFront(20, 12, random), 0.3, true);
  expect_bits_of_panels<64>(DenseFront(33, 20, random), 0.3, true);
  for (const double bad : {0.0, static_cast<double>(INFINITY), static_cast<double>(NAN)}) {
    DenseFront front(20, 5, random);
    for (int i = 0; i < 20; ++i) front.d[i + 20 * 6] = bad;
    expect_bits_of_panels<32>(front, 0.01);
    expect_bits_of_panels<64>(front, 0.01);
  }
}

// Chains of fused operations in ascending k, as those of the processor where it has them.
TEST(DeviceDense, entries_are_those_of_a_processor_with_fused_operations) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) GTEST_SKIP() << "it has none";
  Random random(17);
  for (const int n : {1, 5, 16, 33, 64}) {
    DenseFront front(n, 0, random);
    const int ld = padded(n);
    std::vector<double> d(ld * n, 0.0), inverse(ld);
    for (int j = 0; j < n; ++j) std::copy_n(front.d.data() + j * n, n, d.data() + j * ld);
    std::vector<int> exchange(n);
    dense_kernels().factor(d.data(), ld, n, 0.3, exchange.data(), inverse.data());
    front.eliminate<16>(0.3);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) ASSERT_EQ(front.d[i + j * n], d[i + j * ld]) << n << ": " << i << " " << j;
  }
}

// Columns of zeros and entries that are not finite have the reciprocal 0, which the guard takes for no pivot
// at all.
TEST(DeviceDense, pivots_that_are_none) {
  Random random(3);
  for (const double bad : {0.0, static_cast<double>(INFINITY), static_cast<double>(NAN)}) {
    DenseFront front(20, 0, random);
    for (int i = 0; i < 20; ++i) front.d[i + 20 * 6] = bad;
    front.eliminate<16>(0.01);
    EXPECT_EQ(front.inverse[6], 0) << bad;
    EXPECT_NE(front.inverse[5], 0);
  }
}

}  // namespace
}  // namespace trammel::dense_test
