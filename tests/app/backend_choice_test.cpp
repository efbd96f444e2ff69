// What --backend auto predicts and chooses, from counts and constants.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>

#include "../support/deck.h"
#include "app/backend_choice_counts.h"
#include "app/bench_models.h"
#include "app/bench_samples.h"
#include "backend/load.h"
#include "support.h"

using namespace trammel;

namespace {

/// As if a GPU of a data centre: 2 us a launch, 10 us an answer, 2 TB/s, 1 Tflop/s.
DeviceConstants some_gpu() {
  DeviceConstants m;
  m.launch = m.equation_launch = m.tangent_launch = 2e-6;
  m.graph_launch = 1e-6;
  m.answer = 10e-6;
  m.bandwidth = 2e12;
  m.equation_flop = m.tangent_flop = m.factor_flop = 1e-12;
  m.factor_level = m.solve_level = 5e-6;
  m.solve_byte = 1e-12;
  return m;
}

/// As if a processor: 20 GB/s, 2 Gflop/s, 2 ns a value.
ProcessorConstants some_processor() {
  return {20e9, 30e6, 0.5e-9, 0.5e-9, 4e-9, 2e-9, 3e-9, 0.1e-9, 2e-9};
}

struct Counted {
  ProcessorCounts here;
  DeviceCounts least, there;
};
Counted count(Simulation& run) {
  const EquationCounts e = count_equations(run.model(), run.assembler());
  const VectorCounts v = count_vectors(run.model());
  return {count_on_processor(run.model(), run.assembler(), run.system(), 1), count_least_on_device(e, v),
          count_on_device(e, v, run.assembler(), 227 * 1024)};
}

Simulation bench_run(const char* topology, int unknowns) {
  return Simulation(bench_model(bench_topology(topology), unknowns), bench_settings(), {});
}

BackendChoice choose(Simulation& run) {
  const Counted c = count(run);
  DeviceOffer gpu;
  gpu.where = "cuda:0 (Some GPU)";
  gpu.seconds = predict(c.there, some_gpu()).of({});
  return choose_backend(predict(c.here, some_processor()).of({}), {gpu});
}

DeviceOffer offer(double seconds, const char* where = "cuda:0 (Some GPU)") {
  return {where, seconds, false, ""};
}

}  // namespace

// ---- the prediction, by hand

TEST(Prediction, processor_adds_operations_values_and_what_comes_from_memory) {
  ProcessorCounts c;
  c.equations = {600, 400, 1000, 0, 0};
  c.tangent = {1000, 1000, 3000, 0, 0};
  c.solver = "multifrontal";
  c.factor_values = 125;  // 1000 bytes
  c.factor_flops = 5000;
  c.vectors.iteration.bytes = 100;
  c.vectors.step.bytes = 6000;  // all together 10,000 bytes
  // bandwidth 1000, cache 30,000: a quarter of the bytes wait, 0.25 ms each.
  const ProcessorConstants m{1000, 30000, 1, 2, 0, 0, 3, 4, 5};
  const PredictedStep p = predict(c, m);
  EXPECT_DOUBLE_EQ(p.equations, 1000 + 0.25);
  EXPECT_DOUBLE_EQ(p.tangent, 6000 + 0.5);
  EXPECT_DOUBLE_EQ(p.solution, 125 * 5 + 0.25);
  EXPECT_DOUBLE_EQ(p.factorization, 125 * 3 + 5000 * 4 + 0.5);
  EXPECT_DOUBLE_EQ(p.of({2, 0.5}),
                   2 * (p.equations + p.solution + 0.1) + 0.5 * (p.tangent + p.factorization) + 6);
}

TEST(Prediction, threads_share_loops_and_as_much_of_a_factorization_as_the_tree_allows) {
  ProcessorCounts c;
  c.equations.flops = c.tangent.flops = c.factor_values = c.factor_flops = 1000;
  const ProcessorConstants m{1e30, 1, 1, 1, 1, 1, 1, 1, 1};
  for (const auto& [solver, factor] : {std::pair{"klu", 1000.0}, {"multifrontal", 2000 / 1.5}}) {
    c.solver = solver;
    c.threads = 4;
    c.parallel_factor = 1.5;
    const PredictedStep p = predict(c, m);
    EXPECT_DOUBLE_EQ(p.equations, 250);
    EXPECT_DOUBLE_EQ(p.tangent, 250);
    EXPECT_DOUBLE_EQ(p.solution, 1000);
    EXPECT_DOUBLE_EQ(p.factorization, factor) << solver;
  }
}

TEST(Prediction, device_adds_launches_levels_answers_and_work) {
  DeviceCounts c;
  c.equations = {100, 0, 10, 3, 0};  // 10 flops take 1 s, 100 bytes 2 s: the bytes
  c.tangent = {10, 0, 100, 2, 0};    // the operations, 20 s
  c.factor = {0, 50, 300, 7, 4};
  c.solve = {30, 20, 1e9, 5, 8};  // operations of a solve pass with its bytes
  c.vectors.iteration = {500, 11, 3};
  DeviceConstants m;
  m.launch = 1;
  m.graph_launch = 0.5;
  m.answer = 10;
  m.bandwidth = 50;
  m.equation_launch = 2;
  m.equation_flop = 0.1;
  m.tangent_launch = 3;
  m.tangent_flop = 0.2;
  m.factor_level = 6;
  m.factor_flop = 0.01;
  m.solve_level = 7;
  m.solve_byte = 0.04;
  const PredictedStep p = predict(c, m);
  EXPECT_DOUBLE_EQ(p.equations, 3 * 2 + 2);
  EXPECT_DOUBLE_EQ(p.tangent, 2 * 3 + 20);
  EXPECT_DOUBLE_EQ(p.factorization, 7 * 0.5 + 4 * 6 + 3);
  EXPECT_DOUBLE_EQ(p.solution, 5 * 0.5 + 8 * 7 + 50 * 0.04);
  EXPECT_DOUBLE_EQ(p.vectors_iteration, 11 * 1 + 3 * 10 + 10);
}

// ---- the choice

TEST(Choice, the_least_time_and_of_equal_ones_the_processor) {
  EXPECT_EQ(choose_backend(1e-3, {offer(0.5e-3), offer(0.4e-3, "cuda:1 (Another)")}).device, 1);
  EXPECT_EQ(choose_backend(1e-3, {offer(1e-3)}).device, -1);
  EXPECT_EQ(choose_backend(1e-3, {offer(0.5e-3), offer(0.5e-3, "cuda:1 (Another)")}).device, 0);
}

TEST(Choice, the_sentence_has_both_figures) {
  EXPECT_EQ(choose_backend(31e-6, {offer(0.412e-3)}).sentence,
            "Back end cpu: predicted 0.031 ms per step, cuda:0 (Some GPU) 0.41 ms.");
  EXPECT_EQ(choose_backend(0.1234, {offer(4.2e-3)}).sentence,
            "Back end cuda:0 (Some GPU): predicted 4.2 ms per step, cpu 123 ms.");
  DeviceOffer least = offer(2e-3);
  least.at_least = true;
  EXPECT_EQ(choose_backend(1e-3, {least}).sentence,
            "Back end cpu: predicted 1 ms per step, cuda:0 (Some GPU) at least 2 ms.");
}

// A device that cannot, or whose lower bound alone is known, is never taken.
TEST(Choice, a_refusal_is_told_and_not_taken) {
  DeviceOffer refused = offer(0);
  refused.refusal = "cannot: out of memory";
  EXPECT_EQ(choose_backend(1e-3, {refused}).device, -1);
  EXPECT_EQ(choose_backend(1e-3, {refused}).sentence,
            "Back end cpu: predicted 1 ms per step, cuda:0 (Some GPU) cannot: out of memory.");
  EXPECT_EQ(choose_backend(1e-3, {refused, offer(0.5e-3, "cuda:1 (Another)")}).device, 1);
  EXPECT_EQ(choose_backend(1e-3, {}).sentence, "Back end cpu: predicted 1 ms per step.");
}

TEST(Choice, reasons_before_any_device_is_asked) {
  EXPECT_EQ(reason_for_processor(100'000, "auto", ""), "");
  EXPECT_EQ(reason_for_processor(least_unknowns, "auto", ""), "");
  EXPECT_EQ(reason_for_processor(100'000, "klu", ""), "--linear-solver klu is one of the processor");
  EXPECT_EQ(reason_for_processor(100'000, "auto", "GCON/4"), "GCON/4 is not computed on a device");
  EXPECT_NE(reason_for_processor(least_unknowns - 1, "auto", "").find("too few"), std::string::npos);
  EXPECT_EQ(keep_processor("no usable GPU (x)").sentence, "Back end cpu: no usable GPU (x).");
}

TEST(Choice, a_large_chain_goes_to_the_device_a_small_one_to_the_processor) {
  Simulation large = bench_run("chain", 90'000), small = bench_run("chain", 450);
  EXPECT_EQ(choose(large).device, 0) << choose(large).sentence;
  EXPECT_EQ(choose(small).device, -1) << choose(small).sentence;
}

// Below least_unknowns launches and answers alone, at 1 us and 5 us, take longer than the dearest of the
// generated models takes on a processor of 2 Gflop/s.
TEST(Choice, no_device_can_win_below_the_threshold) {
  DeviceConstants fast;  // launches and answers alone
  fast.launch = fast.graph_launch = fast.equation_launch = fast.tangent_launch = 1e-6;
  fast.answer = 5e-6;
  fast.bandwidth = 1e30;
  for (const BenchTopology& topology : bench_topologies()) {
    Simulation run = bench_run(topology.name, least_unknowns);
    const Counted c = count(run);
    EXPECT_GT(predict(c.least, fast).of({}),
              predict(c.here, some_processor()).of({}) * least_unknowns / run.model().unknowns())
        << topology.name;
  }
}

// ---- rates from measurements

TEST(Rates, are_those_that_the_seconds_were_made_of) {
  const std::vector<TwoCounts> parts{
      {10, 1000, 10 * 3 + 1000 * 0.02}, {40, 500, 40 * 3 + 500 * 0.02}, {1, 1e6, 3 + 2e4}};
  const TwoRates r = rates_of(parts);
  EXPECT_NEAR(r.a, 3, 1e-9);
  EXPECT_NEAR(r.b, 0.02, 1e-12);
}

TEST(Rates, are_not_negative) {
  const std::vector<TwoCounts> falling{{10, 1000, 20}, {10, 2000, 10}};  // more of b takes less time
  const TwoRates r = rates_of(falling);
  EXPECT_GE(r.a, 0);
  EXPECT_GE(r.b, 0);
  EXPECT_GT(r.a + r.b, 0);
  EXPECT_DOUBLE_EQ(rates_of(std::vector<TwoCounts>{{4, 0, 2}, {8, 0, 4}}).a, 0.5);
}

// ---- counts

// Launches inside the graphs, from the plan alone, against those that the device recorded.
TEST(ChoiceCounts, launches_of_a_plan_are_those_of_the_graphs) {
  Device device(load_backend("host"), 0);
  for (const BenchTopology& topology : bench_topologies())
    for (const int unknowns : {400, 5000}) {
      Simulation run = bench_run(topology.name, unknowns);
      DeviceSystem system(device);
      system.analyze(run.assembler().pattern(), run.assembler().graph());
      const DeviceCounts c = count(run).there;
      EXPECT_EQ(c.factor.launches, system.info().factor_launches - 1) << topology.name << " " << unknowns;
      EXPECT_EQ(c.solve.launches, system.info().solve_launches - 2) << topology.name << " " << unknowns;
      EXPECT_EQ(c.factor.levels, system.info().levels) << topology.name << " " << unknowns;
      EXPECT_EQ(c.factor.flops, system.info().flops) << topology.name << " " << unknowns;
    }
}

// Items that share a marker count it each: more bytes than are there, but not twice as many; operations of
// what element_flops.h knows are the same.
TEST(ChoiceCounts, bytes_from_above_and_operations_as_counted) {
  for (const char* name : {"chain", "loop", "net", "tree", "track"}) {
    const Model model = bench_model(bench_topology(name), 2000);
    const Assembler assembler(model);
    const BenchCounts exact = count_assembly(model, assembler);
    const EquationCounts e = count_equations(model, assembler);
    const Work equations = work_of(WorkGroup::evaluate, exact) + work_of(WorkGroup::residual, exact),
               tangent = work_of(WorkGroup::tangent, exact);
    for (const auto& [quick, counted] : {std::pair{e.equations, equations}, {e.tangent, tangent}}) {
      EXPECT_DOUBLE_EQ(quick.flops, counted.flops) << name;
      EXPECT_GE(quick.bytes(), 0.9 * counted.bytes()) << name << ": without the values of several entries";
      EXPECT_LE(quick.bytes(), 1.5 * counted.bytes()) << name;
      EXPECT_NEAR(quick.launches, counted.launches, 2) << name << ": the point, values of several entries";
    }
  }
}

// Every element has some estimate: dearer than the bodies alone.
TEST(ChoiceCounts, elements_without_a_count_are_estimated) {
  const std::string bodies =
      "UNITS/UCF=1\nPART/1,GROUND\nMARKER/10,PART=1\nPART/2,MASS=1,CM=20,IP=1,1,1\nMARKER/20,PART=2\n";
  const auto flops = [&](const std::string& more) {
    const Model model = test::compile_text(bodies + more);
    const EquationCounts e = count_equations(model, Assembler(model));
    return e.equations.flops + e.tangent.flops;
  };
  const double alone = flops("");
  for (const char* more : {"JOINT/1,CYLINDRICAL,I=20,J=10\n", "JOINT/1,FIXED,I=20,J=10\n",
                           "SFORCE/1,TRANSLATION,I=20,J=10,FUNCTION=-SIN(TIME)*DX(20,10)\n",
                           "DIFF/1,FUNCTION=-DIF(1)\n", "VARIABLE/1,FUNCTION=DX(20)**2\n"})
    EXPECT_GT(flops(more), alone) << more;
}

// Launches and answers of whole steps, as the counted rhythm of the run makes them, against those that a
// device counted. Steps differ: the first have no history, some ask for an impulse or a refinement; so 15 %.
TEST(ChoiceCounts, launches_and_answers_of_steps_are_those_of_a_device) {
  const auto device = std::make_shared<Device>(load_backend("host"), 0);
  for (const BenchTopology& topology : bench_topologies()) {
    ComputeSettings compute;
    compute.device = device;
    Simulation run(bench_model(bench_topology(topology.name), 700), bench_settings(), {}, compute);
    run.initialize();
    run.dynamics(5 * bench_step, 1);
    const HhtCounters before = run.counters();
    const DeviceCounters begun = device->counters();
    run.dynamics(45 * bench_step, 1);
    const DeviceCounters& ended = device->counters();
    const HhtCounters& h = run.counters();
    const DeviceCounts c = count(run).there;
    const auto steps = static_cast<double>(h.steps - before.steps),
               iterations = static_cast<double>(h.iterations - before.iterations),
               jacobians = static_cast<double>(h.jacobians - before.jacobians);
    const double launches =
        iterations *
            static_cast<double>(c.equations.launches + c.solve.launches + c.vectors.iteration.launches) +
        jacobians *
            static_cast<double>(c.tangent.launches + c.factor.launches + c.vectors.jacobian.launches) +
        steps * static_cast<double>(c.vectors.step.launches);
    const double answers = iterations * static_cast<double>(c.vectors.iteration.answers) +
                           jacobians * static_cast<double>(c.vectors.jacobian.answers) +
                           steps * static_cast<double>(c.vectors.step.answers);
    const auto launched = static_cast<double>(ended.launches - begun.launches),
               copied = static_cast<double>(ended.copies - begun.copies);
    EXPECT_NEAR(launches / launched, 1, 0.15) << topology.name << ": " << launched / steps << " a step";
    EXPECT_NEAR(answers / copied, 1, 0.25) << topology.name << ": " << copied / steps << " a step";
  }
}

// ---- the processor here

namespace {

/// Predicted over measured time of a step of a generated model: the least of three runs, with the rhythm of
/// these.
double ratio_of_step(const char* topology, int unknowns, const ProcessorConstants& machine) {
  std::vector<double> seconds;
  double predicted = 0;
  for (int k = 0; k < 3; ++k) {
    Simulation run = bench_run(topology, unknowns);
    run.initialize();
    const auto begin = std::chrono::steady_clock::now();
    run.dynamics((unknowns < 5000 ? 50 : 15) * bench_step, 1);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    const HhtCounters& h = run.counters();
    const auto steps = static_cast<double>(h.steps);
    seconds.push_back(taken.count() / steps);
    predicted =
        predict(count(run).here, machine)
            .of({static_cast<double>(h.iterations) / steps, static_cast<double>(h.jacobians) / steps});
  }
  return predicted / least_of(seconds);
}

}  // namespace

// Constants of this machine, and steps of it: within a factor of three, which is what a choice asks for.
// Constants and steps are measured in turns, three times, and the ratio nearest to one counts: other programs
// slow down the one or the other.
TEST(Prediction, of_steps_on_this_processor) {
  constexpr std::pair<const char*, int> models[] = {{"chain", 100}, {"chain", 1000}, {"chain", 10'000},
                                                    {"net", 1000},  {"net", 5000},   {"flexible", 3000}};
  std::vector<double> ratios[std::size(models)];
  for (int round = 0; round < 3; ++round) {
    const ProcessorConstants machine = measure_processor();
    for (std::size_t k = 0; k < std::size(models); ++k)
      ratios[k].push_back(ratio_of_step(models[k].first, models[k].second, machine));
  }
  for (std::size_t k = 0; k < std::size(models); ++k) {
    const double ratio = *std::min_element(ratios[k].begin(), ratios[k].end(), [](double a, double b) {
      return std::abs(std::log(a)) < std::abs(std::log(b));
    });
    const std::string name = fmt::format("{}_{}", models[k].first, models[k].second);
    RecordProperty(name, fmt::format("{:.3f}", ratio));
    EXPECT_GT(ratio, 1.0 / 3) << name;
    EXPECT_LT(ratio, 3) << name;
  }
}
