// `flex cut`: a bar of solids in pieces by CalculiX, joined in a deck that runs: the same bar as in one
// piece.
#include <gtest/gtest.h>

#include <cstdlib>

#include <fmt/format.h>

#include "support.h"

using namespace trammel_test;

namespace flex_cut_test {
namespace {

/// 12 bricks of 20 nodes in a row along x, 10 × 0.5 × 0.4; E = 1e9, density 1. Sets ROOT and TIP. Nodes 12 i
/// + 1 to 4 are corners of the section i, 5 to 8 between these, 9 to 12 behind the corners, half-way to the
/// next section.
std::string bar() {
  constexpr int n = 12;
  constexpr double y[8] = {-1, 1, 1, -1, 0, 1, 0, -1}, z[8] = {-1, -1, 1, 1, -1, 0, 1, 0};
  std::string text = "*NODE\n", ends[2];
  for (int i = 0; i <= n; ++i)
    for (int k = 0; k < (i < n ? 12 : 8); ++k) {
      const int id = 12 * i + k + 1, at = k % 8;
      text += fmt::format("{}, {:.17g}, {}, {}\n", id, 10.0 * (k < 8 ? i : i + 0.5) / n, 0.25 * y[at],
                          0.2 * z[at]);
      if (i % n == 0 && k < 8) ends[i / n] += fmt::format("{},\n", id);
    }
  text += "*ELEMENT, TYPE=C3D20, ELSET=BAR\n";
  for (int i = 0; i < n; ++i) {
    text += fmt::format("{}", i + 1);
    // ξ along y, η along z, ζ along x: corners of both sections, nodes between them, nodes half-way
    for (const int first : {1, 13, 5, 17, 9})
      for (int k = 0; k < 4; ++k)
        text += fmt::format(",{}{}", first == 5 && k == 0 ? "\n" : " ", 12 * i + first + k);
    text += "\n";
  }
  return text + "*NSET, NSET=ROOT\n" + ends[0] + "*NSET, NSET=TIP\n" + ends[1] +
         "*MATERIAL, NAME=M\n*ELASTIC\n1E9, 0.3\n*DENSITY\n1\n*SOLID SECTION, ELSET=BAR, MATERIAL=M\n";
}

/// Deflection of the end along y under a small force there, of the bar in so many pieces.
double deflection(const Folder& f, int pieces) {
  const std::string name = fmt::format("bar{}", pieces);
  const Outcome cut = run(f, {"flex", "cut", "bar.inp", "--parts", std::to_string(pieces), "--surface",
                              "901=ROOT", "--surface", "902=TIP", "-o", name});
  EXPECT_EQ(cut.code, 0) << cut.err;
  const std::string script = fmt::format("cd '{}' && OMP_NUM_THREADS=1 TRAMMEL='{}' sh {}.sh > {}.out 2>&1",
                                         f.path().string(), TRAMMEL_PROGRAM, name, name);
  if (std::system(script.c_str()) != 0)
    ADD_FAILURE() << "CalculiX did not run; scripts/setup installs it\n" << f.read(name + ".out");
  const Outcome check = run(f, {"check", name + ".adm"});
  EXPECT_EQ(check.code, 0) << check.out << check.err;
  std::string deck = f.read(name + ".adm");
  const auto put = [&](const std::string& before, const std::string& more) {
    const std::size_t at = deck.find(before);
    ASSERT_NE(at, std::string::npos) << before << deck;
    deck.insert(at, more);
  };
  deck.replace(deck.find("KGRAV = -9.80665"), 16, "KGRAV = 0");
  // markers of the first and the last body at the points of the ends, which stand behind those at the cuts
  const int first = pieces == 1 ? 201 : 202, last = 100 * (pieces + 1) + 2;
  put("FLEX_BODY/2", "MARKER/1, PART = 1\nMARKER/9, PART = 1, FLOATING\n");
  put("END\n", fmt::format("JOINT/99, FIXED, I = {}, J = 1\nVFORCE/1, I = {}, JFLOAT = 9, RM = 1, FY = 1\n"
                           "REQUEST/1, F2 = DY({},1,1)\n",
                           first, last, last));
  f.write("run.adm", deck);
  f.write("run.acf", "run.adm\nrun\nEQUILIBRIUM/IMBALANCE = 1E-9, ERROR = 1E-9\nSIMULATE/STATIC\nSTOP\n");
  const Outcome done = run(f, {"run", "run.acf"});
  EXPECT_EQ(done.code, 0) << done.err;
  return f.channel("run.nc", "REQUEST/1.F2").back();
}

TEST(FlexCut, pieces_that_are_joined_are_the_bar) {
  Folder f;
  f.write("bar.inp", bar());
  const double whole = deflection(f, 1), parts = deflection(f, 3);
  // F L³/3EI of a slender bar; shear adds 0.2 %
  EXPECT_NEAR(whole, 1000 / (3e9 * 0.4 * 0.125 / 12), 0.01 * whole);
  // where sections are held by their means alone, what is disturbed at a cut dies out within a depth of 0.5
  // of 10
  EXPECT_NEAR(parts, whole, 0.002 * whole);
}

TEST(FlexCut, says_what_is_missing) {
  Folder f;
  f.write("bar.inp", bar());
  EXPECT_EQ(run(f, {"flex", "cut", "bar.inp"}).code, 2);
  const Outcome alone = run(f, {"flex", "cut", "bar.inp", "--parts", "1"});
  EXPECT_EQ(alone.code, 2);
  EXPECT_NE(alone.err.find("piece 1 touches no other and has no point of an interface"), std::string::npos)
      << alone.err;
  const Outcome both = run(f, {"flex", "cut", "bar.inp", "--parts", "2", "--rigid", "901=ROOT,TIP"});
  EXPECT_EQ(both.code, 2);
  EXPECT_NE(both.err.find("'901=ROOT,TIP': these nodes are in no piece all together"), std::string::npos)
      << both.err;
  const Outcome face = run(f, {"flex", "reduce", "bar.inp", "--surface", "901=1,2,3,4,5,6,7,8,9"});
  EXPECT_EQ(face.code, 2);
  EXPECT_NE(face.err.find(
                "'901=1,2,3,4,5,6,7,8,9': node 9 is on no face of solid elements whose nodes all are named"),
            std::string::npos)
      << face.err;
}

}  // namespace
}  // namespace flex_cut_test
