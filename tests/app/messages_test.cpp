// The message file of real runs against the expressions that job monitors use, and what it warns of.
#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <sstream>

#include "support.h"

using namespace trammel_test;

namespace messages_test {
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
  EXPECT_TRUE(
      std::regex_search(text, std::regex(R"(The X value \(2(\.\d+)?\) should be between -1 and 2\n)")))
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

/// A deck without INTEGRATOR says what it gets, on screen and in the message file; one with it does not.
TEST(Messages, the_integrator_that_no_statement_names_is_told) {
  Folder f;
  f.write("stone.adm", falling_body());
  f.write("with.adm", falling_body("INTEGRATOR/HHT, ERROR=1E-6\n"));
  f.write("late.acf",
          "stone\nlate\nSIMULATE/DYNAMIC, END=1, STEPS=1\nINTEGRATOR/HHT, ERROR=1E-6\n"
          "SIMULATE/DYNAMIC, END=2, STEPS=1\n");
  f.write("early.acf", "stone\nearly\nINTEGRATOR/HHT, ERROR=1E-6\nSIMULATE/DYNAMIC, END=1, STEPS=1\n");
  const auto told = [&](const std::vector<std::string>& arguments, const std::string& messages) {
    const Outcome o = run(f, arguments);
    EXPECT_EQ(o.code, 0) << o.err;
    const bool on_screen =
        o.out.find("No INTEGRATOR is given: GSTIFF SI2 with ERROR = ") != std::string::npos;
    const std::string text = f.read(messages);
    EXPECT_EQ(on_screen, text.find("No INTEGRATOR is given: GSTIFF SI2 with ERROR = ") != std::string::npos);
    return on_screen;
  };
  EXPECT_TRUE(told({"run", "stone.adm", "--end", "1"}, "stone.msg"));
  EXPECT_FALSE(told({"run", "with.adm", "--end", "1"}, "with.msg"));
  EXPECT_TRUE(told({"run", "late.acf"}, "late.msg"));
  EXPECT_FALSE(told({"run", "early.acf"}, "early.msg"));
}

/// modelInput: what the dataset says, though the joint moves the part when it is assembled. Part 2 is turned
/// by 90 degrees about Z, its CM lies at QP = (2, 0, 0), so at (0, 2, 0) from its frame; with WZ = 3 about Z
/// the frame moves against the CM by -3 x (0, 2, 0) = +6 along X.
TEST(Messages, results_and_graphics_begin_with_the_input) {
  Folder f;
  f.write(
      "deck.adm",
      "turned\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=1,1,1, QG=5,1,0, REULER=90D,0,0, "
      "VX=1, WZ=3\nMARKER/20, PART=2, QP=2,0,0\nMARKER/21, PART=2\nJOINT/1, REVOLUTE, I=21, J=1\nEND\n");
  ASSERT_EQ(run(f, {"run", "deck.adm", "--end", "1", "--steps", "1", "--formats", "nc,res,gra"}).code, 0);
  const std::string text = f.read("deck.res");
  const std::regex step("<Step type=\"input\">([^<]*)</Step>");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(text, found, step));
  std::stringstream numbers(found[1].str());
  std::vector<double> values;
  for (double v; numbers >> v;) values.push_back(v);
  const std::vector<double> expected = {0,     5, 1, 0, M_PI_2, 0, 0,
                                        1 + 6, 0, 0, 0, 0,      3};  // time, positions, rates
  ASSERT_GE(values.size(), expected.size());
  for (std::size_t k = 0; k < values.size(); ++k)
    EXPECT_NEAR(values[k], k < expected.size() ? expected[k] : 0.0, 1e-14) << k;
  EXPECT_NEAR(f.channel("deck.nc", "PART/2.X").front(), 0, 1e-9);  // where the joint puts it
  const std::string graphics = f.read("deck.gra");
  EXPECT_NE(graphics.find("  -9.99999E+05\n   5.00000E+00  1.00000E+00  0.00000E+00  1.57080E+00"),
            std::string::npos)
      << graphics;
  EXPECT_EQ(f.channel("deck.nc", "TIME").size(), 2u);  // no output step
}

/// Markers, joints and shapes reach the head of the .gra file; kinds without a place there are named.
TEST(Messages, graphics_of_the_deck) {
  Folder f;
  f.write("deck.adm", falling_body("MARKER/7, PART=2, QP=1,2,3\nGRAPHICS/1, BOX, CORNER=7, X=2, Y=3, Z=4\n"
                                   "GRAPHICS/2, FORCE, ETYPE=SFORCE, EID=1, EMARKER=2\n"
                                   "GRAPHICS/3, CYLINDER, CM=2, LENGTH=1, RADIUS=0.1\n"));
  ASSERT_EQ(run(f, {"run", "deck.adm", "--end", "1", "--steps", "1", "--formats", "gra"}).code, 0);
  const std::string text = f.read("deck.gra");
  EXPECT_NE(text.find("\n     2    4    2    0    0    0    0    0    1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n          7         2  1.00000E+00  2.00000E+00  3.00000E+00       0\n"),
            std::string::npos)
      << text;
  // At t = 0 a row of the part, then that of the force: 1 N along X on marker 2.
  std::istringstream frame(text.substr(text.find("\n   0.00000E+00\n") + 1));
  std::vector<double> values(1 + 6 + 6);
  for (double& v : values) frame >> v;
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(values[7 + k], k == 0 ? 1 : 0, 1e-12) << text;
  EXPECT_NE(f.read("deck.msg").find("left out: 1 CYLINDER."), std::string::npos);
}

/// Floating markers stand where the I markers of their forces are in the state of the dataset; an arrow there
/// shows what acts on their parts.
TEST(Messages, arrows_on_floating_markers) {
  Folder f;
  f.write(
      "deck.adm",
      falling_body("MARKER/7, PART=1, QP=5,5,5\nPART/3, MASS=1, CM=30, IP=1,1,1, QG=1,2,3, REULER=90D,0,0\n"
                   "MARKER/30, PART=3\nMARKER/31, PART=3, QP=1,0,0\nMARKER/40, PART=2, FLOATING\n"
                   "MARKER/41, FLOATING, PART=3\nVFORCE/2, I=31, JFLOAT=40, RM=1, FX=3\n"
                   "VFORCE/3, I=7, JFLOAT=41, RM=1, FY=4\n"
                   "GRAPHICS/1, FORCE, ETYPE=VFORCE, EID=2, EMARKER=40\n"
                   "GRAPHICS/2, FORCE, ETYPE=VFORCE, EID=2, EMARKER=31\n"));
  ASSERT_EQ(run(f, {"run", "deck.adm", "--end", "1", "--steps", "1", "--formats", "gra"}).code, 0);
  const std::string text = f.read("deck.gra");
  // 31 is at (1,3,3); from (1,2,3) it is (4,3,2) to 7, seen from axes that are turned by 90 degrees.
  for (const char* line : {"\n     3    8    2    0    0    0    0    0    2\n",
                           "\n         40         2  1.00000E+00  3.00000E+00  3.00000E+00       0\n",
                           "\n         41         3  3.00000E+00 -4.00000E+00  2.00000E+00       0\n",
                           "\n          1         5         2\n          7         0\n",
                           "\n          2         5         2\n          6         0\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  std::istringstream frame(text.substr(text.find("\n   0.00000E+00\n") + 1));
  std::vector<double> values(1 + 2 * 6 + 2 * 6);
  for (double& v : values) frame >> v;
  for (std::size_t k = 13; k < values.size(); ++k)
    EXPECT_NEAR(values[k], k == 13 ? -3 : k == 19 ? 3 : 0, 1e-12) << k << text;
}

}  // namespace
}  // namespace messages_test
