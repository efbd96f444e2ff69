// Changes of a description: redefinition, ACTIVATE, DEACTIVATE; every wrong use has its message and place.
#include "dataset/changes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "dataset/commands.h"
#include "support.h"

namespace trammel::changes_test {
namespace {

namespace fs = std::filesystem;

/// Reads commands from a file on disk, as only whole files can be read.
class Changes : public testing::Test {
 protected:
  Changes() : path_(fs::temp_directory_path() / fmt::format("trammel-changes-{}", getpid())) {
    fs::create_directories(path_);
    std::ofstream(path_ / "m.adm") << "x";
  }
  ~Changes() override {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  /// Applies commands; what is said, the folder left out. The commands begin on line 3.
  std::string apply(const std::string& commands) {
    std::ofstream(path_ / "a.acf") << "m\nout\n" << commands;
    Diagnostics diagnostics;
    const CommandFile file = read_commands((path_ / "a.acf").string(), diagnostics);
    if (!diagnostics.has_errors())
      for (const Command& c : file.commands)
        if (c.redefinition || c.statement.spec->keyword.ends_with("ACTIVATE"))
          apply_change(deck_, c.statement, diagnostics);
    std::string out = messages(diagnostics);
    const std::string prefix = path_.string() + "/";
    for (std::size_t at = out.find(prefix); at != std::string::npos; at = out.find(prefix))
      out.erase(at, prefix.size());
    return out;
  }
  std::string inactive() const {
    std::string out;
    for (const Statement& s : deck_.statements)
      if (!s.active) out += s.label() + " ";
    return out;
  }

  fs::path path_;
  Description deck_ = read_good(
      "PART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=2, CM=2, IP=1,2,3\nMARKER/2, PART=2\n"
      "JOINT/3, REVOLUTE, I=2, J=1\nMOTION/7, JOINT=3, ROTATION, FUNCTION=TIME\n"
      "SFORCE/1, TRANSLATION, I=2, J=1, FUNCTION=1\nSFORCE/5, TRANSLATION, I=2, J=1, FUNCTION=2\n"
      "SFORCE/9, TRANSLATION, I=2, J=1, FUNCTION=3\nVARIABLE/4, FUNCTION=5, IC=1\n");
};

TEST_F(Changes, ARedefinitionReplacesWhatItNames) {
  EXPECT_EQ(apply("PART/2, MASS=3.5\nVARIABLE/4, FUNC=7*TIME\nMOTION/7, VELOCITY, ICDISP=0\n"), "");
  EXPECT_EQ(deck_.find("PART", 2)->real("MASS", 0), 3.5);
  EXPECT_EQ(deck_.find("PART", 2)->find("IP")->numbers, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(deck_.find("VARIABLE", 4)->text("FUNCTION"), "7*TIME");
  EXPECT_EQ(deck_.find("VARIABLE", 4)->real("IC", 0), 1);
  EXPECT_TRUE(deck_.find("MOTION", 7)->has("VELOCITY"));
}

/// What went with a former choice goes with it.
TEST_F(Changes, AChoiceTakesWhatNeededItAlong) {
  const auto arguments = [&](std::string_view keyword, int id) {
    std::string out;
    for (const Argument& a : deck_.find(keyword, id)->arguments) out += std::string(a.field->name) + " ";
    return out;
  };
  EXPECT_EQ(apply("MOTION/7, ACCELERATION, ICDISP=1, ICVEL=2\n"), "");
  EXPECT_EQ(arguments("MOTION", 7), "JOINT ROTATION FUNCTION ACCELERATION ICDISP ICVEL ");
  EXPECT_EQ(apply("MOTION/7, VELOCITY\n"), "");
  EXPECT_EQ(arguments("MOTION", 7), "JOINT ROTATION FUNCTION ICDISP VELOCITY ");
  EXPECT_EQ(apply("MOTION/7, DISPLACEMENT, FUNCTION=1.5\n"), "");
  EXPECT_EQ(arguments("MOTION", 7), "JOINT ROTATION DISPLACEMENT FUNCTION ");
  EXPECT_EQ(apply("JOINT/3, IC=1,2\nJOINT/3, SPHERICAL\n"), "");
  EXPECT_EQ(arguments("JOINT", 3), "I J SPHERICAL ");
  EXPECT_EQ(apply("JOINT/3, SCREW, PITCH=0.1\nJOINT/3, REVOLUTE\n"), "");
  EXPECT_EQ(arguments("JOINT", 3), "I J REVOLUTE ");
}

/// Also where a mistake lies between the command and what the dataset says.
TEST_F(Changes, MessagesStandAtTheCommand) {
  EXPECT_EQ(apply("! heading\nMOTION/7, ICDISP=1\n"),
            "a.acf:4: MOTION/7: ICDISP needs VELOCITY or ACCELERATION beside it\n");
  EXPECT_EQ(apply("VARIABLE/4, FUNCTION=1\nJOINT/3, RACKPIN\n"),
            "a.acf:4: JOINT/3: RACKPIN needs PD beside it\n");
  deck_ = read_good("SPLINE/1, X=1,2,3,4, Y=1,2,3,4\n");
  EXPECT_EQ(apply("SPLINE/1, X=1,2,3,4,5\n"),
            "a.acf:3: SPLINE/1: Y has 4 values; with 5 values of X it takes 5\n");
}

TEST_F(Changes, ElementsAreTakenOutAndBroughtBack) {
  EXPECT_EQ(apply("DEACTIVATE/SFORCE, RANGE=2,9\nDEACTIVATE/JOINT, ID=3\n"), "");
  EXPECT_EQ(inactive(), "JOINT/3 SFORCE/5 SFORCE/9 ");
  EXPECT_EQ(apply("deact/motion, id=7\nACT/SFORCE, ID=5,9\n"), "");
  EXPECT_EQ(inactive(), "JOINT/3 MOTION/7 ");
}

TEST_F(Changes, WrongUses) {
  const std::pair<std::string, std::string> wrong[] = {
      {"PART/9, MASS=1", "a.acf:3: PART/9 does not exist in d.adm\n"},
      {"STOP\nPART/9, MASS=1",
       "a.acf:4: 'PART/9, MASS=1' stands behind STOP (a.acf:3) and is not read, nor is what follows it; "
       "remove it, or put STOP at the end\n"},
      {"PART/2, MASS=-1", "a.acf:3: PART/2: MASS=-1 is out of range; it must be >=0\n"},
      {"PRAT/2, MASS=1", "a.acf:3: unknown statement 'PRAT'; did you mean PART?\n"},
      {"DEACTIVATE/JOINT, ID=4", "a.acf:3: DEACTIVATE: JOINT/4 does not exist in d.adm\n"},
      {"DEACTIVATE/JOINT, &\nID=3,4", "a.acf:4: DEACTIVATE: JOINT/4 does not exist in d.adm\n"},
      {"ACTIVATE/SFORCE, RANGE=10,20",
       "a.acf:3: ACTIVATE: there is no SFORCE with an id from 10 to 20 in d.adm\n"},
      {"DEACTIVATE/JOINT", "a.acf:3: DEACTIVATE: one of ID, RANGE must be given\n"},
      {"DEACTIVATE/JOINT, SFORCE, ID=3",
       "a.acf:3: DEACTIVATE: JOINT and SFORCE exclude each other; give one of them\n"},
      {"DEACTIVATE/JOINT, ID=3, RANGE=1,5",
       "a.acf:3: DEACTIVATE: ID and RANGE exclude each other; give one of them\n"},
      {"ACTIVATE/JOINT, ID=0", "a.acf:3: ACTIVATE: ID=0 is out of range; it must be >0\n"},
      {"INFO/DISPLACEMENT", "a.acf:3: INFO: I is missing; of this marker\n"},
      {"SHOW/STATE=BUCKLED", "a.acf:3: SHOW: STATE cannot be 'BUCKLED'; it is SIMULATION\n"},
  };
  for (const auto& [commands, message] : wrong) EXPECT_EQ(apply(commands), message) << commands;
  EXPECT_EQ(inactive(), "JOINT/3 ");  // by ID=3,4, which also names one that exists
}

}  // namespace
}  // namespace trammel::changes_test
