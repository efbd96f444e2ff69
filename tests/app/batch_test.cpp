// trammel batch: every variant is what `trammel run --set` makes of it, whatever happens to the others.
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <numbers>

#include <fmt/format.h>

#include "batch_support.h"

using namespace trammel_test;

TEST(Batch, headers_in_all_spellings_and_cells_of_all_kinds) {
  Folder f;
  with_stone(f);
  // m, F and g of each variant; an empty cell leaves 2, 1, 10. FUNCTION and QG hold commas.
  f.write("t.csv",
          "\"PART/2,MASS\",SFORCE/1.FUNCTION,ACCGRAV/KGRAV,part/2:qg,\"ACCGRAV,JGRAV\"\n"
          "4,3,-4,\"0, 1, 2\",0\n"
          ",,,,\n"
          " 8 ,\"IF(TIME:5,5,5)\",,\"1,0,0\",-2\n");
  const Outcome o =
      batch(f, {"stone.acf", "--variants", "t.csv", "--channels", "PART/2.X", "PART/2.Y", "PART/2.Z"});
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(o.err, "");
  EXPECT_TRUE(contains(o.out, "3 done, 0 failed, 0 interrupted; ")) << o.out;
  EXPECT_TRUE(contains(o.out, "variants per second")) << o.out;
  const std::vector<Line> lines = table(f, "stone_t.csv");
  ASSERT_EQ(lines.size(), 3u);
  const double x[] = {3.0 / 8, 1.0 / 4, 1 + 5.0 / 16}, y[] = {1, 0, -1}, z[] = {2 - 2.0, -5, -5};
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(number(lines[k], "number"), k + 1);
    EXPECT_EQ(number(lines[k], "end_time"), 1);
    // HHT is exact for constant forces; rounding of some 20 steps.
    EXPECT_NEAR(number(lines[k], "final:PART/2.X"), x[k], 1e-12);
    EXPECT_NEAR(number(lines[k], "final:PART/2.Y"), y[k], 1e-12);
    EXPECT_NEAR(number(lines[k], "final:PART/2.Z"), z[k], 1e-12);
  }
  EXPECT_EQ(column(lines, "name"), "1 2 3");
  EXPECT_EQ(column(lines, "PART/2.MASS"), "4  8");
  EXPECT_EQ(column(lines, "PART/2.QG"), "0, 1, 2  1,0,0");
  EXPECT_EQ(column(lines, "status"), "done done done");
}

TEST(Batch, tables_of_spreadsheets) {
  Folder f;
  with_stone(f);
  const std::string bodies[] = {"name;PART/2.MASS;PART/2.QG\r\na;4;1,0,0\r\n",
                                "\xEF\xBB\xBFName\tPART/2,MASS\tPART/2,QG\na\t4\t1,0,0",
                                "\n\"PART/2,MASS\",\"name\",\"PART/2,QG\"\n\n4,a,\"1,0,0\"\n\n"};
  for (const std::string& body : bodies) {
    f.write("t.csv", body);
    const Outcome o = batch(f, {"stone.acf", "--variants", "t.csv", "--channels", "PART/2.X"});
    ASSERT_EQ(o.code, 0) << o.err;
    const std::vector<Line> lines = table(f, "stone_t.csv");
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].at("name"), "a");
    EXPECT_NEAR(number(lines[0], "final:PART/2.X"), 1 + 1.0 / 8, 1e-12);  // exact but for rounding
  }
}

/// ω follows from mass and stiffness, amplitude and phase from the initial state.
TEST(Batch, spring_in_closed_form) {
  Folder f;
  f.write("spring.adm", oscillator);
  std::string text = "PART/2.MASS,SPRINGDAMPER/1.K,PART/2.QG,PART/2.VX\n";
  struct Case {
    double m, k, x0, v0;
  };
  std::vector<Case> cases;
  for (const double m : {0.25, 1.0, 4.0})
    for (const double k : {0.5, 2.0})
      for (const double v0 : {0.0, 0.5}) cases.push_back({m, k, 0.5 + 0.25 * m, v0});
  for (const Case& c : cases) text += fmt::format("{},{},\"{},0,0\",{}\n", c.m, c.k, 2 + c.x0, c.v0);
  f.write("t.csv", text);
  const Outcome o =
      batch(f, {"spring.adm", "--variants", "t.csv", "--end", "10", "--steps", "2000", "--channels",
                "PART/2.X", "max:PART/2.X", "min:PART/2.X", "max:PART/2.VX", "max:time"});
  ASSERT_EQ(o.code, 0) << o.err;
  const std::vector<Line> lines = table(f, "spring_t.csv");
  ASSERT_EQ(lines.size(), cases.size());
  for (std::size_t n = 0; n < cases.size(); ++n) {
    const Case& c = cases[n];
    const double w = std::sqrt(c.k / c.m), a = std::hypot(c.x0, c.v0 / w), t = 10;
    // ERROR = (β + α/2 − 1/6) h³ |d³x/dt³|, so ωh = (1e-8 / (0.106 a))^(1/3); the phase of a method of second
    // order is wrong by less than (ωh)² of itself, the amplitude by less than that.
    const double wrong = a * std::pow(1e-8 / (0.106 * a), 2.0 / 3) * (1 + w * t);
    EXPECT_NEAR(number(lines[n], "final:PART/2.X"), 2 + c.x0 * std::cos(w * t) + c.v0 / w * std::sin(w * t),
                wrong);
    // Records every 0.005 s miss a turning point by at most half of that: a (ω 0.0025)²/2.
    const double missed = a * std::pow(w * 0.0025, 2) / 2 + wrong;
    EXPECT_NEAR(number(lines[n], "max:PART/2.X"), 2 + a, missed);
    if (w * t > 2 * 3.1416) {
      EXPECT_NEAR(number(lines[n], "max:PART/2.VX"), a * w, w * missed);
      EXPECT_NEAR(number(lines[n], "min:PART/2.X"), 2 - a, missed);
    }
    EXPECT_EQ(number(lines[n], "max:TIME"), 10);
  }
}

namespace batch_test {
namespace {

/// The largest speed of the slider towards the bearing of models/slider_crank, from energy alone: it starts
/// at rest at 60 degrees and falls through the lower half of the turn.
double largest_speed(double rod, double slider) {
  const double r = 0.2, l = 0.5, g = 9.80665, crank = 0.5;
  const double begin = std::numbers::pi / 3;
  double largest = 0;
  for (double phi = begin; phi > begin - std::numbers::pi; phi -= 1e-5) {
    const double sine = r / l * std::sin(phi), cosine = std::sqrt(1 - sine * sine);
    // By the crank's rate: rate of the rod's angle, and velocities of the slider and of the rod's centre.
    const double turn = r / l * std::cos(phi) / cosine;
    const double x = -r * std::sin(phi) - l * sine * turn;
    const double cx = -r * std::sin(phi) - l / 2 * sine * turn, cz = r / 2 * std::cos(phi);
    const double inertia = 1.679166666666667e-3 + crank * r * r / 4 + rod * (cx * cx + cz * cz) +
                           2.085833333333333e-2 * rod * turn * turn + slider * x * x;
    const double fallen = (crank + rod) * g * r / 2 * (std::sin(begin) - std::sin(phi));
    const double rate = std::sqrt(std::max(0.0, 2 * fallen / inertia));  // downwards: phi falls
    largest = std::max(largest, x * rate);
  }
  return largest;
}

TEST(Batch, the_slider_crank_against_its_energy) {
  Folder f;
  const Outcome o =
      batch(f, {model("slider_crank/slider_crank.acf"), "--variants", model("slider_crank/variants.csv"),
                "--dtout", "0.001", "--channels", "min:PART/4.VX", "REQUEST/1.F2"});
  ASSERT_EQ(o.code, 0) << o.err;
  const std::vector<Line> lines = table(f, "slider_crank_variants.csv");
  ASSERT_EQ(lines.size(), 30u);
  for (const Line& line : lines) {
    const double exact = largest_speed(number(line, "PART/3.MASS"), number(line, "PART/4.MASS"));
    // Records every 1e-3 s miss a peak of at most 3 m/s and 20 rad/s by at most 3 (20 0.5e-3)^2/2; integrated
    // with ERROR 1e-9 the speed is wrong by less than 1e-4 (expected.json).
    EXPECT_NEAR(-number(line, "min:PART/4.VX"), exact, 2.5e-4) << line.at("name");
    if (line.at("name") == "rod1_slider2") {  // the deck itself: the published angle, 5 digits
      EXPECT_NEAR(number(line, "final:REQUEST/1.F2"), 0.64990, 1e-4);
    }
  }
}

/// Commands of the .acf, changes between simulations, sensors that end one: all as in run, to the last bit.
TEST(Batch, a_variant_is_what_run_makes_of_it) {
  Folder f;
  f.write("spring.adm", oscillator.substr(0, oscillator.size() - 4) +
                            "SENSOR/1, FUNCTION=DX(2,1), LE, VALUE=1.5, RETURN\nEND\n");
  f.write("spring.acf",
          "spring\nspring\nSIMULATE/DYNAMIC, END=4, STEPS=40\nPART/2, MASS=0.7\nINTEGRATOR/HHT, ERROR=1E-6\n"
          "SIMULATE/DYNAMIC, DURATION=3, STEPS=60\n");
  const std::vector<std::pair<std::string, std::string>> variants = {
      {"1", "0.3"}, {"2.5", "0.1"}, {"1e-3", "0"}, {"40", "-2"}};
  std::string text = "PART/2.MASS,PART/2.VX\n";
  for (const auto& [mass, speed] : variants) text += mass + "," + speed + "\n";
  f.write("t.csv", text);
  const Outcome o = batch(f, {"spring.acf", "--variants", "t.csv", "--set", "SPRINGDAMPER/1, K=3", "--full",
                              "-o", "b", "--channels", "PART/2.*", "min:PART/2.VX"});
  ASSERT_EQ(o.code, 0) << o.err;
  const std::vector<Line> lines = table(f, "b.csv");
  ASSERT_EQ(lines.size(), variants.size());
  for (std::size_t k = 0; k < variants.size(); ++k) {
    const Outcome alone =
        run(f, {"run", "spring.acf", "--set", "SPRINGDAMPER/1, K=3", "--set",
                "PART/2, MASS=" + variants[k].first, "--set", "PART/2, VX=" + variants[k].second});
    ASSERT_EQ(alone.code, 0) << alone.err;
    const std::string name = "b_" + std::to_string(k + 1);
    const Outcome same = run(f, {"compare", "spring.nc", name + ".nc", "--rtol", "0"});
    EXPECT_EQ(same.code, 0) << same.out << same.err;
    EXPECT_EQ(f.channel("spring.nc", "TIME"), f.channel(name + ".nc", "TIME"));
    for (const char* channel : {"X", "VX", "ACCX", "PSI", "WZ"})
      EXPECT_EQ(number(lines[k], std::string("final:PART/2.") + channel),
                f.channel("spring.nc", std::string("PART/2.") + channel).back());
    const std::vector<double> v = f.channel("spring.nc", "PART/2.VX");
    EXPECT_EQ(number(lines[k], "min:PART/2.VX"), *std::min_element(v.begin(), v.end()));
    EXPECT_EQ(number(lines[k], "end_time"), f.channel("spring.nc", "TIME").back());
    EXPECT_TRUE(contains(alone.out, fmt::format("{} steps, ", lines[k].at("steps")))) << alone.out;
    EXPECT_TRUE(contains(alone.out, fmt::format(" {} Jacobians", lines[k].at("jacobians")))) << alone.out;
    const std::string messages = f.read(name + ".msg");
    EXPECT_TRUE(contains(messages, fmt::format("{} rejected", lines[k].at("rejected_steps")))) << messages;
    EXPECT_TRUE(contains(messages, "Changed by t.csv:" + std::to_string(k + 2) + ": PART/2, MASS="))
        << messages;
    EXPECT_TRUE(contains(messages, "Finished -----"));
  }
  EXPECT_FALSE(f.has("b_1.status.json"));
}

/// As a run does it: RELOAD looks in the folder of the results.
TEST(Batch, variants_go_on_from_a_saved_state_in_the_folder_of_results) {
  Folder f;
  with_stone(f);
  f.write("save.acf", "stone\nsave\nSIMULATE/DYNAMIC, END=1, STEPS=10\nSAVE/SYSTEM, FILE=half.sav\n");
  ASSERT_EQ(run(f, {"run", "save.acf", "-C", "out"}).code, 0);
  f.write("rest.acf",
          "stone\nrest\nINTEGRATOR/HHT\nRELOAD/SYSTEM, FILE=half.sav\nSIMULATE/DYNAMIC, END=3, STEPS=10\n");
  f.write("t.csv", "INTEGRATOR.ERROR\n1E-5\n1E-6\n");
  const Outcome o = batch(f, {"rest.acf", "--variants", "t.csv", "-C", "out", "--channels", "PART/2.X"});
  ASSERT_EQ(o.code, 0) << o.err;
  for (const Line& line : table(f, "out/rest_t.csv"))
    EXPECT_NEAR(number(line, "final:PART/2.X"), 0.25 * 3 * 3, 1e-9);  // exact for HHT but for rounding
}

TEST(Batch, sensors_end_each_variant_at_its_own_time) {
  Folder f;
  with_stone(f, "SENSOR/1, FUNCTION=DZ(2), LE, VALUE=-1.8, HALT\n");
  f.write("t.csv", "ACCGRAV.KGRAV\n-10\n-4\n-3\n-40\n");
  ASSERT_EQ(batch(f, {"stone.acf", "--variants", "t.csv", "--channels", "PART/2.Z"}).code, 0);
  const std::vector<Line> lines = table(f, "stone_t.csv");
  ASSERT_EQ(lines.size(), 4u);
  const double g[] = {10, 4, 3, 40};
  for (int k = 0; k < 4; ++k) {
    const double t = std::min(1.0, std::sqrt(3.6 / g[k]));  // not reached within 1 s with g = 3
    EXPECT_NEAR(number(lines[k], "end_time"), t, 1e-11);    // f to 1e-9 of ERROR, or t to 1e-12 of the step
    EXPECT_NEAR(number(lines[k], "final:PART/2.Z"), -g[k] * t * t / 2, 1e-11);
  }
}

/// Elimination orders of the net come from METIS, whose random numbers all threads share; many short runs, so
/// that many are worked out at the same time.
TEST(Batch, any_number_of_threads_gives_the_same_bits) {
  for (const std::string deck : {"net/net.acf", "slider_crank/slider_crank.acf"}) {
    Folder f;
    constexpr int variants = 64;
    std::string text = "\"PART/4,MASS\",PART/3.MASS\n";
    for (int k = 0; k < variants; ++k) text += fmt::format("{},{}\n", 0.5 + 0.25 * k, 1.5 - 0.02 * k);
    f.write("t.csv", text);
    std::string first;
    for (const std::string threads : {"1", "2", "5", "16"}) {
      const Outcome o =
          batch(f, {model(deck), "--variants", "t.csv", "--end", "2E-4", "--steps", "2", "-o", "j" + threads,
                    "-j", threads, "--channels", "PART/*", "JOINT/*", "min:JOINT/*"});
      ASSERT_EQ(o.code, 0) << o.err;
      const std::string result = without(f.read("j" + threads + ".csv"), "wall_seconds");
      if (first.empty()) first = result;
      EXPECT_TRUE(result == first) << deck << " -j " << threads;
    }
    EXPECT_EQ(std::count(first.begin(), first.end(), '\n'), variants + 1);
  }
}

TEST(Batch, a_failing_variant_in_the_middle_leaves_the_others_alone) {
  Folder f;
  with_stone(f, "INTEGRATOR/HHT, ERROR=1E-6\n");
  f.write("t.csv",
          "name,SFORCE/1.FUNCTION\na,SIN(TIME)\nbad,SQRT(0.5-TIME)\nc,2*TIME\nworse,LOG(0.3-TIME)\n");
  f.write("good.csv", "name,SFORCE/1.FUNCTION\na,SIN(TIME)\nc,2*TIME\n");
  for (const std::string threads : {"1", "3"}) {
    const Outcome o =
        batch(f, {"stone.acf", "--variants", "t.csv", "-j", threads, "--full", "--channels", "PART/2.X"});
    EXPECT_EQ(o.code, 5);
    EXPECT_TRUE(
        o.err.starts_with("2 of 4 variants failed, see stone_t.csv; the first is 2 (bad), exit code 5: "))
        << o.err;
    EXPECT_TRUE(contains(o.out, "2 done, 2 failed, 0 interrupted; ")) << o.out;
    const std::vector<Line> lines = table(f, "stone_t.csv");
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(column(lines, "status"), "done failed done failed");
    EXPECT_EQ(column(lines, "exit_code"), "0 5 0 5");
    EXPECT_TRUE(contains(lines[1].at("message"), "square root of a negative number"))
        << lines[1].at("message");
    EXPECT_EQ(lines[0].at("message") + lines[2].at("message"), "");
    // Kept up to there: the last record before the root of a negative number, t = 0.5.
    EXPECT_GE(number(lines[1], "end_time"), 0.4);
    EXPECT_LE(number(lines[1], "end_time"), 0.5);
    EXPECT_EQ(number(lines[1], "final:PART/2.X"), f.channel("stone_t_bad.nc", "PART/2.X").back());
    EXPECT_TRUE(contains(f.read("stone_t_bad.msg"), "---- START: ERROR ----"));
    ASSERT_EQ(batch(f, {"stone.acf", "--variants", "good.csv", "--channels", "PART/2.X"}).code, 0);
    const std::vector<Line> good = table(f, "stone_good.csv");
    for (const char* header : {"final:PART/2.X", "steps", "iterations"}) {
      EXPECT_EQ(good[0].at(header), lines[0].at(header));
      EXPECT_EQ(good[1].at(header), lines[2].at(header));
    }
  }
}

TEST(Batch, a_variant_without_initial_conditions_has_no_values) {
  Folder f;
  f.write("bars.adm", four_bar());
  f.write("t.csv", "MARKER/12.QP\n\"3,0,0\"\n\"30,0,0\"\n");
  const Outcome o = batch(f, {"bars.adm", "--variants", "t.csv", "--end", "0.01", "--channels", "PART/2.X"});
  EXPECT_EQ(o.code, 5);
  const std::vector<Line> lines = table(f, "bars_t.csv");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(column(lines, "status"), "done failed");
  EXPECT_EQ(lines[1].at("final:PART/2.X"), "");
  EXPECT_EQ(lines[1].at("steps"), "0");
  EXPECT_NE(lines[1].at("message"), "");
}

TEST(BatchSignals, the_table_is_written_to_its_end) {
  for (const auto& [signal, code] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
    Folder f;
    with_slow_variants(f);
    Process process(f,
                    Launch{{"batch", "stone.acf", "--variants", "t.csv", "-j", "1", "--channels", "PART/2.Z"},
                           {},
                           0,
                           false,
                           {}});
    ASSERT_TRUE(wait_until([&] { return lines_written(f, "stone_t.csv") == 3; }));
    process.send(signal);
    const Outcome o = process.wait();
    EXPECT_EQ(o.code, code);
    EXPECT_EQ(o.err, "");
    EXPECT_TRUE(contains(o.out, "2 done, 0 failed, 2 interrupted; ")) << o.out;
    const std::vector<Line> lines = table(f, "stone_t.csv");
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(column(lines, "status"), "done done interrupted interrupted");
    EXPECT_EQ(column(lines, "exit_code"), fmt::format("0 0 {0} {0}", code));
    EXPECT_NEAR(number(lines[0], "final:PART/2.Z"), -5e4, 1e-7);  // exact but for rounding of 5e4
    EXPECT_LT(number(lines[2], "end_time"), 100);
    EXPECT_EQ(lines[3].at("end_time") + lines[3].at("steps") + lines[3].at("final:PART/2.Z"), "");
  }
}

TEST(BatchSignals, killed_it_leaves_the_lines_that_were_complete) {
  Folder f;
  with_slow_variants(f);
  Process process(f, Launch{{"batch", "stone.acf", "--variants", "t.csv", "-j", "2"}, {}, 0, false, {}});
  ASSERT_TRUE(wait_until([&] { return lines_written(f, "stone_t.csv") == 3; }));
  process.send(SIGKILL);
  EXPECT_EQ(process.wait().signal, SIGKILL);
  EXPECT_EQ(column(table(f, "stone_t.csv"), "name"), "a b");
}

}  // namespace
}  // namespace batch_test
