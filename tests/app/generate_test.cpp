// Tables of variants made from ranges.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "batch_support.h"

using namespace trammel_test;

namespace generate_test {
namespace {

std::vector<Line> generated(const Folder& f, std::vector<std::string> options) {
  options.insert(options.begin(), {"stone.acf", "--variants", "g.csv"});
  fs::remove(f.path("g.csv"));
  const Outcome o = batch(f, options);
  EXPECT_EQ(o.code, 0) << o.err;
  return f.has("g.csv") ? table(f, "g.csv") : std::vector<Line>{};
}

TEST(Generate, a_grid_has_all_combinations) {
  Folder f;
  with_stone(f);
  const std::vector<Line> lines = generated(f, {"--generate", "grid", "--vary", "PART/2.MASS=1:4:4", "--vary",
                                                "ACCGRAV.KGRAV=-10,-2", "--channels", "PART/2.Z"});
  ASSERT_EQ(lines.size(), 8u);
  EXPECT_EQ(column(lines, "PART/2.MASS"), "1 1 2 2 3 3 4 4");
  EXPECT_EQ(column(lines, "ACCGRAV.KGRAV"), "-10 -2 -10 -2 -10 -2 -10 -2");
  const std::vector<Line> results = table(f, "stone_g.csv");
  ASSERT_EQ(results.size(), 8u);
  for (std::size_t k = 0; k < 8; ++k)
    EXPECT_NEAR(number(results[k], "final:PART/2.Z"), k % 2 == 0 ? -5 : -1, 1e-12);  // g/2, but for rounding
}

/// Of each range cut into n parts, every part has one sample.
TEST(Generate, a_latin_hypercube_has_one_sample_in_every_part) {
  Folder f;
  with_stone(f);
  const std::vector<std::string> options = {"--generate", "lhs:40", "--vary",  "PART/2.MASS=1:5",
                                            "--vary",     "F=-2:6", "--drive", "SFORCE/1.FUNCTION={F}"};
  const std::vector<Line> lines = generated(f, options);
  ASSERT_EQ(lines.size(), 40u);
  const auto parts = [&](const char* header, double from, double to) {
    std::set<int> found;
    for (const Line& line : lines)
      found.insert(static_cast<int>(40 * (number(line, header) - from) / (to - from)));
    return found;
  };
  std::set<int> all;
  for (int k = 0; k < 40; ++k) all.insert(k);
  EXPECT_TRUE(parts("PART/2.MASS", 1, 5) == all);
  EXPECT_TRUE(parts("#F", -2, 6) == all);
  // The same seed, the same table; another seed, another one.
  const std::string first = f.read("g.csv");
  generated(f, options);
  EXPECT_TRUE(f.read("g.csv") == first);
  std::vector<std::string> other = options;
  other.insert(other.end(), {"--seed", "2"});
  generated(f, other);
  EXPECT_FALSE(f.read("g.csv") == first);
}

TEST(Generate, random_samples_are_even_over_the_range) {
  Folder f;
  with_stone(f);
  const int n = 400;
  const std::vector<Line> lines = generated(
      f, {"--generate", "random:400", "--vary", "PART/2.MASS=2:4", "--end", "1E-3", "--dtout", "1E-3"});
  ASSERT_EQ(lines.size(), static_cast<std::size_t>(n));
  double sum = 0, square = 0;
  for (const Line& line : lines) {
    const double m = number(line, "PART/2.MASS");
    EXPECT_TRUE(m >= 2 && m < 4);
    sum += m, square += (m - 3) * (m - 3);
  }
  // Mean 3 with deviation 1/√(3n), mean square 1/3 with deviation √(4/45 n): five of these.
  EXPECT_NEAR(sum / n, 3, 5 / std::sqrt(3.0 * n));
  EXPECT_NEAR(square / n, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / n));
}

/// One variable, three arguments; the results are those of its value.
TEST(Generate, a_variable_drives_several_arguments) {
  Folder f;
  with_stone(f);
  const std::vector<Line> lines =
      generated(f, {"--generate", "grid", "--vary", "s=1,2,4", "--drive", "PART/2.MASS={2*s}", "--drive",
                    "PART/2.QG={S},{ SQRT(s*s) + 1 },0", "--drive", "SFORCE/1.FUNCTION={s}*IF(TIME:1,1,1)",
                    "--channels", "PART/2.X", "PART/2.Y"});
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(column(lines, "PART/2.QG"), "1,2,0 2,3,0 4,5,0");
  EXPECT_EQ(column(lines, "SFORCE/1.FUNCTION"), "1*IF(TIME:1,1,1) 2*IF(TIME:1,1,1) 4*IF(TIME:1,1,1)");
  Folder g;
  with_stone(g);
  EXPECT_EQ(column(generated(g, {"--generate", "grid", "--vary", "a=-2,3", "--drive",
                                 "SFORCE/1.FUNCTION={a}**2-{ a }+MAX({a},0)", "--channels", "PART/2.X"}),
                   "SFORCE/1.FUNCTION"),
            "(-2)**2-(-2)+MAX(-2,0) 3**2-3+MAX(3,0)");  // a negative operand keeps its sign
  const std::vector<Line> results = table(f, "stone_g.csv");
  EXPECT_EQ(column(results, "#s"), "1 2 4");
  for (const Line& r : results) {
    const double s = number(r, "#s");
    EXPECT_NEAR(number(r, "final:PART/2.X"), s + s / (2 * s) / 2,
                1e-12);  // F t²/(2 m), exact but for rounding
    EXPECT_NEAR(number(r, "final:PART/2.Y"), s + 1, 1e-12);
  }
}

TEST(Generate, wrong_options_write_nothing) {
  Folder f;
  with_stone(f);
  const auto err = [&](const std::vector<std::string>& options, int code = 2) {
    std::vector<std::string> arguments = {"stone.acf", "--variants", "g.csv"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome o = batch(f, arguments);
    EXPECT_EQ(o.code, code) << o.err;
    EXPECT_EQ(f.list(), "stone.acf stone.adm");
    return o.err;
  };
  const std::string m = "PART/2.MASS=1:2", mass = "--vary";
  EXPECT_TRUE(contains(err({"--generate", "sobol:4", mass, m}), "choose from grid, random:N, lhs:N"));
  EXPECT_TRUE(contains(err({"--generate", "lhs", mass, m}), "choose from grid, random:N, lhs:N"));
  EXPECT_TRUE(contains(err({"--generate", "lhs:0", mass, m}), "choose from grid, random:N, lhs:N"));
  EXPECT_TRUE(contains(err({"--generate", "grid", mass, m}), "PART/2.MASS=1:2:5"));
  EXPECT_TRUE(contains(err({"--generate", "lhs:3"}), "--vary says what varies"));
  EXPECT_TRUE(contains(err({"--generate", "lhs:3", mass, "PART/2.MASS"}), "NAME=... is expected"));
  EXPECT_TRUE(contains(err({"--generate", "lhs:3", mass, "PART/2.MASS=1:x"}), "\"x\" is no number"));
  EXPECT_TRUE(contains(err({"--generate", "lhs:3", mass, "sin=1:2"}), "is a function of expressions"));
  EXPECT_TRUE(contains(err({"--generate", "lhs:3", mass, "a=1:2", "--drive", "PART/2.MASS=3"}),
                       "no variable drives it"));
  EXPECT_TRUE(contains(err({"--generate", "lhs:3", mass, "a=1:2", "--drive", "PART/2.MASS={b}"}),
                       "unknown name \"B\""));
  EXPECT_TRUE(contains(err({"--generate", "lhs:3", mass, "a=1:2", "--drive", "PART/2.MASS={TIME*a}"}),
                       "no constant number"));
  EXPECT_TRUE(contains(err({"--generate", "lhs:3", mass, "a=1:2", "--drive", "PART/2.MASS={a"}),
                       "a brace is not closed"));
  EXPECT_TRUE(contains(err({mass, m}), "--generate grid, random:N or lhs:N"));
  EXPECT_TRUE(contains(err({"--generate", "lhs:3", mass, "PART/2.MAZS=1:2"}, 3), "did you mean MASS?"));
  EXPECT_TRUE(contains(err({"--generate", "lhs:3", mass, "PART/2.MASS=-2:-1"}, 3),
                       "g.csv:2, column 1 (PART/2.MASS)"));
  f.write("g.csv", "PART/2.MASS\n7\n");
  EXPECT_EQ(batch(f, {"stone.acf", "--variants", "g.csv", "--generate", "lhs:3", mass, m}).code, 2);
  EXPECT_EQ(f.read("g.csv"), "PART/2.MASS\n7\n");
}

/// A table of a batch is drawn over its columns, and info lists them.
TEST(Generate, the_table_of_results_is_read_as_a_result_file) {
  Folder f;
  with_stone(f);
  f.write("t.csv",
          "name,PART/2.MASS,PART/2.QG,SFORCE/1.FUNCTION\n"
          "a,1,\"0,0,0\",1\nb,2,\"0,0,0\",1\nbad,3,\"0,0,0\",SQRT(0.5-TIME)\nc,4,\"0,0,0\",1\n");
  EXPECT_EQ(batch(f, {"stone.acf", "--variants", "t.csv", "--channels", "PART/2.X", "max:PART/2.VX"}).code,
            5);
  const Outcome info = run(f, {"info", "stone_t.csv"});
  EXPECT_EQ(info.code, 0) << info.err;
  EXPECT_TRUE(contains(info.out, "batch table")) << info.out;
  EXPECT_TRUE(contains(info.out, "records               3, variants 1 to 4")) << info.out;
  EXPECT_TRUE(contains(info.out, "units                 not given")) << info.out;
  EXPECT_TRUE(contains(info.out, "1 of 4 variants are not done, and are left out")) << info.out;
  // Columns of text are no channels; those of numbers are.
  EXPECT_TRUE(contains(info.out, "(final:PART/2.X)") && contains(info.out, "(PART/2.MASS)")) << info.out;
  EXPECT_FALSE(contains(info.out, "(PART/2.QG)") || contains(info.out, "(status)")) << info.out;
  ASSERT_EQ(run(f, {"convert", "stone_t.csv", "t2.csv", "--channels", "final:PART/2.X", "--quiet"}).code, 0);
  std::string text = f.read("t2.csv");
  std::istringstream in(text.substr(text.find('\n') + 1));
  const double wanted[] = {0.5, 0.25, 0.125};  // t²/(2 m)
  for (const double x : wanted) {
    std::string line;
    std::getline(in, line);
    EXPECT_NEAR(std::stod(line.substr(line.find(',') + 1)), x, 1e-12) << line;
  }
  const Outcome plot =
      run(f, {"plot", "stone_t.csv", "final:PART/2.X", "max:PART/2.VX", "-x", "PART/2.MASS", "-o", "t.svg"});
  ASSERT_EQ(plot.code, 0) << plot.err;
  const std::string svg = f.read("t.svg");
  EXPECT_TRUE(contains(svg, ">final:PART/2.X<") && contains(svg, ">PART/2.MASS<"));
  EXPECT_EQ(run(f, {"plot", "stone_t.csv", "final:PART/2.X", "--fft"}).code, 2);
  ASSERT_EQ(run(f, {"run", "stone.acf"}).code, 0);
  EXPECT_EQ(run(f, {"plot", "stone_t.csv", "final:PART/2.X", "--overlay", "stone.nc"}).code, 2);
}

}  // namespace
}  // namespace generate_test
