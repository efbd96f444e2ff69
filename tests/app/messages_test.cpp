// The message file of real runs against the expressions that job monitors use, and what it warns of.
#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <sstream>

#include "support.h"

using namespace trammel_test;

namespace {

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

std::vector<std::smatch> matching_lines(const std::string& text, const std::regex& expression,
                                        std::vector<std::string>& lines) {
  std::stringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::vector<std::smatch> found;
  for (const std::string& line : lines) {
    std::smatch match;
    if (std::regex_match(line, match, expression)) found.push_back(match);
  }
  return found;
}

}  // namespace

TEST(Messages, step_table_and_end_match_the_expressions_of_monitors) {
  Folder f;
  ASSERT_EQ(run(f, {"run", model("pendulum/pendulum.acf").string(), "--quiet", "-o", "p"}).code, 0);
  const std::string text = f.read("p.msg");
  const std::regex row(
      R"(^\s+(\d\.\d{5}E[+-]\d{2})\s+(\d\.\d{5}E[+-]\d{2})\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+(?:[.:]\d{2}){1,2})\s*$)");
  std::vector<std::string> lines;
  const std::vector<std::smatch> rows = matching_lines(text, row, lines);
  ASSERT_EQ(rows.size(), 11u) << text;  // the start and every tenth part
  double before = -1;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_NEAR(std::stod(rows[k][1]), 0.5 * static_cast<double>(k), 1e-9);
    EXPECT_GT(std::stod(rows[k][2]), 0);  // HINIT at the start, then the last step
    EXPECT_GT(std::stod(rows[k][4]), before);
    before = std::stod(rows[k][4]);
  }
  EXPECT_TRUE(std::regex_search(text, std::regex("\nFinished -----\\s*\n")));
  EXPECT_TRUE(std::regex_search(
      text, std::regex(
                R"(\nElapsed time = \d+\.\d\ds,  CPU time = \d+\.\d\ds,  Average CPU load = \d+\.\d\d%\n)")));
  EXPECT_TRUE(std::regex_search(text, std::regex("Process ID: \\d+")));
  EXPECT_NE(text.find("\n command: SIMULATE/DYNAMIC, END=5.0, STEPS=500\n"), std::string::npos);
  EXPECT_NE(text.find("****** Performing Dynamic Simulation using HHT I3 Integrator ******"),
            std::string::npos);
  EXPECT_NE(text.find("   The system has 1 kinematic degree of freedom.\n"), std::string::npos);
  EXPECT_EQ(text.find("START: WARNING"), std::string::npos);
  EXPECT_EQ(text.find("START: ERROR"), std::string::npos);
}

TEST(Messages, redundant_equations_are_named_with_the_joint) {
  Folder f;
  f.write("bars.adm", four_bar());
  const Outcome o = run(f, {"run", "bars.adm", "--end", "0.1"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("3 redundant constraint equations are left out"), std::string::npos) << o.out;
  const std::string text = f.read("bars.msg");
  EXPECT_NE(text.find("Degree-of-freedom analysis identified redundant constraints in the model:"),
            std::string::npos);
  std::vector<std::string> lines;
  const auto names = matching_lines(
      text,
      std::regex(
          R"(^   -  deactivating constraint equation  (Zi\.[XY]j|\[Ri-Rj\]\.Z) in JOINT/\d( \(last_pin\))?$)"),
      lines);
  EXPECT_EQ(names.size(), 3u) << text;
  // A planar closed loop: one offset and two tilts are too many, whichever joints they are taken from.
  EXPECT_EQ(count(text, "equation  [Ri-Rj].Z in "), 1) << text;
}

TEST(Messages, splines_read_beyond_their_data_are_told_once_each) {
  Folder f;
  f.write("deck.adm",
          falling_body("SPLINE/123, X=-1,0,1,2, Y=-1,0,1,2\nSPLINE/124, X=-1,0,1,20, Y=-1,0,1,20\n"
                       "SPLINE/125, X=0,1,2,3, Y=0,0,0,0,0, Y=1,0,0,0,0\n"
                       "SFORCE/2, TRANSLATIONAL, I=2, J=1, ACTIONONLY, "
                       "FUNCTION=CUBSPL(TIME,0,123)+AKISPL(TIME,0,124)+AKISPL(1,TIME,125)\n"));
  const Outcome o = run(f, {"run", "deck.adm", "--end", "4"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(o.err, "");
  const std::string text = f.read("deck.msg");
  EXPECT_EQ(count(text, "Extrapolation is required for SPLINE/123."), 1) << text;
  EXPECT_EQ(count(text, "Extrapolation is required for SPLINE/125."), 1) << text;
  EXPECT_EQ(count(text, "SPLINE/124"), 0) << text;
  EXPECT_TRUE(std::regex_search(text, std::regex(R"(The X value \(2\.\d+\) should be between -1 and 2\n)")))
      << text;
  EXPECT_TRUE(std::regex_search(text, std::regex(R"(The Z value \(1\.\d+\) should be between 0 and 1\n)")))
      << text;
}

TEST(Messages, parts_without_mass_and_weak_damping_are_warned_of) {
  Folder f;
  const std::string massless =
      "PART/3, CM=30\n!   adams_view_name='x'\nMARKER/30, PART=3\nMARKER/31, PART=3\nJOINT/1, FIXED, I=31, "
      "J=2\n";
  f.write("deck.adm", falling_body(massless + "INTEGRATOR/HHT, ALPHA=-0.01\n"));
  const Outcome o = run(f, {"run", "deck.adm", "--end", "1"});
  ASSERT_EQ(o.code, 0) << o.err;
  for (const std::string& text : {o.out, f.read("deck.msg")}) {
    EXPECT_EQ(count(text, "PART/3 has no mass"), 1) << text;
    EXPECT_EQ(count(text, "ALPHA = -0.01 with constraints is weakly unstable"), 1) << text;
  }
  f.write("free.adm", falling_body("INTEGRATOR/HHT, ALPHA=-0.01\n"));  // nothing constrained: no warning
  ASSERT_EQ(run(f, {"run", "free.adm", "--end", "1"}).code, 0);
  EXPECT_EQ(f.read("free.msg").find("weakly unstable"), std::string::npos);
  f.write("damped.adm", falling_body(massless));
  ASSERT_EQ(run(f, {"run", "damped.adm", "--end", "1"}).code, 0);
  EXPECT_EQ(f.read("damped.msg").find("weakly unstable"), std::string::npos);
}

TEST(Messages, results_file_has_one_value_for_every_id) {
  Folder f;
  ASSERT_EQ(run(f, {"run", model("pendulum/pendulum.acf").string(), "--quiet", "-o", "p", "--formats",
                    "res,nc", "--steps", "20"})
                .code,
            0);
  const std::string text = f.read("p.res");
  const std::regex id("<Component name=\"[^\"]+\"[^>]* id=\"(\\d+)\"");
  int largest = 0, components = 0;
  for (std::sregex_iterator k(text.begin(), text.end(), id), end; k != end; ++k, ++components)
    largest = std::max(largest, std::stoi((*k)[1]));
  EXPECT_EQ(largest, components);
  const std::regex step("<Step type=\"(?:initialConditions|dynamic)\">([^<]*)</Step>");
  int steps = 0;
  std::vector<double> times;
  for (std::sregex_iterator k(text.begin(), text.end(), step), end; k != end; ++k, ++steps) {
    std::stringstream numbers((*k)[1].str());
    std::vector<double> values;
    for (double v; numbers >> v;) values.push_back(v);
    ASSERT_EQ(static_cast<int>(values.size()), components);
    times.push_back(values[0]);
  }
  EXPECT_EQ(times, f.channel("p.nc", "TIME"));
  EXPECT_NE(text.find("<Entity name=\"rod_angle\" entity=\"rod_angle\" entType=\"Request\" objectId=\"1\""),
            std::string::npos)
      << text.substr(0, 6000);
}

TEST(Messages, requests_carry_numbers_components_and_places) {
  Folder f;
  // CNAMES names components 2 and 4 and takes the others out; they keep their columns in the .req file.
  f.write("deck.adm",
          falling_body("REQUEST/31, DISPLACEMENT, I=2, COMMENT=where it is, CNAMES=,height,,depth,,,,\n"
                       "REQUEST/7, F2=TIME\\F8=2*TIME\nOUTPUT/REQSAVE\n"));
  ASSERT_EQ(run(f, {"run", "deck.adm", "--end", "1", "--steps", "1"}).code, 0);
  EXPECT_NEAR(f.channel("deck.nc", "REQUEST/31.height").back(), 0.25, 1e-12);  // t²/4
  EXPECT_NEAR(f.channel("deck.nc", "REQUEST/31.depth").back(), -5, 1e-12);
  EXPECT_EQ(f.channel("deck.nc", "REQUEST/7.F8").back(), 2);
  const std::string text = f.read("deck.req");
  EXPECT_NE(text.find("         31             1             2             0             3\nwhere it is \n"),
            std::string::npos)
      << text;
  const std::string last = text.substr(text.find("   1.00000E+00\n"));
  EXPECT_EQ(last.substr(0, 15 + 1 + 3 * 13), "   1.00000E+00\n   2.50000E-01  0.00000E+00 -5.00000E+00")
      << last;
  EXPECT_NE(last.find("   1.00000E+00  0.00000E+00  0.00000E+00  0.00000E+00  0.00000E+00  2.00000E+00\n"),
            std::string::npos)
      << last;
}
