// The .msg file against the expressions with which job monitors read it.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "output/message_file.h"
#include "support.h"

namespace trammel::test::message_test {
namespace {

using MessageTest = OutputTest;

const char* const step_expression =
    R"(^\s+(\d\.\d{5}E[+-]\d{2})\s+(\d\.\d{5}E[+-]\d{2})\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+(?:[.:]\d{2}){1,2})\s*$)";
const char* const finish_expression =
    R"(^Elapsed time = (\d+\.\d{2})s,  CPU time = (\d+\.\d{2})s,  (?:Average CPU load = )?(\d+\.\d{2})%\s*$)";

int count_matches(const std::vector<std::string>& lines, const std::string& expression) {
  const std::regex regex(expression);
  int count = 0;
  for (const std::string& line : lines) count += std::regex_search(line, regex) ? 1 : 0;
  return count;
}

TEST(MessageSamples, ExpressionsFitRealFiles) {
  const std::vector<std::string> files = sample_files(".msg");
  if (files.empty()) GTEST_SKIP() << "TRAMMEL_SAMPLES names no folder with .msg files";
  int rows = 0, ends = 0;
  for (const std::string& file : files) {
    const std::vector<std::string> lines = read_lines(file);
    rows += count_matches(lines, step_expression);
    ends += count_matches(lines, finish_expression);
  }
  EXPECT_GT(rows, 50);
  EXPECT_GE(ends, 1);
}

TEST_F(MessageTest, StepRowsReadBack) {
  MessageFile message;
  message.open(file("a.msg"), sample_info());
  const std::vector<StepRow> rows = {{0, 5e-4, 0, 0, 1, 0.04},
                                     {2e-2, 1e-2, 11, 8, 2, 0.999},
                                     {1.5, 9.999996e-6, 123456789, 98765432, 2, 61.2},
                                     {250.25, 1e-150, 99999999999, 12345678901, 2, 3723.4},
                                     {1e-3, 1e-14, 7, 6, 5, 59.999},
                                     {9.9999951, 0.1, 7, 6, 5, 36000}};
  for (const StepRow& row : rows) message.step(row);
  message.close();

  const std::regex regex(step_expression);
  std::size_t at = 0;
  for (const std::string& line : read_lines(file("a.msg"))) {
    std::smatch match;
    if (!std::regex_search(line, match, regex)) continue;
    ASSERT_LT(at, rows.size());
    // Six significant digits: half a unit of the last is 5e-6 of the leading digit.
    EXPECT_NEAR(std::stod(match[1]), rows[at].time, 5.1e-6 * std::max(rows[at].time, 1e-99));
    EXPECT_NEAR(std::stod(match[2]), rows[at].step_size, 5.1e-6 * std::max(rows[at].step_size, 1e-99));
    EXPECT_EQ(std::stoll(match[3]), rows[at].evaluations);
    EXPECT_EQ(std::stoll(match[4]), rows[at].steps);
    EXPECT_EQ(std::stoi(match[5]), rows[at].order);
    ++at;
  }
  EXPECT_EQ(at, rows.size());
}

/// A row of a real file is reproduced byte for byte from its numbers.
TEST_F(MessageTest, RowLayout) {
  MessageFile message;
  message.open(file("a.msg"), sample_info());
  message.step({2e-2, 1e-2, 11, 8, 2, 0.04});
  message.step({4.75, 8.13692e-05, 119838, 25491, 2, 3733});
  message.close();
  const std::string text = read_text(file("a.msg"));
  EXPECT_NE(text.find("\n   2.00000E-02  1.00000E-02           11            8             2       0.04 \n"),
            std::string::npos);
  EXPECT_NE(text.find("\n   4.75000E+00  8.13692E-05       119838        25491             2    1:02:13 \n"),
            std::string::npos);
}

TEST_F(MessageTest, WholeRun) {
  RunInfo info = sample_info();
  info.directory = "/" + std::string(90, 'd');
  std::string echoed;
  MessageFile message;
  message.set_echo([&](std::string_view text) { echoed += text; });
  message.open(file("a.msg"), info);
  message.command("FILE/COMMAND=crane.acf");
  message.command("! a comment\nSIMULATE/DYNAMIC, END=0.25,\n  DTOUT=1.0E-02\n");
  message.model_title("Adams View model name: MODEL_1");
  SimulationHeader header;
  header.error = 1e-5;
  message.warning("first line\nsecond line");
  message.begin_simulation(header);
  message.degrees_of_freedom(1, 0.0, {{"Zi.Xj", "model.JOINT_2"}, {"Zi.Yj", "model.JOINT_3"}});
  message.begin_steps(header);
  message.step({0, 5e-5, 0, 0, 2, 0.01});
  message.end_simulation();
  message.error("crane.adm:41: JOINT/3: marker 205 does not exist");
  message.settings("integrator", {{"TYPE", "HHT"},
                                  {"FORMULATION", "I3"},
                                  {"ERROR", list_scientific(1e-5)},
                                  {"HINIT", list_shortest(5e-5)}});
  message.statistics({{"Number of Jacobian evaluations", "2897"}});
  message.finish(4.0, 1.0);
  EXPECT_FALSE(message.is_open());

  const std::string text = read_text(file("a.msg"));
  EXPECT_EQ(text, echoed);
  const std::vector<std::string> lines = read_lines(file("a.msg"));
  const auto has = [&](const std::string& line) {
    return std::find(lines.begin(), lines.end(), line) != lines.end();
  };
  for (const char* line : {" command: FILE/COMMAND=crane.acf",
                           " command: ! a comment",
                           " command: SIMULATE/DYNAMIC, END=0.25,",
                           " command:   DTOUT=1.0E-02",
                           "---- START: WARNING ----",
                           "---- END: WARNING ----",
                           "---- START: ERROR ----",
                           "---- END: ERROR ----",
                           "  Begin Simulation",
                           "  End Simulation",
                           "  ****** Performing Dynamic Simulation using HHT I3 Integrator ******",
                           "   The system is modelled with INDEX-3 DAEs.",
                           "   The integrator is HHT, CORRECTOR = original",
                           "   Integration error =    1.000000E-05",
                           "  Time T=0.000000000E+00.",
                           "  Degree-of-freedom analysis identified redundant constraints in the model:",
                           "   -  deactivating constraint equation  Zi.Xj in model.JOINT_2",
                           "   -  deactivating constraint equation  Zi.Yj in model.JOINT_3",
                           "   Time         Size          Evaluations  Steps Taken   Order         Time    ",
                           "   ___________  ___________   ___________  ___________   ___________   ________",
                           "|                                 Model Title                                 |",
                           "|=============================================================================|",
                           "|                       Adams View model name: MODEL_1                        |",
                           "Current INTEGRATOR settings are:",
                           "   TYPE        = HHT",
                           "   ERROR       =    1.000000e-05",
                           "   HINIT       = 5e-05",
                           "          Number of Jacobian evaluations     ----   2897",
                           "Finished -----",
                           "Elapsed time = 4.00s,  CPU time = 1.00s,  Average CPU load = 25.00%"})
    EXPECT_TRUE(has(line)) << line;
  EXPECT_EQ(count_matches(lines, R"(Process ID: \d+)"), 1);
  EXPECT_EQ(count_matches(lines, R"(Local Time: \d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2})"), 1);
  EXPECT_NE(text.find(" Current dir:\n    " + info.directory + "\n"), std::string::npos);
  EXPECT_EQ(count_matches(lines, R"(^Finished -----\s*$)"), 1);
  EXPECT_EQ(count_matches(lines, finish_expression), 1);
  for (const std::string& line : lines) {
    if (!line.empty() && line.front() == '|') {
      EXPECT_EQ(line.size(), 79u) << line;
    }
  }
}

/// A monitor reads the text while the run goes on: it is in the file right after each call.
TEST_F(MessageTest, TextArrivesAtOnce) {
  MessageFile message;
  message.open(file("a.msg"), sample_info());
  message.command("stop");
  EXPECT_NE(read_text(file("a.msg")).find(" command: stop\n"), std::string::npos);
}

/// Control characters of a command cannot forge lines or drive a terminal.
TEST_F(MessageTest, ControlCharactersBecomeBlanks) {
  MessageFile message;
  message.open(file("a.msg"), sample_info());
  message.command("simulate\x1b[2J\r/dynamic");
  message.model_title("title\nFinished -----");
  message.close();
  const std::string text = read_text(file("a.msg"));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("\nFinished"), std::string::npos);
}

}  // namespace
}  // namespace trammel::test::message_test
