// From finite elements to stresses over time, by the commands flex and stress.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "../support/block_mesh.h"
#include "base/diagnostics.h"
#include "flexible/modal_file.h"
#include "support.h"

using namespace trammel_test;

namespace flex_test {
namespace {

/// A block of solids with the matrices of its elements, by nodes; units of the deck are metres.
void write_block(const Folder& f) {
  trammel::test::Block block;
  block.nx = 60, block.size = {0.5, 0.06, 0.04};
  f.write("arm.inp", block.inp(""));
  const trammel::FullModel model = block.model();
  f.write("K.mtx", trammel::test::node_matrix(model, model.stiffness));
  f.write("M.mtx", trammel::test::node_matrix(model, model.mass));
}

/// A cantilever whose tip is loaded slowly: a force of 1000 across.
constexpr const char* deck =
    "arm\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\n"
    "FLEX_BODY/2, MNF_FILE=arm.mtx\nMARKER/10, PART=1\nMARKER/20, FLEX_BODY=2, NODE_ID=1001\n"
    "MARKER/21, FLEX_BODY=2, NODE_ID=1002\nJOINT/1, FIXED, I=20, J=10\n"
    "SFORCE/1, TRANSLATION, ACTIONONLY, I=21, J=11, FUNCTION=1000\n"
    "MARKER/11, PART=1, QP=0.5,0,0\nEND\n";

const std::vector<std::string> reduce = {
    "flex",      "reduce",     "arm.inp",   "--stiffness",
    "K.mtx",     "--mass",     "M.mtx",     "--rigid",
    "1001=END0", "--averaged", "1002=END1", "--modes",
    "8",         "--fields",   "--units",   "KILOGRAM,METER,SECOND,NEWTON",
    "--quiet"};

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

/// The stress of a bent beam in its middle, M / W with W = b h² / 6, to some percent: elements of eight
/// nodes.
TEST(Flex, from_elements_to_hot_spots) {
  Folder f;
  write_block(f);
  const Outcome reduced = run(f, reduce);
  ASSERT_EQ(reduced.code, 0) << reduced.err;
  EXPECT_EQ(reduced.out + reduced.err, "");
  ASSERT_TRUE(f.has("arm.mtx") && f.has("arm.fields.nc"));
  f.write("arm.adm", deck);
  f.write("arm.acf", "arm.adm\n\nSIM/STAT, END=1, STEPS=2\nSTOP\n");
  const Outcome ran = run(f, {"run", "arm.acf"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Outcome spots =
      run(f, {"stress", "arm.nc", "--by", "xx", "--radius", "0", "--top", "3", "-o", "spots.csv", "--series",
              "middle.nc", "--nodes", "271", "273", "--vtu", "view"});
  ASSERT_EQ(spots.code, 0) << spots.err << spots.out;
  EXPECT_EQ(spots.err, "");
  expect_in(spots.out, "arm.nc: FLEX_BODY/2, 3 records from 0 to 1; ");
  expect_in(spots.out, "xx in newton/meter^2, axes of the body");
  EXPECT_EQ(f.list(),
            "K.mtx M.mtx arm.acf arm.adm arm.fields.nc arm.inp arm.msg arm.mtx arm.nc arm.status.json "
            "middle.nc spots.csv view.pvd view_00000.vtu view_00001.vtu view_00002.vtu");
  // Nodes 271 and 273 are below and above in the middle: the arm is 0.25, the width 0.06, the height 0.04.
  const double expected = 1000 * 0.25 / (0.06 * 0.04 * 0.04 / 6);
  const double below = f.channel("middle.nc", "NODE/271.SXX").back(),
               above = f.channel("middle.nc", "NODE/273.SXX").back();
  EXPECT_NEAR(below, expected, 0.05 * expected);
  EXPECT_NEAR(above, -expected, 0.05 * expected);
  expect_in(f.read("spots.csv"), "rank,node,x,y,z,time,xx,xx,yy,zz,xy,yz,zx,others\n1,");
}

TEST(Flex, says_what_is_missing) {
  Folder f;
  write_block(f);
  ASSERT_EQ(run(f, reduce).code, 0);
  f.write("arm.adm", deck);
  f.write("arm.acf", "arm.adm\n\nSIM/STAT\nSTOP\n");
  ASSERT_EQ(run(f, {"run", "arm.acf"}).code, 0);
  const Outcome measure = run(f, {"stress", "arm.nc", "--by", "worst"});
  EXPECT_EQ(measure.code, 2);
  expect_in(measure.err, "--by worst: measures are mises, tresca, principal");
  const Outcome node = run(f, {"stress", "arm.nc", "--series", "s.nc", "--nodes", "9999", "--quiet"});
  EXPECT_EQ(node.code, 2);
  expect_in(node.err, "--nodes: arm.fields.nc has no node 9999");
  const Outcome own = run(f, {"stress", "arm.nc", "--series", "arm.nc"});
  EXPECT_EQ(own.code, 2) << own.out;
  fs::remove(f.path("arm.fields.nc"));
  const Outcome fields = run(f, {"stress", "arm.nc"});
  EXPECT_EQ(fields.code, 2);
  expect_in(fields.err,
            "arm.nc: the stresses of the modes of FLEX_BODY/2 are not there (arm.fields.nc); make them by");
  EXPECT_EQ(run(f, {"stress", "arm.nc", "--fields", "arm.mtx"}).code, 3);
}

/// A load case of the file is an MFORCE: the two ends pulled apart by 900 each.
TEST(Flex, load_cases_become_mforces) {
  Folder f;
  write_block(f);
  std::string load;
  for (const auto& [set, force] : {std::pair{"END0", -100}, {"END1", 100}})
    load += fmt::format("{}, 1, {}\n", set, force);
  f.write("pull.txt", "** per node\n" + load);
  std::vector<std::string> arguments = reduce;
  arguments.insert(arguments.end(), {"--load-case", "pull.txt"});
  const Outcome reduced = run(f, arguments);
  ASSERT_EQ(reduced.code, 0) << reduced.err;
  f.write("arm.adm",
          "arm\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\n"
          "FLEX_BODY/2, MNF_FILE=arm.mtx\nMARKER/10, PART=1\nMARKER/20, FLEX_BODY=2, NODE_ID=1001\n"
          "MARKER/21, FLEX_BODY=2, NODE_ID=1002\nJOINT/1, FIXED, I=20, J=10\n"
          "MFORCE/1, FLEX_BODY=2, CASE_INDEX=1, SCALE=1\nREQUEST/1, DISPLACEMENT, I=21, J=20\nEND\n");
  f.write("arm.acf", "arm.adm\n\nSIM/STAT\nSTOP\n");
  const Outcome ran = run(f, {"run", "arm.acf"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  // F L / E A; near the rigid end the section cannot contract.
  const double stretch = 900 * 0.5 / (2e11 * 0.06 * 0.04);
  EXPECT_NEAR(f.channel("arm.nc", "REQUEST/1.X").back(), 0.5 + stretch, 0.02 * stretch);
  const Outcome wrong = [&] {
    f.write("pull.txt", "END0, 7, 1\n");
    return run(f, arguments);
  }();
  EXPECT_EQ(wrong.code, 3);
  expect_in(wrong.err,
            "pull.txt:1: the direction must be 1 to 3 of a force or 4 to 6 of a moment, found '7'");
}

TEST(Flex, inputs_are_not_overwritten) {
  Folder f;
  write_block(f);
  std::vector<std::string> arguments = reduce;
  arguments.insert(arguments.end(), {"-o", "K.mtx"});
  const std::string before = f.read("K.mtx");
  EXPECT_EQ(run(f, arguments).code, 2);
  EXPECT_EQ(f.read("K.mtx"), before);
}

TEST(Flex, tells_files_of_modes) {
  Folder f;
  write_block(f);
  ASSERT_EQ(run(f, reduce).code, 0);
  const Outcome info = run(f, {"flex", "info", "arm.mtx"});
  ASSERT_EQ(info.code, 0);
  expect_in(info.out, "mass");
  EXPECT_EQ(run(f, {"flex", "check", "arm.mtx"}).code, 0);
  EXPECT_EQ(run(f, {"flex", "convert", "arm.mtx", "arm.fem"}).code, 3);  // no masses of nodes
  EXPECT_EQ(run(f, {"flex", "convert", "arm.mtx", "other.mtx"}).code, 0);
  EXPECT_EQ(f.read("other.mtx"), f.read("arm.mtx"));
  f.write("wrong.mtx", "ADAMSMAT2 nothing\n");
  EXPECT_EQ(run(f, {"flex", "check", "wrong.mtx"}).code, 3);
}

/// docs/flexible_bodies.md: its commands work in their order, on the boom of the excavator.
TEST(Flex, the_page_is_so) {
  const fs::path source = TRAMMEL_SOURCE_DIR, program = fs::path(TRAMMEL_PROGRAM).parent_path();
  std::ifstream page(source / "docs/flexible_bodies.md");
  Folder f;
  std::string script = fmt::format(
      "set -e\ncd {}\nexport OMP_NUM_THREADS=1 PATH='{}':$PATH\ncp {}/models/excavator_flexible/*.a?? .\n",
      f.path().string(), program.string(), source.string());
  int commands = 0;
  for (std::string line; std::getline(page, line);)
    for (const char* word : {"trammel ", "trammel_model=", "python3 ", "ccx "})
      if (line.starts_with(std::string("    ") + word)) {
        if (const auto at = line.find("DIR/"); at != line.npos) line.replace(at, 3, source.string());
        script += line + " >> output 2>&1\n";
        ++commands;
      }
  EXPECT_EQ(commands, 13);
  f.write("page.sh", script);
  ASSERT_EQ(std::system(("sh " + f.path("page.sh").string()).c_str()), 0) << f.read("output");
  // The modes are those of the model, up to what another processor rounds otherwise.
  trammel::Diagnostics diagnostics;
  const auto frequencies = [&](const fs::path& file) {
    return trammel::read_modal_body(file.string(), diagnostics).frequency;
  };
  const std::vector<double> made = frequencies(f.path("boom.mtx")),
                            kept = frequencies(source / "models/excavator_flexible/boom.mtx");
  ASSERT_EQ(made.size(), kept.size());
  for (std::size_t k = 0; k < made.size(); ++k) EXPECT_NEAR(made[k] / kept[k], 1, 1e-6);
  EXPECT_TRUE(f.has("boom.png") && f.has("mises.png") && f.has("boom.pvd") && f.has("spots.csv"));
  EXPECT_EQ(f.channel("worst.nc", "TIME").size(), 202u);
}

}  // namespace
}  // namespace flex_test
