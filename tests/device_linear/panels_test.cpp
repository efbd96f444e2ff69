// The kernels of panels, whose rows and lines lie in registers, against the loops of dense.h.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "../support/each_device.h"
#include "../support/random.h"
#include "device_api/device.h"
#include "device_api/kernel.h"
#include "linear/device/panels.h"

namespace trammel::panels_test {
namespace {

using test::Random;

class DevicePanels : public test::DeviceTest {};

/// D, L and V of a front, and what its factorization leaves.
struct LargeFront {
  int p, r;
  std::vector<double> factor, inverse;
  std::vector<int> exchange, permutation;

  LargeFront(int pivots, int border, Random& random)
      : p(pivots), r(border), factor(p * p + 2 * p * r), inverse(p, 7.0), exchange(p, -7), permutation(p) {
    for (double& x : factor) x = random.uniform(-1, 1);
    std::iota(permutation.begin(), permutation.end(), 0);
  }
  FrontView view() {
    double* d = factor.data();
    return {p, r, d, d + p * p, d + p * p + p * r, nullptr, inverse.data(), exchange.data()};
  }
  bool operator==(const LargeFront&) const = default;
};

void expect_equal(const LargeFront& found, const LargeFront& expected) {
  EXPECT_EQ(found.exchange, expected.exchange);
  EXPECT_EQ(found.permutation, expected.permutation);
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  EXPECT_TRUE(std::ranges::equal(found.inverse, expected.inverse, same));
  for (std::size_t k = 0; k < found.factor.size(); ++k)
    ASSERT_TRUE(same(found.factor[k], expected.factor[k]))
        << k << ": " << found.factor[k] << " instead of " << expected.factor[k];
}

/// The panel at `first` and the lines beside it, by a loop over lines.
void eliminate_plainly(LargeFront& front, int first, double tolerance) {
  const SerialGroup group(nullptr);
  const FrontView f = front.view();
  const int width = std::min(panel_width, f.p - first);
  double largest[PivotSearch::parts];
  int row[PivotSearch::parts];
  factor_panel(group, f.d + first + first * f.p, f.p, f.p - first, width, tolerance, first,
               f.exchange + first, f.inverse + first, {largest, row});
  note_exchanges(group, front.permutation.data(), f.exchange, first, first + width, f.p);
  for (int line = 0; line < lines_of(f, width); ++line) solve_line(f, first, width, line);
}

std::vector<FrontPiece> lines_beside(const LargeFront& front, int first) {
  std::vector<FrontPiece> pieces;
  const auto add = [&](FrontPart part, int begin, int end) {
    for (int i = begin; i < end; i += piece_lines)
      pieces.push_back({0, part, i, std::min(i + piece_lines, end)});
  };
  add(FrontPart::d, first + panel_width, front.p);
  add(FrontPart::l, 0, front.r);
  add(FrontPart::v, 0, front.r);
  add(FrontPart::d, 0, first);
  return pieces;
}

/// The same by the kernels, the panel by so many threads and with so many doubles of shared memory.
template <int Threads>
void eliminate_there(Device& device, LargeFront& front, int first, double tolerance, std::size_t capacity) {
  const DeviceFront described{0, 0, 0, front.p, front.r, 0, 0, 0, 0, 0};
  const std::vector<DeviceFront> fronts{described};
  const std::vector<int> list{0};
  const std::vector<FrontPiece> pieces = lines_beside(front, first);
  DeviceArray<DeviceFront> fronts_there(device, fronts);
  DeviceArray<int> list_there(device, list), exchange(device, front.exchange),
      permutation(device, front.permutation);
  DeviceArray<FrontPiece> pieces_there(device, pieces);
  DeviceArray<double> factor(device, front.factor), inverse(device, front.inverse);
  FrontArrays a{};
  a.front = fronts_there.data();
  a.tolerance = tolerance;
  a.factor = factor.data();
  a.inverse = inverse.data();
  a.exchange = exchange.data();
  a.permutation = permutation.data();
  device.launch(FactorPanels<Threads>{a, list_there.data(), first, static_cast<int>(capacity)}, 1,
                8 * capacity);
  device.launch(SolveLines{a, pieces_there.data(), first}, static_cast<int>(pieces.size()), LineRoom::bytes);
  factor.download(front.factor);
  inverse.download(front.inverse);
  exchange.download(front.exchange);
  permutation.download(front.permutation);
}

std::vector<std::pair<int, int>> sizes() {
  return {{1, 0}, {1, 3}, {7, 1}, {31, 5}, {32, 0}, {33, 130}, {64, 40}, {100, 17}, {150, 300}};
}

// Exchanges within a panel, with rows behind it, several with the same one, and none; last panels that are
// narrow.
TEST_P(DevicePanels, have_the_bits_of_loops_over_lines) {
  Random random(23);
  int exchanged = 0, kept = 0;
  for (const auto& [p, r] : sizes()) {
    for (const double tolerance : {0.0, 0.01, 0.3, 1.0}) {
      LargeFront expected(p, r, random), found(expected);
      for (int first = 0; first < p; first += panel_width) {
        eliminate_plainly(expected, first, tolerance);
        const std::size_t capacity = PanelRoom::doubles(p - first);
        if (p - first > 128)
          eliminate_there<256>(device(), found, first, tolerance, capacity);
        else if (first == 0)
          eliminate_there<128>(device(), found, first, tolerance, capacity);
        else
          eliminate_there<panel_rows>(device(), found, first, tolerance, capacity);
        SCOPED_TRACE(testing::Message() << p << " " << r << " from " << first << " on, " << tolerance);
        ASSERT_NO_FATAL_FAILURE(expect_equal(found, expected));
      }
      for (int k = 0; k < p; ++k) (expected.exchange[k] == k ? kept : exchanged) += 1;
    }
  }
  EXPECT_GT(kept, 500);
  EXPECT_GT(exchanged, 500);
}

// Equal entries, columns of zeros, entries that are not finite: the same rows, and 0 instead of 1 / u_kk.
TEST_P(DevicePanels, choose_the_same_pivots_where_there_are_none) {
  Random random(29);
  for (const double bad : {0.0, 0.5, static_cast<double>(INFINITY), static_cast<double>(NAN)}) {
    for (const int column : {0, 5, 31, 40}) {
      LargeFront expected(50, 10, random);
      for (int i = 0; i < 50; ++i) expected.factor[i + 50 * column] = i % 3 == 0 ? -bad : bad;
      if (std::isfinite(bad))
        for (double& x : expected.factor) x = std::round(4 * x) / 4;
      LargeFront found(expected);
      for (int first = 0; first < 50; first += panel_width) {
        eliminate_plainly(expected, first, 0.3);
        eliminate_there<128>(device(), found, first, 0.3, PanelRoom::doubles(50 - first));
        SCOPED_TRACE(testing::Message() << bad << " in column " << column << ", from " << first << " on");
        ASSERT_NO_FATAL_FAILURE(expect_equal(found, expected));
      }
    }
  }
}

// The most rows that registers hold, and one more, which goes to shared memory; where that is too small, the
// panel is factored where it lies.
TEST_P(DevicePanels, of_many_rows_lie_elsewhere) {
  Random random(31);
  for (const int p : {panel_rows, panel_rows + 1}) {
    LargeFront expected(p, 2, random);
    const LargeFront before(expected);
    eliminate_plainly(expected, 0, 0.3);
    for (const std::size_t capacity : {PanelRoom::doubles(p), PanelRoom::doubles(8)}) {
      LargeFront found(before);
      eliminate_there<panel_rows>(device(), found, 0, 0.3, capacity);
      SCOPED_TRACE(testing::Message() << p << " with " << capacity);
      ASSERT_NO_FATAL_FAILURE(expect_equal(found, expected));
    }
  }
}

TRAMMEL_EVERY_DEVICE(DevicePanels);

}  // namespace
}  // namespace trammel::panels_test
