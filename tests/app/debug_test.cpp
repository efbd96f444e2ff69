// DEBUG in real runs: its tables against the counters of the run, closed forms of one step, and the records.
#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <sstream>

#include "support.h"

using namespace trammel_test;

namespace debug_test {
namespace {

/// What the tables of steps say, summed up.
struct StepTables {
  int accepted = 0, refused = 0, rows = 0, new_jacobians = 0;
  long cumulative = 0;
  std::vector<double> from, step;  ///< of accepted steps
};

StepTables tables_of(const std::string& text, int first = 1) {
  const std::regex head(R"( Integration step No\. (\d+),\s+Order = (\d+)\s+Cumulative iterations of)"),
      from(R"( From (\S+), Step = (\S+)\s+the corrector: (\d+))"),
      row(R"( (\d+)\s+(\S+)\s+\S+/\d+ .*\s(yes|no))");
  StepTables out;
  std::stringstream in(text);
  bool inside = false;
  double t = 0, h = 0;
  for (std::string line; std::getline(in, line);) {
    std::smatch m;
    if (std::regex_match(line, m, head)) {
      inside = true;
      EXPECT_EQ(std::stoi(m[1]), out.accepted + first) << line;  // unchanged where a step is repeated
    } else if (inside && std::regex_match(line, m, from)) {
      t = std::stod(m[1]);
      h = std::stod(m[2]);
      out.cumulative = std::stol(m[3]);
    } else if (inside && std::regex_match(line, m, row)) {
      ++out.rows;
      out.new_jacobians += m[3] == "yes";
    } else if (inside && line.starts_with(" accepted: error ")) {
      ++out.accepted;
      out.from.push_back(t);
      out.step.push_back(h);
      inside = false;
    } else if (inside && line.starts_with(" refused: ")) {
      ++out.refused;
      inside = false;
    }
  }
  return out;
}

/// The last line of counters.
std::vector<long> counters_of(const std::string& text) {
  const std::regex line(R"((\d+) steps, (\d+) rejected .*, (\d+) evaluations, (\d+) Jacobians)");
  std::smatch m;
  if (!std::regex_search(text, m, line)) return {};
  return {std::stol(m[1]), std::stol(m[2]), std::stol(m[3]), std::stol(m[4])};
}

/// Two bodies on springs of 1 Hz and 30 Hz along X, the second one stiffer with amplitude.
std::string two_springs(const std::string& more) {
  return "two masses on springs\nPART/1, GROUND\nMARKER/11, PART=1\nMARKER/12, PART=1, QP=0,1,0\n"
         "PART/2, MASS=1, CM=21, IP=1,1,1, QG=1,0,0\nMARKER/21, PART=2\n"
         "PART/3, MASS=1, CM=31, IP=1,1,1, QG=1,1,0\nMARKER/31, PART=3\n"
         "SPRINGDAMPER/1, TRANSLATION, I=21, J=11, K=39.5, LENGTH=0.9\n"
         "SPRINGDAMPER/2, TRANSLATION, I=31, J=12, K=35500, LENGTH=0.9\n"
         "SFORCE/1, TRANSLATIONAL, I=31, J=12, FUNCTION=-1E6*(DM(31,12)-0.9)**3\n" +
         more + "END\n";
}

class EveryMethod : public testing::TestWithParam<std::string> {};

TEST_P(EveryMethod, tells_each_step_and_iteration_that_the_run_counts) {
  Folder f;
  f.write("two.adm", two_springs("INTEGRATOR/" + GetParam() + "\nDEBUG/EPRINT\n"));
  f.write("job.acf", "two\njob\nSIMULATE/DYNAMIC, END=0.1, STEPS=4\nSIMULATE/DYNAMIC, END=0.2, STEPS=4\n");
  const Outcome o = run(f, {"run", "job.acf", "--quiet", "--log-json", "job.jsonl"});
  ASSERT_EQ(o.code, 0) << o.err;
  const std::string text = f.read("job.msg");
  const StepTables tables = tables_of(text);
  const std::vector<long> counters = counters_of(text);
  ASSERT_EQ(counters.size(), 4u) << text;
  EXPECT_EQ(tables.accepted, counters[0]);
  EXPECT_EQ(tables.refused, counters[1]);
  // SI2 may solve once more at the end of a step, for what rounding does.
  EXPECT_LE(tables.rows, tables.cumulative);
  EXPECT_GE(tables.rows, tables.cumulative - (GetParam().find("SI2") == std::string::npos ? 0 : counters[0]));
  // HHT makes some of its matrices before the corrector begins.
  EXPECT_LE(tables.new_jacobians, counters[3]);
  EXPECT_GT(tables.new_jacobians, 0);
  for (std::size_t k = 1; k < tables.from.size(); ++k)  // to the six digits of a step
    EXPECT_NEAR(tables.from[k], tables.from[k - 1] + tables.step[k - 1], 1e-5 * tables.step[k - 1]);
  EXPECT_NEAR(tables.from.back() + tables.step.back(), 0.2, 1e-6);
  for (const std::string what : {"initial positions", "initial velocities", "initial accelerations"})
    EXPECT_NE(text.find(" Iteration table: " + what), std::string::npos) << what;
  long accepted = 0, attempts = 0;
  std::istringstream lines(f.read("job.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line);
    if (json["event"] != "step") continue;
    ++attempts;
    if (!json["accepted"]) continue;
    EXPECT_EQ(json["number"], ++accepted);
  }
  EXPECT_EQ(accepted, counters[0]);
  EXPECT_EQ(attempts, counters[0] + counters[1]);
}

INSTANTIATE_TEST_SUITE_P(all, EveryMethod,
                         testing::Values("HHT, ERROR=1E-6", "GSTIFF, I3, ERROR=1E-5",
                                         "GSTIFF, SI2, ERROR=1E-5", "WSTIFF, I3, ERROR=1E-5",
                                         "RADAU, ERROR=1E-5", "NEWMARK, HINIT=1E-3"));

/// Rows of steps of an explicit method: number, time, size, order, error, where it is largest, outcome.
struct ExplicitRows {
  int accepted = 0, refused = 0, of_stiff_part = 0, choices = 0;
  double from = 0, step = 0;  ///< of the last accepted one
};

ExplicitRows explicit_rows_of(const std::string& text) {
  const std::regex row(
      R"( (\d+)\s+(\S+E\S+)\s+(\S+E\S+)\s+\d+\s+(\S+)\s+(\S.*\S)\s\s+(accepted|refused: .*))");
  ExplicitRows out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::smatch m;
    out.choices += line.starts_with(" Independent coordinates: ");
    if (!std::regex_match(line, m, row)) continue;
    const double t = std::stod(m[2]);
    if (m[6] != "accepted") {
      ++out.refused;
      continue;
    }
    if (out.accepted > 0) {
      EXPECT_NEAR(t, out.from + out.step, 1e-5 * out.step) << line;
    }
    EXPECT_EQ(std::stoi(m[1]), ++out.accepted) << line;
    EXPECT_LE(std::stod(m[4]), 1) << line;
    out.of_stiff_part += m[5].str().starts_with("PART/3 X");
    out.from = t;
    out.step = std::stod(m[3]);
  }
  return out;
}

/// The spring of 30 Hz and more has the error, that of 1 Hz none.
TEST(Debug, rows_of_explicit_methods_name_what_has_the_error) {
  for (const char* method : {"ABAM, ERROR=1E-6", "RKF45, ERROR=1E-6"}) {
    Folder f;
    f.write("two.adm", two_springs(std::string("INTEGRATOR/") + method + "\nDEBUG/EPRINT\n"));
    ASSERT_EQ(run(f, {"run", "two.adm", "--end", "0.2", "--steps", "4", "--quiet"}).code, 0);
    const std::string text = f.read("two.msg");
    const ExplicitRows rows = explicit_rows_of(text);
    const std::vector<long> counters = counters_of(text);
    ASSERT_EQ(counters.size(), 4u) << text;
    EXPECT_EQ(rows.accepted, counters[0]) << method;
    EXPECT_EQ(rows.refused, counters[1]) << method;
    EXPECT_NEAR(rows.from + rows.step, 0.2, 1e-6) << method;
    EXPECT_GT(rows.of_stiff_part, 0.9 * rows.accepted) << method;
    EXPECT_EQ(rows.choices, 0) << method;  // nothing is constrained
    EXPECT_EQ(text.find(" Integration step No."), std::string::npos) << method;
  }
}

/// A rod turns over: X and Y of its middle take turns. The first choice and every other one is told.
TEST(Debug, rows_of_explicit_methods_tell_the_choice_of_coordinates) {
  for (const char* method : {"ABAM", "RKF45"}) {
    Folder f;
    f.write(
        "rod.adm",
        "rod\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/10, PART=1\n"
        "PART/2, MASS=1, CM=20, IP=.3, .3, .3, QG=10, 0, 0, VY=50, WZ=5\nMARKER/20, PART=2\n"
        "MARKER/21, PART=2, QP=-10, 0, 0\nJOINT/1, SPHERICAL, I=21, J=10\nINTEGRATOR/" +
            std::string(method) + "\nDEBUG/EPRINT\nEND\n");
    ASSERT_EQ(run(f, {"run", "rod.adm", "--end", "1", "--steps", "4", "--quiet"}).code, 0);
    const std::string text = f.read("rod.msg");
    std::smatch m;
    ASSERT_TRUE(
        std::regex_search(text, m, std::regex("Other independent coordinates were chosen (\\d+) times")))
        << text;
    EXPECT_GT(std::stoi(m[1]), 0);
    EXPECT_EQ(explicit_rows_of(text).choices, 1 + std::stoi(m[1])) << text;
    EXPECT_TRUE(std::regex_search(text, std::regex(" Independent coordinates: PART/2 .* for PART/2 ")))
        << text;
  }
}

// One step of Newmark on m ẍ = −k (x − L) − c ẋ from x_0 at rest, closed form: with q̈ kept over the step the
// residual is r = m a_0 + c h a_0 + k (x_0 + h² a_0/2 − L), the matrix m + γ h c + β h² k, the correction −r
// over it.
TEST(Debug, dumps_are_the_closed_form_of_a_step) {
  Folder f;
  constexpr double m = 2, k = 50, c = 0.8, rest = 1.5, x = 2, h = 0.01, beta = 0.36, gamma = 0.7;
  f.write("one.adm",
          "mass on a spring\nPART/1, GROUND\nMARKER/11, PART=1\n"
          "PART/2, MASS=2, CM=21, IP=1,1,1, QG=2,0,0\nMARKER/21, PART=2\n"
          "SPRINGDAMPER/1, TRANSLATION, I=21, J=11, K=50, C=0.8, LENGTH=1.5\n"
          "INTEGRATOR/NEWMARK, BETA=0.36, GAMMA=0.7, HINIT=0.01\nDEBUG/RHSDUMP, JMDUMP\nEND\n");
  ASSERT_EQ(run(f, {"run", "one.adm", "--end", "0.01", "--steps", "1", "--quiet"}).code, 0);
  const std::string all = f.read("one.msg"), text = all.substr(all.find(" Integration step No. 1"));
  const double a = -k * (x - rest) / m;
  const double residual = m * a + c * h * a + k * (x + h * h * a / 2 - rest);
  const double matrix = m + gamma * h * c + beta * h * h * k;
  const auto number_before = [&](const std::string& expression) {
    std::smatch found;
    EXPECT_TRUE(std::regex_search(text, found, std::regex("(\\S+)\\s+" + expression))) << text;
    return found.empty() ? 0.0 : std::stod(found[1]);
  };
  // Nine decimals are printed.
  EXPECT_NEAR(number_before("PART/2 X Force\\s+PART/2 X\n") / matrix, 1, 1e-8);
  EXPECT_NEAR(number_before("PART/2 X Force\\s+\\S+\\s+PART/2 X\n") / residual, 1, 1e-8);
  std::smatch first;
  const std::string dump = text.substr(text.find("Residual          Equation"));
  ASSERT_TRUE(std::regex_search(dump, first, std::regex("PART/2 X Force\\s+(\\S+)  PART/2 X\n"))) << dump;
  EXPECT_NEAR(std::stod(first[1]) / (-residual / matrix), 1, 1e-8);
  EXPECT_EQ(text.find(" Iteration   Residual"), std::string::npos);  // that is EPRINT's
}

TEST(Debug, is_switched_between_simulations_and_by_the_last_word) {
  Folder f;
  f.write("stone.adm", falling_body("DEBUG/EPRINT\nDEBUG/NOEPRINT, DOF\n"));
  f.write(
      "job.acf",
      "stone\njob\nSIMULATE/DYNAMIC, END=1, STEPS=2\nDEBUG/EPRINT, NODOF\nSIMULATE/DYNAMIC, END=2, STEPS=2\n"
      "DEBUG/NOEPRINT\nSIMULATE/DYNAMIC, END=3, STEPS=2\n");
  ASSERT_EQ(run(f, {"run", "job.acf", "--quiet"}).code, 0);
  const std::string text = f.read("job.msg");
  std::vector<std::size_t> begins;
  for (std::size_t at = text.find("  Begin Simulation"); at != std::string::npos;
       at = text.find("  Begin Simulation", at + 1))
    begins.push_back(at);
  ASSERT_EQ(begins.size(), 3u);
  const std::size_t first = text.find(" Integration step No."), last = text.rfind(" Integration step No.");
  EXPECT_GT(first, begins[1]);
  EXPECT_LT(last, begins[2]);
  std::smatch number;
  const std::string tables = text.substr(first);
  ASSERT_TRUE(std::regex_search(tables, number, std::regex(R"(step No\. (\d+))")));
  const int before = std::stoi(number[1]);
  EXPECT_GT(before, 1);  // steps are counted from the beginning
  EXPECT_GT(tables_of(tables, before).accepted, 0);
  EXPECT_EQ(text.find("Degrees of freedom\n"), text.rfind("Degrees of freedom\n"));
  EXPECT_LT(text.find("Degrees of freedom\n"), begins[1]);
}

TEST(Debug, unknown_words_are_refused_and_dump_is_named_as_without_effect) {
  Folder f;
  f.write("stone.adm", falling_body("DEBUG/DUMP\n"));
  EXPECT_EQ(run(f, {"run", "stone.adm", "--end", "0.1", "--quiet"}).code, 0);
  EXPECT_NE(f.read("stone.msg").find("DEBUG: DUMP is accepted, without effect"), std::string::npos);
  f.write("odd.adm", falling_body("DEBUG/EPRNT\n"));
  const Outcome odd = run(f, {"run", "odd.adm", "--end", "0.1"});
  EXPECT_EQ(odd.code, 3);
  EXPECT_NE(odd.err.find("EPRINT"), std::string::npos) << odd.err;
}

TEST(Debug, tables_of_the_model_count_its_freedom_and_name_who_is_joined) {
  Folder f;
  std::string deck = four_bar();
  deck.insert(deck.find("ACCGRAV"), "DEBUG/DOF, TOPOLOGY\n");
  f.write("bars.adm", deck);
  ASSERT_EQ(run(f, {"run", "bars.adm", "--end", "0.01", "--quiet"}).code, 0);
  const std::string text = f.read("bars.msg");
  std::stringstream in(text.substr(text.find("  Degrees of freedom\n")));
  std::string line;
  std::getline(in, line);
  const std::regex entry(R"(    (.*\S)\s+([+-]\d+)(?:\s.*)?)"), total(R"(    degrees of freedom\s+(\d+))");
  int sum = 0;
  std::smatch m;
  while (std::getline(in, line) && std::regex_match(line, m, entry)) sum += std::stoi(m[2]);
  ASSERT_TRUE(std::regex_match(line, m, total)) << text;
  EXPECT_EQ(std::stoi(m[1]), 1);  // a parallelogram
  EXPECT_EQ(sum, 1);
  EXPECT_NE(text.find("PART/3\n      JOINT/2 to PART/2\n      JOINT/3 to PART/4\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("ground\n      JOINT/1 to PART/2\n      JOINT/4 (last_pin) to PART/4\n"),
            std::string::npos)
      << text;
}

TEST(Debug, reqdump_and_verbose_tell_every_output) {
  Folder f;
  f.write("stone.adm", falling_body("REQUEST/7, DISPLACEMENT, I=2, J=1\nDEBUG/REQDUMP, VERBOSE\n"));
  ASSERT_EQ(run(f, {"run", "stone.adm", "--end", "1", "--steps", "40", "--quiet"}).code, 0);
  const std::string text = f.read("stone.msg");
  const std::regex entry(R"(Requests at time = (\S+)\n    REQUEST/7 .* X = (\S+) .* Z = (\S+))");
  int found = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), entry), end; it != end; ++it, ++found) {
    const double t = std::stod((*it)[1]);
    EXPECT_NEAR(std::stod((*it)[2]), t * t / 4, 1e-5);  // six digits
    EXPECT_NEAR(std::stod((*it)[3]), -5 * t * t, 1e-5);
  }
  EXPECT_EQ(found, 41);
  const std::regex row(R"(\n   \d\.\d{5}E[+-]\d\d  \d\.\d{5}E[+-]\d\d +\d+ +\d+ +\d+ +\S+ )");
  EXPECT_EQ(std::distance(std::sregex_iterator(text.begin(), text.end(), row), std::sregex_iterator()), 41);
}

TEST(Debug, says_that_steps_on_a_device_are_not_watched) {
  Folder f;
  f.write("stone.adm", falling_body("INTEGRATOR/HHT\nDEBUG/EPRINT\n"));
  ASSERT_EQ(run(f, {"run", "stone.adm", "--end", "0.1", "--quiet", "--backend", "host"}).code, 0);
  const std::string text = f.read("stone.msg");
  EXPECT_NE(text.find("DEBUG: EPRINT, RHSDUMP and JMDUMP do not show the steps, which are computed by host"),
            std::string::npos);
  EXPECT_EQ(text.find(" Integration step No."), std::string::npos);
  EXPECT_NE(text.find(" Iteration table: initial positions"), std::string::npos);
}

TEST(Debug, results_do_not_depend_on_who_watches) {
  Folder f;
  const std::string deck = model("slider_crank/slider_crank.adm").string();
  const auto results = [&](const std::string& words) {
    f.write("job.acf", deck + "\njob\n" + words +
                           "INTEGRATOR/GSTIFF, ERROR=1E-5\nSIMULATE/DYNAMIC, END=0.5, STEPS=20\n");
    EXPECT_EQ(run(f, {"run", "job.acf", "--quiet", "--formats", "csv"}).code, 0);
    const std::string text = f.read("job.csv");
    return text.substr(text.find("\nTIME") == std::string::npos ? 0 : text.find("\nTIME"));
  };
  const std::string before = results("");
  EXPECT_EQ(results("DEBUG/EPRINT, RHSDUMP, JMDUMP\n"), before);
}

TEST(Debug, json_lines_name_a_failure_and_the_range_of_a_spline) {
  Folder f;
  f.write("wall.adm",
          falling_body(
              "SPLINE/4, X=0,0.1,0.2,0.3, Y=0,1,2,3\n"
              "SFORCE/2, TRANSLATIONAL, I=2, J=3, ACTIONONLY, FUNCTION=CUBSPL(TIME,0,4)+SQRT(0.5-TIME)\n"));
  const Outcome o = run(f, {"run", "wall.adm", "--end", "1", "--quiet", "--log-json", "wall.jsonl"});
  EXPECT_EQ(o.code, 5);
  std::istringstream lines(f.read("wall.jsonl"));
  nlohmann::json range, failure;
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line);
    if (json["event"] == "spline_range") range = json;
    if (json["event"] == "failure") failure = json;
  }
  EXPECT_EQ(range["spline"], "SPLINE/4");
  EXPECT_EQ(range["axis"], "X");
  EXPECT_GT(range["value"].get<double>(), 0.3);
  EXPECT_EQ(range["largest"], 0.3);
  EXPECT_EQ(failure["exit_code"], 5);
  EXPECT_NEAR(failure["t"].get<double>(), 0.5, 0.02);
}

TEST(Debug, json_lines_give_equation_and_variable_of_a_failure) {
  Folder f;  // a motion that asks for more than the linkage can reach: no step converges there
  std::string deck = four_bar();
  deck.insert(deck.find("ACCGRAV"), "MOTION/1, JOINT=1, FUNCTION=IF(TIME-0.2:0,0,1E3)\n");
  f.write("bars.adm", deck);
  const Outcome o = run(f, {"run", "bars.adm", "--end", "1", "--quiet", "--log-json", "bars.jsonl", "--set",
                            "INTEGRATOR/GSTIFF"});
  EXPECT_EQ(o.code, 5) << o.out;
  std::istringstream lines(f.read("bars.jsonl"));
  nlohmann::json failure;
  for (std::string line; std::getline(lines, line);)
    if (const auto json = nlohmann::json::parse(line); json["event"] == "failure") failure = json;
  for (const char* name : {"equation", "variable"}) {
    ASSERT_TRUE(failure.contains(name)) << failure;
    EXPECT_NE(failure["text"].get<std::string>().find(failure[name].get<std::string>()), std::string::npos);
  }
}

// a V1 + V2 = 1, V1 + a/2 V2 = 2 with a = 1, from 0.5 on 0: the pivots on the diagonal are then zero.
TEST(Debug, small_pivots_are_told_with_what_came_of_them) {
  Folder f;
  f.write("two.adm",
          falling_body("VARIABLE/1, FUNCTION=VARVAL(1)+IF(TIME-0.5:1,0,0)*VARVAL(1)+VARVAL(2)-1\n"
                       "VARIABLE/2, FUNCTION=VARVAL(2)+VARVAL(1)+0.5*IF(TIME-0.5:1,0,0)*VARVAL(2)-2\n"
                       "INTEGRATOR/HHT, HMAX=0.01\n"));
  const Outcome o = run(
      f, {"run", "two.adm", "--end", "1", "--quiet", "--linear-solver", "klu", "--log-json", "two.jsonl"});
  EXPECT_EQ(o.code, 0) << o.err;
  const std::string text = f.read("two.msg");
  EXPECT_NE(text.find("numerically singular with this pivot order at time = 0.5"), std::string::npos) << text;
  EXPECT_NE(text.find("Symbolic refactorization attempted: it succeeded"), std::string::npos);
  std::istringstream lines(f.read("two.jsonl"));
  int told = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line);
    if (json["event"] != "singular_pivot") continue;
    ++told;
    EXPECT_TRUE(json["equation"].get<std::string>().starts_with("VARIABLE/"));
    EXPECT_TRUE(json["variable"].get<std::string>().starts_with("VARIABLE/"));
    EXPECT_LT(json["pivot"].get<double>(), 1e-13);
    EXPECT_TRUE(json["refactored"]);
    EXPECT_NEAR(json["t"].get<double>(), 0.505, 0.005 + 1e-9);
  }
  EXPECT_EQ(told, 1);
  // The values, by Cramer's rule, show that the new pivots are right.
  EXPECT_NEAR(f.channel("two.nc", "VARIABLE/1.Q").back(), 2, 1e-12);
}

}  // namespace
}  // namespace debug_test
