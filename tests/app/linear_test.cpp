// LINEAR in command files, `trammel linear` and `plot --modes`: tables, files, what is refused.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "base/diagnostics.h"
#include "output/read/npz_reader.h"
#include "output/read/result_reader.h"
#include "support.h"

using namespace trammel_test;

namespace linear_test {
namespace {

using Complex = std::complex<double>;

/// A mass of 2 on a spring of 50 and a damper of 4 along x, pushed by VARIABLE/1.
constexpr const char* mass =
    "a mass\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\n"
    "MARKER/1, PART=1, REULER=90D,90D,0D\nMARKER/2, PART=1, QP=-1,0,0\n"
    "PART/2, MASS=2, CM=20, IP=1,1,1\nMARKER/20, PART=2, REULER=90D,90D,0D\n"
    "JOINT/1, TRANSLATIONAL, I=20, J=1\n"
    "SPRINGDAMPER/1, TRANSLATION, I=20, J=2, K=50, C=4, LENGTH=1\n"
    "VARIABLE/1, FUNCTION=0\nVARIABLE/2, FUNCTION=2*DX(20,1)\n"
    "SFORCE/1, TRANSLATION, I=20, J=1, ACTIONONLY, FUNCTION=VARVAL(1)\n"
    "PINPUT/1, VARIABLES=1\nPOUTPUT/1, VARIABLES=2\nEND\n";

Outcome run_commands(const Folder& f, const std::string& commands, const std::string& deck = mass) {
  f.write("deck.adm", deck);
  f.write("job.acf", "deck\njob\n" + commands);
  return run(f, {"run", "job.acf"});
}

TEST(LinearCommand, tables_are_in_the_message_file) {
  Folder f;
  const Outcome o = run_commands(f, "LINEAR/EIGENSOL, COORDS, KINETIC=1, STRAIN, DISSIPATIVE=1,1\n");
  ASSERT_EQ(o.code, 0) << o.err;
  // s = −1 ± i √24: 5 rad/s undamped, damping ratio 0.2
  EXPECT_NE(o.out.find(fmt::format("{:12.6g} cycles/second  damping ratio 0.2", 5 / (2 * std::numbers::pi))),
            std::string::npos)
      << o.out;
  const std::string text = f.read("job.msg");
  EXPECT_NE(text.find(" E I G E N V A L U E S  at time = 0.00000E+00\n"), std::string::npos);
  EXPECT_NE(text.find(fmt::format("{:10d}{:25.5E}    +/-{:19.5E}", 1, -1 / (2 * std::numbers::pi),
                                  std::sqrt(24.0) / (2 * std::numbers::pi))),
            std::string::npos)
      << text;
  for (const char* line :
       {"        2 kinematic states (displacement and velocities)\n",
        "        0 differential states ( DIFFs, LSEs, etc.)\n",
        "  The selected kinematic states are:\n        1 PART/2 DX\n",
        "  The other kinematic states are the respective derivatives.\n", "Energy table for MODE 1",
        "Damping ratio          =    2.00000E-01", "Generalized stiffness  =    5.00000E+01 User mass/time^2",
        "Generalized mass       =    2.00000E+00 User mass", "Normalized coordinates in this mode",
        "Percentage distribution of kinetic energy", "Percentage distribution of strain energy",
        "Percentage distribution of dissipative energy"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
  // Of each table the sums by kind, and of all 100 %.
  std::istringstream lines(text);
  int kinds = 0, all = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("| all") == std::string::npos && line.find("| SPRINGDAMPER") == std::string::npos) continue;
    if (line.find("SPRINGDAMPER/") != std::string::npos) continue;
    ++(line.find("| all") != std::string::npos ? all : kinds);
    EXPECT_EQ(line.substr(0, 11), "  1.000e+02") << line;
  }
  EXPECT_EQ(all, 3) << text;
  EXPECT_EQ(kinds, 2) << text;
}

/// The numbers behind a word of the message file, one for each mode.
std::vector<double> numbers_behind(const std::string& text, const std::string& word) {
  std::vector<double> out;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    out.push_back(std::stod(text.substr(text.find('=', at) + 1)));
  return out;
}

// 2 kg on 8 N/mm: 4000 kg/s^2 is half of (2 pi f)^2 m.
TEST(LinearCommand, energies_are_in_units_of_the_deck) {
  Folder f;
  ASSERT_EQ(
      run_commands(f, "LINEAR/EIGENSOL, KINETIC\n",
                   "a mass\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\n"
                   "PART/1, GROUND\nMARKER/11, PART=1\nPART/2, MASS=2, CM=20, IP=3,3,3\nMARKER/20, PART=2\n"
                   "JOINT/1, TRANSLATIONAL, I=20, J=11\nBUSHING/1, I=20, J=11, K=0,0,8\nEND\n")
          .code,
      0);
  const std::string text = f.read("job.msg");
  EXPECT_EQ(numbers_behind(text, "Generalized mass "), std::vector<double>{2});
  EXPECT_EQ(numbers_behind(text, "Generalized stiffness "), std::vector<double>{8000});
  EXPECT_EQ(numbers_behind(text, "Kinetic energy "), std::vector<double>{4000});
}

// A body of the same inertia J about all axes turns about the axes of its springs: a rotation vector n has
// the mass J n.n, and the largest component of n is one. The tables have six digits.
TEST(LinearCommand, energies_are_those_of_the_shape_in_the_table) {
  Folder f;
  ASSERT_EQ(
      run_commands(f, "LINEAR/EIGENSOL, COORDS, KINETIC\n",
                   "a body\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\n"
                   "MARKER/11, PART=1\nMARKER/12, PART=1, REULER=0.7,0.6,0.4\n"
                   "PART/2, MASS=2, CM=20, IP=3,3,3, REULER=0.7,0.6,0.4\nMARKER/20, PART=2\n"
                   "JOINT/1, SPHERICAL, I=20, J=11\nBUSHING/1, I=20, J=12, KT=30,40,50\nEND\n")
          .code,
      0);
  const std::vector<double> masses = numbers_behind(f.read("job.msg"), "Generalized mass ");
  ASSERT_EQ(masses.size(), 3u);
  const double a = 0.7, b = 0.6, c = 0.4;  // the axes are the columns of Rz(a) Rx(b) Rz(c)
  const double axes[3][3] = {
      {std::cos(a) * std::cos(c) - std::sin(a) * std::cos(b) * std::sin(c),
       std::sin(a) * std::cos(c) + std::cos(a) * std::cos(b) * std::sin(c), std::sin(b) * std::sin(c)},
      {-std::cos(a) * std::sin(c) - std::sin(a) * std::cos(b) * std::cos(c),
       -std::sin(a) * std::sin(c) + std::cos(a) * std::cos(b) * std::cos(c), std::sin(b) * std::cos(c)},
      {std::sin(a) * std::sin(b), -std::cos(a) * std::sin(b), std::cos(b)}};
  for (int k = 0; k < 3; ++k) {
    const double largest = std::max({std::abs(axes[k][0]), std::abs(axes[k][1]), std::abs(axes[k][2])});
    EXPECT_NEAR(masses[k], 3 / (largest * largest), 1e-5 * masses[k]) << k;
  }
}

TEST(LinearCommand, files_hold_the_matrices) {
  Folder f;
  const Outcome o = run_commands(f,
                                 "LINEAR/EIGENSOL\nLINEAR/STATEMAT, PINPUT=1, POUTPUT=1, FILE=m.npz\n"
                                 "LINEAR/STATEMAT, PINPUT=1, POUTPUT=1, FILE=text\n");
  ASSERT_EQ(o.code, 0) << o.err;
  const trammel::NpzReader modes(f.path("job_linear_1.npz").string()), matrices(f.path("m.npz").string());
  ASSERT_EQ(modes.complex("eigenvalue").size(), 1u);
  EXPECT_LT(std::abs(modes.complex("eigenvalue")[0] - Complex(-1, std::sqrt(24.0))), 1e-12);
  EXPECT_EQ(modes.complex("shape").size(), 6u);
  const auto expect = [&](const char* name, const std::vector<double>& expected) {
    const std::vector<Complex> found = matrices.complex(name);
    ASSERT_EQ(found.size(), expected.size()) << name;
    for (std::size_t k = 0; k < expected.size(); ++k)
      EXPECT_NEAR(found[k].real(), expected[k], 1e-12) << name << k;
  };
  expect("A", {0, 1, -25, -2});
  expect("B", {0, 0.5});
  expect("C", {2, 0});
  expect("D", {0});
  EXPECT_NE(f.read("textst").find("2 1 1\nPART/2 DX\nPART/2 DX rate\ninput VARIABLE/1\noutput VARIABLE/2\n"),
            std::string::npos)
      << f.read("textst");
  double a[4];
  ASSERT_EQ(std::sscanf(f.read("texta").c_str(), "%lf %lf %lf %lf", a, a + 1, a + 2, a + 3), 4);
  EXPECT_NEAR(a[2], -25, 1e-12);
}

TEST(LinearCommand, defaults_are_those_of_the_table) {
  std::string modes, text;
  for (const char* format : {"", ", FORMAT=MATLAB"})
    for (const char* near : {"", ", NEAR=0"}) {
      Folder f;
      const Outcome o = run_commands(
          f, std::string("LINEAR/EIGENSOL, MODES=1") + near + "\nLINEAR/STATEMAT, FILE=m" + format + "\n");
      ASSERT_EQ(o.code, 0) << o.err;
      if (modes.empty()) modes = f.read("job_linear_1.npz"), text = f.read("ma");
      EXPECT_EQ(f.read("job_linear_1.npz"), modes);
      EXPECT_EQ(f.read("ma"), text);
    }
  Folder f;
  ASSERT_EQ(run_commands(f, "LINEAR/EIGENSOL, MODES=1, NEAR=3\n").code, 0);
  EXPECT_NE(f.read("job_linear_1.npz"), modes);
}

/// The motion goes on after LINEAR as if it had not been.
TEST(LinearCommand, leaves_the_motion_as_it_is) {
  std::string deck = mass;
  deck.replace(deck.find("IP=1,1,1"), 8, "IP=1,1,1, VX=1");
  std::vector<double> without;
  for (const char* between : {"", "LINEAR/EIGENSOL, STRAIN, DISSIPATIVE\n"}) {
    Folder f;
    const Outcome o = run_commands(f,
                                   std::string("SIMULATE/DYNAMICS, END=0.7, STEPS=7\n") + between +
                                       "SIMULATE/DYNAMICS, END=1.5, STEPS=8\n",
                                   deck);
    ASSERT_EQ(o.code, 0) << o.err;
    const std::vector<double> x = f.channel("job.nc", "PART/2.X");
    if (without.empty()) without = x;
    EXPECT_EQ(x, without);
  }
}

TEST(LinearCommand, stands_for_its_commands) {
  Folder f;
  f.write("deck.adm", mass);
  const Outcome o =
      run(f, {"linear", "deck.adm", "--statics", "--pinput", "1", "--poutput", "1", "--out", "x.npz"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NEAR(trammel::NpzReader(f.path("x.npz").string()).complex("A")[2].real(), -25, 1e-12);
  const Outcome later = run(f, {"linear", "deck.adm", "--at", "0.5", "--modes", "1", "-o", "later"});
  ASSERT_EQ(later.code, 0) << later.err;
  EXPECT_LT(std::abs(trammel::NpzReader(f.path("later_linear_1.npz").string()).complex("eigenvalue")[0] -
                     Complex(-1, std::sqrt(24.0))),
            1e-9);
  f.write("job.acf", "deck\njob\nSIMULATE/STATICS\nSTOP\n");
  const Outcome behind = run(f, {"linear", "job.acf"});
  EXPECT_EQ(behind.code, 0) << behind.err;
  EXPECT_LT(f.read("job.msg").find("command: SIMULATE/STATICS"),
            f.read("job.msg").find("command: LINEAR/EIGENSOL"));
  EXPECT_TRUE(f.has("job_linear_1.npz"));
  const Outcome picture =
      run(f, {"plot", "--modes", "deck_linear_1.npz", "later_linear_1.npz", "-o", "roots.svg"});
  EXPECT_EQ(picture.code, 0) << picture.err;
  EXPECT_NE(f.read("roots.svg").find("<svg"), std::string::npos);
}

TEST(LinearCommand, options_choose_states_and_damping) {
  Folder f;
  std::string deck = mass;
  deck.insert(deck.rfind("END"), "PSTATE/1, VARIABLES=2\n");
  const Outcome o = run_commands(
      f, "LINEAR/EIGENSOL, NODAMPIN, NOVECTOR\nLINEAR/STATEMAT, PSTATE=1, PINPUT=1, FILE=p\n", deck);
  ASSERT_EQ(o.code, 0) << o.err;
  const trammel::NpzReader modes(f.path("job_linear_1.npz").string());
  EXPECT_LT(std::abs(modes.complex("eigenvalue")[0] - Complex(0, 5)), 1e-12);
  EXPECT_THROW(modes.complex("shape"), trammel::Failure);
  // The state is twice the way.
  EXPECT_NE(f.read("pst").find("VARIABLE/2\nVARIABLE/2 rate\n"), std::string::npos) << f.read("pst");
  double b[2];
  ASSERT_EQ(std::sscanf(f.read("pb").c_str(), "%lf %lf", b, b + 1), 2);
  EXPECT_NEAR(b[1], 1, 1e-12);
}

TEST(LinearCommand, what_cannot_be_is_refused) {
  struct Case {
    const char* commands;
    const char* more;
    int code;
    const char* text;
  };
  for (const Case& c : {
           Case{"LINEAR/STATEMAT, PINPUT=7\n", "", 3, "LINEAR: PINPUT/7 does not exist"},
           Case{"LINEAR/EIGENSOL, RM=99\n", "", 3, "LINEAR: MARKER/99 does not exist"},
           Case{"LINEAR/EIGENSOL, PSTATE=1\n", "PSTATE/1, VARIABLES=1\n", 3,
                "VARIABLE/1, which PSTATE names, is not a coordinate"},
           Case{"LINEAR/MKB\n", "", 4, "MKB is not supported"},
           Case{"LINEAR/STATEMAT, PINPUT=1, FORMAT=MATRIXX\n", "", 4, "MATRIXX"},
           Case{"LINEAR/STATEMAT, PINPUT=1\n", "MOTION/1, JOINT=1, TRANSLATIONAL, FUNCTION=VARVAL(1)\\\n", 4,
                "the input VARIABLE/1 moves MOTION/1 directly"},
           Case{"LINEAR/STATEMAT, PINPUT=1, FILE=job.msg\n", "", 2, "is a file of the run itself"},
       }) {
    Folder f;
    std::string deck = mass;
    deck.insert(deck.rfind("END"), c.more);
    const Outcome o = run_commands(f, c.commands, deck);
    EXPECT_EQ(o.code, c.code) << c.commands;
    EXPECT_NE(o.err.find(c.text), std::string::npos) << c.commands << o.err;
  }
}

TEST(LinearCommand, motion_is_told) {
  Folder f;
  std::string deck = mass;
  deck.replace(deck.find("IP=1,1,1"), 8, "IP=1,1,1, VX=1");
  const Outcome o = run_commands(f, "LINEAR/EIGENSOL\n", deck);
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NE((o.out + o.err).find("The model moves there"), std::string::npos) << o.out << o.err;
}

TEST(LinearCommand, modes_stand_in_the_results) {
  Folder f;
  std::string deck = mass;
  deck.insert(deck.rfind("END"), "RESULTS/XRF\nOUTPUT/PRINT\n");
  const Outcome o = run_commands(f,
                                 "LINEAR/EIGENSOL\nSIMULATE/DYNAMICS, END=0.7, STEPS=7\nLINEAR/STATEMAT\n"
                                 "LINEAR/EIGENSOL, NOVECTOR\n",
                                 deck);
  ASSERT_EQ(o.code, 0) << o.err;
  for (const char* name : {"job.nc", "job.res"}) {
    const std::vector<trammel::ModeSet> sets = trammel::ResultReader(f.path(name).string()).modes();
    ASSERT_EQ(sets.size(), 2u) << name;
    // The number is that of the .npz file: STATEMAT has the second.
    EXPECT_EQ(sets[0].number, 1);
    EXPECT_EQ(sets[1].number, 3);
    EXPECT_EQ(sets[1].time, 0.7);
    EXPECT_FALSE(sets[1].has_shapes());
    for (const trammel::ModeSet& set : sets) {
      ASSERT_EQ(set.eigenvalue.size(), 2u);
      EXPECT_LT(std::abs(Complex(set.eigenvalue[0], set.eigenvalue[1]) - Complex(-1, std::sqrt(24.0))),
                1e-12);
      EXPECT_NEAR(set.damping_ratio[0], 0.2, 1e-13);
    }
    EXPECT_EQ(run(f, {"plot", "--modes", name, "-o", "roots.svg"}).code, 0);
  }
  const std::string table = fmt::format("{:10d}{:25.5E}    +/-{:19.5E}", 1, -1 / (2 * std::numbers::pi),
                                        std::sqrt(24.0) / (2 * std::numbers::pi));
  EXPECT_NE(f.read("job.out").find(table), std::string::npos) << f.read("job.out");
  // Converted, they are the same; a format without a place for them says so.
  ASSERT_EQ(run(f, {"convert", "job.nc", "again.res"}).code, 0);
  EXPECT_EQ(trammel::ResultReader(f.path("again.res").string()).modes()[0].shape,
            trammel::ResultReader(f.path("job.nc").string()).modes()[0].shape);
  const Outcome csv = run(f, {"convert", "job.nc", "again.csv"});
  EXPECT_NE((csv.out + csv.err).find("no place for modes: those of 2 LINEAR are left out"),
            std::string::npos);
  const Outcome none = run(f, {"plot", "--modes", "again.csv", "-o", "roots.svg"});
  EXPECT_EQ(none.code, 3);
  EXPECT_NE(none.err.find("again.csv: no modes are in the file: LINEAR/EIGENSOL writes them"),
            std::string::npos)
      << none.err;
}

/// What users of ADAMS look for, and what is here.
TEST(LinearCommand, plants_are_told) {
  Folder f;
  std::string deck = mass;
  deck.insert(deck.rfind("END"), "PLANT/1\n");
  f.write("deck.adm", deck);
  const std::string err = run(f, {"check", "deck.adm"}).err;
  EXPECT_NE(err.find("unknown statement 'PLANT': a plant is a PINPUT/id, VARIABLES=..."), std::string::npos)
      << err;
}

}  // namespace
}  // namespace linear_test
