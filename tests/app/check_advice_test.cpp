// What check tells of rules of thumb: its form, and what it finds in every deck of models/.
#include <gtest/gtest.h>

#include <map>

#include "support.h"

using namespace trammel_test;

namespace check_advice_test {
namespace {

using Json = nlohmann::json;

/// A hinge whose motor reads a corner and jumps in its acceleration.
std::string driven(const std::string& function) {
  return "title\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/10, "
         "PART=1\n"
         "PART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\nJOINT/1, REVOLUTE, I=20, J=10\n"
         "MOTION/1, JOINT=1, ROTATION, FUNCTION=" +
         function + "\nEND\n";
}

/// "rule": {lines of its findings}
std::map<std::string, std::vector<int>> findings(const Json& report) {
  std::map<std::string, std::vector<int>> lines;
  for (const Json& rule : report["advice"])
    for (const Json& f : rule["findings"]) lines[rule["rule"]].push_back(f["line"]);
  return lines;
}

TEST(CheckAdvice, is_printed_below_the_report_and_changes_no_exit_code) {
  Folder f;
  f.write("hinge.adm", driven("STEP(TIME,0,0,1,1)"));
  for (const char* option : {"", "--strict"}) {
    std::vector<std::string> arguments{"check", "hinge.adm"};
    if (*option) arguments.emplace_back(option);
    const Outcome o = run(f, arguments);
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(o.err, "");
    const std::size_t at = o.out.find("  advice: motion-ramp (1)\n    hinge.adm:8: MOTION/1: ");
    ASSERT_NE(at, std::string::npos) << o.out;
    EXPECT_NE(o.out.find("\n    Why: ", at), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("\n    Mend: ", at), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("rules of thumb checked, 1 found something", at), std::string::npos) << o.out;
  }
  f.write("smooth.adm", driven("STEP5(TIME,0,0,1,1)"));
  const Outcome smooth = run(f, {"check", "smooth.adm"});
  EXPECT_EQ(smooth.out.find("advice:"), std::string::npos) << smooth.out;
  EXPECT_NE(smooth.out.find("rules of thumb checked, 0 found something"), std::string::npos) << smooth.out;
}

TEST(CheckAdvice, is_in_the_json) {
  Folder f;
  f.write("hinge.adm", driven("STEP(TIME,0,0,1,1)"));
  const Json report = Json::parse(run(f, {"check", "hinge.adm", "--json"}).out);
  EXPECT_EQ(report["exit_code"], 0);
  EXPECT_EQ(report["rules"]["with_findings"], 1);
  EXPECT_GT(report["rules"]["checked"], 25);
  ASSERT_EQ(report["advice"].size(), 1u);
  const Json& rule = report["advice"][0];
  EXPECT_EQ(rule["rule"], "motion-ramp");
  EXPECT_EQ(rule["count"], 1);
  EXPECT_EQ(rule["findings"][0]["line"], 8);
  EXPECT_EQ(rule["findings"][0]["file"], "hinge.adm");
  EXPECT_FALSE(rule["why"].get<std::string>().empty() || rule["mend"].get<std::string>().empty());
}

TEST(CheckAdvice, errors_come_first) {
  Folder f;
  f.write("wrong.adm", driven("STEP(TIME,0,0,1,DX(99))"));
  const Outcome o = run(f, {"check", "wrong.adm"});
  EXPECT_EQ(o.code, 3);
  EXPECT_EQ(o.out.find("advice"), std::string::npos) << o.out;
}

/// A part without mass on a spring: it has no accelerations, which dynamics needs, not the dataset by itself;
/// the advice says what to look at.
TEST(CheckAdvice, is_given_where_the_model_cannot_be_assembled) {
  Folder f;
  f.write("dummy.adm",
          "title\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/10, "
          "PART=1\n"
          "PART/2\nMARKER/20, PART=2\nBUSHING/1, I=20, J=10, K=9,9,9, KT=9,9,9\nEND\n");
  f.write("still.acf", "dummy\nstill\nSIMULATE/STATICS\nSTOP\n");
  f.write("moves.acf", "dummy\nmoves\nSIMULATE/DYNAMICS, END=1, STEPS=1\nSTOP\n");
  const auto checked = [&](const char* file) { return Json::parse(run(f, {"check", file, "--json"}).out); };
  const Json moves = checked("moves.acf");
  EXPECT_EQ(moves["exit_code"], 5);
  EXPECT_NE(moves["errors"].dump().find("PART/2 X"), std::string::npos) << moves["errors"];
  EXPECT_EQ(findings(moves)["dummy-part"], std::vector<int>{5});
  for (const char* file : {"dummy.adm", "still.acf"}) {
    const Json rests = checked(file);
    EXPECT_EQ(rests["exit_code"], 0) << file;
    EXPECT_NE(rests["warnings"].dump().find("PART/2 X"), std::string::npos) << rests["warnings"];
    EXPECT_EQ(findings(rests)["dummy-part"], std::vector<int>{5}) << file;
  }
}

TEST(CheckAdvice, rules_are_listed_without_a_deck) {
  Folder f;
  const Outcome o = run(f, {"check", "--rules"});
  EXPECT_EQ(o.code, 0) << o.err;
  for (const char* rule : {"### discontinuity\n", "### redundant\n", "### pattern\n"})
    EXPECT_NE(o.out.find(rule), std::string::npos) << rule;
}

TEST(CheckAdvice, event_shorter_than_a_step_is_that_of_its_simulation) {
  Folder f;
  f.write("hinge.adm", driven("STEP5(TIME,0.5,0,0.6,1)"));
  const auto found = [&](const std::string& commands) {
    f.write("job.acf", "hinge\njob\n" + commands);
    return findings(Json::parse(run(f, {"check", "job.acf", "--json"}).out));
  };
  const std::vector<int> motion{8};
  EXPECT_EQ(found("SIMULATE/DYNAMIC, END=1, STEPS=5\n")["short-event"], motion);
  EXPECT_EQ(found("SIMULATE/DYNAMIC, END=1, STEPS=20\n").count("short-event"), 0u);
  EXPECT_EQ(found("INTEGRATOR/HHT, HMAX=0.05\nSIMULATE/DYNAMIC, END=1, STEPS=5\n").count("short-event"), 0u);
  EXPECT_EQ(
      found("SIMULATE/DYNAMIC, END=0.4, STEPS=2\nSIMULATE/DYNAMIC, END=1, STEPS=60\n").count("short-event"),
      0u);
}

/// What an engineer would say of the decks of models/. All others keep every rule.
TEST(CheckAdvice, of_the_models_is_what_it_should_be) {
  using Findings = std::map<std::string, std::vector<int>>;
  // A linear spring whose damping is there at once: contacts at rest that have a closed form.
  const auto linear = [](const std::vector<int>& lines) {
    return Findings{{"contact-exponent", lines}, {"contact-depth", lines}};
  };
  // An IF that goes on with the same angle, speed and acceleration, and bodies with little damping, as their
  // references have.
  const auto smooth = [](int line, const std::vector<int>& bodies) {
    return Findings{{"discontinuity", {line}}, {"fast-mode", bodies}};
  };
  const std::map<std::string, Findings> expected = {
      {"billiard", linear({16})},
      {"incline", linear({17, 32, 48, 61, 74, 87})},
      {"corner", linear({27, 28, 35, 42, 50, 53})},
      {"corner_static", linear({27, 28, 35, 42, 50, 53})},
      {"rattleback", linear({16, 30})},
      {"stick_slip", linear({34})},
      {"stack", linear({15, 24, 33, 42, 51, 60, 69, 78, 87, 96})},
      {"gear_pair", linear({21})},
      {"cam", linear({124, 132})},
      {"geneva", {{"contact-depth", {65, 67}}}},
      // An undamped spring, for its closed form.
      {"bouncing_ball", {{"contact-exponent", {14}}}},
      // Springs of test problems that conserve energy.
      {"andrews", {{"no-damping", {298}}}},
      {"car_axis", {{"no-damping", {99}}}},
      // Planar loops that are closed by hinges on purpose: 3 equations too many for each loop.
      {"andrews_revolute", {{"no-damping", {298}}, {"redundant", {271, 277, 283}}}},
      {"four_bar_revolute", {{"redundant", {162, 168}}}},
      // A follower in the plane of the cam: the curve holds it in that plane once more.
      {"cams", {{"redundant", {259}}}},
      {"spin_up_1", smooth(20, {12})},
      {"spin_up_2", smooth(26, {12, 18})},
      {"spin_up_4", smooth(38, {12, 18, 24, 30})},
      {"spin_up_8", smooth(62, {12, 18, 24, 30, 36, 42, 48, 54})},
      {"spin_up_16",
       smooth(110, {12, 18, 24, 30, 36, 42, 48, 54, 60, 66})},  // ten of sixteen bodies are told
      {"four_bar_flexible", smooth(38, {26})},
      {"four_bar_flexible_4", smooth(55, {26, 31, 37, 43})},
      // Modes of Craig and Bampton up to thousands of cycles, of which no output is to show more than the
      // sum.
      {"excavator_flexible", {{"fast-mode", {110}}}},
      {"vehicle_frame", {{"fast-mode", {14}}}},
      // The test problem has no damping and ends with its fast modes at work.
      {"flexible_slider_crank", {{"fast-mode", {18}}}},
      // Shoes of the tracks stand on the ground at the start, 138 of them: one finding.
      {"tracked", {{"contact-start", {3823}}}},
      // The spring of the toy as it was published, without damping; a bearing of steel, a micrometre deep.
      {"woodpecker", {{"no-damping", {33}}}},
      {"clearance_crank", {{"contact-depth", {28}}}},
  };
  const Folder f;
  int decks = 0;
  for (const auto& entry : fs::recursive_directory_iterator(model(""))) {
    if (entry.path().extension() != ".acf") continue;
    ++decks;
    const std::string name = entry.path().stem().string();
    const auto found = findings(Json::parse(run(f, {"check", entry.path().string(), "--json"}).out));
    const auto at = expected.find(name);
    const Findings none;
    EXPECT_EQ(found, (at == expected.end() ? none : at->second)) << name;
  }
  EXPECT_GT(decks, 30);
}

}  // namespace
}  // namespace check_advice_test
