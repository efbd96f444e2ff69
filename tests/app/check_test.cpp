// check, info and plot.
#include <gtest/gtest.h>

#include "support.h"

using namespace trammel_test;

TEST(Check, counts_and_names_redundant_equations) {
  Folder f;
  f.write("bars.adm", four_bar());
  const Outcome o = run(f, {"check", "bars.adm"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(f.list(), "bars.adm");  // writes nothing
  // 3 bodies, 4 revolute joints of 5 equations; the linkage moves with one freedom: 18 − 20 + 3.
  for (const std::string text :
       {"moving parts          3", "coordinates           18", "constraint equations  20",
        "redundant of them     3", "degrees of freedom    1", "JOINT 4"})
    EXPECT_NE(o.out.find(text), std::string::npos) << text << "\n" << o.out;
  EXPECT_NE(o.out.find(" in JOINT/"), std::string::npos) << o.out;

  const Outcome json = run(f, {"check", "bars.adm", "--json"});
  const nlohmann::json report = nlohmann::json::parse(json.out);
  EXPECT_EQ(report["exit_code"], 0);
  EXPECT_EQ(report["statements"]["JOINT"], 4);
  EXPECT_EQ(report["parts"], 3);
  EXPECT_EQ(report["gruebler"], -2);
  EXPECT_EQ(report["degrees_of_freedom"], 1);
  ASSERT_EQ(report["redundant"].size(), 3u);
  EXPECT_TRUE(report["errors"].empty());
}

TEST(Check, plans_the_commands_and_estimates_the_output) {
  Folder f;
  f.write("stone.adm", falling_body());
  f.write("job.acf", "stone\njob\nSIMULATE/DYNAMIC, END=1, STEPS=10\nSIMULATE/DYNAMIC, END=2, DTOUT=0.3\n");
  const nlohmann::json report = nlohmann::json::parse(run(f, {"check", "job.acf", "--json"}).out);
  ASSERT_EQ(report["simulations"].size(), 2u);
  EXPECT_EQ(report["simulations"][0]["output_steps"], 10);
  EXPECT_EQ(report["simulations"][1]["output_steps"], 4);  // 1.3 1.6 1.9 2.0
  // The estimate against the file: records of 8 bytes per channel and 12 for time and kind, behind a head.
  EXPECT_EQ(run(f, {"run", "job.acf", "--quiet"}).code, 0);
  const double bytes = static_cast<double>(fs::file_size(f.path("job.nc")));
  const double estimate = report["output_bytes"];
  EXPECT_GE(bytes, estimate);
  EXPECT_LT(bytes, estimate + 16384 + 1);  // the head ends at a multiple of 8192 bytes
  f.write("late.acf", "stone\nlate\nSIMULATE/DYNAMIC, END=1, STEPS=1\nSIMULATE/DYNAMIC, END=0.5, STEPS=1\n");
  EXPECT_EQ(run(f, {"check", "late.acf"}).code, 3);
}

/// The files of a run in which changes and initial conditions begin new rows of records, with every n-th
/// kept.
TEST(Check, sizes_are_those_of_the_files_that_run_writes) {
  Folder f;
  f.write(
      "stone.adm",
      falling_body("REQUEST/1, DISPLACEMENT, I=2\nREQUEST/2, F2=TIME\nMARKER/9, PART=1\nOUTPUT/REQSAVE\n"));
  f.write("job.acf",
          "stone\njob\nSIMULATE/INITIAL_CONDITIONS\nSIMULATE/DYNAMIC, END=1, STEPS=10\n"
          "SIMULATE/DYNAMIC, DURATION=1, STEPS=9\nPART/2, VX=1\nSIMULATE/DYNAMIC, DURATION=2, STEPS=11\n"
          "SIMULATE/DYNAMIC, DURATION=2, STEPS=60\n");
  const auto sizes = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"run", "job.acf", "--quiet"});
    EXPECT_EQ(run(f, options).code, 0);
    options.erase(options.begin() + 2);
    options[0] = "check";
    options.push_back("--json");
    const nlohmann::json report = nlohmann::json::parse(run(f, options).out);
    for (const auto& file : report["files"]) {
      const std::string format = file["format"];
      EXPECT_EQ(file["bytes"], fs::file_size(f.path("job." + format))) << format;
    }
    return report["files"].size();
  };
  EXPECT_EQ(sizes({}), 2u);  // OUTPUT/REQSAVE
  for (const std::string every : {"1", "2", "3", "7", "10", "1000"})
    EXPECT_EQ(sizes({"--formats", "nc", "--every", every}), 1u) << every;
  EXPECT_EQ(sizes({"--formats", "nc,req,gra,out", "--single"}), 4u);
  EXPECT_EQ(sizes({"--formats", "none"}), 0u);
  EXPECT_EQ(run(f, {"check", "job.acf", "--formats", "xyz"}).code, 2);
  EXPECT_EQ(run(f, {"check", "job.acf", "--every", "0"}).code, 2);
  // Of .res and .csv the number of characters is not known before: 16 are assumed, and here 14.5 and 16.7.
  for (const std::string name : {"heavy_top", "excavator"}) {
    const std::string file = model(name + "/" + name + ".acf").string();
    const nlohmann::json told =
        nlohmann::json::parse(run(f, {"check", file, "--formats", "csv,res", "--json"}).out);
    ASSERT_EQ(run(f, {"run", file, "--formats", "csv,res", "-o", name, "--quiet"}).code, 0);
    ASSERT_EQ(told["files"].size(), 2u);
    for (const auto& entry : told["files"]) {
      const std::string format = entry["format"];
      const double bytes = static_cast<double>(fs::file_size(f.path(name + "." + format)));
      EXPECT_NEAR(entry["bytes"].get<double>(), bytes, 0.11 * bytes) << name << format;
    }
  }
}

TEST(Check, unsupported_statements_are_listed_with_place_and_count) {
  Folder f;
  f.write("deck.adm",
          falling_body("TIRE/7, I=2, J=1\nTIRE/8, I=2, J=1\nSENSOR/1, FUNCTION=TIME, VALUE=1, YYDUMP\n"));
  const Outcome o = run(f, {"check", "deck.adm"});
  EXPECT_EQ(o.code, 4);
  EXPECT_NE(o.err.find("deck.adm:12: TIRE/7: TIRE is not supported (2 such statements)"), std::string::npos)
      << o.err;
  EXPECT_NE(o.err.find("deck.adm:14: SENSOR/1"), std::string::npos) << o.err;
  EXPECT_NE(o.out.find("TIRE 2"), std::string::npos) << o.out;
  const Outcome json = run(f, {"check", "deck.adm", "--json"});
  EXPECT_EQ(json.code, 4);
  const nlohmann::json report = nlohmann::json::parse(json.out);
  ASSERT_EQ(report["errors"].size(), 2u);
  EXPECT_EQ(report["errors"][0]["line"], 12);
  EXPECT_EQ(report["errors"][0]["exit_code"], 4);
  const nlohmann::json lenient =
      nlohmann::json::parse(run(f, {"check", "deck.adm", "--json", "--permissive"}).out);
  EXPECT_EQ(lenient["exit_code"], 0);
  EXPECT_EQ(lenient["left_out"].size(), 3u);
  EXPECT_EQ(lenient["left_out"][2]["line"], 14);
}

TEST(Check, every_mistake_is_told_in_one_pass) {
  Folder f;
  f.write("deck.adm",
          "deck\nPART/1, GROUND\nMARKER/1, PART=1\nJOINT/3, REVOLUTE, I=1, J=205\nMARKER/4, PART=9\nEND\n");
  const Outcome o = run(f, {"check", "deck.adm"});
  EXPECT_EQ(o.code, 3);
  EXPECT_NE(o.err.find("deck.adm:4: JOINT/3: marker 205 does not exist"), std::string::npos) << o.err;
  EXPECT_NE(o.err.find("deck.adm:5: MARKER/4"), std::string::npos) << o.err;
  const Outcome json = run(f, {"check", "--json", "absent.adm"});
  EXPECT_EQ(json.code, 7);
  EXPECT_EQ(nlohmann::json::parse(json.out)["exit_code"], 7);
}

TEST(Check, an_assembly_that_fails_has_the_code_of_run) {
  Folder f;
  f.write(
      "deck.adm",
      "bar\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, QP=3,0,0\nPART/2, MASS=1, CM=20, IP=1,1,1\n"
      "MARKER/20, PART=2\nMARKER/21, PART=2, QP=1,0,0\nJOINT/1, REVOLUTE, I=20, J=1\nJOINT/2, REVOLUTE, "
      "I=21, J=2\nEND\n");
  const Outcome o = run(f, {"check", "deck.adm"});
  EXPECT_EQ(o.code, 5);
  EXPECT_NE(o.err.find("JOINT/"), std::string::npos) << o.err;
}

TEST(Check, strict_raises_what_has_no_effect) {
  Folder f;
  f.write("deck.adm", falling_body("INTEGRATOR/GSTIFF, FIXIT=1\n"));
  const Outcome o = run(f, {"check", "deck.adm"});
  EXPECT_EQ(o.code, 0);
  EXPECT_NE(o.out.find("FIXIT has no effect"), std::string::npos) << o.out;
  EXPECT_EQ(run(f, {"check", "deck.adm", "--strict"}).code, 4);
}

TEST(Info, statements_units_and_channels_of_a_deck_and_of_a_result_file) {
  Folder f;
  f.write("stone.adm", falling_body("REQUEST/1, DISPLACEMENT, I=2\nTIRE/7, I=2, J=1\n"));
  const Outcome o = run(f, {"info", "stone.adm"});
  ASSERT_EQ(o.code, 0) << o.err;
  for (const std::string text :
       {"units: NEWTON KILOGRAM METER SECOND, UCF 1", "TIRE           1  (not supported)",
        "PART/2 (stone) : X Y Z PSI", "SFORCE/1 : FM FX", "REQUEST/1 : MAG X Y Z"})
    EXPECT_NE(o.out.find(text), std::string::npos) << text << "\n" << o.out;
  ASSERT_EQ(run(f, {"run", "stone.adm", "--permissive", "--end", "1", "--steps", "4"}).code, 0);
  const Outcome results = run(f, {"info", "stone.nc"});
  ASSERT_EQ(results.code, 0) << results.err;
  EXPECT_NE(results.out.find("records               5, time 0 to 1"), std::string::npos) << results.out;
  EXPECT_NE(results.out.find("PART/2 (stone) : X Y Z PSI"), std::string::npos) << results.out;
}

namespace check_test {
namespace {

bool gnuplot_exists() {
  return std::system("gnuplot --version > /dev/null 2>&1") == 0;
}

TEST(Plot, several_channels_as_png_and_svg) {
  if (!gnuplot_exists()) GTEST_SKIP() << "gnuplot is not installed";
  Folder f;
  f.write("stone.adm", falling_body());
  ASSERT_EQ(run(f, {"run", "stone.adm", "--end", "1"}).code, 0);
  const Outcome png = run(f, {"plot", "stone.nc", "PART/2.X", "stone.VZ", "-o", "a.png"});
  EXPECT_EQ(png.code, 0) << png.err;
  EXPECT_EQ(png.err, "");
  EXPECT_EQ(f.read("a.png").substr(1, 3), "PNG");
  const Outcome svg = run(
      f, {"plot", "stone.nc", "PART/2.Z", "PART/2.X", "-x", "PART/2.X", "-o", "b.svg", "--title", "fall"});
  EXPECT_EQ(svg.code, 0) << svg.err;
  const std::string text = f.read("b.svg");
  EXPECT_NE(text.find("<svg"), std::string::npos);
  EXPECT_NE(text.find(">fall<"), std::string::npos);
  EXPECT_NE(text.find("stone.Z"), std::string::npos);  // the legend
}

TEST(Plot, wrong_channels_and_files_are_answered) {
  Folder f;
  f.write("stone.adm", falling_body());
  f.write("text.nc", "no result file");
  ASSERT_EQ(run(f, {"run", "stone.adm", "--end", "1"}).code, 0);
  const Outcome near = run(f, {"plot", "stone.nc", "PART/2.VQ"});
  EXPECT_EQ(near.code, 2);
  EXPECT_NE(near.err.find("VX, VY, VZ"), std::string::npos) << near.err;
  const Outcome entity = run(f, {"plot", "stone.nc", "PART/3.X"});
  EXPECT_EQ(entity.code, 2);
  EXPECT_NE(entity.err.find("PART/2"), std::string::npos) << entity.err;
  EXPECT_EQ(run(f, {"plot", "stone.nc", "PART/2.X", "-o", "a.pdf"}).code, 2);
  EXPECT_EQ(run(f, {"plot", "stone.nc"}).code, 2);
  EXPECT_EQ(run(f, {"plot", "absent.nc", "PART/2.X"}).code, 7);
  EXPECT_EQ(run(f, {"plot", "text.nc", "PART/2.X"}).code, 3);
}

}  // namespace
}  // namespace check_test
