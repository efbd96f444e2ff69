// Runs that fail at t > 0, or whose files cannot be read or written: a clean end with the documented exit
// code (base/exit_code.h), a message that names the place, and results up to there that read back.
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include "../app/support.h"

using namespace trammel_test;

namespace runtime_test {
namespace {

/// A body on a slide that a force of 1 N + `function` pulls: x = t²/2 for 1 kg while the function is 0.
std::string pulled(const std::string& function, const std::string& more = "") {
  return "body on a slide\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=2, IP=1,1,1\nMARKER/2, "
         "PART=2\nJOINT/1, TRANSLATIONAL, I=2, J=1\nREQUEST/1, DISPLACEMENT, I=2\n" +
         more + "SFORCE/7, TRANSLATIONAL, I=2, J=1, ACTIONONLY, FUNCTION=1+" + function + "\nEND\n";
}

struct Broken {
  const char* name;
  std::string deck;
  const char* says;
};

void PrintTo(const Broken& b, std::ostream* out) {
  *out << b.name;
}

class AtHalfTime : public testing::TestWithParam<Broken> {};

/// Something becomes impossible just after t = 0.5.
TEST_P(AtHalfTime, the_run_ends_with_code_5_and_its_results_read_back) {
  Folder f;
  f.write("deck.adm", GetParam().deck);
  const Outcome o =
      run(f, {"run", "deck.adm", "--end", "1", "--dtout", "0.1", "--formats", "nc,req,res,csv"});
  EXPECT_EQ(o.code, 5) << o.err;
  EXPECT_EQ(o.signal, 0);
  EXPECT_NE(o.err.find(GetParam().says), std::string::npos) << o.err;
  EXPECT_EQ(f.json("deck.status.json")["exit_code"], 5);
  for (const char* name : {"deck.nc", "deck.req", "deck.res", "deck.csv"}) {
    const Outcome info = run(f, {"info", name});
    EXPECT_EQ(info.code, 0) << name << ": " << info.err;
  }
  const Outcome same = run(f, {"compare", "deck.nc", "deck.res"});
  EXPECT_EQ(same.code, 0) << same.out << same.err;
  const std::vector<double> t = f.channel("deck.nc", "TIME"), z = f.channel("deck.nc", "PART/2.Z");
  ASSERT_GE(t.size(), 6u);  // 0 to 0.5
  EXPECT_LE(t.back(), 0.6 + 1e-12);
  for (std::size_t k = 0; k < 5; ++k)  // constant force: HHT is exact but for the corrector's tolerance 1e-5
    EXPECT_NEAR(z[k], t[k] * t[k] / 2, 1e-6) << t[k];
}

INSTANTIATE_TEST_SUITE_P(
    all, AtHalfTime,
    testing::Values(
        Broken{"root", pulled("IF(TIME-0.52:0,0,SQRT(0.52-TIME))"), "square root of a negative number"},
        Broken{"logarithm", pulled("IF(TIME-0.52:0,0,LOG(0.52-TIME))"), "SFORCE/7"},
        Broken{"division", pulled("IF(TIME-0.52:0,0,1/(TIME-TIME))"), "division by zero"},
        Broken{"remainder", pulled("IF(TIME-0.52:0,0,MOD(1,TIME-TIME))"), "SFORCE/7"},
        Broken{"power", pulled("IF(TIME-0.52:0,0,(0.52-TIME)**0.5)"), "SFORCE/7"},
        Broken{"overflow", pulled("IF(TIME-0.52:0,0,EXP(1E6*TIME))"), "SFORCE/7"},
        Broken{"arc", pulled("IF(TIME-0.52:0,0,ASIN(2*TIME))"), "SFORCE/7"},
        Broken{"variable", pulled("0*VARVAL(3)", "VARIABLE/3, FUNCTION=IF(TIME-0.52:0,0,1/(TIME-TIME))\n"),
               "VARIABLE/3"},
        Broken{"state", pulled("0*DIF(3)", "DIFF/3, FUNCTION=IF(TIME-0.52:0,0,LOG(0.52-TIME))\n"), "DIFF/3"}),
    [](const auto& test) { return std::string(test.param.name); });

/// A request is read only at output: its failure must not lose the steps before.
TEST(AtHalfTime, a_request_that_cannot_be_evaluated_is_named) {
  Folder f;
  f.write("deck.adm", pulled("0", "REQUEST/9, F2=IF(TIME-0.52:0,0,1/(TIME-TIME))\n"));
  const Outcome o = run(f, {"run", "deck.adm", "--end", "1", "--dtout", "0.1", "--formats", "nc"});
  EXPECT_EQ(o.code, 5) << o.err;
  EXPECT_NE(o.err.find("REQUEST/9"), std::string::npos) << o.err;
  EXPECT_GE(f.channel("deck.nc", "TIME").size(), 6u);
}

// ---- files

/// Permissions do not hold for root.
bool permissions_hold() {
  return geteuid() != 0;
}

TEST(Files, that_do_not_exist_end_with_code_7) {
  Folder f;
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"run", "none.acf"},
                                                    {"run", "none.adm", "--end", "1"},
                                                    {"check", "none"},
                                                    {"info", "none.nc"},
                                                    {"compare", "none.nc", "none.res"},
                                                    {"convert", "none.nc", "a.csv"},
                                                    {"plot", "none.nc", "PART/2.X"}}) {
    const Outcome o = run(f, arguments);
    EXPECT_EQ(o.code, 7) << arguments[0] << ": " << o.err;
    EXPECT_NE(o.err.find("none"), std::string::npos) << o.err;
  }
  EXPECT_EQ(f.list(), "") << "nothing may be left behind";
}

TEST(Files, a_model_that_does_not_exist_is_a_mistake_of_the_command_file) {
  Folder f;
  f.write("a.acf", "none\n\nSIMULATE/DYNAMIC, END=1, STEPS=1\n");
  const Outcome o = run(f, {"run", "a.acf"});
  EXPECT_EQ(o.code, 3);
  EXPECT_NE(o.err.find("a.acf:1: the model 'none' does not exist"), std::string::npos) << o.err;
}

TEST(Files, folders_are_no_files) {
  Folder f;
  f.write("folder.adm/x", "");
  for (const char* command : {"run", "check", "info"}) {
    const Outcome o = run(f, {command, "folder.adm"});
    EXPECT_EQ(o.code, 7) << command << ": " << o.err;
  }
}

TEST(Files, a_full_disk_under_any_file_ends_with_code_7) {
  for (const char* suffix : {".nc", ".res", ".req", ".csv", ".gra", ".out"}) {
    Folder f;
    f.write("deck.adm", pulled("0"));
    fs::create_symlink("/dev/full", f.path(std::string("deck") + suffix));
    const Outcome o = run(f, {"run", "deck.adm", "--end", "1", "--formats", suffix + 1});
    EXPECT_EQ(o.code, 7) << suffix << ": " << o.err;
    EXPECT_EQ(o.signal, 0);
    EXPECT_NE(o.err.find(std::string("deck") + suffix), std::string::npos) << o.err;
  }
}

TEST(Files, a_full_disk_under_the_message_file_or_the_log_ends_with_code_7) {
  for (const char* name : {"deck.msg", "log.jsonl"}) {
    Folder f;
    f.write("deck.adm", pulled("0"));
    fs::create_symlink("/dev/full", f.path(name));
    const Outcome o = run(f, {"run", "deck.adm", "--end", "1", "--log-json", "log.jsonl"});
    EXPECT_EQ(o.code, 7) << name << ": " << o.err;
    EXPECT_NE(o.err.find(name), std::string::npos) << o.err;
  }
}

TEST(Files, a_full_disk_under_a_conversion_ends_with_code_7) {
  Folder f;
  f.write("deck.adm", pulled("0"));
  ASSERT_EQ(run(f, {"run", "deck.adm", "--end", "1"}).code, 0);
  for (const char* suffix : {".csv", ".res", ".nc"}) {
    const std::string name = std::string("full") + suffix;
    fs::create_symlink("/dev/full", f.path(name));
    const Outcome o = run(f, {"convert", "deck.nc", name});
    EXPECT_EQ(o.code, 7) << name << ": " << o.err;
    EXPECT_NE(o.err.find(name), std::string::npos) << o.err;
  }
}

TEST(Files, a_place_that_is_no_folder_ends_with_code_7) {
  Folder f;
  f.write("deck.adm", pulled("0"));
  f.write("file", "");
  for (const std::vector<std::string>& where : {std::vector<std::string>{"-C", "file"},
                                                {"-C", "file/below"},
                                                {"-o", "file/prefix"},
                                                {"-C", "/proc"}}) {
    std::vector<std::string> arguments = {"run", "deck.adm", "--end", "1"};
    arguments.insert(arguments.end(), where.begin(), where.end());
    const Outcome o = run(f, arguments);
    EXPECT_EQ(o.code, 7) << where[1] << ": " << o.err;
    EXPECT_NE(o.err.find(where[1].substr(0, 4)), std::string::npos) << o.err;
  }
}

TEST(Files, a_folder_without_permission_ends_with_code_7) {
  if (!permissions_hold()) GTEST_SKIP() << "root may write anywhere";
  Folder f;
  f.write("deck.adm", pulled("0"));
  f.write("closed/x", "");
  chmod(f.path("closed").c_str(), 0500);
  const Outcome o = run(f, {"run", "deck.adm", "--end", "1", "-C", "closed"});
  chmod(f.path("closed").c_str(), 0700);
  EXPECT_EQ(o.code, 7) << o.err;
  chmod(f.path("deck.adm").c_str(), 0);
  EXPECT_EQ(run(f, {"check", "deck.adm"}).code, 7);
}

}  // namespace
}  // namespace runtime_test
