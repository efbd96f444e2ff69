// Command files: their layouts, the files that they name, and the commands themselves.
#include "dataset/commands.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <random>

#include "base/text.h"
#include "dataset/permissive.h"
#include "support.h"

namespace trammel::commands_test {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for each test, removed at its end.
class Folder : public testing::Test {
 protected:
  Folder()
      : path_(fs::temp_directory_path() /
              fmt::format("trammel-{}-{}", getpid(),
                          testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::create_directories(path_);
  }
  ~Folder() override {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  void put(const std::string& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  std::string in(const std::string& name) const { return (path_ / name).string(); }
  CommandFile read(const std::string& name) { return read_commands(in(name), diagnostics_); }
  /// All messages, the folder's name left out.
  std::string said() const {
    std::string out = messages(diagnostics_);
    const std::string prefix = path_.string() + "/";
    for (std::size_t at = out.find(prefix); at != std::string::npos; at = out.find(prefix))
      out.erase(at, prefix.size());
    return out;
  }
  static std::string keywords(const CommandFile& file) {
    std::string out;
    for (const Command& c : file.commands) out += std::string(c.statement.spec->keyword) + " ";
    return out;
  }

  fs::path path_;
  Diagnostics diagnostics_;
};

using Layouts = Folder;

TEST_F(Layouts, NamesAboveTheCommands) {
  put("model.adm", "x");
  put("a.acf", "! heading\nmodel\nout_prefix\nSIMULATE/DYNAMIC, END=2, DTOUT=1.0E-02\nstop\nrubbish");
  const CommandFile file = read("a.acf");
  EXPECT_EQ(said(),
            "a.acf:6: 'rubbish' stands behind STOP (a.acf:5) and is not read, nor is what follows it; remove "
            "it, or put STOP at the end\n");
  EXPECT_EQ(file.model, in("model.adm"));
  EXPECT_EQ(file.output_prefix, "out_prefix");
  EXPECT_EQ(keywords(file), "SIMULATE STOP ");
  EXPECT_EQ(file.commands[0].where.line, 4);
  EXPECT_EQ(file.commands[0].echo, "SIMULATE/DYNAMIC, END=2, DTOUT=1.0E-02");
  EXPECT_EQ(file.commands[0].statement.real("END", 0), 2);
  EXPECT_EQ(file.commands[0].statement.real("DTOUT", 0), 0.01);
}

TEST_F(Layouts, CarriageReturnsAndExtension) {
  put("model.adm", "x");
  put("a.acf",
      "model.adm\r\nout\r\nintegrator/gstiff, &\r\n\terror = 1.0e-4, hmax=1e-5\r\n"
      "simulate/transient, &\r\n\tend=5.0, dtout=1.0E-002\r\nstop");
  const CommandFile file = read("a.acf");
  EXPECT_EQ(said(), "");
  EXPECT_EQ(keywords(file), "INTEGRATOR SIMULATE STOP ");
  EXPECT_EQ(file.commands[0].statement.chosen("type"), "GSTIFF");
  EXPECT_EQ(file.commands[0].statement.real("ERROR", 0), 1e-4);
  EXPECT_EQ(file.commands[1].statement.chosen("type"), "TRANSIENT");
  EXPECT_EQ(file.commands[1].statement.find("END")->where.line, 6);
}

TEST_F(Layouts, TheDefaultPrefixIsTheModelsName) {
  put("my model.adm", "x");
  put("a.acf", "my model\n\nSIM/DYN,END=1,STEPS=10\n");
  put("b.acf", "my model\nSIM/DYN,END=1,STEPS=10\n");
  put("c.acf", "FILE/MODEL=my model\nSTOP\n");
  for (const char* name : {"a.acf", "b.acf", "c.acf"}) {
    const CommandFile file = read(name);
    EXPECT_EQ(file.output_prefix, "my model") << name;
    EXPECT_EQ(file.model, in("my model.adm")) << name;
    EXPECT_EQ(file.commands.size(), 1u + (name[0] == 'c')) << name;
  }
  EXPECT_EQ(said(), "");
}

TEST_F(Layouts, AnEmptyFirstLineThenAFileCommand) {
  put("model.adm", "x");
  put("a.acf", "\nfile/model=model\n! comment\nsim/stat\nsim/dyn, dur=.5, dtout=.001\nstop\n");
  const CommandFile file = read("a.acf");
  EXPECT_EQ(said(), "");
  EXPECT_EQ(file.model, in("model.adm"));
  EXPECT_EQ(keywords(file), "FILE SIMULATE SIMULATE STOP ");
  EXPECT_EQ(file.commands[1].statement.chosen("type"), "STATICS");
  EXPECT_EQ(file.commands[2].statement.chosen("until"), "DURATION");
}

TEST_F(Layouts, OneFileCommandForAll) {
  put("x.adm", "x");
  put("a.acf", "FILE/MODEL=x.adm, OUTPUT_PREFIX=y\nSIMULATE/INITIAL_CONDITIONS,VELOCITY");
  const CommandFile file = read("a.acf");
  EXPECT_EQ(said(), "");
  EXPECT_EQ(file.output_prefix, "y");
  EXPECT_EQ(file.commands[1].statement.chosen("level"), "VELOCITY");
}

TEST(IsCommand, TellsCommandsFromFileNames) {
  for (const char* line :
       {"SIMULATE/DYNAMIC, END=1", "sim/stat", "int/hht", "out/noseparator", "stop", "FILE/MODEL=x",
        "accg/jgrav=-9", "PART/2, MASS=3", "VARIABLE/1001, FUNC= 3", "equil/alim=2.0D,stab=.1",
        "deactivate/sensor, ID=1000", "SIMULATE/DINAMIC, END=1", "LINEAR/EIGENSOL", "xyz/a=1"})
    EXPECT_TRUE(is_command(line)) << line;
  for (const char* line : {"model", "model.adm", "models/pendulum", "out/run1", "../x/model.adm", "part",
                           "C:\\decks\\x", "test_Distance_Case01_ADAMS", "simulation 7", "123"})
    EXPECT_FALSE(is_command(line)) << line;
}

using Nested = Folder;

TEST_F(Nested, FilesAreReadInPlace) {
  put("m.adm", "x");
  put("a.acf", "m\n\nINT/HHT\nFILE/COMMAND=sub/b\nSIM/DYN,END=2,STEPS=1\nSTOP");
  put("sub/b.acf", "OUTPUT/REQSAVE\nFILE/COMMAND=c.acf\nSIM/DYN,END=1,STEPS=1");
  put("sub/c.acf", "! only a comment\nIC/ERROR=1E-9\n");
  const CommandFile file = read("a.acf");
  EXPECT_EQ(said(), "");
  EXPECT_EQ(keywords(file), "INTEGRATOR FILE OUTPUT FILE IC SIMULATE SIMULATE STOP ");
  EXPECT_EQ(file.commands[4].where.file, in("sub/c.acf"));
  EXPECT_EQ(file.commands[4].where.line, 2);
}

TEST_F(Nested, StopEndsTheFilesAboveIt) {
  put("m.adm", "x");
  put("a.acf", "m\n\nFILE/COMMAND=b\n! a comment\n\nSIM/DYN,END=2,STEPS=1\nSTOP");
  put("b.acf", "SIM/DYN,END=1,STEPS=1\nSTOP\n\n! a comment\nSTOP\n");
  const CommandFile file = read("a.acf");
  EXPECT_EQ(keywords(file), "FILE SIMULATE STOP ");
  EXPECT_EQ(said(),
            "a.acf:6: 'SIM/DYN,END=2,STEPS=1' stands behind STOP (b.acf:2) and is not read, nor is what "
            "follows it; remove it, or put STOP at the end\n");
}

TEST_F(Nested, AFileMustNotRunItself) {
  put("m.adm", "x");
  put("a.acf", "m\n\nFILE/COMMAND=b\n");
  put("b.acf", "FILE/COMMAND=A.ACF\nSTOP\n");
  read("a.acf");
  EXPECT_EQ(said(), "b.acf:1: FILE: 'A.ACF' would run itself\n");
}

TEST_F(Nested, DepthIsLimited) {
  put("m.adm", "x");
  for (int k = 0; k < 20; ++k) put(fmt::format("f{}.acf", k), fmt::format("FILE/COMMAND=f{}\n", k + 1));
  put("f0.acf", "m\n\nFILE/COMMAND=f1\n");
  read("f0.acf");
  EXPECT_EQ(said(), "f15.acf:1: FILE: command files are nested more than 16 deep\n");
}

TEST_F(Nested, BranchingIsLimited) {
  // 10 calls in each of 16 files would be 10^15 commands.
  put("m.adm", "x");
  for (int k = 0; k < 15; ++k) {
    std::string text = k == 0 ? "m\n\n" : "";
    for (int n = 0; n < 10; ++n) text += fmt::format("FILE/COMMAND=f{}\n", k + 1);
    put(fmt::format("f{}.acf", k), text);
  }
  put("f15.acf", "INT/HHT\n");
  read("f0.acf");
  // f0 to f13 are 14 files, the ten f14 below them 11 files each; of the 986 others, 876 are left behind the
  // first f13: seven f13 of 111, then 1 + 8 * 11, then an f14 and nine f15. Its tenth line is the 1001st.
  EXPECT_EQ(said(), "f14.acf:10: FILE: more than 1000 command files are run\n");
}

using Mistakes = Folder;

TEST_F(Mistakes, OfCommandFiles) {
  struct Wrong {
    const char *text, *message;
  };
  put("m.adm", "x");
  const Wrong wrong[] = {
      {"m\n\nSIMULAET/DYN,END=1\n", "w.acf:3: unknown statement 'SIMULAET'; did you mean SIMULATE?\n"},
      {"m\n\nSIM/DYN,STEPS=1\n",
       "w.acf:3: SIMULATE: END or DURATION is missing; say how long the run lasts\n"},
      {"m\n\nSIM/END=1\n",
       "w.acf:3: SIMULATE: one of DYNAMICS, TRANSIENT, INITIAL_CONDITIONS, STATICS, KINEMATICS must be "
       "given\n"},
      {"m\n\nSIM/DYN,END=1,DUR=2\n",
       "w.acf:3: SIMULATE: END and DURATION exclude each other; give one of them\n"},
      {"m\n\nSIM/DYN,END=1,STEPS=0\n",
       "w.acf:3: SIMULATE: STEPS=0 is out of range; it must be in [1,100000000]\n"},
      {"m\n\nSIM/DYN,END=1,&\n! x\n\nDTOUT=-1\n",
       "w.acf:6: SIMULATE: DTOUT=-1 is out of range; it must be >0\n"},
      {"m\n\nS/DYN\n", "w.acf:3: statement 'S' is ambiguous: SIMULATE, STOP, SHOW or SAVE\n"},
      {"m\n\nint/hht, eror=1\n",
       "w.acf:3: INTEGRATOR: unknown argument 'eror'; did you mean ERROR? INTEGRATOR has ...\n"},
      {"n\nSTOP\n", "w.acf:1: the model 'n' does not exist in F; name a dataset (.adm) there\n"},
      {"\nfile/model=n\nSTOP\n", "w.acf:2: the model 'n' does not exist in F; name a dataset (.adm) there\n"},
      {"m\n\nFILE/COMMAND=q\n", "w.acf:3: FILE: the command file 'q' does not exist\n"},
      {"m\n\nFILE/\n", "w.acf:3: FILE: nothing is given; name MODEL or COMMAND\n"},
      {"STOP\n", "w.acf: no model is named; begin with FILE/MODEL=name\n"},
      {"m\np\nFILE/MODEL=m\n",
       "w.acf:3: a second model, 'm': one model per run is supported; use one command file for each\n"},
  };
  for (const Wrong& w : wrong) {
    diagnostics_ = {};
    put("w.acf", w.text);
    read("w.acf");
    std::string text = said();
    const std::size_t folder = text.find(path_.string());
    if (folder != std::string::npos) text.replace(folder, path_.string().size(), "F");
    EXPECT_EQ(text, w.message) << w.text;
  }
}

TEST_F(Mistakes, AFileThatDoesNotExist) {
  EXPECT_THROW(read("none.acf"), Failure);
}

TEST_F(Mistakes, WhatIsNotSupportedIsTold) {
  put("m.adm", "x");
  put("a.acf",
      "m\n\nVARIABLE/1, FUNC=3\nsim/stat\nLINEAR/MKB\ndeact/joint, ID=3\nSAVE/STATES,FILE=x\n"
      "equil/alim=2D\nsho stat=sim\nsho/stat=sim\nINT/GSTIFF,SI1\nSTOP");
  const CommandFile file = read("a.acf");
  EXPECT_EQ(said(), "");
  diagnostics_ = {};
  report_unsupported(file, diagnostics_);
  EXPECT_EQ(said(),
            "a.acf:5: LINEAR: MKB is not supported\n"
            "a.acf:7: SAVE: STATES is not supported\n");
  EXPECT_TRUE(file.commands[0].redefinition);
  EXPECT_EQ(file.commands[0].statement.text("FUNCTION"), "3");
}

TEST_F(Mistakes, DamagedCommandFilesAreAnswered) {
  const std::string seed =
      "m\nout\nint/hht, &\n err=1E-7, hmax=2.5E-4\nOUTPUT/REQSAVE\nFILE/COMMAND=sub\n"
      "VARIABLE/1,FUNC=STEP(TIME,0,0,&\n,1,1)\nsim/dyn, end=1.5, dtout=.005\nstop\n";
  put("m.adm", "x");
  put("sub.acf", "IC/ERROR=1E-9\n");
  std::mt19937 random(11);
  int good = 0, bad = 0;
  for (int k = 0; k < 1500; ++k) {
    std::string text = seed;
    for (int n = 0; n < 1 + static_cast<int>(random() % 4); ++n) {
      const std::size_t at = random() % text.size();
      if (random() % 3 == 0)
        text.erase(at, 1 + random() % 5);
      else if (random() % 2 == 0)
        text[at] = static_cast<char>(random() % 256);
      else
        text.insert(at, text.substr(random() % text.size(), random() % 30));
    }
    put("w.acf", text);
    diagnostics_ = {};
    const CommandFile file = read("w.acf");
    report_unsupported(file, diagnostics_);
    (diagnostics_.exit_code() == ExitCode::input ? bad : good)++;
  }
  // Both outcomes must occur, or the test shows nothing.
  EXPECT_GT(good, 50);
  EXPECT_GT(bad, 200);
}

using FindFile = Folder;

TEST_F(FindFile, IgnoresCaseAndTurnsBackslashes) {
  put("Sub/Model.ADM", "x");
  put("plain", "x");
  put("two.adm", "x");
  put("two", "x");
  put("v1.2.adm", "x");
  const std::string folder = path_.string();
  EXPECT_EQ(find_file(folder, "sub\\model", ".adm"), in("Sub/Model.ADM"));
  EXPECT_EQ(find_file(folder, "SUB/model.adm", ".adm"), in("Sub/Model.ADM"));
  EXPECT_EQ(find_file(folder, "plain", ".adm"), in("plain"));
  EXPECT_EQ(find_file(folder, "two", ".adm"), in("two.adm"));
  EXPECT_EQ(find_file(folder, "v1.2", ".adm"), in("v1.2.adm"));
  EXPECT_EQ(find_file("/elsewhere", in("plain"), ".adm"), in("plain"));
  EXPECT_EQ(find_file(folder, "Sub", ".adm"), std::nullopt);
  EXPECT_EQ(find_file(folder, "none", ".adm"), std::nullopt);
  // A place on Windows: its last component, here.
  EXPECT_EQ(find_file(folder, "C:\\users\\me\\TWO.adm", ".adm"), in("two.adm"));
  EXPECT_EQ(find_file(folder, " d:/work/two", ".adm"), in("two.adm"));
  EXPECT_EQ(find_file(folder, "\\\\host\\share\\plain", ".adm"), in("plain"));
  EXPECT_EQ(find_file(folder, "C:\\work\\none.adm", ".adm"), std::nullopt);
  EXPECT_EQ(find_file(folder, "C:\\work\\", ".adm"), std::nullopt);
  EXPECT_EQ(find_file(folder, "elsewhere\\two.adm", ".adm"), std::nullopt);  // relative: there or nowhere
  EXPECT_EQ(find_file(folder, "", ".adm"), std::nullopt);
}

TEST(CommandSamples, AreUnderstood) {
  const char* folder = std::getenv("TRAMMEL_SAMPLES");
  if (folder == nullptr) GTEST_SKIP() << "TRAMMEL_SAMPLES does not name a folder with real command files";
  int read = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".acf") continue;
    Diagnostics diagnostics;
    const CommandFile file = read_commands(entry.path().string(), diagnostics);
    // Some of the files name datasets that were renamed since: that is the only mistake they may have.
    for (const Diagnostic& d : diagnostics.list())
      EXPECT_NE(d.text.find("does not exist in"), std::string::npos) << to_string(d);
    ASSERT_FALSE(file.commands.empty());
    EXPECT_EQ(file.commands.back().statement.spec->keyword, "STOP");
    ++read;
  }
  EXPECT_GT(read, 0);
}

}  // namespace
}  // namespace trammel::commands_test
