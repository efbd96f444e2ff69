// A batch that was stopped goes on: the table is the one of a batch that was not, and nothing is done twice.
#include <gtest/gtest.h>

#include <csignal>
#include <numbers>
#include <random>

#include <fmt/format.h>

#include "batch_support.h"

using namespace trammel_test;

namespace batch_resume_test {
namespace {

/// Sixty stones of some seven thousand steps each, a second in all; each seventh fails.
Folder& with_many_variants(Folder& f) {
  f.write("stone.adm", falling_body("INTEGRATOR/HHT, HMAX=3E-4\n"));
  f.write("stone.acf", "stone\nstone\nSIMULATE/DYNAMIC, END=2, STEPS=20\n");
  std::string text = "#half,PART/2.MASS,SFORCE/1.FUNCTION\n";
  for (int k = 1; k <= 60; ++k)
    text += fmt::format("{},{},{}\n", 0.5 * k, k, k % 7 == 0 ? "SQRT(0.5-TIME)" : "\"IF(TIME:1,1,1)\"");
  f.write("t.csv", text);
  return f;
}

const std::vector<std::string> command = {"batch", "stone.acf",  "--variants", "t.csv",        "-j",
                                          "2",     "--channels", "PART/2.X",   "max:PART/2.VX"};

std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// Variants that are done or failed.
std::size_t lines_done(const Folder& f) {
  const std::string text = f.has("stone_t.csv") ? f.read("stone_t.csv") : "";
  std::size_t count = 0;
  for (const char* status : {",done,", ",failed,"})
    for (std::size_t at = 0; (at = text.find(status, at)) != std::string::npos; ++at) ++count;
  return count;
}

std::string shown(const Folder& f, const std::string& name) {
  return without(f.read(name), "wall_seconds");
}

/// Killed at random moments until it is done; lines that are there before stay as they are, to the last byte.
TEST(BatchResume, after_kills_the_table_is_that_of_one_go) {
  Folder f;
  with_many_variants(f);
  EXPECT_EQ(run(f, with(command, {"-o", "whole"})).code, 5);
  const std::string whole = shown(f, "whole.csv");
  ASSERT_EQ(std::count(whole.begin(), whole.end(), '\n'), 61);
  std::mt19937 random(4);
  int kills = 0;
  std::string before;
  while (true) {
    Process process(f, Launch{with(command, {"--resume"}), {}, 0, false, {}});
    if (kills < 6) {
      const std::size_t wanted = lines_done(f) + 1 + random() % 9;
      EXPECT_TRUE(wait_until([&] { return lines_done(f) >= wanted; }));
      const int signals[] = {SIGKILL, SIGTERM, SIGINT};
      process.send(signals[kills % 3]);
      ++kills;
      const Outcome o = process.wait();
      EXPECT_TRUE(o.signal == SIGKILL || o.code == 143 || o.code == 130) << o.code << o.out;
      const std::string now = f.read("stone_t.csv");
      // Whole lines that --resume keeps are those at the beginning, up to one that was interrupted.
      EXPECT_TRUE(now.starts_with(before)) << kills;
      const std::size_t interrupted = now.find(",interrupted,");
      before = now.substr(0, now.rfind('\n', interrupted) + 1);
      continue;
    }
    const Outcome o = process.wait();
    EXPECT_EQ(o.code, 5) << o.err;
    EXPECT_TRUE(contains(o.out, " of 60 variants stand in stone_t.csv already; ")) << o.out;
    EXPECT_TRUE(contains(o.err, "8 of 60 variants failed")) << o.err;
    break;
  }
  EXPECT_TRUE(f.read("stone_t.csv").starts_with(before));
  EXPECT_TRUE(shown(f, "stone_t.csv") == whole);
  const Outcome again = run(f, with(command, {"--resume"}));
  EXPECT_EQ(again.code, 5);
  EXPECT_TRUE(contains(again.out, "60 of 60 variants stand in stone_t.csv already; 0 are to be computed"))
      << again.out;
  EXPECT_TRUE(contains(again.err, "8 of 60 variants failed, see stone_t.csv; the first is 7, exit code 5: "))
      << again.err;
  EXPECT_TRUE(shown(f, "stone_t.csv") == whole);
}

/// What is kept is not computed again: a mark in its column of times stays.
TEST(BatchResume, half_a_line_is_removed_and_its_variant_computed) {
  Folder f;
  with_many_variants(f);
  run(f, command);
  const std::string whole = f.read("stone_t.csv"), bare = shown(f, "stone_t.csv");
  const std::size_t tenth = [&] {
    std::size_t at = 0;
    for (int k = 0; k < 10; ++k) at = whole.find('\n', at) + 1;
    return at;
  }();
  for (const std::size_t cut : {tenth, tenth + 1, tenth + 20, whole.find('\n', tenth), whole.size() - 1}) {
    f.write("stone_t.csv", whole.substr(0, cut));
    const Outcome o = run(f, with(command, {"--resume"}));
    EXPECT_EQ(o.code, 5) << o.err;
    EXPECT_EQ(contains(o.out, "the last line is cut, and is removed"), cut != tenth) << o.out;
    EXPECT_TRUE(f.read("stone_t.csv").starts_with(whole.substr(0, tenth))) << cut;
    EXPECT_TRUE(shown(f, "stone_t.csv") == bare) << cut;
  }
  // Cut in its line of headers, or empty: from the beginning.
  for (const std::size_t cut : {std::size_t{0}, std::size_t{9}}) {
    f.write("stone_t.csv", whole.substr(0, cut));
    EXPECT_EQ(run(f, with(command, {"--resume"})).code, 5);
    EXPECT_TRUE(shown(f, "stone_t.csv") == bare) << cut;
  }
}

TEST(BatchResume, tables_of_something_else_are_refused_and_left_alone) {
  Folder f;
  with_stone(f);
  f.write("t.csv", "name,PART/2.MASS\na,1\nb,2\nc,3\n");
  const std::vector<std::string> base = {"batch", "stone.acf",  "--variants",
                                         "t.csv", "--channels", "PART/2.X"};
  ASSERT_EQ(run(f, base).code, 0);
  const std::string made = f.read("stone_t.csv");
  const auto refused = [&](std::vector<std::string> arguments, const std::string& why) {
    const Outcome o = run(f, with(std::move(arguments), {"--resume"}));
    EXPECT_EQ(o.code, 2) << why;
    EXPECT_TRUE(contains(o.err, why)) << o.err;
    EXPECT_TRUE(f.read("stone_t.csv") == made) << why;
  };
  refused(with(base, {"--set", "SFORCE/1.FUNCTION=2"}),
          "made by another model, other commands, --set or times");
  refused(with(base, {"--end", "2"}), "made by another model");
  refused({"batch", "stone.acf", "--variants", "t.csv", "--channels", "PART/2.Y"},
          "stone_t.csv:1: this line is not of these columns");
  f.write("t.csv", "name,PART/2.MASS\na,1\nb,2.5\nc,3\n");
  refused(base, "stone_t.csv:3: this line is not of these variants");
  f.write("t.csv", "name,PART/2.MASS\na,1\nb,2\n");
  refused(base, "stone_t.csv:4: this line is not of these variants");
  f.write("t.csv", "name,PART/2.MASS\na,1\nb,2\nc,3\n");
  f.write("stone.adm", falling_body("REQUEST/1, F2=TIME\n"));
  refused(base, "made by another model");
  f.write("stone.adm", falling_body());
  const std::string status = f.read("stone_t.status.json");
  for (const std::string& text : {std::string("{"), std::string("{\"model\": 3}")}) {
    f.write("stone_t.status.json", text);
    refused(base, "stone_t.status.json, which says what made this table, is missing or unreadable");
  }
  f.write("stone_t.status.json", status);
  // More variants behind those that are done belong to the same study.
  f.write("t.csv", "name,PART/2.MASS\na,1\nb,2\nc,3\nd,8\n");
  const Outcome more = run(f, with(base, {"--resume"}));
  EXPECT_EQ(more.code, 0) << more.err;
  EXPECT_TRUE(f.read("stone_t.csv").starts_with(made));
  EXPECT_NEAR(number(table(f, "stone_t.csv").at(3), "final:PART/2.X"), 1.0 / 16, 1e-12);
}

/// With --full a variant whose results are gone is computed again.
TEST(BatchResume, full_results_are_there_for_every_variant) {
  Folder f;
  with_stone(f);
  f.write("t.csv", "name,PART/2.MASS\na,1\nb,2\nc,3\n");
  const std::vector<std::string> base = {"batch", "stone.acf", "--variants", "t.csv", "--full"};
  ASSERT_EQ(run(f, base).code, 0);
  fs::remove(f.path("stone_t_b.nc"));
  const auto untouched = fs::last_write_time(f.path("stone_t_a.nc"));
  const Outcome o = run(f, with(base, {"--resume"}));
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "2 of 3 variants stand in stone_t.csv already; 1 are to be computed")) << o.out;
  EXPECT_TRUE(f.has("stone_t_b.nc"));
  EXPECT_TRUE(fs::last_write_time(f.path("stone_t_a.nc")) == untouched);
  EXPECT_EQ(column(table(f, "stone_t.csv"), "name"), "a b c");
}

TEST(BatchStatus, counts_and_time_left_are_told_while_it_runs) {
  Folder f;
  with_slow_variants(f);
  Process process(f, Launch{{"batch", "stone.acf", "--variants", "t.csv", "-j", "1"}, {}, 0, false, {}});
  // Refreshed while a variant of a hundred million steps is under way.
  ASSERT_TRUE(wait_until([&] {
    if (!f.has("stone_t.status.json")) return false;
    return f.json("stone_t.status.json")["done"] == 2;
  }));
  const nlohmann::json s = f.json("stone_t.status.json");
  EXPECT_EQ(s["state"], "running");
  EXPECT_TRUE(s["exit_code"].is_null());
  EXPECT_EQ(s["variants"], 4);
  EXPECT_EQ(s["failed"], 0);
  EXPECT_EQ(s["left"], 2);
  EXPECT_EQ(s["progress"], 0.5);
  // Two of four are done: what is left takes as long as has passed.
  EXPECT_DOUBLE_EQ(s["seconds_left"].get<double>(), s["seconds"].get<double>());
  EXPECT_EQ(s["table"], "stone_t.csv");
  process.send(SIGTERM);
  EXPECT_EQ(process.wait().code, 143);
  const nlohmann::json end = f.json("stone_t.status.json");
  EXPECT_EQ(end["state"], "stopped");
  EXPECT_EQ(end["exit_code"], 143);
  EXPECT_EQ(end["interrupted"], 2);
  EXPECT_EQ(end["done"], 2);
}

TEST(BatchStatus, ends_are_told) {
  Folder f;
  with_stone(f);
  f.write("t.csv", "PART/2.MASS\n1\n2\n");
  ASSERT_EQ(batch(f, {"stone.acf", "--variants", "t.csv"}).code, 0);
  nlohmann::json s = f.json("stone_t.status.json");
  EXPECT_EQ(s["state"], "finished");
  EXPECT_EQ(s["exit_code"], 0);
  EXPECT_EQ(s["progress"], 1);
  EXPECT_EQ(s["seconds_left"], 0);
  std::string text = "PART/2.MASS\n";
  for (int k = 1; k <= 100; ++k) text += fmt::format("{}\n", k);
  f.write("t.csv", text);
  EXPECT_EQ(run(f, Launch{{"batch", "stone.acf", "--variants", "t.csv"}, {}, 2500, false, {}}).code, 7);
  s = f.json("stone_t.status.json");
  EXPECT_EQ(s["state"], "failed");
  EXPECT_EQ(s["exit_code"], 7);
  EXPECT_TRUE(contains(s["message"], "stone_t.csv"));
}

/// x = 2 + a cos ωt with a = 1, ω = 1, over five periods: rms of the speed 1/√2; of x √(4 + 1/2).
TEST(BatchColumns, magnitudes_rms_and_times) {
  Folder f;
  f.write("spring.adm", oscillator);
  f.write("t.csv", "PART/2.MASS\n1\n");
  const Outcome o = batch(
      f, {"spring.adm", "--variants", "t.csv", "--end", "31.41592653589793", "--steps", "4000", "--channels",
          "rms:PART/2.VX", "rms:PART/2.X", "absmax:PART/2.VX", "tmax:PART/2.VX", "tmin:PART/2.VX",
          "tabsmax:PART/2.VX", "tmin:PART/2.X", "rms:PART/2.Y", "tmax:TIME", "ABSMAX:PART/2.ACCX"});
  ASSERT_EQ(o.code, 0) << o.err;
  const Line line = table(f, "spring_t.csv").at(0);
  // Of the integrator (see spring_in_closed_form): (1e-8/0.106)^(2/3) (1 + 10 π) = 6.7e-4 at the end.
  const double wrong = 7e-4, pi = std::numbers::pi;
  EXPECT_NEAR(number(line, "rms:PART/2.VX"), std::sqrt(0.5), wrong);
  EXPECT_NEAR(number(line, "rms:PART/2.X"), std::sqrt(4.5), wrong);
  EXPECT_NEAR(number(line, "absmax:PART/2.VX"), 1, wrong);
  EXPECT_NEAR(number(line, "absmax:PART/2.ACCX"), 1, wrong);
  EXPECT_EQ(number(line, "rms:PART/2.Y"), 0);
  EXPECT_NEAR(number(line, "tmax:TIME"), 10 * pi, 1e-12);
  // Times are those of records, every 2π/800; which of five equal peaks is the highest is up to rounding.
  const auto off = [&](const char* header, double first, double period) {
    return std::abs(std::remainder(number(line, header) - first, period));
  };
  const double record = 2 * pi / 800 / 2 + wrong;
  EXPECT_LT(off("tmax:PART/2.VX", 1.5 * pi, 2 * pi), record);
  EXPECT_LT(off("tmin:PART/2.VX", 0.5 * pi, 2 * pi), record);
  EXPECT_LT(off("tabsmax:PART/2.VX", 0.5 * pi, pi), record);
  EXPECT_LT(off("tmin:PART/2.X", pi, 2 * pi), record);
}

/// The reaction of a hinge: FM² = FX² + FY² + FZ² in every record, TM alike.
TEST(BatchColumns, magnitudes_of_joints_and_forces) {
  Folder f;
  f.write("bars.adm", four_bar());
  ASSERT_EQ(run(f, {"run", "bars.adm", "--end", "0.2"}).code, 0);
  const auto all = [&](const std::string& name) { return f.channel("bars.nc", "JOINT/2." + name); };
  const std::vector<double> fm = all("FM"), tm = all("TM"), force[] = {all("FX"), all("FY"), all("FZ")},
                            torque[] = {all("TX"), all("TY"), all("TZ")};
  double largest = 0;
  for (std::size_t k = 0; k < fm.size(); ++k) {
    const auto length = [&](const std::vector<double>* v) {
      return std::sqrt(v[0][k] * v[0][k] + v[1][k] * v[1][k] + v[2][k] * v[2][k]);
    };
    EXPECT_NEAR(fm[k], length(force), 1e-14 * fm[k]);
    EXPECT_NEAR(tm[k], length(torque), 1e-14 * tm[k]);
    largest = std::max(largest, fm[k]);
  }
  EXPECT_GT(largest, 0);
  f.write("stone.adm", falling_body());
  ASSERT_EQ(run(f, {"run", "stone.adm", "--end", "1"}).code, 0);
  for (const double value : f.channel("stone.nc", "SFORCE/1.FM")) EXPECT_NEAR(value, 1, 1e-15);  // 1 N
}

}  // namespace
}  // namespace batch_resume_test
