// Constants of the machine: where they are kept, and what a run with --backend auto makes of them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "app/bench_chain.h"
#include "app/calibration_cache.h"
#include "app/run.h"
#include "app/version.h"
#include "backend/load.h"
#include "support.h"

using namespace trammel;
using namespace trammel_test;

namespace {

/// A folder in which this process and the programs that it starts keep their constants.
class Calibration : public ::testing::Test {
 protected:
  Calibration() {
    if (const char* given = std::getenv("XDG_CACHE_HOME")) before_ = given;
    set(f.path("cache").string());
  }
  ~Calibration() override {
    if (before_)
      set(*before_);
    else
      unsetenv("XDG_CACHE_HOME");
  }
  static void set(const std::string& folder) { setenv("XDG_CACHE_HOME", folder.c_str(), 1); }
  bool kept() const { return f.has(file); }

  static constexpr const char* file = "cache/trammel/calibration.json";
  const Folder f;

 private:
  std::optional<std::string> before_;
};

TrammelDeviceInfo host_info() {
  TrammelDeviceInfo info{};
  load_backend("host").describe(0, &info);
  return info;
}

/// Everything takes as long as that, in seconds, and a hundredth of it a byte or an operation.
template <class Constants>
Constants all_alike(double seconds) {
  Constants c;
  for (const auto& field : fields_of(c)) c.*field.value = seconds;
  c.bandwidth = 100 / seconds;
  return c;
}

void keep(double processor, double device) {
  CalibrationCache cache;
  cache.keep(all_alike<ProcessorConstants>(processor));
  cache.keep(device_key("host", host_info()), all_alike<DeviceConstants>(device));
  TrammelDeviceInfo groups{};
  load_backend("host").describe(1, &groups);
  cache.keep(device_key("host", groups), all_alike<DeviceConstants>(2 * device));
  ASSERT_EQ(cache.write(), "");
}

/// A chain of 50 links, 450 unknowns; auto chooses between the processor and the back end host.
struct AutoRun {
  explicit AutoRun(const Folder& folder, const std::string& deck = bench::chain_deck(50)) : f(folder) {
    f.write("c.adm", deck);
    options.job.file = f.path("c.adm").string();
    options.times.end = 0.01;
    options.times.steps = 2;
    options.directory = f.path().string();
    options.quiet = true;
    options.auto_backends = {"host"};
  }
  int run() const { return run_command(options); }
  std::string message() const { return f.read("c.msg"); }
  std::string choice() const { return f.json("c.status.json")["backend_choice"]; }
  std::string backend() const { return f.json("c.status.json")["backend"]; }

  const Folder& f;
  RunOptions options;
};

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nin: " << text;
}

}  // namespace

TEST_F(Calibration, constants_are_read_as_they_were_kept) {
  keep(1.0 / 3, 0.7);
  const CalibrationCache again;
  EXPECT_EQ(again.path(), f.path(file));
  EXPECT_EQ(again.note(), "");
  ASSERT_NE(again.processor(), nullptr);
  const Calibrated<DeviceConstants>* device = again.device(device_key("host", host_info()));
  ASSERT_NE(device, nullptr);
  for (const auto& field : fields_of(ProcessorConstants{}))
    EXPECT_EQ(again.processor()->constants.*field.value, all_alike<ProcessorConstants>(1.0 / 3).*field.value)
        << field.key;
  for (const auto& field : fields_of(DeviceConstants{}))
    EXPECT_EQ(device->constants.*field.value, all_alike<DeviceConstants>(0.7).*field.value) << field.key;
  EXPECT_EQ(device->date.size(), std::string("2026-01-01T00:00:00Z").size());
  EXPECT_EQ(again.device("cuda, another GPU, another driver"), nullptr);
}

TEST_F(Calibration, entries_of_other_machines_stay) {
  keep(1, 1);
  nlohmann::json other = f.json(file);
  other["processors"] = {{"another processor", other["processors"].begin().value()}};
  f.write(file, other.dump());
  CalibrationCache cache;
  EXPECT_EQ(cache.processor(), nullptr) << "that is another machine's";
  cache.keep(all_alike<ProcessorConstants>(2));
  ASSERT_EQ(cache.write(), "");
  EXPECT_EQ(f.json(file)["processors"].size(), 2u);
}

TEST_F(Calibration, a_file_that_is_none_of_ours_is_an_empty_cache_with_a_note) {
  keep(1, 1);
  const nlohmann::json right = f.json(file);
  nlohmann::json foreign = right, format = right, missing = right, negative = right, text = right;
  foreign["build"] = "another build";
  format["format"] = 999;
  missing["processors"].begin().value().erase("bandwidth");
  negative["processors"].begin().value()["bandwidth"] = -1;
  text["devices"].begin().value()["launch"] = "1";
  for (const std::string& content :
       {std::string("{\"format\": 1"), std::string(), std::string("[]"), foreign.dump(), format.dump(),
        missing.dump(), negative.dump(), text.dump()}) {
    f.write(file, content);
    const CalibrationCache cache;
    EXPECT_EQ(cache.processor(), nullptr) << content;
    EXPECT_EQ(cache.device(device_key("host", host_info())), nullptr) << content;
    expect_in(cache.note(), "is written anew");
  }
}

TEST_F(Calibration, a_cache_that_cannot_be_written_says_why) {
  f.write("cache", "a file in the way");
  CalibrationCache cache;
  cache.keep(all_alike<ProcessorConstants>(1));
  expect_in(cache.write(), f.path("cache").string());
  EXPECT_NE(cache.processor(), nullptr) << "what was measured is there all the same";
}

TEST_F(Calibration, the_home_folder_stands_in_for_the_cache_folder) {
  const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", "/home/somebody", 1);
  EXPECT_EQ(calibration_path(), "/home/somebody/.cache/trammel/calibration.json");
  unsetenv("HOME");
  EXPECT_EQ(calibration_path(), "");
  EXPECT_NE(CalibrationCache().write(), "");
  if (!home.empty()) setenv("HOME", home.c_str(), 1);
}

// ---- whole runs

TEST_F(Calibration, a_run_goes_where_the_constants_say) {
  keep(1, 1e-12);
  const AutoRun there(f);
  ASSERT_EQ(there.run(), 0);
  EXPECT_EQ(there.backend(), "host");
  expect_in(there.choice(), "Back end host:0 (processor, loops): predicted ");
  expect_in(there.message(), "ms, host:1 (processor, groups of four threads) ");
  expect_in(there.message(), "Back end: host, processor, loops. The steps are computed there");
  const std::vector<double> on_device = f.channel("c.nc", "PART/51.Z");

  keep(1e-12, 1);
  const AutoRun here(f);
  ASSERT_EQ(here.run(), 0);
  EXPECT_EQ(here.backend(), "cpu");
  expect_in(here.choice(), "Back end cpu: predicted ");
  expect_in(here.choice(), ", host:0 (processor, loops) at least ");
  expect_in(here.message(), "Linear solver: ");
  const std::vector<double> on_processor = f.channel("c.nc", "PART/51.Z");
  ASSERT_EQ(on_device.size(), on_processor.size());
  for (std::size_t k = 0; k < on_device.size();
       ++k)  // 5 m; rounding of two solvers, ERROR 1e-3 apart at most
    EXPECT_NEAR(on_device[k], on_processor[k], 1e-3);
}

// Constants that are not there are measured, kept, and found by the next run.
TEST_F(Calibration, the_first_run_measures) {
  const AutoRun first(f);
  ASSERT_EQ(first.run(), 0);
  expect_in(first.message(), "The processor was measured in ");
  expect_in(first.message(), "processor, loops was measured in ");
  expect_in(first.message(), f.path(file).string());
  expect_in(first.choice(), "predicted ");
  EXPECT_EQ(first.message().find("WARNING"), std::string::npos) << first.message();
  ASSERT_TRUE(kept());
  for (const auto& [key, entry] : f.json(file)["devices"].items())
    for (const char* constant : {"launch", "graph_launch", "bandwidth"})
      EXPECT_GT(entry[constant], 0.0) << key;
  const AutoRun second(f);
  ASSERT_EQ(second.run(), 0);
  EXPECT_EQ(second.message().find("was measured"), std::string::npos) << second.message();
}

TEST_F(Calibration, a_corrupt_file_is_noted_and_measured_anew) {
  f.write(file, "no JSON");
  const AutoRun run(f);
  ASSERT_EQ(run.run(), 0);
  expect_in(run.message(), "cannot be understood and is written anew");
  expect_in(run.message(), "The processor was measured in ");
  EXPECT_EQ(f.json(file)["format"], 1);
}

TEST_F(Calibration, without_a_place_to_keep_them_constants_serve_one_run) {
  f.write("cache", "a file in the way");
  const AutoRun run(f);
  ASSERT_EQ(run.run(), 0);
  expect_in(run.message(), "for this run alone: ");
  EXPECT_EQ(run.message().find("WARNING"), std::string::npos) << run.message();
  expect_in(run.choice(), "predicted ");
}

TEST_F(Calibration, a_model_that_no_device_computes_stays_and_the_element_is_named) {
  keep(1, 1e-12);
  std::string deck = bench::chain_deck(50);
  deck.insert(deck.rfind("OUTPUT/"), "GCON/4,I=22,FUNCTION=DY(22)\n");
  const AutoRun run(f, deck);
  ASSERT_EQ(run.run(), 0);
  EXPECT_EQ(run.choice(), "Back end cpu: GCON/4 is not computed on a device.");
  EXPECT_EQ(run.backend(), "cpu");
}

TEST_F(Calibration, a_solver_of_the_processor_means_the_processor) {
  keep(1, 1e-12);
  AutoRun run(f);
  run.options.compute.linear_solver = "multifrontal";
  ASSERT_EQ(run.run(), 0);
  EXPECT_EQ(run.choice(), "Back end cpu: --linear-solver multifrontal is one of the processor.");
}

// Nothing is measured, loaded or written for it.
TEST_F(Calibration, a_small_model_asks_no_device) {
  const AutoRun run(f, falling_body());
  ASSERT_EQ(run.run(), 0);
  expect_in(run.choice(), "6 unknowns are too few for a GPU to be faster");
  EXPECT_FALSE(kept());
}

TEST_F(Calibration, a_dry_run_measures_nothing) {
  AutoRun run(f);
  run.options.dry_run = true;
  ASSERT_EQ(run.run(), 0);
  EXPECT_FALSE(kept());
}

// ---- the program

// With a library in the place of the CUDA back end that is none.
TEST_F(Calibration, without_a_gpu_auto_takes_the_processor_and_cuda_ends_with_8) {
  f.write("c.adm", bench::chain_deck(50));
  f.write("libtrammel_cuda.so", "no library");
  Launch launch;
  launch.arguments = {"run", "c.adm", "--end", "0.01", "--dtout", "0.01"};
  launch.environment = {"TRAMMEL_PLUGINS=" + f.path().string()};
  const Outcome o = run(f, launch);
  ASSERT_EQ(o.code, 0) << o.err;
  const std::string choice = f.json("c.status.json")["backend_choice"];
  expect_in(choice, "Back end cpu: no usable GPU (");
  expect_in(choice, "libtrammel_cuda.so cannot be loaded: ");
  expect_in(f.read("c.msg"), "Back end cpu: no usable GPU (");
  EXPECT_EQ(o.out.find("warning"), std::string::npos) << o.out;
  EXPECT_FALSE(kept()) << "nothing is measured without a GPU";

  launch.arguments = {"run", "c.adm", "--end", "0.01", "--backend", "cuda"};
  const Outcome cuda = run(f, launch);
  EXPECT_EQ(cuda.code, 8);
  expect_in(cuda.err, "libtrammel_cuda.so cannot be loaded: ");
}

TEST_F(Calibration, devices_tells_and_makes_it) {
  const Outcome before = run(f, {"devices", "--json"});
  ASSERT_EQ(before.code, 0) << before.err;
  EXPECT_TRUE(nlohmann::json::parse(before.out)["backends"][0]["devices"][0]["calibrated"].is_null());
  EXPECT_FALSE(kept());
  const Outcome made = run(f, {"devices", "--calibrate"});
  ASSERT_EQ(made.code, 0) << made.err;
  expect_in(made.out, "memory, triad");
  expect_in(made.out, "GB/s");
  ASSERT_TRUE(kept());
  const auto after = nlohmann::json::parse(run(f, {"devices", "--json"}).out);
  const std::string date = f.json(file)["processors"].begin().value()["date"];
  EXPECT_EQ(after["backends"][0]["devices"][0]["calibrated"], date);
  const Calibrated<ProcessorConstants>* kept_here = nullptr;
  const CalibrationCache cache;
  ASSERT_NE(kept_here = cache.processor(), nullptr);
  for (const auto& field : fields_of(kept_here->constants))
    EXPECT_GE(kept_here->constants.*field.value, 0) << field.key;
  EXPECT_GT(kept_here->constants.equation_flop, 0);
}

TEST_F(Calibration, constants_that_cannot_be_kept_are_an_error_of_devices) {
  f.write("cache", "a file in the way");
  const Outcome o = run(f, {"devices", "--calibrate"});
  EXPECT_EQ(o.code, 7);
  expect_in(o.err, "the constants cannot be kept: ");
}
