// Where the time of steps on a device goes: phases are what is submitted, waiting is apart.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "analysis/analyses/list.h"
#include "analysis/session.h"
#include "backends/load.h"
#include "dataset/reader.h"
#include "model/compile.h"

namespace trammel::waiting_test {
namespace {

constexpr std::chrono::milliseconds answer{3};
const TrammelDeviceApi& real = load_backend("host");

/// The back end host with answers that are long in coming.
const TrammelDeviceApi& slow_device() {
  static TrammelDeviceApi api = real;
  api.download = [](void* context, void* here, const void* there, std::size_t bytes) {
    std::this_thread::sleep_for(answer);
    return real.download(context, here, there, bytes);
  };
  return api;
}

constexpr const char* pendulum =
    "pendulum\nPART/1,GROUND\nMARKER/10,PART=1\nPART/2,MASS=2,CM=20,QG=1,0,0,IP=1,1,1\nMARKER/20,PART=2\n"
    "MARKER/21,PART=2,QP=-1,0,0\nJOINT/1,REVOLUTE,I=21,J=10\nACCGRAV/JGRAV=-9.8\nEND\n";

}  // namespace

// Every step waits for some answers, none shorter than 3 ms. A phase of so small a model takes some 10 us;
// with its answers in it the solutions alone would take most of the time.
TEST(Waiting, is_told_apart_from_what_is_submitted) {
  const auto device = std::make_shared<Device>(slow_device(), 0);
  Diagnostics diagnostics;
  Model model = compile(parse_dataset(pendulum, "deck", diagnostics), diagnostics);
  diagnostics.stop_on_errors();
  ComputeSettings compute;
  compute.device = device;
  PhaseTimes times;
  SessionEvents events;
  events.times = &times;
  Session session(std::move(model), DynamicsSettings{}, events, compute);
  session.initialize();
  const DeviceCounters before = device->counters();
  const auto begin = std::chrono::steady_clock::now();
  session.run(dynamics_analysis, {0.02, 2});
  const double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double answers = 1e-3 * double(answer.count()) * double(session.counters().steps);
  EXPECT_GE(session.counters().steps, 3);
  EXPECT_GE(times.waiting, 2 * answers) << "the iterations and the end of each step at the least";
  EXPECT_LE(times.waiting, device->counters().waited - before.waited);
  const double submitted = times.equations + times.tangent + times.factorization + times.solution;
  EXPECT_GE(times.equations, 0);
  EXPECT_GE(times.solution, 0);
  EXPECT_GT(submitted, 0);
  EXPECT_LT(submitted, 0.1 * times.waiting);
  EXPECT_LE(submitted + times.waiting, all);
}

TEST(Waiting, there_is_none_on_the_processor) {
  Diagnostics diagnostics;
  Model model = compile(parse_dataset(pendulum, "deck", diagnostics), diagnostics);
  PhaseTimes times;
  SessionEvents events;
  events.times = &times;
  Session session(std::move(model), DynamicsSettings{}, events, {});
  session.run(dynamics_analysis, {0.02, 2});
  EXPECT_EQ(times.waiting, 0);
  EXPECT_GT(times.equations, 0);
}

}  // namespace trammel::waiting_test
