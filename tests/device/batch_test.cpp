// Simulations side by side on a device, each against the same simulation by itself on that device.
#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "../support/each_device.h"
#include "analysis/simulation.h"
#include "dataset/reader.h"
#include "integrate/device_batch.h"
#include "model/compile.h"

namespace trammel {
namespace {

using namespace test;

struct Case {
  std::string deck;
  double end;
  double error = 1e-6;
};

/// All records of a simulation, one after the other, and what it counted.
struct Outcome {
  std::vector<double> values;
  HhtCounters counters;
  StepEnd end = StepEnd::accepted;
};

std::unique_ptr<Simulation> simulation_of(const Case& c, std::shared_ptr<Device> device, Outcome& out) {
  Diagnostics diagnostics;
  Model model = compile(parse_dataset(c.deck, "deck", diagnostics), diagnostics);
  diagnostics.stop_on_errors();
  DynamicsSettings settings;
  settings.hht.error = c.error;
  ComputeSettings compute;
  compute.device = std::move(device);
  SimulationEvents told;
  told.record = [&out](double t, StepKind, std::span<const double> values) {
    out.values.push_back(t);
    out.values.insert(out.values.end(), values.begin(), values.end());
  };
  return std::make_unique<Simulation>(std::move(model), settings, told, compute);
}

constexpr int records = 12;

std::vector<Outcome> one_by_one(const std::vector<Case>& cases, const std::shared_ptr<Device>& device) {
  std::vector<Outcome> outcomes(cases.size());
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const auto simulation = simulation_of(cases[k], device, outcomes[k]);
    try {
      simulation->dynamics(cases[k].end, records);
    } catch (const Failure&) {
      outcomes[k].end = StepEnd::gave_up;
    }
    outcomes[k].counters = simulation->counters();
  }
  return outcomes;
}

std::vector<Outcome> side_by_side(const std::vector<Case>& cases, Device& device, int steps_at_once) {
  std::vector<Outcome> outcomes(cases.size());
  std::vector<std::unique_ptr<Simulation>> simulations;
  DeviceBatch batch(device);
  for (std::size_t k = 0; k < cases.size(); ++k) {
    simulations.push_back(simulation_of(cases[k], nullptr, outcomes[k]));
    Simulation& s = *simulations.back();
    const Schedule outputs = s.begin_dynamics(cases[k].end, records);
    const Scaling scaling = DeviceBatch::scaling_of(s.assembler(), s.state(), s.step_options(outputs));
    EXPECT_EQ(batch.add(s.model(), s.assembler(), s.state(), s.step_options(outputs), outputs, scaling),
              static_cast<int>(k));
  }
  while (batch.advance(steps_at_once))
    for (int k = 0; k < batch.size(); ++k) {
      for (int r = 0; r < batch.records(k); ++r)
        EXPECT_TRUE(simulations[k]->take_output([&](State& state) { batch.read_record(k, r, state); }));
      simulations[k]->take_counters(batch[k].hht);
      outcomes[k].counters = simulations[k]->counters();
      if (batch[k].status == GroupStatus::stopped) outcomes[k].end = batch[k].hht.end_;
    }
  return outcomes;
}

std::string model_file(const char* path) {
  return read_text_file(std::string(TRAMMEL_SOURCE_DIR "/models/") + path);
}

/// The deck with one number in place of another.
std::string with(std::string deck, const std::string& old, const std::string& value) {
  const std::size_t at = deck.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return deck.replace(at, old.size(), value);
}

class DeviceBatchTest : public DeviceTest {
 protected:
  /// On the host the same functions give the same bits; a device's own sine, cube root and powers, inside a
  /// kernel and in the program, differ by some units in the last place, and where that tips a decision, by
  /// what the integration leaves open (step_test.cpp).
  void expect_same(const std::vector<Outcome>& batch, const std::vector<Outcome>& single) {
    ASSERT_EQ(batch.size(), single.size());
    for (std::size_t k = 0; k < batch.size(); ++k) {
      SCOPED_TRACE(k);
      if (device().backend() == "host") {
        EXPECT_EQ(batch[k].values, single[k].values);
        EXPECT_EQ(batch[k].counters.steps, single[k].counters.steps);
        EXPECT_EQ(batch[k].counters.jacobians, single[k].counters.jacobians);
        EXPECT_EQ(batch[k].counters.iterations, single[k].counters.iterations);
        EXPECT_EQ(batch[k].counters.evaluations, single[k].counters.evaluations);
        EXPECT_EQ(batch[k].counters.rebases, single[k].counters.rebases);
        continue;
      }
      ASSERT_EQ(batch[k].values.size(), single[k].values.size());
      double size = 1;
      for (const double x : single[k].values) size = std::max(size, std::abs(x));
      for (std::size_t i = 0; i < single[k].values.size(); ++i)
        ASSERT_NEAR(batch[k].values[i], single[k].values[i], 1e-5 * size) << i;
    }
  }
};

/// Different masses, end times and tolerances: each has steps, Jacobians and output times of its own.
TEST_P(DeviceBatchTest, is_each_simulation_by_itself) {
  const std::string deck = model_file("slider_crank/slider_crank.adm");
  std::vector<Case> cases;
  for (int k = 0; k < 7; ++k)
    cases.push_back({with(deck, "MASS = 2", "MASS = " + std::to_string(0.5 + 0.7 * k)), 0.3 + 0.05 * k,
                     std::pow(10, -4 - k % 3)});
  const auto single = one_by_one(cases, shared());
  EXPECT_NE(single[0].counters.steps, single[1].counters.steps);
  EXPECT_GT(single[2].counters.rejected_error + single[2].counters.jacobians, 2);
  expect_same(side_by_side(cases, device(), 1000000), single);
  expect_same(side_by_side(cases, device(), 7), single);
}

TRAMMEL_EVERY_DEVICE(DeviceBatchTest);

}  // namespace
}  // namespace trammel
