// A device that fails in the middle of a run: --backend auto goes on on the processor, --backend cuda ends.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "../support/short_touches.h"
#include "bench_tool/models.h"
#include "output/write/native_file.h"
#include "session/backend_choice.h"
#include "session/run.h"
#include "support.h"
#include "terminal/screen.h"

using namespace trammel;
using namespace trammel_test;

namespace failing_device_test {
namespace {

/// An environment variable until the end of its scope.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

/// x = cos t of one body on a spring, w = x by a differential equation that follows it, and free bodies that
/// make the model large enough to be tried on a device.
std::string oscillator(const std::string& more = "") {
  std::string deck =
      "oscillator\nPART/1,GROUND\nMARKER/10,PART=1\nPART/2,MASS=1,QG=1,0,0,CM=20,IP=1,1,1\nMARKER/20,PART=2\n"
      "SFORCE/1,TRANSLATION,ACTIONONLY,I=20,J=10,FUNCTION=-DX(20,10)\n"
      "VFORCE/2,I=20,JFLOAT=11,RM=10,FX=-DX(20,10)\\FY=0\\FZ=0\n"
      "DIFF/1,IC=0,FUNCTION=DX(20,10)\nREQUEST/1,F2=DX(20,10)\\F3=DIF(1)\nINTEGRATOR/HHT,ERROR=1E-7\n";
  deck.erase(deck.find("SFORCE"), deck.find("VFORCE") - deck.find("SFORCE"));
  deck.insert(deck.find("VFORCE"), "MARKER/11,PART=1,FLOATING\n");
  for (int k = 3; k < 3 + least_unknowns / 6; ++k)
    deck += fmt::format("PART/{0},MASS=1,QG={0},0,0,CM={0}0,IP=1,1,1\nMARKER/{0}0,PART={0}\n", k);
  return deck + more + "END\n";
}

/// The run of a deck on the processor and a device that fails at a launch.
struct FailingRun {
  explicit FailingRun(long launch, const std::string& deck = oscillator())
      : plugins("TRAMMEL_PLUGINS", TRAMMEL_FAILING_DEVICE),
        failing("TRAMMEL_FAILING_LAUNCH", std::to_string(launch)) {
    f.write("c.adm", deck);
    options.job.file = f.path("c.adm").string();
    options.times.end = 2;
    options.times.steps = 20;
    options.directory = f.path().string();
    options.step_timer = [](const StepsDue&, const std::shared_ptr<Device>& device) {
      return std::vector<double>{1, device ? 1e-3 : 2e-3};
    };
  }
  int run() {
    Screen screen(true);
    return run_job(options, screen.listener());
  }
  std::string message() const { return f.read("c.msg"); }
  nlohmann::json status() const { return f.json("c.status.json"); }
  std::vector<double> times() const { return NativeReader(f.path("c.nc").string()).time(); }

  const Folder f;
  const Variable plugins, failing;
  RunOptions options;
};

/// All outputs are there, once, and are the closed form: x = cos t, w = sin t.
void expect_oscillation(const FailingRun& run) {
  const std::vector<double> t = run.times(), x = run.f.channel("c.nc", "REQUEST/1.F2"),
                            w = run.f.channel("c.nc", "REQUEST/1.F3");
  ASSERT_EQ(t.size(), 21u);
  for (std::size_t k = 0; k < t.size(); ++k) {
    EXPECT_NEAR(t[k], 0.1 * double(k), 1e-12);
    // ERROR 1e-7 a step, some hundred steps: their sum, and as much again for HHT's damping.
    EXPECT_NEAR(x[k], std::cos(t[k]), 1e-4) << t[k];
    EXPECT_NEAR(w[k], std::sin(t[k]), 1e-4) << t[k];
  }
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr long never = 1'000'000'000;

// Without the failure the run stays there: what the others leave is the device.
TEST(FailingDevice, one_that_does_not_fail_is_used_to_the_end) {
  FailingRun run(never);
  ASSERT_EQ(run.run(), 0) << run.message();
  EXPECT_EQ(run.status()["backend"], "cuda");
  EXPECT_FALSE(has(run.message(), "has failed"));
  expect_oscillation(run);
}

TEST(FailingDevice, one_that_fails_while_it_takes_the_model_is_not_chosen) {
  FailingRun run(1);
  ASSERT_EQ(run.run(), 0) << run.message();
  EXPECT_TRUE(has(run.status()["backend_choice"], "cannot take the model: back end cuda, "));
  expect_oscillation(run);
}

// At launches in the middle of a start, of steps, and of evaluations, whatever that is.
TEST(FailingDevice, auto_goes_on_on_the_processor) {
  int at_the_beginning = 0, later = 0;
  for (const long launch : {30, 45, 60, 90, 301, 1003, 1700, 2500}) {
    SCOPED_TRACE(launch);
    FailingRun run(launch);
    ASSERT_EQ(run.run(), 0) << run.message();
    const std::string said = run.message();
    ASSERT_TRUE(has(said, "Back end cuda:0 has failed (back end cuda, ")) << said;
    EXPECT_TRUE(has(said, "an illegal memory access was encountered (cudaErrorIllegalAddress)"));
    ++(has(said, "From time 0 on the steps are computed on the processor") ? at_the_beginning : later);
    EXPECT_EQ(run.status()["backend"], "cpu");
    EXPECT_TRUE(has(run.status()["backend_choice"], "has failed"));
    expect_oscillation(run);
  }
  EXPECT_GT(at_the_beginning, 0);
  EXPECT_GT(later, 0);
}

// Sensors have acted up to where the processor takes over, and act once.
TEST(FailingDevice, sensors_act_once) {
  const std::string sensor = "SENSOR/1,FUNCTION=DX(20,10),VALUE=0.5,LE,ERROR=1E-4,PRINT\n";
  for (const long launch : {301, 1003, 1700, 2101, 2500}) {
    SCOPED_TRACE(launch);
    FailingRun run(launch, oscillator(sensor));
    ASSERT_EQ(run.run(), 0) << run.message();
    const std::string said = run.message();
    EXPECT_TRUE(has(said, "has failed"));
    const std::size_t first = said.find("Sensor/1 has become active");
    EXPECT_NE(first, std::string::npos);
    EXPECT_EQ(said.find("Sensor/1 has become active", first + 1), std::string::npos);
    const std::vector<double> t = run.times();
    EXPECT_EQ(t.size(), 22u);
    EXPECT_TRUE(std::is_sorted(t.begin(), t.end()));
    EXPECT_EQ(std::adjacent_find(t.begin(), t.end()), t.end());
  }
}

// A touch shorter than a step is seen on whatever side it falls: the processor looks ahead from where it
// takes over.
TEST(FailingDevice, short_touches_are_seen_on_both_sides) {
  const trammel::test::ShortTouch touch{1e-3};
  const std::string thrown = fmt::format(
      "MARKER/3,PART=1\nMARKER/4,PART=1,QP=0,0,-3\nPART/"
      "9001,MASS=1,CM=9001,IP=1,1,1,QG=0,0,{:.17g},VZ={:.17g}\n"
      "MARKER/9001,PART=9001\nJOINT/9001,TRANSLATIONAL,I=9001,J=3\nREQUEST/2,F2=VZ(9001,3)\n"
      "SFORCE/9001,TRANSLATION,I=9001,J=4,FUNCTION=10+IMPACT(DZ(9001,3),VZ(9001,3),0,1E4,1,0,1)\n",
      touch.height, -touch.speed());
  for (const long launch : {301, 1003, 2500}) {
    SCOPED_TRACE(launch);
    FailingRun run(launch, oscillator(thrown));
    ASSERT_EQ(run.run(), 0) << run.message();
    EXPECT_TRUE(has(run.message(), "Back end cuda:0 has failed")) << run.message();
    const std::vector<double> t = run.times(), v = run.f.channel("c.nc", "REQUEST/2.F2");
    // At 0.6, after the touch at 0.24; HHT loses 1 % of the change of speed at this ERROR.
    const double expected = touch.speed_at(0.6);
    EXPECT_NEAR(v[6], expected, 0.03 * (expected - touch.speed_without_spring(0.6))) << t[6];
  }
}

// A model that a command changes afterwards is not tried there again.
TEST(FailingDevice, a_changed_model_stays_on_the_processor) {
  FailingRun run(1003);
  run.f.write("c.acf",
              "c\n\nSIMULATE/DYNAMIC,END=1,STEPS=10\nPART/5,MASS=2\nSIMULATE/DYNAMIC,END=2,STEPS=10\nSTOP\n");
  run.options.job.file = run.f.path("c.acf").string();
  run.options.times = {};
  ASSERT_EQ(run.run(), 0) << run.message();
  EXPECT_EQ(run.status()["backend_choice"], "Back end cpu: cuda:0 has failed.");
  EXPECT_EQ(run.f.channel("c.nc", "REQUEST/1.F2").size(), run.times().size());
}

// A checkpoint is of the processor's steps then; the run that goes on from it finds no device at all.
TEST(FailingDevice, checkpoints_after_it_are_of_the_processor) {
  FailingRun run(1003);
  run.options.checkpoint_seconds = 1e-9;  // before every step
  int left = 60;
  run.options.stop = [&] { return --left < 0 && has(run.message(), "has failed"); };
  ASSERT_EQ(run.run(), static_cast<int>(ExitCode::resubmit)) << run.message();
  run.options.stop = {};
  run.options.resume = true;
  const Variable none("TRAMMEL_PLUGINS", "/nowhere");
  ASSERT_EQ(run.run(), 0) << run.message();
  expect_oscillation(run);
}

// One that is of a device's steps goes on there, and from there to the processor.
TEST(FailingDevice, a_run_that_goes_on_on_a_device_goes_back_too) {
  FailingRun run(never);
  run.options.checkpoint_seconds = 1e-9;
  int left = 60;
  run.options.stop = [&] { return --left < 0; };
  ASSERT_EQ(run.run(), static_cast<int>(ExitCode::resubmit)) << run.message();
  EXPECT_EQ(run.status()["backend"], "cuda");
  run.options.stop = {};
  run.options.resume = true;
  const Variable fails("TRAMMEL_FAILING_LAUNCH", "500");
  ASSERT_EQ(run.run(), 0) << run.message();
  EXPECT_TRUE(has(run.message(), "Back end cuda:0 has failed"));
  EXPECT_EQ(run.status()["backend"], "cpu");
  expect_oscillation(run);
}

// The program itself: exit code 8, and what was computed until then.
TEST(FailingDevice, a_device_that_was_asked_for_ends_the_run) {
  const Folder f;
  f.write("c.adm", oscillator());
  Launch launch;
  launch.arguments = {"run", "c.adm", "--end", "2", "--steps", "20", "--backend", "cuda"};
  launch.environment = {"TRAMMEL_PLUGINS=" TRAMMEL_FAILING_DEVICE, "TRAMMEL_FAILING_LAUNCH=2500"};
  const Outcome o = run(f, launch);
  EXPECT_EQ(o.code, 8);
  EXPECT_TRUE(has(o.err, "an illegal memory access was encountered (cudaErrorIllegalAddress)")) << o.err;
  EXPECT_EQ(f.json("c.status.json")["exit_code"], 8);
  const std::vector<double> t = NativeReader(f.path("c.nc").string()).time();
  EXPECT_GT(t.size(), 1u);
  EXPECT_LT(t.size(), 21u);
  const std::vector<double> x = f.channel("c.nc", "REQUEST/1.F2");
  for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(x[k], std::cos(t[k]), 1e-4) << t[k];
}

}  // namespace
}  // namespace failing_device_test
