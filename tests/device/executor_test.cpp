// Reductions of the executor, its copies, and its tables of launches.
#include <cmath>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "../support/each_device.h"
#include "base/parallel.h"
#include "device_api/executor.h"
#include "integrate/step_terms.h"

namespace trammel::executor_test {
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

// More than one launch takes, of all sizes and two kinds of terms: those of the processor, bit by bit, of
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
    std::vector<Reduced<Largest>> largest, of_states;
    for (const int size : {1, 64, 65, 4'096, 5'000, n}) {
      largest.push_back(run.reduce(LargestRelative{values, states}, size));
      of_states.push_back(run.reduce(StateError{values, states, 0.5, which}, size));
    }
    return std::pair(largest, of_states);
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
    EXPECT_EQ(of_device.second[k]->at.value, of_host.second[k]->at.value);
  }
}

// Four sums and four maxima at a time, over more chunks than a tile of their sums has.
TEST_P(ExecutorTest, reductions_of_four_numbers_are_those_of_the_processor) {
  constexpr int n = 300'000;
  std::vector<double> x(5 * n);
  for (int i = 0; i < 5 * n; ++i) x[i] = std::sin(1.0 + i) / (1 + i % 11);
  std::vector<BodyPlace> place(n / 6);
  for (int b = 0; b < n / 6; ++b) place[b].first = 6 * b;
  const Parallel alone(nullptr);
  Executor here(alone), there(device());
  double* x_there = there.room(x.size());
  device().upload(x_there, x.data(), x.size() * sizeof(double));
  const DeviceArray<BodyPlace> place_there(device(), place);
  const auto ask = [&](Executor& run, const double* values, const BodyPlace* places) {
    PredictorMisses misses{{values, values + n, values + 2 * n, values + 3 * n},
                           {2, -1},
                           {3, -3, 1},
                           {4, -6, 4, -1},
                           0,
                           values + 4 * n};
    return std::pair(run.reduce(misses, n),
                     run.reduce(AccelerationCorrection{places, values, values + n, values}, n / 6));
  };
  const auto of_host = ask(here, x.data(), place.data());
  here.collect();
  const auto of_device = ask(there, x_there, place_there.data());
  there.collect();
  for (int k = 0; k < 4; ++k) {
    EXPECT_EQ(of_device.first->x[k], of_host.first->x[k]);
    EXPECT_EQ(of_device.second->x[k], of_host.second->x[k]);
  }
}

// Terms that write what they compute do so once for each body.
TEST_P(ExecutorTest, terms_that_write_are_those_of_the_processor) {
  constexpr int bodies = 1'000, n = 6 * bodies;
  std::vector<double> q(n), weight(n, 1.0), weight_back(n);
  for (int i = 0; i < n; ++i) q[i] = 3 * std::sin(1.0 + i);
  std::vector<BodyPlace> place(bodies);
  for (int b = 0; b < bodies; ++b) place[b].first = 6 * b;
  const Parallel alone(nullptr);
  Executor here(alone), there(device());
  double *q_there = there.room(n), *weight_there = there.room(n);
  device().upload(q_there, q.data(), n * sizeof(double));
  device().upload(weight_there, weight.data(), n * sizeof(double));
  const DeviceArray<BodyPlace> place_there(device(), place);
  const auto of_host = here.reduce(UpdateWeights{place.data(), q.data(), q.data(), weight.data()}, bodies);
  here.collect();
  const auto of_device =
      there.reduce(UpdateWeights{place_there.data(), q_there, q_there, weight_there}, bodies);
  there.collect();
  for (int k = 0; k < 3; ++k) EXPECT_EQ(of_device->x[k], of_host->x[k]) << k;
  EXPECT_GT(of_host->x[1], 2.9);  // 3 sin takes in angles, too
  device().download(weight_back.data(), weight_there, n * sizeof(double));
  EXPECT_EQ(weight_back, weight);
}

// Copies that wait for each other are one launch, in the order in which they were asked for where they meet.
TEST_P(ExecutorTest, copies_are_joined_and_keep_their_order) {
  Executor run(device());
  double* x = run.room(8);
  const double values[] = {1, 2, 3, 4, 5, 6, 7, 8};
  device().upload(x, values, sizeof values);
  const auto at = [&] {
    std::vector<double> out(8);
    run.flush();
    device().download(out.data(), x, 8 * sizeof(double));
    return out;
  };
  const DeviceCounters before = device().counters();
  run.copy(x, x + 4, 2);
  run.copy(x + 2, x + 6, 1);
  EXPECT_EQ(at(), (std::vector<double>{5, 6, 7, 4, 5, 6, 7, 8}));
  EXPECT_EQ(device().counters().launches - before.launches, 1);
  run.copy(x + 4, x, 1);      // 5
  run.copy(x + 7, x + 3, 1);  // 4
  run.copy(x + 3, x + 7, 1);  // writes what is read, reads what is written
  run(FillValues{x, 9.0}, 1);
  run.copy(x + 1, x, 1);
  EXPECT_EQ(at(), (std::vector<double>{9, 9, 7, 4, 5, 6, 7, 4}));
  const auto largest = run.reduce(LargestEntry{x}, 2);
  run.copy(x, x + 2, 2);  // after the reduction
  const auto then = run.reduce(LargestEntry{x}, 2);
  run.collect();
  EXPECT_EQ(largest->at.value, 9);
  EXPECT_EQ(then->at.value, 7);
}

// The same launches with other arguments are another run of a graph; what they find lies where it would.
TEST_P(ExecutorTest, a_table_of_launches_has_arguments_of_each_run) {
  constexpr int n = 200;
  Executor run(device());
  double *x = run.room(n), *y = run.room(n);
  LaunchTable table;
  DeviceArray<unsigned char> there(device(), 1 << 13);
  std::shared_ptr<void> graph;
  const auto turn = [&](double value, int size) {
    run.tabulate(table, [&] {
      run(FillValues{x, value}, n);
      run.end_part();
      run(TakeMultiple{x, -2.0, y}, size);
      run.reduce(LargestEntry{y}, size);
      run.reduce(LargestEntry{x}, 1);
    });
    const bool fits = graph && table.fits();
    if (!fits)
      graph = device().graph([&] {
        for (const int part : {0, 1}) table.launch_part(part, device(), there.data());
      });
    device().upload(there.data(), table.data(), table.size());
    device().run(graph);
    return fits;
  };
  const auto answer = [&](int k) {
    Place out{};
    device().download(&out, table.questions()[k].result, sizeof out);
    return out.value;
  };
  EXPECT_FALSE(turn(3, n));
  ASSERT_EQ(table.questions().size(), 2u);
  EXPECT_EQ(answer(0), 6);
  EXPECT_EQ(answer(1), 3);
  const DeviceCounters before = device().counters();
  EXPECT_TRUE(turn(4, n));
  EXPECT_EQ(device().counters().submitted - before.submitted, 1);
  EXPECT_EQ(answer(0), 8);
  EXPECT_EQ(answer(1), 4);
  EXPECT_FALSE(turn(5, 70)) << "another number of items";
  EXPECT_EQ(answer(0), 10);
  const auto largest = run.reduce(LargestEntry{y}, n);
  run.collect();
  EXPECT_EQ(largest->at.value, 10) << "other reductions go on";
}

/// Shared memory that launches of the kernel asked for.
std::map<int, std::vector<std::size_t>> asked;

// Of kernels that need it always, told by tables of launches, too.
TEST(SharedMemoryOfLaunches, is_what_the_kernel_says) {
  static const TrammelDeviceApi& real = load_backend("host");
  TrammelDeviceApi spy = real;
  spy.launch = [](void* context, int kernel, const void* arguments, int items, std::size_t shared) {
    asked[kernel].push_back(shared);
    return real.launch(context, kernel, arguments, items, shared);
  };
  constexpr int n = 200;
  Device device(spy, 0);
  Executor run(device);
  double* x = run.room(n);
  run.reduce(LargestEntry{x}, n);
  run.collect();
  LaunchTable table;
  run.tabulate(table, [&] { run.reduce(LargestEntry{x}, n); });
  DeviceArray<unsigned char> there(device, std::span<const unsigned char>(table.data(), table.size()));
  table.launch_part(0, device, there.data());
  const auto expect = [&]<class Kernel>(const Kernel&) {
    EXPECT_GT(Kernel::memory, 0u);
    EXPECT_EQ(asked[real.find_kernel(Kernel::name, sizeof(Kernel))], std::vector<std::size_t>{Kernel::memory})
        << Kernel::name;
  };
  expect(JoinFamily<StepTerms>{});
  expect(FinishReductions{});
  expect(Tabled<JoinFamily<StepTerms>>{});
  expect(Tabled<FinishReductions>{});
}

TEST(ExecutorOnTheProcessor, gives_the_same_of_nothing) {
  const Parallel alone(nullptr);
  Executor run(alone);
  EXPECT_EQ(run.reduce(LargestEntry{nullptr}, 0)->at.index, -1);
}

}  // namespace
TRAMMEL_EVERY_DEVICE(ExecutorTest);
}  // namespace trammel::executor_test
