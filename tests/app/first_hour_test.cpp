// What somebody meets who begins: init, reference, completion, the manual page, suggestions, --set in both
// forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <sstream>

#include "batch_support.h"

using namespace trammel_test;

namespace first_hour_test {
namespace {

/// Words that begin with a dash, up to the first letter that no option has.
std::vector<std::string> options_in(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  -")) continue;
    std::istringstream words(line.substr(0, line.find("  ", 2)));
    for (std::string names; words >> names;)
      for (std::string name; !names.empty() && names[0] == '-';) {
        const std::size_t comma = names.find(',');
        name = names.substr(0, comma);
        names = comma == std::string::npos ? "" : names.substr(comma + 1);
        out.push_back(name);
      }
  }
  return out;
}

std::vector<std::string> commands_in(const std::string& help) {
  std::vector<std::string> out;
  std::istringstream lines(help.substr(help.find("Subcommands:")));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("  ") && line[2] != ' ') out.push_back(line.substr(2, line.find(' ', 2) - 2));
  return out;
}

/// The text of a manual page without the backslashes in front of dashes.
std::string without_escapes(std::string text) {
  for (std::size_t at; (at = text.find("\\-")) != std::string::npos;) text.erase(at, 1);
  return text;
}

TEST(FirstHour, both_forms_of_set_are_the_same) {
  Folder f;
  with_stone(f);
  // x = F t²/(2 m) = 3/(2·4), z = −g t²/2 = −2.
  const std::vector<std::vector<std::string>> forms = {
      {"PART/2, MASS=4", "SFORCE/1, FUNCTION=3", "ACCGRAV/KGRAV=-4"},
      {"PART/2.MASS=4", "SFORCE/1.FUNCTION=3", "ACCGRAV.KGRAV=-4"},
      {" part/02:mass = 4.0", "sforce/1:fu=IF(TIME:3,3,3)", "accgrav:KGRAV=-4."}};
  for (const std::vector<std::string>& sets : forms) {
    std::vector<std::string> arguments = {"run", "stone.acf"};
    for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
    const Outcome o = run(f, arguments);
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_NEAR(f.channel("stone.nc", "PART/2.X").back(), 0.375, 1e-12);  // exact but for rounding
    EXPECT_NEAR(f.channel("stone.nc", "PART/2.Z").back(), -2.0, 1e-12);
    arguments[0] = "check";
    EXPECT_EQ(run(f, arguments).code, 0);
  }
  f.write("t.csv", "PART/2.MASS\n4\n");
  EXPECT_EQ(
      batch(f, {"stone.acf", "--variants", "t.csv", "--set", "SFORCE/1.FUNCTION=3", "--channels", "PART/2.X"})
          .code,
      0);
  EXPECT_NEAR(number(table(f, "stone_t.csv").at(0), "final:PART/2.X"), 0.375, 1e-12);
  const auto err = [&](const std::string& set) {
    const Outcome o = run(f, {"run", "stone.acf", "--set", set});
    EXPECT_EQ(o.code, 3) << set;
    return o.err;
  };
  EXPECT_TRUE(contains(err("PART/2.MAS5=1"),
                       "--set PART/2.MAS5=1: PART/2: unknown argument 'MAS5'; did you mean MASS?"));
  EXPECT_TRUE(contains(err("PART/9.MASS=1"), "PART/9 does not exist"));
  EXPECT_TRUE(contains(err("PART.MASS=1"), "--set PART.MASS=1: PART/MASS=1: the id must be"));
}

/// An unknown argument is answered with those that there are.
TEST(FirstHour, unknown_arguments_list_the_valid_ones) {
  Folder f;
  with_stone(f, "SPRINGDAMPER/7, TRANSLATION, I=2, J=1, STIFFNESS=4\n");
  const Outcome deck = run(f, {"check", "stone.adm"});
  EXPECT_EQ(deck.code, 3);
  EXPECT_TRUE(contains(deck.err, "SPRINGDAMPER/7: unknown argument 'STIFFNESS'; SPRINGDAMPER has "))
      << deck.err;
  for (const char* name : {"TRANSLATION", "ROTATION", " K,", " C,", "LENGTH", "FORCE"})
    EXPECT_TRUE(contains(deck.err, name)) << deck.err;
  with_stone(f);
  f.write(
      "typo.acf",
      "stone\nstone\nSIMULAT/DYNAMICS, END=1\nSIMULTAE/DYNAMICS, END=1\nSIMULATE/DYNAMICS, EDN=1\nSTOP\n");
  const Outcome commands = run(f, {"run", "typo.acf"});
  EXPECT_EQ(commands.code, 3);
  EXPECT_TRUE(contains(commands.err, "typo.acf:4: unknown statement 'SIMULTAE'; did you mean SIMULATE?"))
      << commands.err;
  EXPECT_TRUE(
      contains(commands.err, "typo.acf:5: SIMULATE: unknown argument 'EDN'; did you mean END? SIMULATE has "))
      << commands.err;
}

TEST(FirstHour, misspelt_words_of_the_command_line) {
  Folder f;
  with_stone(f);
  const auto err = [&](const std::vector<std::string>& arguments) {
    const Outcome o = run(f, arguments);
    EXPECT_EQ(o.code, 2);
    return o.err;
  };
  EXPECT_TRUE(contains(err({"rnu", "stone.acf"}),
                       "unknown command \"rnu\"; did you mean run?; commands are run, converge"));
  EXPECT_TRUE(contains(err({"convrt", "a", "b"}), "did you mean convert?"));
  const std::string option = err({"run", "stone.acf", "--setps", "5"});
  EXPECT_TRUE(
      contains(option, "trammel run: unknown option --setps; did you mean --steps?; it has --help, --set"))
      << option;
  EXPECT_TRUE(contains(err({"batch", "stone.acf", "--varaints=t.csv"}), "did you mean --variants?"));
}

TEST(FirstHour, init_writes_a_deck_that_runs_and_overwrites_nothing) {
  Folder f;
  ASSERT_EQ(run(f, {"init", "press"}).code, 0);
  EXPECT_EQ(f.list(), "press.acf press.adm");
  const Outcome check = run(f, {"check", "press.acf", "--strict", "--json"});
  ASSERT_EQ(check.code, 0) << check.err;
  const auto report = nlohmann::json::parse(check.out);
  EXPECT_EQ(report["degrees_of_freedom"], 0);
  EXPECT_TRUE(report["redundant"].empty());
  EXPECT_TRUE(report["warnings"].empty()) << report["warnings"];
  const Outcome o = run(f, {"run", "press.acf"});
  ASSERT_EQ(o.code, 0) << o.err;
  const std::vector<double> t = f.channel("press.nc", "TIME"), angle = f.channel("press.nc", "REQUEST/1.F2");
  ASSERT_EQ(t.size(), 401u);
  // The loop closes: with the crank at φ the ends of the rocker and the crank are the coupler's length apart.
  // GSTIFF SI2 keeps the constraints to a part of ERROR = 1e-8; the angles of the crank and rocker have that
  // error over their lengths.
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double phi = std::numbers::pi / 3 + 2 * std::numbers::pi * t[k],
                 psi = angle[k] * std::numbers::pi / 180;
    const double dx = 0.4 + 0.25 * std::cos(psi) - 0.1 * std::cos(phi);
    const double dy = 0.25 * std::sin(psi) - 0.1 * std::sin(phi);
    EXPECT_NEAR(std::hypot(dx, dy), 0.35, 2e-8) << t[k];
  }
  // The integrator that it names is the one that is used where none is named.
  std::string without = f.read("press.acf");
  const std::size_t line = without.find("INTEGRATOR/");
  ASSERT_NE(line, std::string::npos);
  without.erase(line, without.find('\n', line) - line + 1);
  f.write("bare.acf", without);
  ASSERT_EQ(run(f, {"run", "bare.acf", "-o", "bare"}).code, 0);
  EXPECT_EQ(f.channel("bare.nc", "REQUEST/1.F2"), angle);
  const std::string model = f.read("press.adm"), control = f.read("press.acf");
  for (const char* name : {"press", "press.adm", "press.acf"}) {
    const Outcome again = run(f, {"init", name});
    EXPECT_EQ(again.code, 7);
    EXPECT_TRUE(contains(again.err, "exists already")) << again.err;
  }
  fs::remove(f.path("press.acf"));
  EXPECT_EQ(run(f, {"init", "press"}).code, 7);
  EXPECT_EQ(f.read("press.adm"), model);
  EXPECT_FALSE(f.has("press.acf"));
  EXPECT_EQ(run(f, {"init", "a=b"}).code, 2);
  EXPECT_EQ(run(f, {"init", "nowhere/press"}).code, 7);
  EXPECT_EQ(run(f, {"init"}).code, 0);
  EXPECT_TRUE(f.has("first.acf"));
}

TEST(FirstHour, reference_of_one_word) {
  Folder f;
  const auto of = [&](const std::string& word) {
    const Outcome o = run(f, {"reference", word});
    EXPECT_EQ(o.code, 0) << o.err;
    return o.out;
  };
  const std::string whole = run(f, {"reference"}).out;
  for (const std::string word : {"SPRINGDAMPER", "springdamper", "spri"}) {
    const std::string text = of(word);
    EXPECT_TRUE(text.starts_with("### SPRINGDAMPER\n")) << text;
    EXPECT_TRUE(contains(whole, text)) << word;
    EXPECT_EQ(text.find("### ", 4), std::string::npos);
  }
  // A statement, and the function that reads its force.
  EXPECT_TRUE(of("joint").starts_with("### JOINT\n"));
  EXPECT_TRUE(contains(of("joint"), "\n    JOINT(id, jflag, comp, rm)\n"));
  EXPECT_TRUE(of("SIMULATE").starts_with("### SIMULATE\n"));
  EXPECT_TRUE(contains(of("step"), "STEP(x, x0, h0, x1, h1)"));
  EXPECT_TRUE(of("havs").starts_with("### HAVSIN\n"));
  const auto err = [&](const std::string& word) {
    const Outcome o = run(f, {"reference", word});
    EXPECT_EQ(o.code, 2);
    EXPECT_EQ(o.out, "");
    return o.err;
  };
  EXPECT_EQ(err("jiont"),
            "no statement, command or function is called 'jiont'; did you mean JOINT?; trammel reference "
            "lists all\n");
  EXPECT_TRUE(contains(err("acc"), "'acc' can mean ACCGRAV, ACCM, ACCX, ACCXYZ, ACCY or ACCZ")) << err("acc");
}

TEST(FirstHour, completion_and_manual_have_every_option_of_the_help) {
  Folder f;
  const std::string bash = run(f, {"completion", "bash"}).out, zsh = run(f, {"completion", "zsh"}).out;
  const std::string man = without_escapes(run(f, {"man"}).out);
  const std::vector<std::string> commands = commands_in(run(f, {"--help"}).out);
  ASSERT_GE(commands.size(), 13u);
  for (const std::string& command : commands) {
    const std::size_t branch = bash.find("\n    " + command + ")\n");
    ASSERT_NE(branch, std::string::npos) << command;
    const std::string of_command = bash.substr(branch, bash.find(";;\n", branch) - branch) + "' ";
    const std::size_t section = man.find(".B trammel " + command + "\n");
    ASSERT_NE(section, std::string::npos) << command;
    const std::string manual = man.substr(section, man.find("\n.SH ", section) - section);
    const std::vector<std::string> options = options_in(run(f, {command, "--help"}).out);
    EXPECT_FALSE(options.empty()) << command;
    for (const std::string& option : options) {
      const bool completed = contains(of_command, option + " ") || contains(of_command, option + "'");
      EXPECT_TRUE(completed) << command << " " << option;
      const bool told = contains(manual, ".B " + option) || contains(manual, "," + option + " ") ||
                        contains(manual, "," + option + "\n");
      EXPECT_TRUE(told) << command << " " << option;
    }
  }
  EXPECT_TRUE(contains(zsh, bash));
  EXPECT_TRUE(contains(zsh, "bashcompinit"));
  EXPECT_EQ(run(f, {"completion", "fish"}).code, 2);
}

/// The script in a shell, as it is when TAB is hit.
TEST(FirstHour, bash_completes) {
  Folder f;
  f.write("completion", run(f, {"completion", "bash"}).out);
  const auto completed = [&](const std::string& line) {
    const std::string script =
        "cd " + f.path().string() + " && source ./completion && COMP_WORDS=(" + line +
        ") && COMP_CWORD=$((${#COMP_WORDS[@]}-1)) && _trammel; echo \"${COMPREPLY[*]}\"";
    std::FILE* shell = popen(("bash -c '" + script + "'").c_str(), "r");
    std::string out;
    for (int c; (c = std::fgetc(shell)) != EOF;) out += static_cast<char>(c);
    pclose(shell);
    return out;
  };
  EXPECT_EQ(completed("trammel ba"), "batch\n");
  EXPECT_EQ(completed("trammel run --back"), "--backend\n");
  EXPECT_EQ(completed("trammel run --backend c"), "cpu cuda\n");
  EXPECT_EQ(completed("trammel completion z"), "zsh\n");
  EXPECT_EQ(completed("trammel reference SPR"), "SPRINGDAMPER\n");
  EXPECT_EQ(completed("trammel run comp"), "completion\n");  // a file
}

/// No text of the help has become a macro.
TEST(FirstHour, the_manual_page_is_sound_roff) {
  Folder f;
  f.write("trammel.1", run(f, {"man"}).out);
  const std::string page = f.read("trammel.1");
  EXPECT_TRUE(page.starts_with(".TH TRAMMEL 1 "));
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && line[0] == '.') {
      const std::string macro = line.substr(1, 2);
      EXPECT_TRUE(macro == "TH" || macro == "SH" || macro == "TP" || macro == "PP" || macro == "nf" ||
                  macro == "fi" || line.starts_with(".B "))
          << line;
    }
}

}  // namespace
}  // namespace first_hour_test
