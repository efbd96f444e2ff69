// Every stage tells what it finds, in spite of what others found, and nothing that only follows from that.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "base/text.h"
#include "support.h"

using namespace trammel_test;

namespace one_pass_test {
namespace {

/// Line 1 to 5 of a deck with a ground and a pendulum on a revolute joint; more statements from line 6 on.
std::string pendulum(const std::string& more) {
  return "pendulum\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
         "PART=1\n"
         "PART/2, MASS=1, CM=20, IP=1,1,1, QG=1,0,0; MARKER/20, PART=2; MARKER/21, PART=2, QP=-1,0,0\n" +
         more + "END\n";
}

/// Lines of a text, sorted.
/// Lines, those of unknown arguments without the list of valid ones.
std::multiset<std::string> lines_of(const std::string& text) {
  const std::regex list("(unknown argument '[^']*'); [^\n]* has [^\n]*");
  std::multiset<std::string> lines;
  for (std::string_view line : trammel::split(text, '\n'))
    if (!line.empty()) lines.insert(std::regex_replace(std::string(line), list, "$1"));
  return lines;
}

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(OnePass, reading_support_compiling_and_assembling_tell_side_by_side) {
  Folder f;
  // The bar 3-30-31 is pinned at two places of the ground that are 3 apart; its markers are 1 apart.
  f.write("deck.adm",
          pendulum("JOINT/1, REVOLUTE, I=21, J=1, KOLOUR=2\n"
                   "TIRE/7, JOINT=1\n"
                   "JOINT/2, SPHERICAL, I=20, J=1\n"
                   "MOTION/2, JOINT=2, ROTATION, FUNCTION=TIME\n"
                   "PART/3, MASS=1, CM=30, IP=1,1,1\nMARKER/30, PART=3\nMARKER/31, PART=3, QP=1,0,0\n"
                   "MARKER/2, PART=1, QP=3,0,0\n"
                   "JOINT/3, REVOLUTE, I=30, J=1\nJOINT/4, REVOLUTE, I=31, J=2\n"));
  const Outcome o = run(f, {"check", "deck.adm"});
  EXPECT_EQ(o.code, 3);
  for (const std::string text :
       {"deck.adm:6: JOINT/1: unknown argument 'KOLOUR'", "deck.adm:7: TIRE/7: TIRE is not supported",
        "deck.adm:9: MOTION/2: JOINT/2 is SPHERICAL"})
    EXPECT_EQ(count_of(o.err, text), 1) << text << "\n" << o.err;
  EXPECT_NE(o.err.find("JOINT/4"), std::string::npos) << o.err;
  EXPECT_EQ(count_of(o.err, "deck.adm:"), 3) << o.err;
  // `run` tells what stands before its first step: all but the assembly.
  const Outcome r = run(f, {"run", "deck.adm", "--end", "1"});
  EXPECT_EQ(r.code, 3);
  EXPECT_EQ(lines_of(r.err).size(), 3u) << r.err;
}

TEST(OnePass, what_follows_from_a_mistake_is_not_told) {
  struct Case {
    const char* name;
    std::string more;
    std::multiset<std::string> told;
  };
  const Case cases[] = {
      {"a statement that cannot be read",
       "MARKR/5, PART=2\nJOINT/1, REVOLUTE, I=5, J=1\nREQUEST/1, F2=DX(5,1)\nREQUEST/2, DISPLACEMENT, I=5\n"
       "MATRIX/1, FULL, ROWS=6, COLUMNS=6, VALUES=1,0,0,0,0,0,0,1,0,0,0,0,0,0,1,0,0,0\n"
       ", 0,0,0,1,0,0,0,0,0,0,1,0,0,0,0,0,0,1\nNFORCE/1, IMARKERS=5, J=1, KMATRIX=1\n",
       {"deck.adm:6: unknown statement 'MARKR'; did you mean MARKER?"}},
      {"a joint with a mistake",
       "JOINT/1, REVOLUTE, I=21, J=1, KOLOUR=2\nMOTION/1, JOINT=1, ROTATION, FUNCTION=TIME\n"
       "VARIABLE/1, FUNCTION=JOINT(1,0,2,0)\nREQUEST/1, F2=VARVAL(1)+MOTION(1,0,8,0)\n",
       {"deck.adm:6: JOINT/1: unknown argument 'KOLOUR'"}},
      {"a part with a mistake, and its markers",
       "PART/3, MASS=-1, CM=30\nMARKER/30, PART=3\nJOINT/1, REVOLUTE, I=30, J=21\nREQUEST/1, F2=DX(30,1)\n",
       {"deck.adm:6: PART/3: MASS=-1 is out of range; it must be >=0"}},
      {"a system that compiling refuses",
       "ARRAY/1, X, SIZE=2\nARRAY/2, U, VARIABLES=1\nVARIABLE/1, FUNCTION=TIME\n"
       "MATRIX/1, FULL, RORDER, ROWS=1, COLUMNS=1, VALUES=-1\n"
       "MATRIX/2, FULL, RORDER, ROWS=2, COLUMNS=1, VALUES=0, 1\nLSE/1, X=1, U=2, A=1, B=2\n"
       "REQUEST/1, F2=ARYVAL(1,1)\nSFORCE/1, ROTATION, I=21, J=1, FUNCTION=ARYVAL(1,2)\n",
       {"deck.adm:11: LSE/1: A=MATRIX/1 is 1 x 1; it must be 2 x 2, as X has 2, U 1"}},
      {"a curve that compiling refuses",
       "MATRIX/1, FULL, RORDER, ROWS=4, COLUMNS=2, VALUES=1,2,3,4,5,6,7,8\nCURVE/1, CURVE_POINTS, MATRIX=1\n"
       "MARKER/22, PART=1, FLOATING\nPTCV/1, CURVE=1, I=21, JFLOAT=22, RM=1\n"
       "REQUEST/1, F2=CURVE(0.5,0,1,1)\n",
       {"deck.adm:7: CURVE/1: MATRIX/1 is 4 x 2; it must have 3 columns, x, y, z, and a row for each point"}},
      {"a VARIABLE that a constraint reads",
       "GCON/1, FUNCTION=DX(21,1)-VARVAL(2)\nVARIABLE/2, FUNCTION=SQRT(-1)*DX(21,1)\n",
       {"deck.adm:7: VARIABLE/2: FUNCTION: SQRT(-1): square root of a negative number at column 1"}},
  };
  for (const Case& c : cases) {
    Folder f;
    f.write("deck.adm", pendulum(c.more));
    const Outcome o = run(f, {"check", "deck.adm"});
    EXPECT_EQ(o.code, 3) << c.name;
    EXPECT_EQ(lines_of(o.err), c.told) << c.name << "\n" << o.err;
  }
}

TEST(OnePass, commands_about_a_wrong_statement_follow_from_it) {
  Folder f;
  f.write("deck.adm", pendulum("JOINT/1, REVOLUTE, I=21, J=1, KOLOUR=2\nINTEGRATOR/HHT, HMIN=1, HMAX=0.1\n"));
  f.write("job.acf",
          "deck\njob\nINTEGRATOR/ERROR=1E-6\nDEACTIVATE/JOINT, ID=1\nSIMULATE/DYNAMIC, END=1, STEPS=1\n"
          "JOINT/1, I=20\nPART/9, MASS=2\nSIMULATE/DYNAMIC, END=0.5, STEPS=1\n");
  const Outcome o = run(f, {"check", "job.acf"});
  EXPECT_EQ(o.code, 3);
  EXPECT_EQ(
      lines_of(o.err),
      (std::multiset<std::string>{
          "deck.adm:6: JOINT/1: unknown argument 'KOLOUR'",
          "deck.adm:7: INTEGRATOR: HMIN=1 is larger than HMAX=0.1",
          "job.acf:7: PART/9 does not exist in deck.adm",
          "job.acf:8: SIMULATE: END = 0.5 is not after the present time 1; give a later END, or DURATION",
      }))
      << o.err;
}

TEST(OnePass, a_simulation_that_a_wrong_sensor_may_end_is_no_mistake) {
  Folder f;
  f.write("deck.adm", pendulum("JOINT/1, REVOLUTE, I=21, J=1\n"
                               "SENSOR/1, FUNCTION=TIME, VALUE=0.5, GE, RETURN, KOLOUR=2\n"));
  f.write("job.acf", "deck\njob\nSIMULATE/DYNAMIC, END=1, STEPS=1\nSIMULATE/DYNAMIC, END=1, STEPS=1\n");
  const Outcome o = run(f, {"check", "job.acf"});
  EXPECT_EQ(o.code, 3);
  EXPECT_EQ(lines_of(o.err), (std::multiset<std::string>{"deck.adm:7: SENSOR/1: unknown argument 'KOLOUR'"}));
}

/// The joint holds as one without friction does, to the last bit.
TEST(OnePass, permissive_leaves_out_the_friction_that_lacks_a_coefficient_and_keeps_its_joint) {
  std::vector<double> x[2];
  for (const bool friction : {false, true}) {
    Folder f;
    f.write("deck.adm", pendulum(std::string("JOINT/1, REVOLUTE, I=21, J=1") +
                                 (friction ? ", FRICTION=ON, MU_STAT_ROT=0.3, INNER_RADIUS=0.1\n" : "\n")));
    f.write("job.acf", "deck\njob\nSIMULATE/DYNAMIC, END=1, STEPS=4\n");
    const Outcome o = run(f, {"run", "job.acf", "--permissive"});
    ASSERT_EQ(o.code, 0) << o.err;
    const std::string told =
        "JOINT/1: its friction is left out: MU_DYN_ROT is missing, which FRICTION=ON needs";
    EXPECT_EQ(count_of(o.out, told), friction ? 1 : 0) << o.out;
    EXPECT_EQ(o.out.find("JOINT/1 is left out"), std::string::npos) << o.out;
    x[friction] = f.channel("job.nc", "PART/2.X");
    if (friction) {
      EXPECT_EQ(run(f, {"run", "job.acf"}).code, 3);
    }
  }
  EXPECT_EQ(x[1], x[0]);
}

TEST(OnePass, permissive_leaves_out_what_any_stage_refuses_with_all_that_depends_on_it) {
  Folder f;
  f.write("deck.adm",
          pendulum("JOINT/1, REVOLUTE, I=21, J=1\n"
                   "JOINT/2, SPHERICAL, I=20, J=1\n"
                   "MOTION/2, JOINT=2, ROTATION, FUNCTION=TIME\n"  // compiling refuses it
                   "VARIABLE/2, FUNCTION=MOTION(2,0,2,0)\n"
                   "REQUEST/1, F2=VARVAL(2)\n"
                   "REQUEST/2, F2=AZ(21,1)\n"  // stays
                   "TIRE/7, JOINT=1\n"
                   "SFORCE/5, ROTATION, I=21, J=1, KOLOUR=2, FUNCTION=1\n"
                   "VARIABLE/3, FUNCTION=TIME\n"
                   "JONT/8, REVOLUTE, I=21, J=1\n"
                   "JOINT/9, REVOLUTE, I=21, J=299\n"));
  f.write("job.acf",
          "deck\njob\nDEACTIVATE/JOINT, ID=2\nMOTION/2, FUNCTION=2*TIME\nSIMULATE/DYNAMIC, END=1, STEPS=4\n"
          "SFORCE/5, FUNCTION=2\nVARIABLE/3, FUNCTION=VARVAL(2)\nSIMULATE/DYNAMIC, END=2, STEPS=4\n");
  const std::vector<std::string> gone = {
      "deck.adm:8: MOTION/2 is left out: JOINT/2 is SPHERICAL",
      "deck.adm:9: VARIABLE/2 is left out because it depends on MOTION/2",
      "deck.adm:10: REQUEST/1 is left out because it depends on VARIABLE/2",
      "deck.adm:12: TIRE/7 is left out: TIRE is not supported",
      "deck.adm:13: SFORCE/5 is left out: unknown argument 'KOLOUR'",
      "deck.adm:15: JONT/8 is left out: unknown statement 'JONT'",
      "deck.adm:16: JOINT/9 is left out: marker 299 does not exist",
      "job.acf:4: MOTION/2: MOTION/2 is left out; this command is left out",
      "job.acf:6: SFORCE/5: SFORCE/5 is left out; this command is left out",
      "job.acf:7: VARIABLE/3: VARIABLE/2 is left out; this command is left out",
  };
  const Outcome o = run(f, {"run", "job.acf", "--permissive"});
  ASSERT_EQ(o.code, 0) << o.err;
  for (const std::string& text : gone) {
    EXPECT_EQ(count_of(o.out, text), 1) << text << "\n" << o.out;
    EXPECT_NE(f.read("job.msg").find(text), std::string::npos) << text;
  }
  EXPECT_EQ(count_of(o.out, "does not exist"), 1) << o.out;  // marker 299
  const nlohmann::json report =
      nlohmann::json::parse(run(f, {"check", "job.acf", "--permissive", "--json"}).out);
  EXPECT_EQ(report["exit_code"], 0);
  EXPECT_EQ(report["left_out"].size(), 7u) << report["left_out"];
  EXPECT_EQ(report["statements"]["REQUEST"], 1);
  EXPECT_FALSE(report["statements"].contains("MOTION"));
}

TEST(OnePass, permissive_does_without_no_setting_and_no_ground) {
  Folder f;
  const std::string deck = pendulum("JOINT/1, REVOLUTE, I=21, J=1\n");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = deck;
    text.replace(text.find(from), from.size(), to);
    f.write("deck.adm", text);
    return run(f, {"run", "deck.adm", "--permissive", "--end", "1"});
  };
  const Outcome units = with("LENGTH=METER", "LENGTH=ELL");
  EXPECT_EQ(units.code, 3);
  EXPECT_EQ(count_of(units.err, "deck.adm:2: UNITS: "), 1) << units.err;
  const Outcome ground = with("PART/1, GROUND", "PART/1, GROUND, KOLOUR=2");
  EXPECT_EQ(ground.code, 3);
  EXPECT_NE(ground.err.find("deck.adm: the PART with GROUND is left out"), std::string::npos) << ground.err;
  const Outcome garbage = with("JOINT/1, REVOLUTE", "= 5");
  EXPECT_EQ(garbage.code, 3);
  EXPECT_NE(garbage.err.find("deck.adm:6: '= 5, I=21, J=1' begins no statement"), std::string::npos)
      << garbage.err;
}

TEST(OnePass, a_change_by_option_of_what_is_left_out_is_a_mistake) {
  Folder f;
  f.write("deck.adm", pendulum("SFORCE/5, ROTATION, I=21, J=1, KOLOUR=2, FUNCTION=1\n"));
  const Outcome o = run(f, {"run", "deck.adm", "--permissive", "--end", "1", "--set", "SFORCE/5,FUNCTION=2"});
  EXPECT_EQ(o.code, 3);
  EXPECT_NE(o.err.find("--set SFORCE/5,FUNCTION=2: SFORCE/5 is left out"), std::string::npos) << o.err;
}

TEST(OnePass, no_warning_is_told_twice) {
  Folder f;
  std::string deck = pendulum("JOINT/1, REVOLUTE, I=21, J=1\n");
  deck.replace(deck.find("IP=1,1,1"), 8, "IP=9,1,1");
  f.write("deck.adm", deck);
  f.write("job.acf",
          "deck\njob\nSIMULATE/DYNAMIC, END=1, STEPS=1\nPART/2, MASS=2\nSIMULATE/DYNAMIC, END=2, STEPS=1\n");
  for (const char* command : {"check", "run"}) {
    const Outcome o = run(f, {command, "job.acf"});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(count_of(o.out, "moments of inertia"), 1) << command << "\n" << o.out;
  }
}

TEST(OnePass, a_statement_in_place_of_the_title_is_told) {
  Folder f;
  std::string deck = pendulum("JOINT/1, REVOLUTE, I=21, J=1\n");
  f.write("titled.adm", deck);
  f.write("deck.adm", deck.substr(deck.find('\n') + 1));
  for (const char* title : {"ADAMS/View model name: MODEL_1", "PART/ASSEMBLY of the crane", "UNITS",
                            "motion/rest", "! PART/1, GROUND"})
    f.write(std::string("plain ") + title[0] + ".adm", title + deck.substr(deck.find('\n')));
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"check", "deck.adm"}, {"run", "deck.adm", "--end", "0.1"}}) {
    const Outcome o = run(f, command);
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(count_of(o.out, "deck.adm:1: line 1 is the title, and reads like a statement: 'UNITS/FORCE="),
              1)
        << o.out;
    EXPECT_EQ(count_of(o.out, "deck.adm: no UNITS"), 1) << o.out;
  }
  for (const std::string name : {"titled", "plain A", "plain P", "plain U", "plain m", "plain !"}) {
    const Outcome o = run(f, {"check", name + ".adm"});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(count_of(o.out, "warning"), 0) << name << "\n" << o.out;
  }
}

}  // namespace
}  // namespace one_pass_test
