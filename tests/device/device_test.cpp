// Memory, launches, graphs and reductions of every device there is.
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "../support/each_device.h"
#include "base/diagnostics.h"
#include "device_api/reduce.h"
#include "device_api/reduction_kernels.h"

namespace trammel::device_test {
namespace {

using test::DeviceTest;

TEST_P(DeviceTest, keeps_what_it_is_given) {
  std::vector<double> values(1000), back(1000);
  std::iota(values.begin(), values.end(), -3.0);
  DeviceArray<double> array(device(), std::span<const double>(values)), other(device(), 1000);
  device().copy(other.data(), array.data(), 1000 * sizeof(double));
  array.clear();
  other.download(back);
  EXPECT_EQ(back, values);
  array.download(back);
  EXPECT_EQ(back, std::vector<double>(1000, 0.0));
  EXPECT_EQ(device().counters().copies, 3);
  EXPECT_EQ(device().counters().downloaded, 16000);
}

TEST_P(DeviceTest, launches_every_item_once) {
  for (const int n : {1, 31, 128, 129, 100000}) {
    DeviceArray<double> array(device(), n + 1);
    array.clear();
    device().launch(FillValues{array.data(), 2.5}, n);
    std::vector<double> expected(n + 1, 2.5), back(n + 1);
    expected.back() = 0;
    array.download(back);
    EXPECT_EQ(back, expected) << n;
  }
}

TEST_P(DeviceTest, launches_nothing_for_no_items) {
  device().launch(FillValues{nullptr, 1}, 0);
  device().synchronize();
  EXPECT_EQ(device().counters().launches, 0);
}

/// Numbers of few bits, so that the sums are exact however they are rounded.
TEST_P(DeviceTest, adds_a_multiple) {
  const int n = 1000;
  std::vector<double> x(n), y(n), expected(n), back(n);
  for (int i = 0; i < n; ++i) {
    x[i] = 3 * i - 700;
    y[i] = 0.25 * (n - i);
    expected[i] = 3 * i - 700 - 0.5 * (n - i);
  }
  DeviceArray<double> there_x(device(), std::span<const double>(x)), there_z(device(), n);
  DeviceArray<double> there_y(device(), std::span<const double>(y));
  device().launch(Triad{there_x.data(), there_y.data(), there_z.data(), -2}, n);
  there_z.download(back);
  EXPECT_EQ(back, expected);
}

/// Sums of integers are exact in any order; of others they must be those of the stated order.
TEST_P(DeviceTest, sums_in_the_stated_order) {
  for (const int n : {0, 1, 64, 65, 4096, 4097, 300000, 4096 * 4096 + 65}) {
    std::vector<double> integers(n), others(n);
    for (int i = 0; i < n; ++i) {
      integers[i] = i % 1000 - 400;
      others[i] = std::sin(1.0 + i) / (1 + i % 7);
    }
    DeviceArray<double> x(device(), std::max(n, 1)), scratch(device(), reduction_scratch(n));
    const auto sum = [&](const std::vector<double>& values) {
      x.upload(values);
      double result = NAN;
      device().download(&result, launch_sum(device(), x.data(), n, scratch.data()), sizeof result);
      return result;
    };
    EXPECT_EQ(sum(integers), std::accumulate(integers.begin(), integers.end(), 0.0)) << n;
    std::vector<double> parts = others;  // chunks of 64, and again
    do {
      std::vector<double> next;
      for (std::size_t i = 0; i < parts.size(); i += 64) {
        double s = 0;
        for (std::size_t k = i; k < std::min(parts.size(), i + 64); ++k) s += parts[k];
        next.push_back(s);
      }
      parts = next;
    } while (parts.size() > 1);
    EXPECT_EQ(sum(others), parts.empty() ? 0.0 : parts[0]) << n;
  }
}

TEST_P(DeviceTest, finds_the_largest_and_where_it_is) {
  const int n = 70000;
  std::vector<double> values(n);
  for (int i = 0; i < n; ++i) values[i] = std::sin(0.1 * i);
  values[12345] = -7;
  values[54321] = 7;  // as large, but later
  DeviceArray<double> x(device(), std::span<const double>(values));
  DeviceArray<Place> scratch(device(), reduction_scratch(n));
  Place found{};
  device().download(&found, launch_largest(device(), x.data(), n, scratch.data()), sizeof found);
  EXPECT_EQ(found.value, 7);
  EXPECT_EQ(found.index, 12345);
  values[60000] = std::numeric_limits<double>::quiet_NaN();
  x.upload(values);
  device().download(&found, launch_largest(device(), x.data(), n, scratch.data()), sizeof found);
  EXPECT_TRUE(std::isnan(found.value));
  EXPECT_EQ(found.index, 60000);
}

/// Sizes around those of parts and tiles; ties and NaN in one and in several parts.
TEST_P(DeviceTest, reductions_of_any_size_take_two_launches) {
  for (const int n : {0, 1, 2047, 2048, 2049, 4096, 4097, 600'000}) {
    SCOPED_TRACE(n);
    std::vector<double> values(n);
    for (int i = 0; i < n; ++i) values[i] = std::sin(0.1 * i);
    DeviceArray<double> x(device(), std::max(n, 1)), scratch(device(), reduction_scratch(n));
    DeviceArray<Place> places(device(), reduction_scratch(n)), given(device(), 1);
    const auto check = [&] {
      x.upload(values);
      Place expected{-1, -1}, found{};
      for (int i = 0; i < n; ++i) expected = larger(expected, {std::fabs(values[i]), i});
      for (Place* result : {static_cast<Place*>(nullptr), given.data()}) {
        const long before = device().counters().launches;
        Place* at = launch_largest(device(), x.data(), n, places.data(), result);
        EXPECT_LE(device().counters().launches - before, 2);
        EXPECT_TRUE(!result || at == result);
        device().download(&found, at, sizeof found);
        EXPECT_EQ(found.index, expected.index);
        EXPECT_TRUE(found.value == expected.value || (std::isnan(found.value) && std::isnan(expected.value)));
      }
    };
    check();
    for (int i = 0; i < n; ++i)
      if (i % 900 == 700) values[i] = i % 2 ? 3 : -3;
    check();
    for (int i = 0; i < n; ++i)
      if (i % 5000 == 1500) values[i] = std::numeric_limits<double>::quiet_NaN();
    check();
    const long before = device().counters().launches;
    launch_sum(device(), x.data(), n, scratch.data());
    EXPECT_LE(device().counters().launches - before, 2);
  }
}

TEST_P(DeviceTest, runs_a_graph_again_and_again) {
  const int n = 1000;
  DeviceArray<double> x(device(), n), scratch(device(), reduction_scratch(n));
  double* sum = nullptr;
  const auto graph = device().graph([&] {
    device().launch(FillValues{x.data(), 0.5}, n);
    sum = launch_sum(device(), x.data(), n, scratch.data());
  });
  EXPECT_EQ(device().counters().launches, 0) << "recording runs nothing";
  for (int k = 0; k < 3; ++k) {
    x.clear();
    device().run(graph);
    double result = 0;
    device().download(&result, sum, sizeof result);
    EXPECT_EQ(result, 500);
  }
  EXPECT_EQ(device().counters().graphs, 3);
  EXPECT_EQ(device().counters().launches, 6) << "one fill and one tile of the sum";
}

/// A loop counts x_0 up to 2.5, as the index of the largest of x_0 and x_1 is 0 then; in it is a section.
TEST_P(DeviceTest, sections_of_a_graph_run_as_numbers_on_the_device_say) {
  if (!device().has_sections()) GTEST_SKIP() << device().info().no_sections;
  const std::vector<double> begin{0, 2.5, 0, 0}, ones{1};
  DeviceArray<double> x(device(), begin), one(device(), ones);
  DeviceArray<Place> largest(device(), std::vector<Place>{{2.5, 1}});
  DeviceArray<int> inner(device(), std::vector<int>{1});
  const auto count = [&](int k) { device().launch(Triad{x.data() + k, one.data(), x.data() + k, 1.0}, 1); };
  const auto graph = device().graph([&] {
    device().section(&largest.data()->index, true, [&] {
      count(0);
      device().launch(LargestOfParts{x.data(), 2, largest.data()}, 1);
      device().section(inner.data(), false, [&] { count(2); });
    });
    count(3);
  });
  EXPECT_EQ(device().launches_of(graph), 4);
  std::vector<double> found(4);
  const auto run = [&] {
    device().run(graph);
    x.download(found);
    return found;
  };
  EXPECT_EQ(run(), (std::vector<double>{3, 2.5, 3, 1})) << "three turns, in each the inner section";
  EXPECT_EQ(run(), (std::vector<double>{3, 2.5, 3, 2})) << "no turn";
  x.upload(begin);
  largest.upload(std::vector<Place>{{2.5, 1}});
  inner.upload(std::vector<int>{0});
  EXPECT_EQ(run(), (std::vector<double>{3, 2.5, 0, 1})) << "three turns without the inner section";
}

TEST_P(DeviceTest, a_graph_whose_recording_fails_leaves_nothing_behind) {
  if (!device().has_sections()) GTEST_SKIP() << device().info().no_sections;
  DeviceArray<double> x(device(), 1);
  DeviceArray<int> once(device(), std::vector<int>{1});
  EXPECT_THROW(device().graph([&] {
    device().section(once.data(), true, [] { fail(ExitCode::internal, "while a section is recorded"); });
  }),
               Failure);
  device().launch(FillValues{x.data(), 2}, 1);
  std::vector<double> found(1);
  x.download(found);
  EXPECT_EQ(found[0], 2) << "launches run again";
  device().run(device().graph([&] { device().launch(FillValues{x.data(), 3}, 1); }));
  x.download(found);
  EXPECT_EQ(found[0], 3);
}

TEST_P(DeviceTest, tells_the_time) {
  DeviceArray<double> x(device(), 1 << 20);
  device().start_clock();
  device().launch(FillValues{x.data(), 1}, 1 << 20);
  const double seconds = device().read_clock();
  EXPECT_GT(seconds, 0);
  EXPECT_LT(seconds, 10) << "a megabyte or eight takes well under a second";
}

TEST_P(DeviceTest, refuses_more_memory_than_there_is) {
  try {
    device().allocate(std::size_t{1} << 60);
    FAIL() << "an exabyte was given";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::backend);
    EXPECT_NE(std::string(failure.what()).find("memory"), std::string::npos) << failure.what();
  }
}

TRAMMEL_EVERY_DEVICE(DeviceTest);

}  // namespace
}  // namespace trammel::device_test
