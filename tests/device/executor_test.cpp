// Reductions of the executor over no terms.
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

TEST(ExecutorOnTheProcessor, gives_the_same_of_nothing) {
  const Parallel alone(nullptr);
  Executor run(alone);
  EXPECT_EQ(run.reduce(LargestEntry{nullptr}, 0)->at.index, -1);
}

}  // namespace
TRAMMEL_EVERY_DEVICE(ExecutorTest);
}  // namespace trammel
