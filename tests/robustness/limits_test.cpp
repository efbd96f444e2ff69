// Inputs that ask for too much: each is answered within bounded memory and time, with the documented exit
// code and a message of bounded length.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>

#include <fmt/format.h>

#include "../app/support.h"

using namespace trammel_test;

namespace limits_test {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t memory_limit = 0;  // the sanitizer reserves terabytes of address space
constexpr double most_seconds = 120;
#else
/// The largest of these inputs has 12 MB and needs some 0.4 GB of address space; one list that grows with an
/// announced size, not with what is there, needs far more than this.
constexpr std::size_t memory_limit = std::size_t{1} << 30;
/// All of them take less than 3 s on an idle machine; what is quadratic in 1e5 takes minutes.
constexpr double most_seconds = 30;
#endif

/// 1000 messages of the longest kind: a name is shown with 40 characters, an expression's with 300.
constexpr std::size_t most_error_bytes = 200'000;

const std::string head =
    "title\nPART/1,GROUND\nMARKER/1,PART=1\nPART/2,MASS=1,CM=2,IP=1,1,1\nMARKER/2,PART=2\n"
    "JOINT/1,TRANSLATIONAL,I=2,J=1\n";
const std::string force = "SFORCE/1,TRANS,I=2,J=1,ACTIONONLY,FUNCTION=";

std::string times(int count, const std::string& piece) {
  std::string out;
  out.reserve(piece.size() * static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) out += piece;
  return out;
}

/// make(1) + make(2) + ...
std::string each(int count, const std::function<std::string(int)>& make) {
  std::string out;
  for (int k = 1; k <= count; ++k) out += make(k);
  return out;
}

/// 10, 11, 12 ...: one a line, joined by commas.
std::string ids(int count) {
  return each(count, [](int k) { return (k > 1 ? ",\n," : "") + std::to_string(k + 9); });
}

struct Case {
  const char* name;
  int code;
  const char* says;      ///< part of standard error
  std::string deck;      ///< deck.adm; empty: none
  std::string commands;  ///< deck.acf; empty: none, and the deck itself is checked
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

std::string simulate(const std::string& text) {
  return "deck\n\nSIMULATE/DYNAMIC," + text + "\n";
}

std::vector<Case> cases() {
  const std::string end = "END\n";
  const int n = 100'000;
  const auto deck = [&](const std::string& more) { return head + more + "\n" + end; };
  return {
      // ---- announced, not present
      {"outputs_by_dtout", 3, "1e+09 output steps are more than 100 million", deck(""),
       simulate("END=1,DTOUT=1E-9")},
      {"outputs_by_steps", 3, "STEPS=1000000000 is out of range", deck(""),
       simulate("END=1,STEPS=1000000000")},
      {"outputs_beyond_count", 3, "1e+300 output steps", deck(""), simulate("END=1,DTOUT=1E-300")},
      {"end_beyond_numbers", 3, "beyond the largest number", deck(""),
       simulate("END=1E308,STEPS=10\nSIMULATE/DYNAMIC,DURATION=1.7E308,STEPS=10")},
      {"matrix_sparse", 3, "2000000000 x 2000000000 entries are more than the 10 million",
       deck("MATRIX/1,SPARSE,I=2000000000,J=2000000000,VALUES=1"), ""},
      {"matrix_full", 3, "VALUES has 3 values; 100000 x 100000 takes",
       deck("MATRIX/1,FULL,RORDER,ROWS=100000,COLUMNS=100000,VALUES=1,2,3"), ""},
      {"matrix_file", 3, "data.mtx:", deck("MATRIX/1,FILE=data.mtx,NAME=K"), ""},
      {"states", 3, "SIZE=1000000000 is more than the 100000 entries",
       deck("ARRAY/1,X,SIZE=1000000000\nMATRIX/1,SPARSE,I=1,J=1,VALUES=1\nLSE/1,X=1,A=1"), ""},
      {"states_without_matrix", 3, "it must be 100000 x 100000",
       deck("ARRAY/1,X,SIZE=100000\nMATRIX/1,SPARSE,I=1,J=1,VALUES=1\nLSE/1,X=1,A=1"), ""},
      {"spline", 3, "SPLINE/1: X takes at least 4 values, found 1", deck("SPLINE/1,X=100000000"), ""},
      {"steps_that_lead_nowhere", 3, "HMAX=1e-300 is below the smallest step, HMIN=1e-14",
       deck("INTEGRATOR/HHT,HMAX=1E-300"), ""},
      {"pattern", 3, "PATTERN has 65 entries; give at most 64, they repeat",
       deck("INTEGRATOR/HHT,PATTERN=T" + times(64, ":F")), ""},
      // ---- nested
      {"parentheses", 3, "nested deeper than 200 levels", deck(force + times(n, "(") + "1" + times(n, ")")),
       ""},
      {"functions", 3, "nested deeper than 200 levels", deck(force + times(n, "SIN(") + "1" + times(n, ")")),
       ""},
      {"signs", 3, "nested deeper than 200 levels", deck(force + times(n, "-") + "1"), ""},
      {"powers", 3, "nested deeper than 200 levels", deck(force + "1" + times(n, "**1")), ""},
      {"brackets", 3, "a ] is missing", deck(force + times(n, "[") + "1"), ""},
      {"branches", 3, "nested deeper than 200 levels",
       deck(force + times(n / 2, "IF(TIME:") + "1" + times(n / 2, ",1,1)")), ""},
      {"frames", 3, "through more than 50 markers",
       deck(each(n, [](int k) { return fmt::format("MARKER/{},PART=1,RM={}\n", k + 9, k + 10); }) +
            "MARKER/100010,PART=1"),
       ""},
      {"variables", 0, "",
       deck(each(5000, [](int k) { return fmt::format("VARIABLE/{},FU=VARVAL({})+1\n", k, k + 1); }) +
            "VARIABLE/5001,FU=1"),
       ""},
      {"commands_that_run_themselves", 3, "'deck.acf' would run itself", deck(""), "FILE/COMMAND=deck.acf\n"},
      // ---- long
      {"sum", 0, "", deck(force + "TIME" + times(n, "\n,+TIME")), ""},
      {"arguments_of_a_function", 3, "MAX takes", deck(force + "MAX(" + times(n, "TIME,\n,") + "1)"), ""},
      {"expression", 3, "longer than 1000000 characters", deck(force + "1" + times(300'000, "\n,+1+1")), ""},
      {"ids", 0, "",
       "title\nPART/1,GROUND\nMARKER/1,PART=1\nPART/1000000000,MASS=1,CM=2147483647,IP=1,1,1\n"
       "MARKER/2147483647,PART=1000000000\nJOINT/1999999999,TRANSLATIONAL,I=2147483647,J=1\nEND\n",
       ""},
      {"id_too_large", 3, "the id must be a positive integer up to 2147483647",
       deck("VARIABLE/2147483648,FU=1"), ""},
      {"view_name", 0, "",
       deck("! adams_view_name='" + std::string(1'000'000, 'n') + "'\nVARIABLE/1,FU=TIME"), ""},
      {"title", 0, "", std::string(1'000'000, 't') + deck(""), ""},
      {"keyword", 3, "unknown statement 'KKKK", deck(std::string(1'000'000, 'K') + "/1"), ""},
      {"argument", 3, "unknown argument 'KKKK", deck("VARIABLE/1," + std::string(1'000'000, 'K') + "=1"), ""},
      {"function", 3, "unknown function", deck(force + std::string(900'000, 'K') + "(1)"), ""},
      {"number", 3, "takes a finite number, found '1111",
       deck("VARIABLE/1,FU=1,IC=" + std::string(1'000'000, '1')), ""},
      {"number_in_expression", 3, "cannot be represented", deck(force + std::string(900'000, '1')), ""},
      {"markers_of_a_force", 3, "IMARKERS takes at most 350 values",
       deck("NFORCE/1,J=1,KM=1,IM=" + ids(1'000'000)), ""},
      {"variables_of_an_array", 3, "VARIABLE 10 does not exist",
       deck("ARRAY/1,U,VARIABLES=" + ids(1'000'000)), ""},
      {"points_of_a_spline", 0, "", deck("SPLINE/1,X=" + ids(200'000) + ",Y=" + ids(200'000)), ""},
      {"parts", 0, "",
       deck(each(5000,
                 [](int k) {
                   return fmt::format("PART/{0},MASS=1,CM={0},IP=1,1,1\nMARKER/{0},PART={0}\n", k + 9);
                 })),
       ""},
      // ---- a million mistakes
      {"mistakes", 3, "1000 mistakes so far: the others are not listed", deck(times(1'000'000, "BANANA/1\n")),
       ""},
      {"mistakes_in_one_statement", 3, "1000 mistakes so far", deck("PART/3" + times(300'000, ",BAD=1")), ""},
      {"mistakes_of_commands", 3, "1000 mistakes so far", deck(""),
       "deck.adm\n\n" + times(300'000, "BANANA/1\n")},
      {"mistakes_of_expressions", 3, "1000 mistakes so far",
       deck(each(n, [](int k) { return fmt::format("VARIABLE/{},FU=DX(7,8)\n", k); })), ""},
      {"commands_in_great_number", 3, "more than 100000 commands", deck(""),
       "deck.adm\n\n" + times(150'000, "SHOW/STATE=SIMULATION\n")},
      {"unsupported", 4, "100000 such statements",
       deck(each(n, [](int k) { return fmt::format("FE_PART/{}\n", k); })), ""},
      // ---- no deck at all
      {"nothing", 3, "is it a dataset?", "\n", ""},
      {"zeros", 3, "is it a dataset?", std::string(1'000'000, '\0'), ""},
  };
}

class Limits : public testing::TestWithParam<Case> {};

TEST_P(Limits, are_told) {
  const Case& c = GetParam();
  Folder f;
  f.write("deck.adm", c.deck);
  f.write("data.mtx", "ADAMSMAT\n1\nK\nK FULL RORDER 40000 40000 1600000000\n(5E16.8)\n1 2 3\n");
  if (!c.commands.empty()) f.write("deck.acf", c.commands);
  Launch launch{{"check", c.commands.empty() ? "deck.adm" : "deck.acf"}, {}, 0, false, {}};
  launch.memory_limit = memory_limit;
  const auto begin = std::chrono::steady_clock::now();
  const Outcome o = run(f, launch);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(o.code, c.code) << o.err.substr(0, 500);
  EXPECT_EQ(o.signal, 0);
  EXPECT_NE(o.err.find(c.says), std::string::npos) << o.err.substr(0, 500);
  EXPECT_LT(o.err.size(), most_error_bytes);
  EXPECT_LT(taken.count(), most_seconds);
}

INSTANTIATE_TEST_SUITE_P(all, Limits, testing::ValuesIn(cases()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Limits, readers_take_no_device_for_a_file) {
  Folder f;
  for (const char* path : {"/dev/zero", "/dev/full"})
    for (const char* command : {"info", "check", "run"}) {
      Launch launch{{command, path}, {}, 0, false, {}};
      launch.memory_limit = memory_limit;
      const Outcome o = run(f, launch);
      EXPECT_EQ(o.code, 7) << command << " " << path << ": " << o.err;
    }
  f.write("deck.adm", head + "MATRIX/1,FILE=/dev/zero,NAME=K\nEND\n");
  const Outcome o = run(f, {"check", "deck.adm"});
  EXPECT_EQ(o.code, 7) << o.err;
  EXPECT_NE(o.err.find("/dev/zero"), std::string::npos) << o.err;
}

#if !defined(__SANITIZE_ADDRESS__)
TEST(Limits, too_little_memory_ends_with_a_word) {
  // A deck that is sound, but needs more than there is: 64 MB hold the program and its libraries (50 MB).
  Folder f;
  f.write("deck.adm", head + each(100'000, [](int k) {
                        return fmt::format("VARIABLE/{},FU=TIME+{}\n", k, k);
                      }) + "END\n");
  for (const char* command : {"check", "run"}) {
    Launch launch{{command, "deck.adm", "--end", "1"}, {}, 0, false, {}};
    if (std::string(command) == "check") launch.arguments = {command, "deck.adm"};
    launch.memory_limit = std::size_t{100} << 20;
    const Outcome o = run(f, launch);
    EXPECT_EQ(o.code, 1);
    EXPECT_EQ(o.signal, 0);
    EXPECT_NE(o.err.find("out of memory"), std::string::npos) << o.err.substr(0, 500);
  }
}
#endif

}  // namespace
}  // namespace limits_test
