// trammel batch on the command line: wrong tables, wrong options, what it says.
#include <unistd.h>

#include <gtest/gtest.h>

#include <algorithm>

#include <fmt/format.h>

#include "support.h"

using namespace trammel_test;

namespace batch_launch_test {
namespace {

Outcome batch(const Folder& f, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "batch");
  return run(f, arguments);
}

Folder& with_stone(Folder& f) {
  f.write("stone.adm", falling_body());
  f.write("stone.acf", "stone\nstone\nSIMULATE/DYNAMIC, END=1, STEPS=10\nSTOP\n");
  return f;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct WrongTable {
  std::string text;
  std::string says;  ///< standard error, whole
};

class WrongTables : public testing::TestWithParam<WrongTable> {};

TEST_P(WrongTables, are_told_with_line_and_column_and_nothing_is_written) {
  Folder f;
  with_stone(f);
  f.write("t.csv", GetParam().text);
  const Outcome o = batch(f, {"stone.acf", "--variants", "t.csv", "--full", "-C", "results"});
  EXPECT_EQ(o.code, 3);
  EXPECT_EQ(o.err, GetParam().says);
  EXPECT_EQ(f.list(), "stone.acf stone.adm t.csv");
}

INSTANTIATE_TEST_SUITE_P(
    all, WrongTables,
    testing::Values(
        WrongTable{"", "t.csv: the file is empty; its first line names what is varied\n"},
        WrongTable{"PART/2.MASS\n", "t.csv: no variant stands below the line of headers\n"},
        WrongTable{"PART/9.MASS,PART/2.MASS\n1,1\n",
                   "t.csv:1, column 1 (PART/9.MASS): PART/9 does not exist in stone.adm\n"},
        WrongTable{
            "PART/2,MASS\n1,1\n",
            "t.csv:1, column 1 (PART/2): the argument is missing; write PART/2.ARGUMENT, or "
            "\"PART/2,ARGUMENT\" in quotation marks\n"
            "t.csv:1, column 2 (MASS): unknown statement 'MASS'; a header is STATEMENT/id.ARGUMENT, such as "
            "PART/2.MASS\n"},
        WrongTable{
            "PRT/2.MASS,ACCGRAV.GRAV,PART.MASS,MARKER/2.FLOATING\n1,1,1,1\n",
            "t.csv:1, column 1 (PRT/2.MASS): unknown statement 'PRT'; did you mean PART?; a header is "
            "STATEMENT/id.ARGUMENT, such as PART/2.MASS\n"
            "t.csv:1, column 2 (ACCGRAV.GRAV): unknown argument 'GRAV'; did you mean IGRAV? ACCGRAV has "
            "IGRAV, "
            "JGRAV, KGRAV\n"
            "t.csv:1, column 3 (PART.MASS): PART needs an id, such as PART/2.ARGUMENT\n"
            "t.csv:1, column 4 (MARKER/2.FLOATING): FLOATING takes no value, so there is nothing to vary\n"},
        WrongTable{"\xC4\x1B[2J/2.MASS\n1\n",  // Latin-1, and nothing that a terminal would obey
                   "t.csv:1, column 1 (Ä [2J/2.MASS): unknown statement 'Ä [2J'; a header is "
                   "STATEMENT/id.ARGUMENT, such as PART/2.MASS\n"},
        WrongTable{"PART/2.MASS,\"PART/2,MASS\",\n1,1,1\n",
                   "t.csv:1, column 2 (PART/2,MASS): column 1 is the same\n"
                   "t.csv:1, column 3: the header is missing; name an argument, or delete the column\n"},
        WrongTable{"name,PART/2.MASS\na,1,2\n\nb\n\"c,1\n",
                   "t.csv:2: 3 cells, and 2 headers; a cell that holds \",\" stands in quotation marks\n"
                   "t.csv:4: 1 cell, and 2 headers; a cell that holds \",\" stands in quotation marks\n"
                   "t.csv:5: a quotation mark without its fellow on the same line\n"},
        WrongTable{
            "PART/2.MASS,name\n1,a\n1,A\n1,b/c\n1,\n1,..\n",
            "t.csv:3, column 2 (name): the name 'A' stands in line 2 already\n"
            "t.csv:4, column 2 (name): the name 'b/c' has other characters than letters, digits and . _ + -, "
            "and files are named by it\n"
            "t.csv:5, column 2 (name): the name is missing\n"},
        // Each value of a line is looked at, also behind a wrong one, and then the model that they make.
        WrongTable{
            "PART/2.MASS,PART/2.CM,SFORCE/1.FUNCTION\n1,2,1\nheavy,77,FOO(2)\n-1,2,1\n\"1,2\",1,1\n"
            "\"1, IP=1,1,1\",2,1\n1,2,1 ! one\n1,2,\"DX(2,99)\"\n",
            "t.csv:3, column 1 (PART/2.MASS): PART/2: MASS takes a number, found 'heavy'\n"
            "t.csv:3, column 2 (PART/2.CM): PART/2 (stone): marker 77 does not exist (PART/1 has 1, 3)\n"
            "t.csv:3, column 3 (SFORCE/1.FUNCTION): SFORCE/1: FUNCTION: unknown function \"FOO\" at column "
            "1\n"
            "t.csv:4, column 1 (PART/2.MASS): PART/2: MASS=-1 is out of range; it must be >=0\n"
            "t.csv:5, column 1 (PART/2.MASS): PART/2: MASS takes 1 value, and there are more\n"
            "t.csv:5, column 2 (PART/2.CM): PART/2 (stone): CM=1 is a marker of PART/1; it must be one of "
            "its "
            "own (it has 2)\n"
            "t.csv:6, column 1 (PART/2.MASS): the cell holds more than a value, it also gives IP; make that "
            "a "
            "column of its own\n"
            "t.csv:7, column 3 (SFORCE/1.FUNCTION): an exclamation mark begins a comment, and what stands "
            "behind it would be lost; take it out\n"
            "t.csv:8, column 3 (SFORCE/1.FUNCTION): SFORCE/1: FUNCTION: marker 99 does not exist at column "
            "6\n"}));

TEST(BatchLaunch, mistakes_without_end_are_bounded) {
  Folder f;
  with_stone(f);
  std::string text = "PART/2.MASS\n";
  for (int k = 0; k < 3000; ++k) text += "x\n";
  f.write("t.csv", text);
  const Outcome o = batch(f, {"stone.acf", "--variants", "t.csv"});
  EXPECT_EQ(o.code, 3);
  EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1001);
  EXPECT_TRUE(contains(o.err, "1000 mistakes so far: the others are not listed"))
      << o.err.substr(o.err.size() - 200);
}

TEST(BatchLaunch, what_a_command_replaces_cannot_vary) {
  Folder f;
  with_stone(f);
  f.write("set.acf",
          "stone\nset\nINTEGRATOR/HHT, ERROR=1E-7\nPART/2, MASS=3\nSIMULATE/DYNAMIC, END=1, STEPS=10\n"
          "PART/2, VX=1\nSIMULATE/DYNAMIC, END=2, STEPS=10\n");
  f.write("t.csv", "INTEGRATOR.ERROR,PART/2.MASS,PART/2.VX,INTEGRATOR.HMAX\n1E-5,1,1,0.1\n");
  const Outcome o = batch(f, {"set.acf", "--variants", "t.csv"});
  EXPECT_EQ(o.code, 3);
  EXPECT_EQ(
      o.err,
      "t.csv:1, column 1 (INTEGRATOR.ERROR): the command in set.acf:3 gives it too, and has the last word; "
      "take it out there\n"
      "t.csv:1, column 2 (PART/2.MASS): the command in set.acf:4 gives it too, and has the last word; take "
      "it out there\n");
}

struct WrongBatch {
  std::vector<std::string> arguments;
  int code;
  std::string says;  ///< part of standard error
};

class WrongBatches : public testing::TestWithParam<WrongBatch> {};

TEST_P(WrongBatches, end_with_their_code_and_a_message) {
  Folder f;
  with_stone(f);
  f.write("broken.adm", "a deck\nPART/1, GROUND\nPART/2, MASS=one\nEND\n");
  f.write("control.acf", "stone\ncontrol\nCONTROL/FUNCTION=USER(1)\n");
  f.write("t.csv", "name,PART/2.MASS\na,1\nb,2\n");
  const Outcome o = batch(f, GetParam().arguments);
  EXPECT_EQ(o.code, GetParam().code) << o.err;
  EXPECT_TRUE(contains(o.err, GetParam().says)) << o.err;
  EXPECT_EQ(f.list(), "broken.adm control.acf stone.acf stone.adm t.csv");
}

const std::string from = "--variants";

INSTANTIATE_TEST_SUITE_P(
    all, WrongBatches,
    testing::Values(
        WrongBatch{{"stone.acf"}, 2, "--variants is required"},
        WrongBatch{{"stone.acf", from, "absent.csv"}, 7, "absent.csv"},
        WrongBatch{{"absent.acf", from, "t.csv"}, 7, "absent.acf"},
        WrongBatch{{"stone.adm", from, "t.csv"}, 2, "--end"},
        WrongBatch{{"stone.acf", from, "t.csv", "--end", "-1"}, 2, "stone.acf:3"},
        WrongBatch{{"stone.acf", from, "t.csv", "-j", "0"}, 2, "-j must be between 1 and 256"},
        WrongBatch{{"stone.acf", from, "t.csv", "--every", "2"}, 2, "--full"},
        WrongBatch{{"stone.acf", from, "t.csv", "--linear-solver", "x"}, 2, "klu, multifrontal"},
        WrongBatch{{"stone.acf", from, "t.csv", "-o", "t"}, 2, "choose another -o"},
        WrongBatch{{"stone.acf", from, "t.csv", "-C", "/proc/nothing"}, 7, "/proc/nothing"},
        WrongBatch{{"stone.acf", from, "t.csv", "--set", "PART/9, MASS=1"}, 3, "PART/9 does not exist"},
        WrongBatch{{"stone.acf", from, "t.csv", "--channels", "PART/9.X"}, 2, "near names: PART/2.X"},
        WrongBatch{{"stone.acf", from, "t.csv", "--channels", "min:PART/2.Q"}, 2, "no component Q"},
        WrongBatch{{"control.acf", from, "t.csv"}, 4, "control.acf:3"},
        WrongBatch{{"broken.adm", from, "t.csv", "--end", "1"}, 3, "broken.adm:3: "}));

TEST(BatchLaunch, quiet_says_nothing_and_prefix_and_folder_are_as_in_run) {
  Folder f;
  with_stone(f);
  f.write("t.csv", "name,PART/2.MASS\na,1\nb,2\n");
  const Outcome o = batch(f, {"stone.acf", "--variants", "t.csv", "--quiet", "-C", "new/deep"});
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(o.out + o.err, "");
  EXPECT_TRUE(f.has("new/deep/stone_t.csv")) << f.list();
  EXPECT_EQ(
      batch(f, {"stone.acf", "--variants", "t.csv", "-o", "x", "--full", "--every", "5", "--single"}).code,
      0);
  EXPECT_TRUE(f.has("x.csv") && f.has("x_a.nc") && f.has("x_b.nc") && f.has("x_b.msg")) << f.list();
  const std::vector<double> times = f.channel("x_a.nc", "TIME");
  const double expected[] = {0, 0.5, 1};  // the first of eleven, the initial conditions, the sixth, the last
  ASSERT_EQ(times.size(), 3u);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(times[k], expected[k], 1e-15);
}

TEST(BatchLaunch, warnings_are_told_once_with_their_variants) {
  Folder f;
  f.write(
      "bar.adm",
      "bar\nUNITS/SYSTEM=MKS\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=2, IP=1,1,1, QG=1,0,0\n"
      "MARKER/2, PART=2\nMARKER/3, PART=2, QP=-1,0,0\nJOINT/1, REVOLUTE, I=3, J=1\n"
      "INTEGRATOR/HHT, ALPHA=-0.3\nEND\n");
  f.write("t.csv", "name,INTEGRATOR.ALPHA\na,-0.2\nb,-0.01\nc,-0.01\nd,-0.1\n");
  const Outcome o = batch(f, {"bar.adm", "--variants", "t.csv", "--end", "0.1"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(o.err, "");
  const std::string text =
      "warning: variant 2 (b) and 1 more: ALPHA = -0.01 with constraints is weakly unstable";
  EXPECT_TRUE(contains(o.out, text)) << o.out;
  EXPECT_EQ(o.out.find("warning:"), o.out.rfind("warning:")) << o.out;
}

/// The four-bar loses a rank at t = 0.714; see failure_test.cpp.
TEST(BatchLaunch, rounding_near_a_singular_position_is_told) {
  Folder f;
  f.write("bars.acf", model("four_bar_n/four_bar_n.adm").string() +
                          "\nbars\nINTEGRATOR/HHT\nSIMULATE/DYNAMIC, END=0.75, STEPS=75\n");
  f.write("t.csv", "INTEGRATOR.ERROR\n1E-6\n1E-12\n");
  const Outcome o = batch(f, {"bars.acf", "--variants", "t.csv"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "warning: variant 2: In ") && contains(o.out, "steps rounding")) << o.out;
}

TEST(BatchLaunch, a_full_disk_ends_the_batch) {
  Folder f;
  with_stone(f);
  std::string text = "PART/2.MASS\n";
  for (int k = 1; k <= 100; ++k) text += fmt::format("{}\n", k);
  f.write("t.csv", text);
  const Outcome o =
      run(f, Launch{{"batch", "stone.acf", "--variants", "t.csv", "-j", "3"}, {}, 2000, false, {}});
  EXPECT_EQ(o.code, 7);
  EXPECT_TRUE(contains(o.err, "stone_t.csv")) << o.err;
  EXPECT_LE(f.read("stone_t.csv").size(), 2000u);
}

TEST(BatchLaunch, a_terminal_sees_progress) {
  if (access("/dev/pts/ptmx", F_OK) != 0)
    GTEST_SKIP() << "no pseudo-terminals here (/dev/pts is not mounted)";
  Folder f;
  f.write("stone.adm", falling_body("INTEGRATOR/HHT, HMAX=1E-4\n"));
  std::string text = "PART/2.MASS\n";
  for (int k = 1; k <= 40; ++k) text += fmt::format("{}\n", k);
  f.write("t.csv", text);
  const Outcome o = run(
      f, Launch{{"batch", "stone.adm", "--variants", "t.csv", "--end", "1"}, {"TERM=xterm"}, 0, true, {}});
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(o.err, "");
  EXPECT_TRUE(contains(o.out, " done, 0 failed, ") && contains(o.out, "\r")) << o.out;
}

TEST(BatchLaunch, help_teaches_by_examples) {
  Folder f;
  const Outcome o = run(f, {"batch", "--help"});
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(o.err, "");
  EXPECT_TRUE(contains(o.out, "\n  trammel batch model.acf --variants table.csv")) << o.out;
  EXPECT_TRUE(contains(o.out, "5 some variants failed")) << o.out;
}

}  // namespace
}  // namespace batch_launch_test
