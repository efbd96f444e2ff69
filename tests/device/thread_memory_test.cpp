// The memory that a device keeps for the threads of a kernel: known, and taken, before there are variants.
#include <gtest/gtest.h>

#include "analysis/analyses/dynamics.h"
#include "backends/load.h"
#include "dataset/reader.h"
#include "integrate/device_batch.h"
#include "model/compile.h"

namespace trammel::thread_memory_test {
namespace {

/// The back end host, telling the sizes of another device.
struct Told {
  std::uint64_t each = 13456, free = 0;
  int multiprocessors = 132, threads = 2048;
  std::vector<std::string> calls;  ///< what was asked for, in order
};
Told told;
const TrammelDeviceApi& real = load_backend("host");

const TrammelDeviceApi& other_device() {
  static TrammelDeviceApi api = real;
  api.describe = [](int device, TrammelDeviceInfo* info) {
    const int status = real.describe(device, info);
    info->multiprocessors = told.multiprocessors;
    info->threads = told.threads;
    return status;
  };
  api.thread_memory = [](void*, int, uint64_t* bytes) {
    *bytes = told.each;
    return 0;
  };
  api.free_memory = [](void*, uint64_t* bytes) {
    *bytes = told.free;
    return 0;
  };
  api.allocate = [](void* context, std::size_t bytes, void** there) {
    told.calls.emplace_back("allocate");
    return real.allocate(context, bytes, there);
  };
  api.launch = [](void* context, int kernel, const void* arguments, int items, std::size_t shared) {
    told.calls.emplace_back("launch");
    return real.launch(context, kernel, arguments, items, shared);
  };
  return api;
}

constexpr const char* pendulum =
    "pendulum\nPART/1,GROUND\nMARKER/10,PART=1\nPART/2,MASS=2,CM=20,QG=1,0,0,IP=1,1,1\nMARKER/20,PART=2\n"
    "MARKER/21,PART=2,QP=-1,0,0\nJOINT/1,REVOLUTE,I=21,J=10\nACCGRAV/JGRAV=-9.8\nEND\n";

/// A variant of a batch, and what adding it says.
struct Variant {
  Variant() : session(model(), DynamicsSettings{}, {}) {
    outputs = dynamics_of(session).begin_outputs({0.1, 2});
    options = dynamics_of(session).step_options(outputs);
    scaling = DeviceBatch::scaling_of(session.assembler(), session.state(), options);
  }
  static Model model() {
    Diagnostics diagnostics;
    Model model = compile(parse_dataset(pendulum, "deck", diagnostics), diagnostics);
    diagnostics.stop_on_errors();
    return model;
  }
  std::string add(DeviceBatch& batch) {
    try {
      batch.add(session.model(), session.assembler(), session.state(), options, outputs, scaling);
      return "";
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), ExitCode::unsupported);
      return failure.what();
    }
  }
  Session session;
  Schedule outputs;
  IntegratorOptions options;
  Scaling scaling;
};

}  // namespace

// 132 multiprocessors of 2048 threads hold 270,336 of them.
TEST(ThreadMemory, is_that_of_all_threads_at_a_time) {
  TrammelDeviceInfo info{};
  info.multiprocessors = 132;
  info.threads = 2048;
  EXPECT_EQ(thread_memory_of(info, 1), 270'336u);
  EXPECT_EQ(thread_memory_of(info, 13'456), 3'637'641'216u) << "more than 32 bits";
  info.threads = 0;
  EXPECT_EQ(thread_memory_of(info, 13'456), 0u);
}

// 3.64 GB and the batch's 0.34 GB of records: 4 GB hold them, 3.9 GB do not.
TEST(ThreadMemory, a_device_that_lacks_it_is_refused_with_the_sizes) {
  told = {};
  told.free = 3'900'000'000;
  Device device(other_device(), 0);
  DeviceBatch batch(device);
  Variant variant;
  const std::string said = variant.add(batch);
  EXPECT_EQ(said,
            "advance_plain_simulations needs 3.97 GB: 3.64 GB for its threads (13456 bytes for each of 132 x "
            "2048 that "
            "processor, loops holds) and 0.34 GB besides; 3.90 GB are free");
  EXPECT_EQ(variant.add(batch), said) << "and every other variant";
  EXPECT_TRUE(told.calls.empty()) << "nothing was begun";
}

TEST(ThreadMemory, is_taken_before_there_are_variants_and_once) {
  told = {};
  told.free = 4'000'000'000;
  Device device(other_device(), 0);
  Variant variant;
  {
    DeviceBatch batch(device);
    ASSERT_EQ(variant.add(batch), "");
    ASSERT_GE(told.calls.size(), 2u);
    EXPECT_EQ(told.calls[0], "launch");
    EXPECT_EQ(std::count(told.calls.begin(), told.calls.end(), "launch"), 1);
    while (batch.advance(1000)) {
    }
    EXPECT_EQ(batch[0].status, GroupStatus::complete);
  }
  // The device has it now, and so less is free: that is enough for another batch.
  told.calls.clear();
  told.free -= 3'637'641'216;
  DeviceBatch next(device);
  EXPECT_EQ(variant.add(next), "");
  EXPECT_EQ(std::count(told.calls.begin(), told.calls.end(), "launch"), 0);
}

TEST(ThreadMemory, what_the_device_refuses_all_the_same_is_told) {
  told = {};
  TrammelDeviceApi api = other_device();
  api.synchronize = [](void*) { return 1; };
  api.error = [] { return "too many resources requested for launch"; };
  Device device(api, 0);
  DeviceBatch batch(device);
  EXPECT_EQ(Variant().add(batch), "back end host, computing: too many resources requested for launch");
}

}  // namespace trammel::thread_memory_test
