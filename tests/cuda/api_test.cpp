// The CUDA back end's functions on devices of a runtime in the real one's place.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "../../cuda/architectures.h"
#include "../../cuda/kernels.h"
#include "device_api/abi.h"
#include "fake_runtime.h"

extern "C" const TrammelDeviceApi* trammel_device_api();

namespace trammel {
namespace {

using test::FakeRuntime;

// ---- two kernels: of blocks, and of four groups that share one

const int tags[2] = {};
template <int k>
const void* function() {
  return &tags[k];
}
/// Takes one off the number that is its argument, if it has any.
template <int k, int groups>
cudaError_t launch(const void* arguments, int, std::size_t shared, cudaStream_t stream) {
  int* number = arguments ? *static_cast<int* const*>(arguments) : nullptr;
  return FakeRuntime::now().launch(function<k>(), shared * groups, stream, [number] {
    if (number) --*number;
  });
}
const KernelEntry entries[] = {{"blocks", 8, 1, function<0>, launch<0, 1>},
                               {"groups", 8, 4, function<1>, launch<1, 4>}};
constexpr int blocks = 0, groups = 1;

}  // namespace

std::span<const KernelEntry> kernel_table() {
  return entries;
}
int find_kernel(const char*, std::size_t) {
  return 0;
}
cudaError_t set_condition(cudaGraphConditionalHandle node, const int* there, cudaStream_t stream) {
  return FakeRuntime::now().launch(&tags, 0, stream,
                                   [node, there] { FakeRuntime::now().condition[node] = *there; });
}

namespace {

class Cuda : public testing::Test {
 protected:
  void SetUp() override {
    FakeRuntime::now() = {};
    for (int k = 0; k < 2; ++k) ASSERT_EQ(api.open(k, &context[k]), 0);
  }
  void TearDown() override {
    for (void* c : context) api.close(c);
  }
  FakeRuntime& runtime = FakeRuntime::now();
  const TrammelDeviceApi& api = *trammel_device_api();
  void* context[2] = {};
};

/// Calls every function that takes a context, each after `elsewhere()`.
template <class Elsewhere>
void use_all(const TrammelDeviceApi& api, void* c, const Elsewhere& elsewhere) {
  const auto call = [&](const char* what, auto function, auto... arguments) {
    elsewhere();
    EXPECT_EQ(function(c, arguments...), 0) << what << ": " << api.error();
  };
  uint64_t bytes = 0;
  void *there = nullptr, *graph = nullptr, *stream = nullptr;
  double seconds = 0;
  int device = -1, values[2] = {1, 2};
  call("allocate", api.allocate, sizeof values, &there);
  call("upload", api.upload, there, values, sizeof values);
  call("copy", api.copy, there, there, sizeof(int));
  call("download", api.download, values, there, sizeof values);
  call("clear", api.clear, there, sizeof values);
  call("launch", api.launch, blocks, nullptr, 1, std::size_t{60'000});
  call("thread_memory", api.thread_memory, blocks, &bytes);
  EXPECT_EQ(bytes, FakeRuntime::own_memory);
  call("free_memory", api.free_memory, &bytes);
  call("synchronize", api.synchronize);
  call("begin_graph", api.begin_graph);
  call("launch in a graph", api.launch, groups, nullptr, 1, std::size_t{20'000});
  call("begin_section", api.begin_section, static_cast<const int*>(there), 0);
  call("launch in a section", api.launch, groups, nullptr, 1, std::size_t{30'000});
  call("end_section", api.end_section);
  call("end_graph", api.end_graph, &graph);
  call("run_graph", api.run_graph, graph);
  call("start_clock", api.start_clock);
  call("read_clock", api.read_clock, &seconds);
  call("queue", api.queue, &device, &stream);
  elsewhere();
  api.release_graph(c, graph);
  elsewhere();
  api.release(c, there);
  EXPECT_EQ(bytes, 1000u + static_cast<unsigned>(device)) << "the free memory of its device";
}

// ---- which device

TEST_F(Cuda, functions_work_on_their_device_whatever_is_current) {
  for (int k = 0; k < 2; ++k) use_all(api, context[k], [&] { cudaSetDevice(1 - k); });
  EXPECT_EQ(runtime.elsewhere, 0);
  cudaSetDevice(0);
  api.close(context[1]);
  EXPECT_EQ(runtime.elsewhere, 0);
  ASSERT_EQ(api.open(1, &context[1]), 0);
}

// A thread begins with device 0.
TEST_F(Cuda, functions_work_on_their_device_in_any_thread) {
  std::thread([&] { use_all(api, context[1], [] {}); }).join();
  EXPECT_EQ(runtime.elsewhere, 0);
}

// ---- shared memory

// The limits are there when the graph is made ready, after all of its launches.
TEST_F(Cuda, a_smaller_launch_leaves_those_of_a_graph_their_memory) {
  void* graph = nullptr;
  ASSERT_EQ(api.begin_graph(context[0]), 0);
  for (const std::size_t shared : {200'000, 50'000, 100'000, 64})
    ASSERT_EQ(api.launch(context[0], blocks, nullptr, 1, shared), 0) << api.error();
  ASSERT_EQ(api.end_graph(context[0], &graph), 0) << api.error();
  ASSERT_EQ(api.launch(context[0], blocks, nullptr, 1, 60'000), 0) << api.error();
  EXPECT_EQ(api.run_graph(context[0], graph), 0);
  EXPECT_EQ(runtime.limits_set, 1) << "once for all launches";
  api.release_graph(context[0], graph);
}

TEST_F(Cuda, limits_are_raised_once_for_each_kernel_and_device) {
  for (int turn = 0; turn < 3; ++turn)
    for (void* c : context) {
      EXPECT_EQ(api.launch(c, blocks, nullptr, 1, 100'000), 0) << api.error();
      EXPECT_EQ(api.launch(c, groups, nullptr, 1, 30'000), 0) << api.error();
    }
  EXPECT_EQ(runtime.limits_set, 4);
  for (const auto& [of, bytes] : runtime.limit)
    EXPECT_EQ(bytes, FakeRuntime::most_shared - static_cast<int>(FakeRuntime::own_shared));
}

TEST_F(Cuda, launches_that_every_device_takes_raise_nothing) {
  EXPECT_EQ(api.launch(context[0], blocks, nullptr, 1, FakeRuntime::usual_shared), 0);
  EXPECT_EQ(runtime.limits_set, 0);
}

TEST_F(Cuda, too_much_shared_memory_is_refused_with_both_sizes) {
  EXPECT_NE(api.launch(context[0], groups, nullptr, 1, 60'000), 0);
  EXPECT_EQ(std::string(api.error()),
            "a block asks for 240000 bytes of shared memory, the device gives this kernel 231424");
}

TEST_F(Cuda, a_limit_that_is_not_raised_is_told) {
  runtime.refuses_limits = true;
  EXPECT_NE(api.launch(context[0], blocks, nullptr, 1, 60'000), 0);
  EXPECT_EQ(
      std::string(api.error()),
      "raising the limit of its shared memory to 231424 bytes: invalid argument (cudaErrorInvalidValue)");
}

// ---- sections of graphs

// A loop with another inside of it, and a section that is there or not.
TEST_F(Cuda, sections_run_as_the_numbers_say_that_kernels_change) {
  void* c = context[1];
  int outer = 1, inner = 4, once = 1, turns = 0, starts = 0, count = 0;
  const auto launch = [&](int& number) {
    int* at = &number;
    ASSERT_EQ(api.launch(c, blocks, &at, 1, 60'000), 0) << api.error();
  };
  void* graph = nullptr;
  ASSERT_EQ(api.begin_graph(c), 0);
  ASSERT_EQ(api.begin_section(c, &outer, 1), 0) << api.error();
  launch(starts);
  launch(inner), launch(inner);
  ASSERT_EQ(api.begin_section(c, &once, 0), 0) << api.error();
  launch(count);
  ASSERT_EQ(api.end_section(c), 0) << api.error();
  ASSERT_EQ(api.begin_section(c, &inner, 1), 0) << api.error();
  launch(turns);
  launch(inner);
  ASSERT_EQ(api.end_section(c), 0) << api.error();
  launch(outer);
  ASSERT_EQ(api.end_section(c), 0) << api.error();
  ASSERT_EQ(api.end_graph(c, &graph), 0) << api.error();
  EXPECT_EQ(starts, 0) << "recording runs nothing";
  // inner is 2 when its loop begins
  ASSERT_EQ(api.run_graph(c, graph), 0);
  EXPECT_EQ(-starts, 1);
  EXPECT_EQ(-turns, 2);
  EXPECT_EQ(-count, 1);
  once = turns = starts = 0;
  inner = 2, outer = 1;
  ASSERT_EQ(api.run_graph(c, graph), 0);
  EXPECT_EQ(-count, 1) << "the section is left out";
  EXPECT_EQ(turns, 0);
  EXPECT_EQ(-starts, 1);
  outer = 0;
  ASSERT_EQ(api.run_graph(c, graph), 0);
  EXPECT_EQ(-starts, 1) << "nothing at all";
  EXPECT_EQ(runtime.elsewhere, 0);
  api.release_graph(c, graph);
  EXPECT_EQ(runtime.graphs, 0);
}

TEST_F(Cuda, a_section_that_was_not_ended_leaves_nothing_behind) {
  void* graph = nullptr;
  int number = 1;
  ASSERT_EQ(api.begin_graph(context[0]), 0);
  ASSERT_EQ(api.begin_section(context[0], &number, 1), 0);
  ASSERT_EQ(api.begin_section(context[0], &number, 0), 0);
  if (api.end_graph(context[0], &graph) == 0) api.release_graph(context[0], graph);
  EXPECT_EQ(runtime.graphs, 0);
  EXPECT_NE(api.end_section(context[0]), 0);
  ASSERT_EQ(api.begin_graph(context[0]), 0) << "another one can be recorded";
  ASSERT_EQ(api.end_graph(context[0], &graph), 0);
  api.release_graph(context[0], graph);
  const int streams = runtime.streams;
  api.close(context[0]);
  EXPECT_EQ(streams, 2 * (streams - runtime.streams)) << "all of one of two devices";
  ASSERT_EQ(api.open(0, &context[0]), 0);
}

TEST_F(Cuda, sections_are_parts_of_graphs) {
  int number = 1;
  EXPECT_NE(api.begin_section(context[0], &number, 1), 0);
}

TEST_F(Cuda, says_whose_graphs_have_no_sections) {
  TrammelDeviceInfo info;
  ASSERT_EQ(api.describe(0, &info), 0);
  EXPECT_EQ(std::string(info.no_sections), "");
  runtime.driver = 12030;
  ASSERT_EQ(api.describe(0, &info), 0);
  EXPECT_EQ(std::string(info.no_sections),
            "the driver is for CUDA 12.3; graphs with conditions need one for CUDA 12.4");
}

// ---- copies

// Whatever lies between them, and more than there is room for at a time.
TEST_F(Cuda, small_copies_to_the_device_are_not_waited_for) {
  std::vector<int> there(40'000);
  void* to = nullptr;
  ASSERT_EQ(api.allocate(context[0], there.size() * sizeof(int), &to), 0);
  for (int k = 0; k < 40; ++k) {
    std::vector<int> part(1000, k);
    ASSERT_EQ(api.upload(context[0], static_cast<int*>(to) + 1000 * k, part.data(), 4000), 0);
  }
  EXPECT_EQ(runtime.waits, 2) << "160,000 bytes by 65,536";
  ASSERT_EQ(api.download(context[0], there.data(), to, there.size() * sizeof(int)), 0);
  for (std::size_t k = 0; k < there.size(); ++k) ASSERT_EQ(there[k], static_cast<int>(k / 1000));
  api.release(context[0], to);
}

// Small ones by page-locked memory, which ends somewhere.
TEST_F(Cuda, copies_bring_what_is_there_whatever_their_size) {
  std::vector<unsigned char> values(10'000), back;
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<unsigned char>(k * 7 + k / 256);
  void* there = nullptr;
  ASSERT_EQ(api.allocate(context[0], values.size(), &there), 0);
  ASSERT_EQ(api.upload(context[0], there, values.data(), values.size()), 0);
  for (const std::size_t size : {1, 8, 256, 4095, 4096, 4097, 10'000}) {
    back.assign(values.size(), 0);
    ASSERT_EQ(api.download(context[0], back.data(), there, size), 0) << size << ": " << api.error();
    EXPECT_TRUE(std::equal(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(size), back.begin()));
    EXPECT_TRUE(std::all_of(back.begin() + static_cast<std::ptrdiff_t>(size), back.end(),
                            [](int x) { return x == 0; }));
  }
  EXPECT_EQ(runtime.long_ways, 2);
  EXPECT_EQ(runtime.locked, 4) << "two for each device";
  api.release(context[0], there);
}

// ---- a device that has failed

TEST_F(Cuda, everything_is_given_back_where_the_device_has_failed) {
  void* there = nullptr;
  ASSERT_EQ(api.allocate(context[0], 8, &there), 0);
  runtime.lost = true;
  EXPECT_NE(api.synchronize(context[0]), 0);
  EXPECT_EQ(std::string(api.error()), "an illegal memory access was encountered (cudaErrorIllegalAddress)");
  api.release(context[0], there);  // a leak otherwise, as ends of tests are for the sanitizer
  for (void*& c : context) api.close(c);
  runtime.lost = false;
  for (int k = 0; k < 2; ++k) ASSERT_EQ(api.open(k, &context[k]), 0);
}

// 8.0 and 9.0 are built here; 8.6 runs the code of 8.0, 7.5 and 10.0 that of none.
/// Built for some GPUs, for none, or for which is not known.
TEST(Architectures, need_translation_where_they_have_no_code) {
  constexpr int some[] = {80, 90, end_of_list}, none[] = {0, end_of_list}, not_known[] = {end_of_list};
  EXPECT_FALSE(needs_translation(86, some));
  EXPECT_TRUE(needs_translation(75, some));
  EXPECT_TRUE(needs_translation(100, some));
  EXPECT_TRUE(needs_translation(90, none));
  EXPECT_FALSE(needs_translation(90, not_known));
}

TEST_F(Cuda, says_where_the_driver_translates_kernels) {
  for (const auto& [architecture, translates] :
       {std::pair{80, false}, {86, false}, {90, false}, {75, true}, {100, true}}) {
    runtime.architecture = architecture;
    TrammelDeviceInfo info;
    ASSERT_EQ(api.describe(0, &info), 0);
    EXPECT_EQ(info.architecture, architecture);
    EXPECT_EQ(std::string(info.driver),
              std::string("driver for CUDA 13.0, runtime 13.0") +
                  (translates ? ", which translates kernels for this GPU when they are first needed" : ""));
  }
}

TEST_F(Cuda, says_what_bounds_the_memory_of_threads) {
  TrammelDeviceInfo info;
  ASSERT_EQ(api.describe(0, &info), 0);
  EXPECT_EQ(info.multiprocessors, 132);
  EXPECT_EQ(info.threads, 2048);
  EXPECT_EQ(info.shared_memory, FakeRuntime::most_shared);
}

}  // namespace
}  // namespace trammel
