// trammel converge: its verdict against equations of motion that know nothing of the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "support.h"
#include "swing.h"

using namespace trammel_test;

namespace converge_test {
namespace {

nlohmann::json converge(const Folder& folder, std::vector<std::string> options, int code) {
  options.insert(options.begin(), "converge");
  options.insert(options.end(), {"--json"});
  const Outcome outcome = run(folder, options);
  EXPECT_EQ(outcome.code, code) << outcome.err << outcome.out;
  return nlohmann::json::parse(outcome.out);
}

/// With the settings that it recommends the deck errs by less than the tolerance.
TEST(Converge, recommends_settings_that_are_right) {
  constexpr int outputs = 100;
  constexpr double end = 5, tolerance = 1e-4;
  const auto motion = Swing::motion(end / outputs, outputs);
  for (const char* integrator : {"INTEGRATOR/GSTIFF\n", "INTEGRATOR/WSTIFF, SI2\n", "INTEGRATOR/HHT\n", ""}) {
    SCOPED_TRACE(integrator);
    const Folder folder;
    folder.write("swing.adm", Swing::deck());
    const std::string simulate = fmt::format("SIMULATE/DYNAMIC, END={}, STEPS={}\n", end, outputs);
    folder.write("swing.acf", std::string("swing\nswing\n") + integrator + simulate);
    const auto found = converge(folder, {"swing.acf", "--tolerance", fmt::format("{}", tolerance)}, 0);
    EXPECT_EQ(found["verdict"], "converged");
    EXPECT_TRUE(folder.has("swing.converge.svg"));
    const std::string advice = found["recommended"];
    folder.write("best.acf", "swing\nbest\n" + advice + "\n" + simulate);
    const Outcome best = run(folder, {"run", "best.acf"});
    ASSERT_EQ(best.code, 0) << advice << best.err;
    double way = 0, acceleration = 0;
    const auto x = folder.channel("best.nc", "PART/2.X"), a = folder.channel("best.nc", "PART/2.ACCY");
    for (int k = 0; k <= outputs; ++k) {
      const std::size_t row = x.size() - 1 - outputs + k;
      way = std::max(way, std::fabs(x[row] - Swing::x(motion[k])));
      acceleration = std::max(acceleration, std::fabs(a[row] - Swing::ay(motion[k])));
    }
    // The change to the next run is the error but for what that one errs itself, at most a half of it.
    EXPECT_LE(way, 2 * tolerance) << advice;                // the way to and fro is 1 m
    EXPECT_LE(acceleration, 2 * tolerance * 25) << advice;  // centripetal: below 25 m/s²
  }
}

/// Two pendulums from level: from some time on nothing helps; up to there every integrator agrees.
TEST(Converge, tells_chaos_and_from_when_on) {
  const Folder folder;
  folder.write("two.adm", double_pendulum());
  const auto all = converge(folder, {"two.adm", "--end", "20", "--steps", "400"}, 9);
  EXPECT_EQ(all["verdict"], "chaotic");
  const double until = all["agree_until"];
  EXPECT_GT(until, 3);
  EXPECT_LT(until, 20);
  // The tightest ERROR is 1e-12 or so; with one 100 times larger the last two or three seconds are lost.
  const auto part =
      converge(folder, {"two.adm", "--end", fmt::format("{}", 0.6 * until), "--steps", "100"}, 0);
  EXPECT_EQ(part["verdict"], "converged");
}

/// Outputs close to each other limit the steps: two runs that agree prove nothing then.
TEST(Converge, sees_that_outputs_limit_steps) {
  const Folder folder;
  folder.write("swing.adm", Swing::deck());
  folder.write("swing.acf",
               "swing\nswing\nINTEGRATOR/GSTIFF, ERROR=1E-2\nSIMULATE/DYNAMIC, END=2, STEPS=2000\n");
  const auto found = converge(folder, {"swing.acf"}, 0);
  ASSERT_FALSE(found["remarks"].empty());
  EXPECT_NE(found["remarks"][0].get<std::string>().find("proves nothing"), std::string::npos);
  EXPECT_NE(found["recommended"].get<std::string>().find("INTERPOLATE=ON"), std::string::npos);
  bool free = false;
  for (const auto& row : found["runs"]) free = free || row["hmax"] == 0;
  EXPECT_TRUE(free);
}

/// Steps of one size: halved from run to run.
TEST(Converge, halves_fixed_steps) {
  const Folder folder;
  folder.write("swing.adm", Swing::deck());
  folder.write("swing.acf",
               "swing\nswing\nINTEGRATOR/NEWMARK, HINIT=0.005\n"
               "SIMULATE/DYNAMIC, END=1, STEPS=50\n");
  const auto found = converge(folder, {"swing.acf", "--tolerance", "0.01"}, 0);
  const auto& runs = found["runs"];
  ASSERT_GE(runs.size(), 3u);
  EXPECT_DOUBLE_EQ(runs[1]["hmax"], 0.0025);
  EXPECT_NEAR(runs[1]["steps"].get<double>(), 400, 2);
}

TEST(Converge, ends_as_a_run_does_that_fails) {
  const Folder folder;
  EXPECT_EQ(run(folder, {"converge", "nothing.acf"}).code, 7);
  folder.write("wrong.adm", "A mistake\nPART/1, GROUND\nMARKER/1, PART=9\nEND\n");
  EXPECT_EQ(run(folder, {"converge", "wrong.adm", "--end", "1"}).code, 3);
  folder.write("swing.adm", Swing::deck());
  EXPECT_EQ(run(folder, {"converge", "swing.adm"}).code, 2);  // no end
  EXPECT_EQ(run(folder, {"converge", "swing.adm", "--end", "1", "--tolerance", "0"}).code, 2);
  EXPECT_EQ(run(folder, {"converge", "swing.adm", "--end", "1", "--runs", "1"}).code, 2);
}

}  // namespace
}  // namespace converge_test
