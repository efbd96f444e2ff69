// docs/tutorial.md: its commands work, and what it says of their results is so.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numbers>
#include <sstream>

#include <fmt/format.h>

#include "batch_support.h"

using namespace trammel_test;

namespace tutorial_test {
namespace {

std::string page() {
  std::ifstream file(fs::path(TRAMMEL_SOURCE_DIR) / "docs/tutorial.md");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The indented lines that begin with "trammel", with those that go on with them.
std::vector<std::string> commands_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream lines(text);
  bool goes_on = false;
  for (std::string line; std::getline(lines, line);) {
    if (goes_on)
      out.back() += "\n" + line;
    else if (line.starts_with("    trammel "))
      out.push_back(line);
    else
      continue;
    goes_on = line.ends_with('\\');
  }
  return out;
}

/// Angles of the rocker where crank and coupler lie in one line, by the law of cosines; degrees.
std::pair<double, double> swing(double rocker) {
  const double crank = 0.1, coupler = 0.35, ground = 0.4;
  const auto angle = [&](double side) {
    const double cosine = (rocker * rocker + ground * ground - side * side) / (2 * rocker * ground);
    return 180 - std::acos(cosine) * 180 / std::numbers::pi;
  };
  return {angle(coupler + crank), angle(coupler - crank)};
}

TEST(Tutorial, its_commands_work_and_its_numbers_are_right) {
  const std::string text = page();
  const std::vector<std::string> commands = commands_of(text);
  ASSERT_GE(commands.size(), 15u);
  Folder f;
  const std::string folder = fs::path(TRAMMEL_PROGRAM).parent_path().string();
  for (const std::string& command : commands) {
    f.write("command",
            fmt::format("cd {} && PATH='{}':$PATH\n{} > output 2>&1\n", f.path().string(), folder, command));
    EXPECT_EQ(std::system(("sh " + f.path("command").string()).c_str()), 0) << command << "\n"
                                                                            << f.read("output");
  }
  for (const char* name :
       {"rocker.svg", "speeds.svg", "circle.svg", "lengths.svg", "swing.svg", "torque.svg"})
    EXPECT_TRUE(f.has(name)) << name;
  const auto [least, most] = swing(0.25);
  EXPECT_TRUE(contains(text, fmt::format("swings between\n{:.1f}° and {:.1f}°", least, most)))
      << least << " " << most;

  const std::vector<Line> lines = table(f, "fourbar_study.csv");
  ASSERT_EQ(lines.size(), 100u);
  for (const Line& line : lines) {
    EXPECT_EQ(line.at("status"), "done");
    const auto [low, high] = swing(number(line, "#rocker"));
    // Records every 5 ms, 1.8 degrees of the crank, miss a turning point by at most half of that: the
    // rocker's angle changes by less than its second derivative, at most 3 rad per rad², times (0.9°)²/2:
    // 0.022°.
    EXPECT_NEAR(number(line, "min:REQUEST/1.F2"), low, 0.022);
    EXPECT_NEAR(number(line, "max:REQUEST/1.F2"), high, 0.022);
    EXPECT_GE(number(line, "absmax:REQUEST/2.F2"), number(line, "rms:REQUEST/2.F2"));
  }
  EXPECT_TRUE(contains(f.read("fourbar_study.status.json"), "\"finished\""));
}

}  // namespace
}  // namespace tutorial_test
