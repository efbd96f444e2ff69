// --backend auto: what is chosen of what was timed, how steps are timed, and what a run makes of it.
#include <gtest/gtest.h>

#include <cstring>

#include "backends/load.h"
#include "bench_tool/chain.h"
#include "bench_tool/models.h"
#include "integrate/device_equations.h"
#include "output/write/native_file.h"
#include "session/backend_choice.h"
#include "session/backend_chooser.h"
#include "session/run.h"
#include "support.h"
#include "terminal/screen.h"

using namespace trammel;
using namespace trammel_test;

namespace backend_choice_test {
namespace {

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nin: " << text;
}

TimedSide side(const char* where, std::vector<double> seconds) {
  return {where, std::move(seconds)};
}
TimedSide refused(const char* where, const char* why) {
  return {where, {}, why};
}

}  // namespace

// ---- the choice

TEST(Choice, the_least_time_and_of_equal_ones_the_processor) {
  const auto chosen = [](double cpu, double first, double second) {
    return choose_backend({side("cpu", {9, cpu}), side("cuda:0", {9, first}), side("cuda:1", {9, second})})
        .side;
  };
  EXPECT_EQ(chosen(3, 2, 1), 2);
  EXPECT_EQ(chosen(3, 2, 2), 1);
  EXPECT_EQ(chosen(2, 2, 2), 0);
  EXPECT_EQ(chosen(1, 2, 3), 0);
}

// A first step that is long decides nothing, nor do steps that one side alone has come to.
TEST(Choice, steps_that_all_have_taken_are_compared_but_for_the_first) {
  const BackendChoice slow_start =
      choose_backend({side("cpu", {1e-3, 2e-3, 4e-3}), side("cuda:0 (GPU)", {1, 1e-3, 2e-3, 90e-3})});
  EXPECT_EQ(slow_start.sentence, "Back end cuda:0 (GPU): 1.5 ms per step, cpu 3 ms (mean of 2 steps).");
  EXPECT_EQ(choose_backend({side("cpu", {1, 0.1}), side("cuda:0", {2})}).side, 0)
      << "the first is all there is";
}

TEST(Choice, the_sentence_has_the_times_of_all_sides) {
  EXPECT_EQ(choose_backend({side("cpu", {1, 31e-6, 31e-6}), side("cuda:0 (GPU)", {1, 0.412e-3, 0.412e-3})})
                .sentence,
            "Back end cpu: 0.031 ms per step, cuda:0 (GPU) 0.41 ms (mean of 2 steps).");
  EXPECT_EQ(choose_backend({side("cpu", {0.1234}), side("cuda:0 (GPU)", {4.2e-3})}).sentence,
            "Back end cuda:0 (GPU): 4.2 ms per step, cpu 123 ms (one step timed).");
}

TEST(Choice, a_side_that_does_not_step_is_told_and_not_taken) {
  EXPECT_EQ(choose_backend({side("cpu", {1e-3}), refused("cuda:0 (GPU)", "out of memory")}).sentence,
            "Back end cpu: 1 ms per step, cuda:0 (GPU) cannot: out of memory (one step timed).");
  const BackendChoice device = choose_backend({refused("cpu", "singular"), side("cuda:0", {1e-3})});
  EXPECT_EQ(device.side, 1);
  EXPECT_EQ(device.sentence, "Back end cuda:0: 1 ms per step, cpu cannot: singular (one step timed).");
  const BackendChoice none = choose_backend({refused("cpu", "singular"), side("cuda:0", {})});
  EXPECT_EQ(none.side, 0);
  EXPECT_EQ(
      none.sentence,
      "Back end cpu: no steps could be timed (cpu cannot: singular, cuda:0 cannot: there was no step to "
      "take).");
}

TEST(Choice, reasons_before_any_device_is_looked_for) {
  EXPECT_EQ(reason_for_processor(least_unknowns, "auto", ""), "");
  EXPECT_EQ(reason_for_processor(100'000, "klu", ""), "--linear-solver klu is one of the processor");
  EXPECT_EQ(reason_for_processor(100'000, "auto", "GCON/4"), "GCON/4 is not computed on a device");
  EXPECT_EQ(reason_for_processor(least_unknowns - 1, "auto", ""),
            "999 unknowns are too few to try a GPU (below 1000)");
  EXPECT_EQ(processor_sentence("no usable GPU (x)"), "Back end cpu: no usable GPU (x).");
}

// What a step asks of a device at the size of least_unknowns, as a device counts it. Steps of one size, as
// these are, wait for two answers; there is one output.
TEST(Choice, a_step_has_thirteen_launches_or_more_and_two_answers) {
  const auto device = std::make_shared<Device>(load_backend("host"), 0);
  for (const BenchTopology& topology : bench_topologies()) {
    ComputeSettings compute;
    compute.device = device;
    Session run(bench_model(topology, least_unknowns), bench_settings(), {}, compute);
    run.initialize();
    run.run(dynamics_analysis, {5 * bench_step, 1});
    const DeviceCounters begun = device->counters();
    const long steps_before = run.counters().steps;
    run.run(dynamics_analysis, {25 * bench_step, 1});
    const auto steps = static_cast<double>(run.counters().steps - steps_before);
    const double launches = static_cast<double>(device->counters().submitted - begun.submitted) / steps,
                 answers = static_cast<double>(device->counters().answers - begun.answers) / steps;
    EXPECT_GE(launches, 10) << topology.name;
    EXPECT_LE(launches, 20) << topology.name;
    EXPECT_GE(answers, 2) << topology.name;
    EXPECT_LE(answers, 3) << topology.name;
    RecordProperty(topology.name,
                   fmt::format("{:.0f} launches and graphs, {:.1f} answers", launches, answers));
  }
}

// ---- timing

namespace {

/// Initial conditions of a generated model, and steps of 1 ms that are due.
struct Due {
  Due(const char* topology, int unknowns)
      : run(bench_model(bench_topology(topology), unknowns), bench_settings(), {}) {
    stage.analysis = &dynamics_analysis;
    stage.end = 0.02;
    stage.steps = 20;
    stage.settings = bench_settings();
    run.initialize();
  }
  StepsDue due() { return {run, stage, compute}; }

  Session run;
  Stage stage;
  ComputeSettings compute;
};

}  // namespace

TEST(StepTiming, takes_a_few_steps_and_leaves_the_simulation_as_it_is) {
  for (const bool on_device : {false, true}) {
    Due d("flexible", 400);
    const auto device = on_device ? std::make_shared<Device>(load_backend("host"), 0) : nullptr;
    const State before = d.run.state();
    const SystemCounters linear = d.run.systems().counters();
    const std::vector<double> seconds = time_steps(d.due(), device);
    EXPECT_EQ(seconds.size(), std::size_t{most_timed_steps});
    for (const double s : seconds) EXPECT_GT(s, 0);
    const State& after = d.run.state();
    EXPECT_EQ(after.t, before.t);
    EXPECT_EQ(after.q, before.q);
    EXPECT_EQ(after.v, before.v);
    EXPECT_EQ(after.lambda, before.lambda);
    EXPECT_EQ(after.s, before.s);
    EXPECT_EQ(d.run.counters().steps, 0);
    EXPECT_EQ(d.run.counters().evaluations, 0);
    EXPECT_EQ(d.run.systems().counters().factorizations, linear.factorizations);
    EXPECT_EQ(d.run.systems().counters().solves, linear.solves);
    EXPECT_EQ(d.run.systems().on_device(), nullptr);
  }
}

// Fixed steps of 1 ms as far as the simulation goes.
TEST(StepTiming, ends_with_the_simulation) {
  Due d("chain", 100);
  d.stage.end = 0.003;
  d.stage.steps = 1;
  EXPECT_EQ(time_steps(d.due(), nullptr).size(), 3u);
}

// ---- whole runs

namespace {

/// Figures instead of clocks: seconds of a step on the processor and on both devices of the back end host, 0:
/// it fails there. Keeps count.
struct Figures {
  double cpu, loops, groups = 1;
  bool steps = false;  ///< takes the steps all the same, but for those of groups, which take long
  int asked = 0;
  StepTimer timer() {
    return [this](const StepsDue& due, const std::shared_ptr<Device>& device) {
      ++asked;
      const bool in_loops = device && std::string(device->info().name).find("loops") != std::string::npos;
      if (steps && (!device || in_loops)) time_steps(due, device);
      const double seconds = !device ? cpu : in_loops ? loops : groups;
      if (seconds == 0) fail(ExitCode::backend, "out of memory");
      return std::vector<double>{1, seconds, seconds};
    };
  }
};

/// Large enough to be timed.
std::string large_deck(const char* topology = "chain") {
  return bench_topology(topology).deck(2 * least_unknowns);
}

/// A run with the processor and the back end host to choose from.
struct AutoRun {
  explicit AutoRun(const std::string& deck = large_deck()) {
    f.write("c.adm", deck);
    options.job.file = f.path("c.adm").string();
    options.times.end = 0.004;
    options.times.steps = 2;
    options.directory = f.path().string();
    options.auto_backends = {"host"};
  }
  int run() const {
    Screen screen(quiet);
    return run_job(options, screen.listener());
  }
  int run(Figures& figures) {
    options.step_timer = figures.timer();
    return run();
  }
  std::string message() const { return f.read("c.msg"); }
  nlohmann::json status() const { return f.json("c.status.json"); }
  std::string choice() const { return status()["backend_choice"]; }
  std::string backend() const { return status()["backend"]; }
  std::string head() const { return NativeReader(f.path("c.nc").string()).info().backend; }
  /// "7 steps, 0 rejected ..., 44 evaluations, 7 Jacobians, 7 factorizations."
  std::string counters() const {
    const std::string text = message();
    const std::size_t end = text.find(" factorizations"), begin = text.rfind('\n', end) + 1;
    return end == std::string::npos ? "none" : text.substr(begin, end - begin);
  }
  /// Every value of every record.
  std::vector<double> results() const {
    const NativeReader reader(f.path("c.nc").string());
    std::vector<double> all = reader.time();
    for (std::size_t k = 0; k < reader.records(); ++k)
      for (const double value : reader.record(k)) all.push_back(value);
    return all;
  }

  const Folder f;
  RunOptions options;
  bool quiet = true;
};

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// What a run that was told where to compute gives, and that the other gave the same.
void expect_as_forced(const AutoRun& chosen, const std::string& deck, const std::string& backend) {
  AutoRun forced(deck);
  forced.options.times = chosen.options.times;
  forced.options.backend = backend;
  ASSERT_EQ(forced.run(), 0);
  EXPECT_TRUE(same_bits(chosen.results(), forced.results())) << backend;
  EXPECT_NE(forced.counters(), "none");
  EXPECT_EQ(chosen.counters(), forced.counters());
}

}  // namespace

// Steps are taken for it, and the run has the bits and counts of one that was told where to compute.
TEST(AutoBackend, a_run_goes_where_steps_take_least) {
  for (const char* topology : {"chain", "track", "flexible"}) {
    const std::string deck = large_deck(topology);
    AutoRun run(deck);
    Figures device{2e-3, 1e-3};
    device.steps = true;
    ASSERT_EQ(run.run(device), 0);
    EXPECT_EQ(device.asked, 3);
    EXPECT_EQ(run.backend(), "host");
    EXPECT_EQ(run.head(), "host:0");
    EXPECT_EQ(
        run.choice(),
        "Back end host:0 (processor, loops): 1 ms per step, cpu 2 ms, host:1 (processor, groups of four "
        "threads) 1000 ms (mean of 2 steps).");
    expect_in(run.message(), "Back end host:0 (processor, loops): 1 ms per step, cpu 2 ms");
    expect_in(run.message(), "Back end: host, processor, loops. The steps are computed there");
    expect_as_forced(run, deck, "host");

    AutoRun stays(deck);
    Figures processor{1e-3, 2e-3};
    processor.steps = true;
    ASSERT_EQ(stays.run(processor), 0);
    EXPECT_EQ(stays.backend(), "cpu");
    EXPECT_EQ(stays.head(), "cpu");
    expect_in(stays.choice(), "Back end cpu: 1 ms per step, host:0 (processor, loops) 2 ms, host:1 ");
    EXPECT_EQ(stays.message().find("The steps are computed there"), std::string::npos);
    expect_as_forced(stays, deck, "cpu");
  }
}

// By the clock, whatever it says.
TEST(AutoBackend, real_clocks_choose_one_and_the_results_are_its) {
  const std::string deck = large_deck();
  const AutoRun run(deck);
  ASSERT_EQ(run.run(), 0);
  const std::string backend = run.backend();
  EXPECT_TRUE(backend == "cpu" || backend == "host") << backend;
  expect_in(run.choice(), "Back end " + backend);
  expect_in(run.choice(), " ms per step, ");
  expect_in(run.message(), " ms per step, ");
  AutoRun forced(deck);
  forced.options.backend = backend;
  forced.options.device = run.head() == "host:1" ? 1 : 0;
  ASSERT_EQ(forced.run(), 0);
  EXPECT_TRUE(same_bits(run.results(), forced.results())) << run.choice();
}

TEST(AutoBackend, a_side_that_fails_is_told_and_not_chosen) {
  AutoRun run;
  Figures figures{1e-3, 0, 2e-3};
  ASSERT_EQ(run.run(figures), 0);
  EXPECT_EQ(run.backend(), "cpu");
  expect_in(run.choice(), "host:0 (processor, loops) cannot: out of memory");
  Figures all{0, 0, 0};
  ASSERT_EQ(run.run(all), 0);
  EXPECT_EQ(run.backend(), "cpu");
  expect_in(run.choice(), "Back end cpu: no steps could be timed (cpu cannot: out of memory, ");
}

TEST(AutoBackend, what_was_timed_is_told_on_the_screen) {
  AutoRun run;
  run.quiet = false;
  Figures figures{2e-3, 1e-3};
  testing::internal::CaptureStdout();
  const int code = run.run(figures);
  const std::string out = testing::internal::GetCapturedStdout();
  ASSERT_EQ(code, 0);
  expect_in(out, "Back end host:0 (processor, loops): 1 ms per step, cpu 2 ms");
}

// The result files wait for the choice, and are there all the same where a run fails before it.
TEST(AutoBackend, initial_conditions_that_fail_leave_what_they_always_leave) {
  std::string deck = large_deck();
  deck.insert(
      deck.rfind("ACCGRAV/"),
      "PART/100000,MASS=1,CM=1000000,IP=1,1,1\nMARKER/1000000,PART=100000\nSFORCE/1,TRANSLATION,I=1000000,"
      "J=10,FUNCTION=SQRT(-1-TIME)\n");
  std::string lists[2];
  for (const char* backend : {"auto", "cpu"}) {
    AutoRun run(deck);
    run.options.backend = backend;
    Figures figures{2e-3, 1e-3};
    EXPECT_NE(run.run(figures), 0);
    EXPECT_EQ(figures.asked, 0);
    lists[backend[0] == 'c'] = run.f.list();
  }
  EXPECT_EQ(lists[0], lists[1]);
  expect_in(lists[0], "c.nc");
}

TEST(AutoBackend, a_changed_model_is_timed_again) {
  AutoRun run;
  run.f.write(
      "c.acf",
      "c\n\nSIMULATE/INITIAL_CONDITIONS\nSIMULATE/DYNAMIC,END=0.002,STEPS=1\n"
      "SIMULATE/DYNAMIC,END=0.003,STEPS=1\nPART/5,MASS=0.2\nSIMULATE/DYNAMIC,END=0.004,STEPS=1\nSTOP\n");
  run.options.job.file = run.f.path("c.acf").string();
  run.options.times = {};
  Figures figures{2e-3, 1e-3};
  ASSERT_EQ(run.run(figures), 0) << run.message();
  EXPECT_EQ(figures.asked, 2 * 3) << "not for the second simulation of the same model";
  EXPECT_EQ(run.head(), "auto") << "the file began with initial conditions";
  EXPECT_EQ(run.backend(), "host");
}

TEST(AutoBackend, a_model_that_no_device_computes_stays_and_the_element_is_named) {
  std::string deck = large_deck();
  deck.insert(deck.rfind("OUTPUT/"), "VARIABLE/4,FUNCTION=DELAY(TIME,TIME,0)\n");
  AutoRun run(deck);
  Figures figures{1, 1e-3};
  ASSERT_EQ(run.run(figures), 0);
  EXPECT_EQ(run.choice(),
            "Back end cpu: VARIABLE/4 FUNCTION (DELAY without a bound) is not computed on a device.");
  EXPECT_EQ(figures.asked, 0);
}

TEST(AutoBackend, a_solver_of_the_processor_means_the_processor) {
  AutoRun run;
  run.options.compute.linear_solver = "multifrontal";
  Figures figures{1, 1e-3};
  ASSERT_EQ(run.run(figures), 0);
  EXPECT_EQ(run.choice(), "Back end cpu: --linear-solver multifrontal is one of the processor.");
  EXPECT_EQ(figures.asked, 0);
}

// No back end is loaded for it: this one's name would be told.
TEST(AutoBackend, a_small_model_asks_no_device) {
  AutoRun run(falling_body());
  run.options.auto_backends = {"abacus"};
  Figures figures{1, 1e-3};
  ASSERT_EQ(run.run(figures), 0);
  EXPECT_EQ(run.choice(), "Back end cpu: 6 unknowns are too few to try a GPU (below 1000).");
  EXPECT_EQ(figures.asked, 0);
}

TEST(AutoBackend, a_dry_run_times_nothing) {
  AutoRun run;
  run.options.dry_run = true;
  Figures figures{1, 1e-3};
  ASSERT_EQ(run.run(figures), 0);
  EXPECT_EQ(figures.asked, 0);
}

// With a library in the place of the CUDA back end that is none.
TEST(AutoBackend, without_a_gpu_it_is_the_processor_and_cuda_ends_with_8) {
  const Folder f;
  f.write("c.adm", large_deck());
  f.write("libtrammel_cuda.so", "no library");
  Launch launch;
  launch.arguments = {"run", "c.adm", "--end", "0.004", "--dtout", "0.004"};
  launch.environment = {"TRAMMEL_PLUGINS=" + f.path().string()};
  const Outcome o = run(f, launch);
  ASSERT_EQ(o.code, 0) << o.err;
  const std::string choice = f.json("c.status.json")["backend_choice"];
  expect_in(choice, "Back end cpu: no usable GPU (");
  expect_in(choice, "libtrammel_cuda.so cannot be loaded: ");
  expect_in(f.read("c.msg"), "Back end cpu: no usable GPU (");
  EXPECT_EQ(o.out.find("Back end"), std::string::npos) << "no word more: " << o.out;
  EXPECT_EQ(o.out.find("warning"), std::string::npos) << o.out;

  launch.arguments = {"run", "c.adm", "--end", "0.004", "--backend", "cuda"};
  const Outcome cuda = run(f, launch);
  EXPECT_EQ(cuda.code, 8);
  expect_in(cuda.err, "libtrammel_cuda.so cannot be loaded: ");
}

}  // namespace backend_choice_test
