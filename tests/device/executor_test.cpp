// Reductions of the executor over no terms.
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "../support/each_device.h"
#include "base/parallel.h"
#include "device_api/executor.h"
#include "integrate/step_kernels.h"

namespace trammel {
namespace {

class ExecutorTest : public test::DeviceTest {};

// |x| of the entries; of none there is no index and no size.
TEST_P(ExecutorTest, a_reduction_over_nothing_launches_nothing) {
  Executor run(device());
  double* x = run.room(3);
  const double values[] = {1, -5, 2};
  device().upload(x, values, sizeof values);
  const DeviceCounters before = device().counters();
  const auto empty = run.reduce(LargestEntry{x}, 0);
  run.collect();
  EXPECT_EQ(device().counters().launches, before.launches);
  EXPECT_EQ(device().counters().copies, before.copies);
  EXPECT_EQ(empty->at.index, -1);
  EXPECT_EQ(empty->at.value, -1);
}

// Those beside it keep their places.
TEST_P(ExecutorTest, reductions_beside_one_over_nothing_have_their_results) {
  Executor run(device());
  double* x = run.room(3);
  const double values[] = {1, -5, 2};
  device().upload(x, values, sizeof values);
  const auto first = run.reduce(LargestEntry{x}, 1);
  const auto empty = run.reduce(LargestEntry{x}, 0);
  const auto all = run.reduce(LargestEntry{x}, 3);
  run.collect();
  EXPECT_EQ(first->at.value, 1);
  EXPECT_EQ(empty->at.index, -1);
  EXPECT_EQ(all->at.value, 5);
  EXPECT_EQ(all->at.index, 1);
}

// More than one launch takes, of all sizes and two kinds of results: those of the processor, bit by bit, of
// what the arrays held when they were asked for; and few launches.
TEST_P(ExecutorTest, reductions_asked_for_together_are_those_of_the_processor) {
  constexpr int n = 70'000;
  std::vector<double> x(n), s(n);
  std::vector<unsigned char> differential(n, 1);
  for (int i = 0; i < n; ++i) {
    x[i] = std::sin(1.0 + i);
    s[i] = 3 * std::cos(2.0 * i);
  }
  const Parallel alone(nullptr);
  Executor here(alone), there(device());
  double *x_there = there.room(n), *s_there = there.room(n);
  DeviceArray<unsigned char> differential_there(device(), differential);
  device().upload(x_there, x.data(), n * sizeof(double));
  device().upload(s_there, s.data(), n * sizeof(double));
  const auto ask = [&](Executor& run, const double* values, const double* states,
                       const unsigned char* which) {
    std::vector<Reduced<Largest>> largest;
    std::vector<Reduced<Total>> totals;
    for (const int size : {1, 64, 65, 4'096, 5'000, n}) {
      largest.push_back(run.reduce(LargestRelative{values, states}, size));
      totals.push_back(run.reduce(StateErrorSquares{values, states, 0.5, which}, size));
    }
    return std::pair(largest, totals);
  };
  const auto of_host = ask(here, x.data(), s.data(), differential.data());
  here.collect();
  const long before = device().counters().launches;
  const auto of_device = ask(there, x_there, s_there, differential_there.data());
  there(FillValues{x_there, 0.0}, n);
  there.collect();
  EXPECT_LE(device().counters().launches - before, 5)
      << "12 reductions by two times two, and the other kernel";
  for (std::size_t k = 0; k < of_host.first.size(); ++k) {
    EXPECT_EQ(of_device.first[k]->at.value, of_host.first[k]->at.value);
    EXPECT_EQ(of_device.first[k]->at.index, of_host.first[k]->at.index);
    EXPECT_EQ(of_device.second[k]->x, of_host.second[k]->x);
  }
}

TEST(ExecutorOnTheProcessor, gives_the_same_of_nothing) {
  const Parallel alone(nullptr);
  Executor run(alone);
  EXPECT_EQ(run.reduce(LargestEntry{nullptr}, 0)->at.index, -1);
}

}  // namespace
TRAMMEL_EVERY_DEVICE(ExecutorTest);
}  // namespace trammel
