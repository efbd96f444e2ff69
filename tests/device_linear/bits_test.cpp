// What must not change a bit, what must not be allocated, and what is launched.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "../linear/allocations.h"
#include "../support/each_device.h"
#include "device_systems.h"
#include "spied_device.h"

namespace trammel::bits_test {
namespace {

using namespace test;

class DeviceBits : public DeviceTest {};

struct Answer {
  std::vector<double> x, refined;
  double error = 0;
  bool operator==(const Answer&) const = default;
};

/// One answer as it comes, and one with as much refinement as there is.
Answer answer_of(Uploaded& u, const System& s) {
  Answer answer;
  u.system.limits.target = 1e-12;
  EXPECT_TRUE(u.set_matrix(s.values).ok());
  const SolveReport report = u.solve(some_vector(s.pattern.n), answer.x);
  EXPECT_TRUE(report.ok());
  answer.error = report.backward_error;
  u.system.limits.target = -1;
  EXPECT_TRUE(u.solve(some_vector(s.pattern.n), answer.refined).ok());
  return answer;
}

Answer answer_on(Device& device, const System& s) {
  Uploaded u(device, s);
  return answer_of(u, s);
}

/// All classes of fronts, exchanges included (the flexible chain is large in part), and sums of many
/// children.
std::vector<Mechanism> cases() {
  std::vector<Mechanism> list = battery(1000);
  list.push_back(flexible_chain(3, 250));
  list.push_back(star(300));
  list.push_back(star(40));
  list.back().modes = 30;
  return list;
}

// The device against loops over items by one thread: no number depends on the threads of a group.
TEST_P(DeviceBits, are_those_of_one_thread) {
  Device plain(load_backend("host"), 0);
  for (const Mechanism& m : cases()) {
    const System s = make_system(m, {.values = 0.9, .rotation = 1});
    EXPECT_TRUE(answer_on(device(), s) == answer_on(plain, s)) << m.name;
  }
}

// Nothing that is left over from before is read: again, by another object, and after another system.
TEST_P(DeviceBits, are_the_same_again) {
  const System s = make_system(net(9), {.values = 0.9, .rotation = 1}), other = make_system(chain(40, 5));
  Uploaded u(device(), s);
  const Answer first = answer_of(u, s);
  EXPECT_TRUE(answer_of(u, s) == first);
  EXPECT_TRUE(answer_on(device(), s) == first);
  u.analyze(other);
  answer_of(u, other);
  u.analyze(s);
  EXPECT_TRUE(answer_of(u, s) == first);
}

// Small blocks of shared memory make middle fronts large ones, and panels that do not fit are factored where
// they lie: other kernels, the same chains of operations.
TEST_P(DeviceBits, do_not_depend_on_shared_memory) {
  Mechanism flexible_star = star(40);
  flexible_star.modes = 30;
  for (const Mechanism& m : {net(12), flexible_chain(3, 100), flexible_chain(2, 250), flexible_star}) {
    const System s = make_system(m, {.values = 0.9, .rotation = 1});
    const Answer expected = answer_on(device(), s);
    int before = -1;
    for (const int kilobytes : {200, 48, 16}) {
      Device limited(Spy::on(GetParam(), kilobytes * 1024), GetParam().index);
      Uploaded u(limited, s);
      EXPECT_GE(u.system.info().large, before);
      before = u.system.info().large;
      EXPECT_TRUE(answer_of(u, s) == expected) << m.name << " with " << kilobytes << " KB";
    }
    EXPECT_GT(before, 0) << "else this shows nothing: " << m.name;
  }
}

TEST_P(DeviceBits, nothing_is_allocated_after_the_analysis) {
  Device spied(Spy::on(GetParam()), GetParam().index);
  const System s = make_system(net(12));
  Uploaded u(spied, s);
  const std::size_t before = Spy::allocated().size();
  EXPECT_GT(before, 0u);
  std::int64_t bytes = 0;  // of the system: without the three arrays of the test
  for (std::size_t k = 0; k + 3 < before; ++k) bytes += static_cast<std::int64_t>(Spy::allocated()[k].second);
  EXPECT_EQ(u.system.info().bytes, bytes);
  answer_of(u, s);
  EXPECT_EQ(Spy::allocated().size(), before);
  if (std::string(GetParam().backend) != "host" || GetParam().index != 0 || !allocations_counted()) return;
  // Nor on the host, once the scaling is made and the back end has looked up its kernels.
  u.system.limits.target = -1;
  const long calls = allocation_count();
  const bool ok = u.system.set_matrix(u.values()).ok() && u.system.solve(u.b(), u.b()).ok();
  EXPECT_EQ(allocation_count(), calls);
  EXPECT_TRUE(ok);
  EXPECT_GT(u.system.counters().refinements, 0);
}

// The device's own counters: launches as announced, one graph and one small copy each time.
TEST_P(DeviceBits, launches_are_those_announced) {
  for (const Mechanism& m : {chain(40), net(12), flexible_chain(3, 250), star(300)}) {
    const System s = make_system(m);
    Uploaded u(device(), s);
    ASSERT_TRUE(u.set_matrix(s.values).ok());
    const DeviceSystemInfo& info = u.system.info();
    const DeviceCounters start = device().counters();
    ASSERT_TRUE(u.system.set_matrix(u.values()).ok());
    const DeviceCounters factored = device().counters();
    EXPECT_EQ(factored.launches - start.launches, info.factor_launches) << m.name;
    EXPECT_EQ(factored.graphs - start.graphs, 1);
    EXPECT_EQ(factored.copies - start.copies, 1);
    EXPECT_LE(factored.downloaded - start.downloaded, 16);
    device().upload(u.b(), some_vector(s.pattern.n).data(), s.pattern.n * sizeof(double));
    const DeviceCounters before = device().counters();
    ASSERT_TRUE(u.system.solve(u.b(), u.b()).ok());
    const DeviceCounters solved = device().counters();
    EXPECT_EQ(solved.launches - before.launches, info.solve_launches) << m.name;
    EXPECT_EQ(solved.graphs - before.graphs, 1);
    EXPECT_EQ(solved.copies - before.copies, 1);
    u.system.limits.target = -1;
    ASSERT_TRUE(u.system.solve(u.b(), u.b()).ok());
    const long steps = u.system.counters().refinements;
    EXPECT_GT(steps, 0);
    EXPECT_EQ(device().counters().launches - solved.launches,
              info.solve_launches + steps * info.refinement_launches)
        << m.name;
    EXPECT_EQ(device().counters().copies - solved.copies, 1 + steps);
  }
}

TRAMMEL_EVERY_DEVICE(DeviceBits);

}  // namespace
}  // namespace trammel::bits_test
