// Whole simulations on a device against those on the processor.
#include <cmath>

#include <gtest/gtest.h>

#include "../support/each_device.h"
#include "../support/simulate.h"
#include "step_cases.h"

namespace trammel::step_test {
namespace {

using namespace test;

const ModelDecks models{TRAMMEL_SOURCE_DIR "/models/"};

class DeviceStepTest : public DeviceTest {};

/// The processor as a device does the operations of the processor in the same order, but for the linear
/// system: its answers differ by rounding, and where that tips a decision (a new Jacobian, the size of a
/// step), results differ by the error of the integration, at most: in accelerations and reactions ERROR^(2/3)
/// = 1e-4 (half of that in `quasi_static`, less than a third in all others).
TEST_P(DeviceStepTest, follow_those_of_the_processor) {
  for (const StepCase& c : cases(models)) {
    SCOPED_TRACE(c.name);
    const Outcome here = simulate(c.deck, c.end, 10, nullptr),
                  there = simulate(c.deck, c.end, 10, shared(), solver());
    ASSERT_EQ(there.values.size(), here.values.size());
    double size = 1;
    for (const double x : here.values) size = std::max(size, std::abs(x));
    for (std::size_t k = 0; k < here.values.size(); ++k)
      ASSERT_NEAR(there.values[k], here.values[k], 1e-4 * size) << k;
    EXPECT_GT(there.counters.steps, 20);
    EXPECT_EQ(there.warnings, here.warnings);
    EXPECT_NEAR(there.counters.steps, here.counters.steps, 0.02 * double(here.counters.steps) + 1);
    EXPECT_NEAR(there.counters.rebases, here.counters.rebases, 1);
    if (std::string(c.name) == "spinning") {
      EXPECT_GT(there.counters.rebases, 2);
    }
  }
}

/// Those of all methods whose iterations are graphs. Results differ by the error of the integration, where
/// rounding tips a decision: ERROR^(2/3) of accelerations and reactions.
TEST_P(DeviceStepTest, follow_those_of_the_processor_with_all_methods) {
  for (const StepCase& c : cases(models))
    for (const Formulas& method : methods_for(c)) {
      if (c.name != std::string("states") && c.name != std::string("motions") &&
          c.name != std::string("nodal"))
        continue;
      SCOPED_TRACE(fmt::format("{}, {}", c.name, method.name));
      const Outcome here = simulate(c.deck, c.end, 10, nullptr, nullptr, method.options),
                    there = simulate(c.deck, c.end, 10, shared(), solver(), method.options);
      ASSERT_EQ(there.values.size(), here.values.size());
      double size = 1;
      for (const double x : here.values) size = std::max(size, std::abs(x));
      for (std::size_t k = 0; k < here.values.size(); ++k)
        ASSERT_NEAR(there.values[k], here.values[k], std::pow(method.options.error, 2.0 / 3) * size) << k;
      EXPECT_GT(there.counters.steps, 10);
      EXPECT_NEAR(there.counters.steps, here.counters.steps, 0.05 * double(here.counters.steps) + 1);
    }
}

/// The deck with that integrator, from its start to its end.
Recording chain_with_states(const std::string& integrator, std::shared_ptr<Device> device,
                            const TrammelSolverApi* solver) {
  std::string deck = models.deck("flexible_chain/flexible_chain.adm");
  deck.insert(deck.rfind("END"), integrator + "\n");
  ComputeSettings compute;
  compute.device = std::move(device);
  compute.device_solver = solver;
  Recording r(deck, "test.adm", compute);
  r.simulation->run(dynamics_analysis, {0.3, 60});
  return r;
}

/// Rounding that tips whether an iteration is the last one makes accelerations of this deck differ. Neither
/// side is wrong: both meet RADAU's, of order 5, as ERROR^(2/3) says. On the processor and on the back end
/// host accelerations and reactions differ from RADAU's by up to 3.5 times that for ERROR from 1e-4 to 1e-9,
/// and states by up to 29.5 times.
TEST_P(DeviceStepTest, and_those_of_the_processor_converge_to_the_same) {
  const Recording right = chain_with_states("INTEGRATOR/RADAU, ERROR=1E-10", nullptr, nullptr);
  struct Quantity {
    const char *entity, *component;
    double allowed;
  };
  for (const double error : {1e-4, 1e-5})
    for (const bool there : {false, true}) {
      const Recording r = chain_with_states(fmt::format("INTEGRATOR/HHT, ERROR={:g}", error),
                                            there ? shared() : nullptr, there ? solver() : nullptr);
      ASSERT_EQ(r.time, right.time);
      for (const auto& [entity, component, allowed] :
           {Quantity{"PART/5", "ACCX", 10}, Quantity{"PART/5", "ACCZ", 10}, Quantity{"PART/5", "WDY", 10},
            Quantity{"JOINT/4", "FZ", 10}, Quantity{"JOINT/1", "FX", 10}, Quantity{"JOINT/1", "FZ", 10},
            Quantity{"LSE/4", "X15", 40}, Quantity{"LSE/2", "X16", 40}}) {
        EXPECT_LT(relative_difference(r, right, entity, component), allowed * std::cbrt(error * error))
            << entity << " " << component << ", ERROR " << error << (there ? ", device" : ", processor");
      }
    }
}

/// On a device the velocities that limit steps for counted angles are those of the last record: where that is
/// not enough, it is told.
TEST_P(DeviceStepTest, tell_of_turns_that_are_lost) {
  ComputeSettings compute;
  compute.device = shared();
  Recording r(
      "spun\nUNITS/SYSTEM=MKS\nPART/1,GROUND\nMARKER/1,PART=1\nPART/2,MASS=1,CM=2,IP=1,1,1\nMARKER/2,PART=2\n"
      "JOINT/1,REVOLUTE,I=2,J=1\nSFORCE/1,ROTATION,I=2,J=1,FUNCTION=40\nREQUEST/1,F2=AZ(2,1)\n"
      "INTEGRATOR/HHT,ERROR=1,HMAX=1\nEND\n",
      "spun.adm", compute);
  r.simulation->run(dynamics_analysis, {5, 5});
  ASSERT_FALSE(r.warnings.empty());
  EXPECT_NE(r.warnings[0].find("parts turn so fast"), std::string::npos) << r.warnings[0];
}

/// Twice the same bits.
TEST_P(DeviceStepTest, repeat_bit_for_bit) {
  const std::string deck = models.deck("slider_crank/slider_crank.adm");
  EXPECT_EQ(simulate(deck, 0.1, 5, shared(), solver()).values,
            simulate(deck, 0.1, 5, shared(), solver()).values);
}

/// What comes back of a step is a few numbers.
TEST_P(DeviceStepTest, bring_back_a_few_numbers) {
  const std::string deck = models.deck("slider_crank/slider_crank.adm");
  const auto run = [&](int steps_wanted) {
    const std::int64_t before = device().counters().downloaded;
    const Outcome out = simulate(deck, 0.01 * steps_wanted, 1, shared(), solver(), {.error = 1e-4});
    return std::pair(device().counters().downloaded - before, out.counters.evaluations);
  };
  const auto [few, few_evaluations] = run(10);
  const auto [many, many_evaluations] = run(40);
  ASSERT_GT(many_evaluations, few_evaluations + 20);
  EXPECT_LE(double(many - few) / double(many_evaluations - few_evaluations), 600)
      << "bytes per evaluation: records of reductions, factorization and solution";
}

/// What the program submits for an iteration, and waits for in a step, does not grow with the model: of a
/// step the prediction, one graph of all iterations and its end, two answers; and a graph and an answer where
/// its size is another than that of the last step. Libraries work between launches: the program decides.
TEST_P(DeviceStepTest, submit_a_few_launches_and_graphs) {
  for (const int links : {5, 150}) {
    if (links > 5 && GetParam().index == 1) continue;  // its launches start threads: minutes
    const Asked asked = ask_of_steps(chain_of(links), 0.1, links == 5 ? 2.0 : 1.0, shared(), solver());
    const StepCounters& c = asked.counters;
    EXPECT_GT(c.steps, 50);
    EXPECT_GT(c.jacobians, c.steps / 4) << "steps with a new Jacobian";
    EXPECT_LT(c.jacobians, c.steps) << "and without";
    EXPECT_LE(asked.submitted / double(c.iterations), own() ? 6 : 21) << links << " links";
    EXPECT_LE(asked.answers / double(c.steps), own() ? 3 : 13) << links << " links";
  }
}

TEST_P(DeviceStepTest, name_what_a_device_does_not_compute) {
  try {
    simulate(
        "delay\nUNITS/UCF=1\nPART/1,GROUND\nMARKER/10,PART=1\nPART/2,MASS=1,CM=20,IP=1,1,1\nMARKER/"
        "20,PART=2\n"
        "VARIABLE/7,FUNCTION=DELAY(TIME,TIME,0)\nEND\n",
        1, 1, shared());
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::unsupported);
    EXPECT_EQ(
        std::string(failure.what()),
        "VARIABLE/7 FUNCTION (DELAY without a bound) is not computed on a device: run with --backend cpu");
  }
}

TRAMMEL_EVERY_SOLVER(DeviceStepTest);

}  // namespace
}  // namespace trammel::step_test
