// What a step may cost, counted and not timed: no allocation once a run is under way, and work that grows
// with the number of bodies and not faster.
#include <gtest/gtest.h>

#include <cmath>

#include "../linear/allocations.h"
#include "analysis/analyses/list.h"
#include "analysis/session.h"
#include "bench_tool/chain.h"
#include "dataset/commands.h"
#include "dataset/reader.h"
#include "model/compile.h"

using namespace trammel;

namespace test_counters {
namespace {

const std::string models = TRAMMEL_SOURCE_DIR "/models/";

/// A model of models/ with the settings of its command file.
struct Loaded {
  Model model;
  DynamicsSettings settings;
};

Loaded load(const std::string& name) {
  Diagnostics diagnostics;
  const CommandFile commands = read_commands(models + name + "/" + name + ".acf", diagnostics);
  Description description = read_dataset(commands.model, diagnostics);
  for (const Command& c : commands.commands)
    if (c.statement.spec->keyword == "INTEGRATOR") description.redefine(c.statement);
  Loaded out{compile(description, diagnostics), read_settings(description, diagnostics)};
  diagnostics.stop_on_errors();
  return out;
}

Model chain(int links) {
  Diagnostics diagnostics;
  Model model = compile(parse_dataset(bench::chain_deck(links), "chain", diagnostics), diagnostics);
  diagnostics.stop_on_errors();
  return model;
}

/// Fixed steps of 1 ms, corrector as at ERROR = 1e-5.
DynamicsSettings fixed_steps() {
  DynamicsSettings s;
  s.integrator.error = 1e-5;
  s.integrator.hinit = s.integrator.hmin = s.integrator.hmax = 1e-3;
  s.hmax_given = s.hinit_given = true;
  return s;
}

TEST(Chain, deck_is_that_of_the_model) {
  EXPECT_EQ(bench::chain_deck(10), read_text_file(models + "chain/chain.adm"));
}

// ---- allocations

TEST(Allocations, are_counted) {
  if (!test::allocations_counted()) GTEST_SKIP() << "a sanitizer owns the allocator";
  const long before = test::allocation_count();
  std::vector<double> some(10);
  some.resize(1000);
  EXPECT_EQ(test::allocation_count() - before, 2);
}

struct StepCase {
  std::string name;
  double end;  ///< far enough for all steps
  int outputs;
};
void PrintTo(const StepCase& c, std::ostream* out) {
  *out << c.name;
}

class Steps : public testing::TestWithParam<StepCase> {};

TEST_P(Steps, do_not_allocate) {
  if (!test::allocations_counted()) GTEST_SKIP() << "a sanitizer owns the allocator";
  constexpr int start_up = 50, counted = 200;
  const StepCase& c = GetParam();
  const bool is_chain = c.name == "chain_100";
  Loaded loaded = is_chain ? Loaded{chain(100), fixed_steps()} : load(c.name);
  loaded.settings.break_points = false;  // events, at which an integrator may begin anew

  // Outputs may allocate, steps may not: an interval ends with a step and begins where the event before
  // it, a step or a record, ended.
  int steps = 0;
  long mark = 0, allocations = 0;
  StepCounters at_start;
  SystemCounters linear_at_start;
  Session* run = nullptr;
  SessionEvents events;
  events.step = [&](const StepResult&) {
    if (++steps > start_up) allocations += test::allocation_count() - mark;
    if (steps == start_up) at_start = run->counters(), linear_at_start = run->systems().counters();
    mark = test::allocation_count();
  };
  events.record = [&](double, StepKind, std::span<const double>) { mark = test::allocation_count(); };
  events.interrupted = [&] { return steps >= start_up + counted; };
  Session simulation(std::move(loaded.model), loaded.settings, events);
  run = &simulation;
  simulation.run(dynamics_analysis, {c.end, c.outputs});

  ASSERT_EQ(steps, start_up + counted) << "the run is too short";
  EXPECT_EQ(allocations, 0);
  // Matrices were made on the way, so their part of the code is in the count; factors afresh, which
  // allocate, were not needed.
  EXPECT_GT(simulation.counters().jacobians, at_start.jacobians);
  EXPECT_EQ(simulation.systems().counters().factorizations, linear_at_start.factorizations);
}

INSTANTIATE_TEST_SUITE_P(all, Steps,
                         testing::Values(StepCase{"slider_crank", 2, 200}, StepCase{"andrews", 0.03, 300},
                                         StepCase{"chain_100", 1, 100}, StepCase{"excavator", 14, 700},
                                         StepCase{"spring_mass_diff", 2, 400}, StepCase{"car_axis", 3, 600}),
                         [](const auto& parameter) { return parameter.param.name; });

// ---- growth with the number of bodies

struct Cost {
  long nonzeros, factor_nonzeros, evaluations, solves;
};

/// 100 steps of a chain of N links.
Cost cost_of_chain(int links) {
  Session simulation(chain(links), fixed_steps(), {});
  simulation.run(dynamics_analysis, {0.1, 2});
  Assembler& assembler = simulation.assembler();
  assembler.evaluate(simulation.state(), in_dynamics);
  std::vector<double> values(assembler.pattern().nonzeros());
  constexpr double h = 1e-3, alpha = -0.3, gamma = 0.5 - alpha, beta = (1 - alpha) * (1 - alpha) / 4;
  assembler.tangent(simulation.state(),
                    {1 / (1 + alpha), gamma * h, beta * h * h, gamma * h, 1 / (1 + alpha)}, values);
  GuardedSystem system;
  system.analyze(assembler.pattern(), assembler.graph());
  EXPECT_TRUE(system.set_matrix(values.data()).ok());
  EXPECT_EQ(simulation.counters().steps, 100);
  return {assembler.pattern().nonzeros(), system.info().nonzeros, simulation.counters().evaluations,
          simulation.systems().counters().solves};
}

TEST(Growth, of_the_chain_is_linear) {
  const Cost first = cost_of_chain(50), second = cost_of_chain(100), third = cost_of_chain(200),
             fourth = cost_of_chain(800);
  // Every further link adds the same blocks.
  EXPECT_EQ(second.nonzeros - first.nonzeros, 50 * 63);
  EXPECT_EQ(third.nonzeros - second.nonzeros, 100 * 63);
  EXPECT_EQ(fourth.nonzeros - third.nonzeros, 600 * 63);
  // The graph of the joints is a path: eliminated from its ends, a link leaves fill with its neighbour only.
  // Where the order begins in the middle and where pivots leave the diagonal the fill differs by a few
  // entries per link: 5 %. Fill that grows like N log N would be 1.5 times as large.
  for (const Cost& c : {second, third, fourth}) {
    const double links = double(c.nonzeros) / double(first.nonzeros);
    EXPECT_NEAR(double(c.factor_nonzeros) / (links * double(first.factor_nonzeros)), 1, 0.05);
  }
  // A longer chain is no harder for the corrector: near its free end nothing differs, and the rest hangs
  // on it. Its norm is per coordinate, so a quarter more or less is left for iterations that just fail.
  for (const Cost& c : {second, third, fourth}) {
    EXPECT_NEAR(double(c.evaluations) / double(first.evaluations), 1, 0.25);
    EXPECT_NEAR(double(c.solves) / double(first.solves), 1, 0.25);
  }
}

}  // namespace
}  // namespace test_counters
