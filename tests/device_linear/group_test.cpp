// The linear system of one group of threads against DeviceSystem and the processor's, and what its guard
// refuses.
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "backends/load.h"
#include "base/diagnostics.h"
#include "device_api/kernel.h"
#include "device_systems.h"
#include "linear/device/group_system.h"

namespace trammel::group_test {
namespace {

using namespace test;

/// A group of one, on the processor as a device, where its memory is ours.
class Alone {
 public:
  explicit Alone(const System& s) : device_(load_backend("host"), 0), arena_(device_) {
    constexpr std::size_t shared = 200 * 1024;
    const EliminationOrder order = order_unknowns(s.graph, false, OrderingGoal::device_levels);
    const DevicePlan plan = make_device_plan(
        make_fronts(s.pattern, order.unknowns, device_front_cost(s.pattern.n)), shared, true);
    const GroupTables tables = make_group_tables(s.pattern, plan);
    memory_.resize(std::max(group_memory(plan), GroupLoops<SerialGroup>::memory) / sizeof(double) + 1);
    system = make_group_system(arena_, s.pattern, plan, tables,
                               kkt_scaling(s.pattern, s.values.data(), s.graph), {});
    arena_.flush();
  }
  SolveReport set_matrix(const std::vector<double>& values) {
    return in_group([&](auto& loops) { return system.set_matrix(loops, values.data()); });
  }
  SolveReport solve(const std::vector<double>& b, std::vector<double>& x) {
    x.assign(b.size(), 1e300);
    return in_group([&](auto& loops) { return system.solve(loops, b.data(), x.data()); });
  }
  GroupSystem system{};

 private:
  template <class F>
  SolveReport in_group(const F& work) {
    const SerialGroup group(memory_.data());
    GroupLoops<SerialGroup> loops(group, memory_.data());
    return work(loops);
  }

  Device device_;
  DeviceArena arena_;
  std::vector<double> memory_;
};

/// The same bits as the launches of DeviceSystem, values changed by 100 % and bodies turned by 1 rad.
TEST(GroupSystem, answers_as_the_device_does) {
  Device device(load_backend("host"), 0);
  for (const Mechanism& m : topologies(150)) {
    const System s = make_system(m);
    Alone group(s);
    Uploaded launches(device, s);
    const std::vector<double> b = some_vector(s.pattern.n);
    std::vector<double> x, y;
    for (const double change : {0.0, 1.0}) {
      const System t = make_system(m, {.values = change, .rotation = change});
      ASSERT_TRUE(group.set_matrix(t.values).ok()) << m.name;
      ASSERT_TRUE(launches.set_matrix(t.values).ok()) << m.name;
      const SolveReport here = group.solve(b, x), there = launches.solve(b, y);
      ASSERT_TRUE(here.ok()) << m.name;
      EXPECT_EQ(here.backward_error, there.backward_error) << m.name;
      EXPECT_EQ(x, y) << m.name << " " << change;
      EXPECT_LT(residual(t.pattern, t.values, x, b), 1e-12) << m.name << " " << change;
    }
  }
}

TEST(GroupSystem, refuses_what_has_no_answer) {
  System s = make_system(chain(6));
  Alone group(s);
  const std::vector<double> b = some_vector(s.pattern.n), good = s.values;
  std::vector<double> x;
  for (int k = s.pattern.column_start[3]; k < s.pattern.column_start[4]; ++k) s.values[k] = 0;
  EXPECT_EQ(group.set_matrix(s.values).status, SolveStatus::refused);  // a column without entries
  s.values = good;
  s.values[5] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(group.set_matrix(s.values).status, SolveStatus::not_finite);
  ASSERT_TRUE(group.set_matrix(good).ok());
  std::vector<double> bad = b;
  bad[2] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(group.solve(bad, x).status, SolveStatus::not_finite);  // the matrix is not to blame and stays
  EXPECT_EQ(x, std::vector<double>(b.size(), 1e300));              // nothing that could pass for an answer
  ASSERT_TRUE(group.solve(b, x).ok());
}

/// Factors of another matrix leave a residual, refinement does not help: refused.
TEST(GroupSystem, refuses_what_stays_inaccurate) {
  const System s = make_system(chain(6));
  Alone group(s);
  ASSERT_TRUE(group.set_matrix(s.values).ok());
  for (int k = 0; k < s.pattern.nonzeros(); ++k) group.system.value[k] *= k % 2 == 0 ? 1 : -3;
  std::vector<double> x;
  EXPECT_EQ(group.solve(some_vector(s.pattern.n), x).status, SolveStatus::refused);
}

TEST(GroupSystem, names_a_front_that_is_too_large) {
  const System s = make_system(flexible_chain(3, 100));
  const EliminationOrder order = order_unknowns(s.graph, false, OrderingGoal::device_levels);
  const DevicePlan plan = make_device_plan(
      make_fronts(s.pattern, order.unknowns, device_front_cost(s.pattern.n)), 16 * 1024, true);
  try {
    make_group_tables(s.pattern, plan);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::unsupported);
  }
}

}  // namespace
}  // namespace trammel::group_test
