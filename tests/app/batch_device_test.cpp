// trammel batch --backend: variants side by side on a device (here the processor as one) against the same
// variants on the processor, and what becomes of those that a device does not compute.
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <numbers>

#include <fmt/format.h>
#include <unistd.h>

#include "../support/short_touches.h"
#include "batch_support.h"

using namespace trammel_test;

namespace batch_device_test {
namespace {

/// The command on the back ends cpu and host; tables cpu.csv and host.csv.
std::vector<Outcome> on_both(const Folder& f, const std::vector<std::string>& arguments) {
  std::vector<Outcome> out;
  for (const std::string backend : {"cpu", "host"}) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), {"--backend", backend, "-o", backend});
    out.push_back(batch(f, all));
  }
  return out;
}

/// Values of a column are the same but for what the integration leaves open: two linear solvers round
/// differently, and where that tips a decision results differ by a part of ERROR^(2/3).
void expect_near(const Folder& f, const std::string& header, double tolerance) {
  const std::vector<Line> cpu = table(f, "cpu.csv"), host = table(f, "host.csv");
  ASSERT_EQ(cpu.size(), host.size());
  for (std::size_t k = 0; k < cpu.size(); ++k)
    EXPECT_NEAR(number(cpu[k], header), number(host[k], header), tolerance) << header << " " << k;
}

TEST(BatchOnDevice, gives_what_the_processor_gives) {
  Folder f;
  f.write("t.csv", "PART/4.MASS\n0.5\n1\n2\n3.5\n5\n");
  for (const Outcome& o :
       on_both(f, {model("slider_crank/slider_crank.acf"), "--variants", "t.csv", "--end", "0.4", "--steps",
                   "40", "-j", "3", "--channels", "PART/4.X", "min:PART/4.VX", "max:JOINT/1.FX"})) {
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_TRUE(contains(o.out, "5 done, 0 failed, 0 interrupted; ")) << o.out;
    EXPECT_FALSE(contains(o.out, "computed on the processor")) << o.out;
  }
  // ERROR of the deck is 1E-6 or smaller: 1e-4 of accelerations and reactions, of some 20 N
  expect_near(f, "final:PART/4.X", 1e-6);
  expect_near(f, "min:PART/4.VX", 1e-5);
  expect_near(f, "max:JOINT/1.FX", 2e-3);
  EXPECT_EQ(column(table(f, "cpu.csv"), "backend"), "cpu cpu cpu cpu cpu");
  EXPECT_EQ(column(table(f, "host.csv"), "backend"), "host:0 host:0 host:0 host:0 host:0");
}

/// Every record of a variant is that of `trammel run` on the same device.
TEST(BatchOnDevice, a_variant_is_what_run_makes_of_it_there) {
  Folder f;
  f.write("t.csv", "name,PART/4.MASS\na,0.5\nb,3\n");
  const std::string deck = model("slider_crank/slider_crank.acf");
  const Outcome o = batch(f, {deck, "--variants", "t.csv", "--end", "0.3", "--steps", "30", "--backend",
                              "host", "--full", "-o", "v"});
  ASSERT_EQ(o.code, 0) << o.err;
  for (const auto& [name, mass] : {std::pair{"a", "0.5"}, {"b", "3"}}) {
    ASSERT_EQ(run(f, {"run", deck, "--set", std::string("PART/4, MASS=") + mass, "--end", "0.3", "--steps",
                      "30", "--backend", "host", "-o", "r", "--formats", "nc"})
                  .code,
              0);
    for (const std::string& prefix : {std::string("v_") + name, std::string("r")})
      ASSERT_EQ(run(f, {"convert", prefix + ".nc", prefix + ".csv"}).code, 0);
    EXPECT_EQ(f.read(std::string("v_") + name + ".csv"), f.read("r.csv"));
  }
}

TEST(BatchOnDevice, commands_between_simulations_are_carried_out) {
  Folder f;
  with_stone(f);
  f.write("stone.acf",
          "stone\nstone\nINTEGRATOR/HHT\nSIMULATE/DYNAMIC, END=0.5, STEPS=5\nSFORCE/1, FUNCTION=-3\n"
          "SIMULATE/DYNAMIC, END=1, STEPS=5\nSTOP\n");
  f.write("t.csv", "PART/2.MASS\n1\n2\n4\n");
  for (const Outcome& o : on_both(f, {"stone.acf", "--variants", "t.csv", "--channels", "PART/2.X"}))
    ASSERT_EQ(o.code, 0) << o.err;
  const std::vector<Line> lines = table(f, "host.csv");
  // F = 1 for half a second, then -3: x = 1/8/m + 1/4/m - 3/8/m
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(number(lines[k], "final:PART/2.X"), 0, 1e-6) << k;
  EXPECT_EQ(column(lines, "backend"), "host:0 host:0 host:0");
  expect_near(f, "steps", 1);
}

/// A function without a value is named by the processor; the others stay on the device.
TEST(BatchOnDevice, a_variant_without_a_value_is_told_as_the_processor_tells_it) {
  Folder f;
  with_stone(f, "INTEGRATOR/HHT, ERROR=1E-6\n");
  f.write("t.csv",
          "name,SFORCE/1.FUNCTION\na,SIN(TIME)\nbad,SQRT(0.5-TIME)\nc,2*TIME\nworse,LOG(0.3-TIME)\n");
  const std::vector<Outcome> o = on_both(f, {"stone.acf", "--variants", "t.csv", "--channels", "PART/2.X"});
  EXPECT_EQ(o[0].code, 5);
  EXPECT_EQ(o[1].code, 5);
  EXPECT_TRUE(contains(o[1].out,
                       "2 variants were computed on the processor, the first of them 2 (bad): a function had "
                       "no value"))
      << o[1].out;
  const std::vector<Line> cpu = table(f, "cpu.csv"), host = table(f, "host.csv");
  EXPECT_EQ(column(host, "backend"), "host:0 cpu host:0 cpu");
  for (const int k : {1, 3})
    for (const char* header : {"status", "exit_code", "end_time", "steps", "message", "final:PART/2.X"})
      EXPECT_EQ(cpu[k].at(header), host[k].at(header)) << header;
  expect_near(f, "final:PART/2.X", 1e-6);
}

TEST(BatchOnDevice, what_a_device_does_not_compute_stays_on_the_processor) {
  Folder f;
  with_stone(f, "SENSOR/1, FUNCTION=DZ(2,1), VALUE=-1, LE, HALT\n");
  f.write("t.csv", "PART/2.MASS\n1\n2\n");
  const std::vector<Outcome> o = on_both(f, {"stone.acf", "--variants", "t.csv", "--channels", "PART/2.Z"});
  ASSERT_EQ(o[1].code, 0) << o[1].err;
  EXPECT_TRUE(contains(o[1].out,
                       "2 variants were computed on the processor, the first of them 1: SENSOR/1 is watched "
                       "on the processor"))
      << o[1].out;
  EXPECT_EQ(without(f.read("cpu.csv"), "wall_seconds"), without(f.read("host.csv"), "wall_seconds"));
}

TEST(BatchOnDevice, break_points_are_met_on_the_processor) {
  Folder f;
  with_stone(f, "INTEGRATOR/HHT, ERROR=1E-6\n");
  f.write("t.csv", "SFORCE/1.FUNCTION\nSIN(TIME)\n\"STEP(TIME,0.3,0,0.31,1)\"\n");
  const std::vector<Outcome> o = on_both(f, {"stone.acf", "--variants", "t.csv", "--channels", "PART/2.X"});
  ASSERT_EQ(o[1].code, 0) << o[1].err;
  EXPECT_TRUE(contains(o[1].out,
                       "1 variant was computed on the processor, the first of them 2: steps that end where"))
      << o[1].out;
  EXPECT_EQ(column(table(f, "host.csv"), "backend"), "host:0 cpu");
}

/// Steps of a variant look ahead as those of `run` there do: short touches are seen, each in its own time,
/// and every record has the bits of the variant alone.
TEST(BatchOnDevice, steps_look_ahead_for_changes_of_functions) {
  using trammel::test::ShortTouch;
  Folder f;
  const ShortTouch touch{1e-3};
  const std::vector<trammel::test::SpringOfTouch> springs = trammel::test::springs_of_touch();
  f.write("touch.adm", touch.deck(springs[0], "HHT, ERROR=1E-8"));
  f.write("touch.acf", "touch\ntouch\nSIMULATE/DYNAMIC, END=0.6, STEPS=3\nSTOP\n");
  std::string variants = "name,SFORCE/1.FUNCTION,PART/2.VZ\n";
  for (std::size_t k = 0; k < 4; ++k)  // IMPACT, both stops of BISTOP, IF
    for (const double overlap : {1e-4, 1e-3, 1e-2}) {
      const std::string function = springs[k].force.substr(springs[k].force.find("FUNCTION=") + 9);
      variants += fmt::format("v{}_{},\"{}\",{:.17g}\n", k, overlap, function, -ShortTouch{overlap}.speed());
    }
  variants += "\"far\",\"-DZ(20,1)\",-1\n";
  f.write("t.csv", variants);
  const Outcome o = batch(f, {"touch.acf", "--variants", "t.csv", "--channels", "PART/2.VZ", "--backend",
                              "host", "--full", "-o", "host"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_FALSE(contains(o.out, "computed on the processor")) << o.out;
  const std::vector<Line> lines = table(f, "host.csv");
  ASSERT_EQ(lines.size(), 13u);
  for (std::size_t k = 0; k < 12; ++k) {
    EXPECT_EQ(lines[k].at("backend"), "host:0");
    const ShortTouch of{std::array{1e-4, 1e-3, 1e-2}[k % 3]};
    // HHT loses 1.2 % of the change of speed at this ERROR.
    EXPECT_NEAR(number(lines[k], "final:PART/2.VZ"), of.speed_at(0.6),
                0.03 * (of.speed_at(0.6) - of.speed_without_spring(0.6)))
        << lines[k].at("name");
  }
  for (const std::size_t k : {1u, 4u, 7u, 10u}) {
    const std::string name = lines[k].at("name");
    ASSERT_EQ(run(f, {"run", "touch.acf", "--set", "SFORCE/1, FUNCTION=" + lines[k].at("SFORCE/1.FUNCTION"),
                      "--set", "PART/2, VZ=" + lines[k].at("PART/2.VZ"), "--backend", "host", "-o", "r",
                      "--formats", "nc"})
                  .code,
              0);
    for (const std::string& prefix : {"host_" + name, std::string("r")})
      ASSERT_EQ(run(f, {"convert", prefix + ".nc", prefix + ".csv"}).code, 0);
    EXPECT_EQ(f.read("host_" + name + ".csv"), f.read("r.csv")) << name;
    EXPECT_EQ(lines[k].at("steps"), fmt::format("{}", f.json("r.status.json")["steps"].get<long>())) << name;
  }
}

/// A variant with another tolerance fails by itself: steps below its HMIN.
TEST(BatchOnDevice, a_variant_that_gives_up_says_so) {
  Folder f;
  with_stone(f, "INTEGRATOR/HHT, ERROR=1E-6, BREAK_POINTS=OFF\n");
  f.write("t.csv",
          "name,INTEGRATOR.ERROR,INTEGRATOR.HMIN,SFORCE/1.FUNCTION\na,1E-6,,SIN(TIME)\n"
          "tight,1E-9,2E-3,\"STEP(TIME,0.3,0,0.31,1000)\"\n");
  const std::vector<Outcome> o = on_both(f, {"stone.acf", "--variants", "t.csv", "--channels", "PART/2.X"});
  EXPECT_EQ(o[0].code, 5);
  EXPECT_EQ(o[1].code, 5);
  const std::vector<Line> cpu = table(f, "cpu.csv"), host = table(f, "host.csv");
  EXPECT_EQ(column(host, "status"), "done failed");
  EXPECT_EQ(column(host, "backend"), "host:0 host:0");
  EXPECT_TRUE(contains(host[1].at("message"), "exceeds ERROR, down to the step 0.0008 below HMIN = 0.002"))
      << host[1].at("message");
  EXPECT_EQ(cpu[1].at("message"), host[1].at("message"));
  for (const char* header : {"end_time", "steps", "rejected_steps", "iterations"})
    EXPECT_EQ(cpu[1].at(header), host[1].at(header)) << header;
}

/// Requests are evaluated by the processor, from the device's records: one without a value fails its variant
/// there and then, as on the processor.
TEST(BatchOnDevice, a_record_without_a_value_ends_the_variant) {
  Folder f;
  with_stone(f, "REQUEST/1, F2=TIME\nINTEGRATOR/HHT\n");
  f.write("t.csv", "name,REQUEST/1.F2\na,TIME\nbad,SQRT(SIN(4*TIME))\nc,2*TIME\n");
  for (const bool full : {false, true}) {
    std::vector<std::string> arguments = {"stone.acf", "--variants", "t.csv", "--channels", "PART/2.X"};
    if (full) arguments.push_back("--full");
    const std::vector<Outcome> o = on_both(f, arguments);
    EXPECT_EQ(o[0].code, 5);
    EXPECT_EQ(o[1].code, 5);
    const std::vector<Line> cpu = table(f, "cpu.csv"), host = table(f, "host.csv");
    EXPECT_EQ(column(host, "status"), "done failed done");
    EXPECT_EQ(column(host, "backend"), "host:0 host:0 host:0");
    for (const char* header : {"exit_code", "message", "final:PART/2.X"})
      EXPECT_EQ(cpu[1].at(header), host[1].at(header)) << header;
    EXPECT_NEAR(number(cpu[1], "end_time"), number(host[1], "end_time"), 0.31);  // the device was further
    EXPECT_GT(number(host[1], "steps"), 0);
  }
}

TEST(BatchOnDevice, options_that_do_not_fit) {
  Folder f;
  with_stone(f);
  f.write("t.csv", "PART/2.MASS\n1\n2\n");
  const std::vector<std::string> base = {"stone.acf", "--variants", "t.csv"};
  const auto code = [&](std::vector<std::string> more) {
    more.insert(more.begin(), base.begin(), base.end());
    const Outcome o = batch(f, more);
    EXPECT_NE(o.err, "");
    return o.code;
  };
  EXPECT_EQ(code({"--device", "1"}), 2);
  EXPECT_EQ(code({"--backend", "host", "--linear-solver", "klu"}), 2);
  EXPECT_EQ(code({"--backend", "host", "--device", "7"}), 8);
  EXPECT_EQ(code({"--backend", "abacus"}), 2);
}

/// All variants end together, but what they are through with is seen before: percents above 0 with 0 done.
TEST(BatchOnDevice, progress_is_seen_before_the_first_is_done) {
  if (access("/dev/pts/ptmx", F_OK) != 0)
    GTEST_SKIP() << "no pseudo-terminals here (/dev/pts is not mounted)";
  Folder f;
  f.write("stone.adm", falling_body("INTEGRATOR/HHT, HMAX=2E-6\n"));
  f.write("t.csv", "PART/2.MASS\n1\n2\n3\n4\n");
  const Outcome o =
      run(f, Launch{{"batch", "stone.adm", "--variants", "t.csv", "--end", "0.3", "--backend", "host"},
                    {"TERM=xterm"},
                    0,
                    true,
                    {}});
  EXPECT_EQ(o.code, 0) << o.err;
  bool seen = false;
  for (int percent = 1; percent < 100; ++percent)
    seen = seen || contains(o.out, fmt::format("\r{:3} %  0 done", percent));
  EXPECT_TRUE(seen) << o.out;
}

TEST(BatchSignalsOnDevice, the_table_is_written_to_its_end) {
  Folder f;
  with_slow_variants(f);
  Process process(
      f, Launch{{"batch", "stone.acf", "--variants", "t.csv", "-o", "s", "--backend", "host", "-j", "2"},
                {},
                0,
                false,
                {}});
  ASSERT_TRUE(wait_until([&] { return lines_written(f, "s.csv") == 3; }));  // headers, a and b
  process.send(SIGINT);
  EXPECT_EQ(process.wait().code, 130);
  const std::vector<Line> lines = table(f, "s.csv");
  EXPECT_EQ(column(lines, "status"), "done done interrupted done");
}

/// A crank that a torque turns from rest, ever faster, and a force that its pin brings about; steps on a
/// device are limited by the speeds of the beginning.
TEST(BatchOnDevice, tells_of_turns_that_pass_a_force) {
  Folder f;
  f.write("crank.adm",
          "crank\nUNITS/SYSTEM=MKS\nINTEGRATOR/HHT\nPART/1,GROUND\nMARKER/10,PART=1\n"
          "PART/2,MASS=1,CM=20,IP=1,1,1\nMARKER/20,PART=2\nMARKER/21,PART=2,QP=1,0,0\n"
          "JOINT/1,REVOLUTE,I=20,J=10\nPART/3,MASS=1,CM=30,IP=1,1,1\nMARKER/30,PART=3\n"
          "JOINT/2,TRANSLATIONAL,I=30,J=10\nSFORCE/1,ROTATION,I=20,J=10,FUNCTION=40\n"
          "SFORCE/2,TRANSLATION,ACTIONONLY,I=30,J=10,FUNCTION=STEP(DY(21,10),0.9,0,0.95,5)\nEND\n");
  f.write("t.csv", "PART/3.MASS\n1\n");
  const std::vector<Outcome> both = on_both(
      f, {"crank.adm", "--variants", "t.csv", "--end", "5", "--steps", "5", "--channels", "PART/3.VZ"});
  EXPECT_FALSE(contains(both[0].out, "turn so fast")) << both[0].out;
  EXPECT_TRUE(contains(both[1].out, "parts turn so fast that forces")) << both[1].out;
}

/// A push in time, ∫ 20 exp(−(t − 0.52)²/T²) dt = 10 T √π erf((t − 0.52)/T): within steps of 0.1 s the
/// processor meets it, in steps that resolve it the device.
TEST(BatchOnDevice, leaves_pulses_of_time_within_steps_to_the_processor) {
  for (const double width : {0.02, 0.5}) {
    Folder f;
    f.write("push.adm",
            fmt::format("push\nUNITS/SYSTEM=MKS\nINTEGRATOR/HHT,ERROR=1E-6\nPART/1,GROUND\n"
                        "MARKER/10,PART=1\nPART/2,MASS=1,CM=20,IP=1,1,1\nMARKER/20,PART=2\n"
                        "SFORCE/1,TRANSLATION,ACTIONONLY,I=20,J=10,FUNCTION=20*EXP(-((TIME-0.52)/{})**2)"
                        "\nEND\n",
                        width));
    f.write("t.csv", "PART/2.MASS\n1\n2\n");
    const std::vector<Outcome> both = on_both(
        f, {"push.adm", "--variants", "t.csv", "--end", "1.5", "--steps", "15", "--channels", "PART/2.VZ"});
    EXPECT_EQ(contains(both[1].out, "come and go"), width < 0.1) << both[1].out;
    const double impulse =
        10 * width * std::sqrt(std::numbers::pi) * (std::erf(0.98 / width) + std::erf(0.52 / width));
    EXPECT_NEAR(number(table(f, "host.csv")[0], "final:PART/2.VZ"), impulse, 0.01 * impulse);
  }
}

/// A last output step that is a hundred-thousandth of the others: reactions of a step of 1e-7 s would be
/// rounding.
TEST(BatchOnDevice, leaves_last_output_steps_that_are_short_to_the_processor) {
  for (const double rest : {1e-7, 5e-3}) {
    Folder f;
    f.write("fall.adm",
            "fall\nUNITS/SYSTEM=MKS\nINTEGRATOR/HHT,ERROR=1E-6\nACCGRAV/JGRAV=-9.81\nPART/1,GROUND\n"
            "MARKER/1,PART=1\nPART/2,MASS=2,CM=20,IP=.1,.1,.1,QG=1,0,0\nMARKER/20,PART=2\n"
            "MARKER/21,PART=2,QP=-1,0,0\nJOINT/1,REVOLUTE,I=21,J=1\nEND\n");
    f.write("t.csv", "PART/2.MASS\n2\n1\n");
    const std::vector<Outcome> both =
        on_both(f, {"fall.adm", "--variants", "t.csv", "--end", fmt::format("{}", 0.3 + rest), "--dtout",
                    "0.01", "--channels", "PART/2.ACCX", "PART/2.X", "PART/2.VX"});
    EXPECT_EQ(contains(both[1].out, "shorter than the others"), rest < 1e-3) << both[1].out;
    const Line row = table(f, "host.csv")[0];
    // x = cos φ, (I + m) φ̇² = −2 m g sin φ:  ẍ = −φ̈ sin φ − φ̇² cos φ = 3 m g sin φ cos φ/(I + m)
    const double x = number(row, "final:PART/2.X"), sine = -std::sqrt(1 - x * x);
    EXPECT_NEAR(number(row, "final:PART/2.ACCX"), 3 * 2 * 9.81 * sine * x / 2.1, 0.02);
  }
}

/// A slider that passes a pulse of its place within a step: met on the device, too; where data of a spline
/// turn back the processor meets it.
TEST(BatchOnDevice, meets_what_lies_on_the_way) {
  for (const bool spline : {false, true}) {
    Folder f;
    const std::string force =
        spline ? "AKISPL(DX(20,10),0,1)" : "STEP(DX(20,10),5,0,5.05,20)*STEP(DX(20,10),5.15,1,5.2,0)";
    f.write("cleat.adm",
            "cleat\nUNITS/SYSTEM=MKS\nINTEGRATOR/HHT,ERROR=1E-6\nPART/1,GROUND\nMARKER/10,PART=1\n"
            "PART/2,MASS=1,CM=20,IP=1,1,1,VX=10\nMARKER/20,PART=2\nPART/3,MASS=1,CM=30,IP=1,1,1\n"
            "MARKER/30,PART=3\nSPLINE/1,X=-100,0,5,5.05,5.15,5.2,10,100,Y=0,0,0,20,20,0,0,0\n"
            "SFORCE/1,TRANSLATION,ACTIONONLY,I=30,J=10,FUNCTION=" +
                force + "\nEND\n");
    f.write("t.csv", "PART/3.MASS\n1\n2\n");
    const std::vector<Outcome> both = on_both(
        f, {"cleat.adm", "--variants", "t.csv", "--end", "1", "--steps", "10", "--channels", "PART/3.VZ"});
    EXPECT_EQ(contains(both[1].out, "data of a spline turn back"), spline) << both[1].out;
    expect_near(f, "final:PART/3.VZ", 1e-3);
    EXPECT_NEAR(number(table(f, "host.csv")[0], "final:PART/3.VZ"), spline ? 0.325 : 0.3, 0.005);
  }
}

}  // namespace
}  // namespace batch_device_test
