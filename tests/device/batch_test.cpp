// Simulations side by side on a device, each against the same simulation by itself on that device.
#include <cmath>
#include <memory>
#include <thread>

#include <gtest/gtest.h>

#include "../support/each_device.h"
#include "../support/model_decks.h"
#include "analysis/analyses/dynamics.h"
#include "analysis/analyses/list.h"
#include "assemble/model_class.h"
#include "dataset/reader.h"
#include "integrate/device_batch.h"
#include "model/compile.h"

namespace trammel::batch_test {
namespace {

using namespace test;

const ModelDecks models{TRAMMEL_SOURCE_DIR "/models/"};

struct Case {
  std::string deck;
  double end;
  double error = 1e-6;
};

/// All records of a simulation, one after the other, and what it counted.
struct Outcome {
  std::vector<double> values;
  StepCounters counters;
  StepEnd end = StepEnd::accepted;
  int spline_tape = -1;
};

std::unique_ptr<Session> simulation_of(const Case& c, std::shared_ptr<Device> device, Outcome& out) {
  Diagnostics diagnostics;
  Model model = compile(parse_dataset(c.deck, "deck", diagnostics), diagnostics);
  diagnostics.stop_on_errors();
  DynamicsSettings settings;
  settings.integrator.error = c.error;
  settings.break_points = false;  // which the processor alone meets
  ComputeSettings compute;
  compute.device = std::move(device);
  SessionEvents told;
  told.record = [&out](double t, StepKind, std::span<const double> values) {
    out.values.push_back(t);
    out.values.insert(out.values.end(), values.begin(), values.end());
  };
  return std::make_unique<Session>(std::move(model), settings, told, compute);
}

constexpr int records = 12;

std::vector<Outcome> one_by_one(const std::vector<Case>& cases, const std::shared_ptr<Device>& device) {
  std::vector<Outcome> outcomes(cases.size());
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const auto simulation = simulation_of(cases[k], device, outcomes[k]);
    try {
      simulation->run(dynamics_analysis, {cases[k].end, records});
    } catch (const Failure&) {
      outcomes[k].end = StepEnd::gave_up;
    }
    outcomes[k].counters = simulation->counters();
  }
  return outcomes;
}

struct Launches {
  int steps = 1000000;      ///< of each variant in a launch
  double seconds = 1e9;     ///< of a launch
  bool in_threads = false;  ///< a thread adds each variant
};

std::vector<Outcome> side_by_side(const std::vector<Case>& cases, Device& device, const Launches& launches) {
  std::vector<Outcome> outcomes(cases.size());
  std::vector<std::unique_ptr<Session>> simulations(cases.size());
  std::vector<int> index(cases.size());
  DeviceBatch batch(device);
  const auto add = [&](std::size_t k) {
    simulations[k] = simulation_of(cases[k], nullptr, outcomes[k]);
    Session& s = *simulations[k];
    const Schedule outputs = dynamics_of(s).begin_outputs({cases[k].end, records});
    const Scaling scaling =
        DeviceBatch::scaling_of(s.assembler(), s.state(), dynamics_of(s).step_options(outputs));
    index[k] = batch.add(s.model(), s.assembler(), s.state(), dynamics_of(s).step_options(outputs), outputs,
                         scaling);
  };
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < cases.size(); ++k)
    if (launches.in_threads)
      threads.emplace_back(add, k);
    else
      add(k);
  for (std::thread& t : threads) t.join();
  while (batch.advance(launches.steps, launches.seconds))
    for (std::size_t n = 0; n < cases.size(); ++n) {
      const int k = index[n];
      for (int r = 0; r < batch.records(k); ++r)
        EXPECT_TRUE(
            dynamics_of(*simulations[n]).take_output([&](State& state) { batch.read_record(k, r, state); }));
      dynamics_of(*simulations[n]).take_counters(batch[k].steps);
      outcomes[n].counters = simulations[n]->counters();
      outcomes[n].spline_tape = batch[k].spline_tape;
      if (batch[k].status == GroupStatus::stopped) outcomes[n].end = batch[k].steps.failure.end;
    }
  return outcomes;
}
std::vector<Outcome> side_by_side(const std::vector<Case>& cases, Device& device, int steps_at_once) {
  return side_by_side(cases, device, Launches{.steps = steps_at_once});
}

std::string model_file(const char* path) {
  return models.deck(path);
}

/// The deck with one number in place of another.
std::string with(std::string deck, const std::string& old, const std::string& value) {
  const std::size_t at = deck.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return deck.replace(at, old.size(), value);
}

class DeviceBatchTest : public DeviceTest {
 protected:
  /// On threads that wait for each other at every loop, a tenth of the time is enough.
  double shorter(double end) const {
    return std::string(GetParam().backend) == "host" && GetParam().index == 1 ? 0.1 * end : end;
  }
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
    cases.push_back({with(deck, "MASS = 2", "MASS = " + std::to_string(0.5 + 0.7 * k)),
                     shorter(0.3 + 0.05 * k), std::pow(10, -4 - k % 3)});
  const auto single = one_by_one(cases, shared());
  if (shorter(1) == 1) {
    EXPECT_NE(single[0].counters.steps, single[2].counters.steps);
  }
  EXPECT_GT(single[2].counters.rejected_error + single[2].counters.jacobians, 2);
  expect_same(side_by_side(cases, device(), 1000000), single);
  expect_same(side_by_side(cases, device(), 7), single);
}

/// Threads add variants in any order, and a launch may end before all of them had their turn: the first one
/// on a device with a clock, where there is no time at all, goes a step on.
TEST_P(DeviceBatchTest, order_and_time_of_launches_change_nothing) {
  const std::string deck = model_file("andrews/andrews_revolute.adm");
  std::vector<Case> cases;
  for (int k = 0; k < 5; ++k)
    cases.push_back({with(deck, "K = 4530", "K = " + std::to_string(4400 + 90 * k)), shorter(0.004), 1e-5});
  const auto single = one_by_one(cases, shared());
  expect_same(side_by_side(cases, device(), Launches{.in_threads = true}), single);
  expect_same(side_by_side(cases, device(), Launches{.steps = 3, .in_threads = true}), single);
  expect_same(side_by_side(cases, device(), Launches{.seconds = 0}), single);
}

constexpr const char* states =
    "states\nUNITS/UCF=1\nACCGRAV/KGRAV=-9.81\nPART/1,GROUND\nMARKER/10,PART=1\n"
    "PART/2,MASS=1,CM=20,IP=1,2,3\n"
    "MARKER/20,PART=2,QP=1,0,0\nMARKER/21,PART=2\nJOINT/1,SPHERICAL,I=21,J=10\n"
    "PART/3,MASS=.5,CM=30,IP=1,1,1,QG=2,0,0\nMARKER/30,PART=3\nMARKER/31,PART=3,QP=0,.2,0\n"
    "BUSHING/1,I=31,J=20,K=80,90,100,C=1,1,1,KT=9,8,7,CT=.1,.1,.1\n"
    "VARIABLE/1,FUNCTION=SIN(3*TIME)*DX(20,10)\nDIFF/1,IC=.1,FUNCTION=VARVAL(1)-2*DIF(1)\n"
    "SPLINE/1,X=0,.1,.2,.3,Y=0,1,0,1\n"
    "SFORCE/1,TRANSLATION,I=30,J=10,FUNCTION=DIF(1)*VR(30,10)-DM(30,10)+AKISPL(TIME,0,1)\nEND\n";
constexpr const char* turning =
    "turning\nUNITS/UCF=1\nACCGRAV/KGRAV=-9.81\nPART/1,GROUND\nMARKER/10,PART=1,REULER=0,90D,0\n"
    "PART/2,MASS=1,CM=20,IP=1,2,3\nMARKER/20,PART=2,QP=1,0,0\nMARKER/21,PART=2,REULER=0,90D,0\n"
    "JOINT/1,REVOLUTE,I=21,J=10\nMOTION/1,JOINT=1,ROTATION,FUNCTION=3*TIME**2\n"
    "PART/3,MASS=.5,CM=30,IP=1,2,3,QG=2,0,0,WX=.05,WY=6,WZ=.05\nMARKER/30,PART=3\n"
    "SPRINGDAMPER/1,TRANSLATION,I=30,J=20,K=80,C=1,LENGTH=1\nREQUEST/1,F2=AZ(20,10)\nEND\n";

/// Parts in an inclined plane and one in space.
constexpr const char* planar =
    "planar\nUNITS/UCF=1\nACCGRAV/JGRAV=-9.81\nPART/1,GROUND\nMARKER/10,PART=1,REULER=0.3,0.4,0.5\n"
    "PART/2,PLANAR,PLANE=10,MASS=1,CM=20,IP=0,0,2,REULER=0.3,0.4,0.5\nMARKER/20,PART=2,QP=1,0,0\nMARKER/"
    "21,PART=2\n"
    "PART/3,PLANAR,PLANE=10,MASS=1,CM=30,IP=0,0,2,REULER=0.3,0.4,0.5\nMARKER/30,PART=3,QP=1.5,0,0\n"
    "MARKER/31,PART=3,QP=1,0,0\nJOINT/1,REVOLUTE,I=21,J=10\nJOINT/2,SPHERICAL,I=31,J=20\n"
    "PART/4,MASS=.5,CM=40,IP=1,2,3,QG=2,0,0,WX=.05,WY=6,WZ=.05\nMARKER/40,PART=4\n"
    "BUSHING/1,I=40,J=30,K=80,80,80,C=1,1,1,KT=0,0,0,CT=0,0,0\nREQUEST/1,F2=AZ(20,10)\nEND\n";

Model model_of(const std::string& deck) {
  Diagnostics diagnostics;
  Model model = compile(parse_dataset(deck, "deck", diagnostics), diagnostics);
  diagnostics.stop_on_errors();
  return model;
}

/// Models of few kinds of elements have a kernel of their own, until a variant comes that has others.
TEST_P(DeviceBatchTest, plain_variants_and_others) {
  const std::string deck = model_file("andrews/andrews_revolute.adm"),
                    driven = with(deck, "FUNCTION = 0.033", "FUNCTION = 0.033*(1+TIME)");
  EXPECT_TRUE(is_plain(model_of(deck)));
  EXPECT_TRUE(is_plain(model_of(model_file("four_bar_n/four_bar_n.adm"))));
  EXPECT_FALSE(is_plain(model_of(driven)));
  for (const char* other : {states, turning, planar}) EXPECT_FALSE(is_plain(model_of(other)));
  const double end = shorter(0.01);
  const std::vector<Case> cases = {{deck, end}, {driven, end}, {deck, end}};
  const auto single = one_by_one(cases, shared()), batch = side_by_side(cases, device(), Launches{});
  expect_same(batch, single);
  EXPECT_EQ(batch[0].values, batch[2].values);
  EXPECT_NE(batch[0].values, batch[1].values);
  expect_same(side_by_side({cases[0], cases[2]}, device(), Launches{}), {single[0], single[2]});
}

/// States, functions and their derivatives, a spline that is read outside its data, motions, revolutions that
/// are counted, orientations that are re-based.
TEST_P(DeviceBatchTest, computes_what_elements_there_are) {
  const struct {
    const char* deck;
    const char *old, *value;
    double end;
  } decks[] = {{states, "IC=.1", "IC=.3", 0.5}, {turning, "K=80", "K=110", 4}, {planar, "K=80", "K=110", 1}};
  for (const auto& d : decks) {
    const std::vector<Case> cases = {{d.deck, shorter(d.end)},
                                     {with(d.deck, d.old, d.value), shorter(d.end)}};
    const auto single = one_by_one(cases, shared());
    const auto batch = side_by_side(cases, device(), 25);
    expect_same(batch, single);
    EXPECT_NE(batch[0].values, batch[1].values);
    EXPECT_EQ(batch[0].spline_tape >= 0, d.deck == states && shorter(d.end) > 0.3);
  }
  EXPECT_GT(one_by_one({{turning, 4}}, nullptr)[0].counters.rebases, 1);
}

/// Seven bodies whose redundant equations differ by nothing but rounding.
TEST_P(DeviceBatchTest, takes_mechanisms_with_redundant_joints) {
  const std::string deck = model_file("andrews/andrews_revolute.adm");
  const std::vector<Case> cases = {{deck, shorter(0.01)}, {deck, shorter(0.012), 1e-5}};
  expect_same(side_by_side(cases, device(), 1000), one_by_one(cases, shared()));
}

/// One that cannot go on does not stop the others, and is where it was when it could not.
TEST_P(DeviceBatchTest, one_that_fails_leaves_the_others_alone) {
  const std::string good = states,
                    bad = with(states, "FUNCTION=DIF(1)*VR", "FUNCTION=SQRT(.2-TIME)*DIF(1)*VR");
  const std::vector<Case> cases = {{good, shorter(0.5)}, {bad, 0.5}, {good, shorter(0.4)}};
  const auto batch = side_by_side(cases, device(), 1000), single = one_by_one(cases, shared());
  EXPECT_EQ(batch[0].end, StepEnd::accepted);
  EXPECT_EQ(batch[1].end, StepEnd::no_value);
  EXPECT_EQ(batch[2].end, StepEnd::accepted);
  expect_same(batch, single);  // the records up to the failure, too
}

TEST_P(DeviceBatchTest, says_what_it_does_not_take) {
  Outcome none;
  const auto refusal = [&](const std::string& deck) {
    return DeviceBatch::refusal(simulation_of({deck, 1}, nullptr, none)->model(), IntegratorOptions{});
  };
  EXPECT_EQ(refusal(states), "");
  EXPECT_EQ(refusal(with(states, "END\n", "SENSOR/3,FUNCTION=TIME,VALUE=1,HALT\nEND\n")),
            "SENSOR/3 is watched on the processor");
  EXPECT_EQ(refusal(with(states, "END\n", "VARIABLE/7,FUNCTION=DELAY(TIME,0.1,0)\nEND\n")),
            "VARIABLE/7 FUNCTION (DELAY) looks back into a history that the processor keeps");
  EXPECT_EQ(refusal("empty\nPART/1,GROUND\nEND\n"), "the model has no unknowns");

  DeviceBatch batch(device());
  const auto add = [&](const std::string& deck) {
    const auto s = simulation_of({deck, 1}, nullptr, none);
    const Schedule outputs = dynamics_of(*s).begin_outputs({1, 1});
    const IntegratorOptions options = dynamics_of(*s).step_options(outputs);
    batch.add(s->model(), s->assembler(), s->state(), options, outputs,
              DeviceBatch::scaling_of(s->assembler(), s->state(), options));
  };
  add(states);
  try {
    add(turning);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::unsupported);
    EXPECT_EQ(std::string(failure.what()),
              "its elements are connected otherwise than those of the first variant");
  }
  try {  // the same pattern with one more counter of revolutions
    add(with(states, "END\n", "REQUEST/1,F2=AZ(20,10)\nEND\n"));
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::unsupported);
    EXPECT_EQ(std::string(failure.what()),
              "its functions count other revolutions than those of the first variant");
  }
  EXPECT_EQ(batch.size(), 1);
}

/// Too much for a group, and not only for the first that is asked about.
TEST_P(DeviceBatchTest, says_it_of_every_variant_with_large_fronts) {
  std::string deck = "bodies that all hold each other\nUNITS/UCF=1\nPART/1,GROUND\nMARKER/10,PART=1\n";
  constexpr int bodies = 30;
  for (int k = 2; k < 2 + bodies; ++k)
    deck +=
        fmt::format("PART/{0},MASS=1,CM={0}00,IP=1,1,1,QG={1},{2},0\nMARKER/{0}00,PART={0}\n", k, k, k * k);
  for (int i = 2, id = 1; i < 2 + bodies; ++i)
    for (int j = 2; j < i; ++j, ++id)
      deck += fmt::format("SPRINGDAMPER/{},TRANSLATION,I={}00,J={}00,K=5,LENGTH=1\n", id, i, j);
  deck += "END\n";
  Outcome none;
  DeviceBatch batch(device());
  const auto s = simulation_of({deck, 1}, nullptr, none);
  const Schedule outputs = dynamics_of(*s).begin_outputs({1, 1});
  const IntegratorOptions options = dynamics_of(*s).step_options(outputs);
  const Scaling scaling = DeviceBatch::scaling_of(s->assembler(), s->state(), options);
  for (int k = 0; k < 2; ++k) {
    try {
      batch.add(s->model(), s->assembler(), s->state(), options, outputs, scaling);
      FAIL();
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), ExitCode::unsupported);
      EXPECT_NE(std::string(failure.what()).find("a front of"), std::string::npos) << failure.what();
    }
  }
  EXPECT_FALSE(batch.advance(1));
}

/// What further variants store is their own numbers: far less than what the first one did.
TEST_P(DeviceBatchTest, tables_are_stored_once) {
  Outcome none;
  const std::string deck = model_file("andrews/andrews_revolute.adm");
  DeviceBatch batch(device());
  std::vector<std::size_t> bytes;
  for (int k = 0; k < 64; ++k) {
    const auto s = simulation_of({deck, 1}, nullptr, none);
    const Schedule outputs = dynamics_of(*s).begin_outputs({1, 1});
    const IntegratorOptions options = dynamics_of(*s).step_options(outputs);
    batch.add(s->model(), s->assembler(), s->state(), options, outputs,
              DeviceBatch::scaling_of(s->assembler(), s->state(), options));
    bytes.push_back(batch.bytes());
  }
  const double each = double(bytes.back() - bytes[1]) / 62;
  EXPECT_LT(each, 150e3);  // 130 unknowns: 17 vectors of them, four arrays of fronts, 1,500 entries
}

TRAMMEL_EVERY_DEVICE(DeviceBatchTest);

}  // namespace
}  // namespace trammel::batch_test
