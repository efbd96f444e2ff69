// Launch lines, streams, exit codes, names and places of files.
#include <unistd.h>

#include <gtest/gtest.h>

#include "support.h"

using namespace trammel_test;

namespace launch_test {
namespace {

const std::string one_second = "SIMULATE/DYNAMIC, END=1, STEPS=10\nSTOP\n";

Folder& prepared(Folder& folder) {
  folder.write("stone.adm", falling_body());
  folder.write("stone.acf", "stone\nstone\n" + one_second);
  return folder;
}

TEST(Launch, a_good_run_says_nothing_on_standard_error_and_leaves_its_files) {
  Folder f;
  const Outcome o = run(prepared(f), {"run", "stone.acf"});
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(f.list(), "stone.acf stone.adm stone.msg stone.nc stone.status.json");
  // Neither carriage returns nor escape sequences where standard output is no terminal.
  EXPECT_EQ(o.out.find_first_of("\r\x1b"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("results in stone.*"), std::string::npos) << o.out;
}

TEST(Launch, quiet_says_nothing_at_all) {
  Folder f;
  const Outcome o = run(prepared(f), {"run", "stone.acf", "--quiet"});
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(o.out + o.err, "");
}

TEST(Launch, a_terminal_sees_progress_and_no_color_switches_colour_off) {
  if (access("/dev/pts/ptmx", F_OK) != 0)
    GTEST_SKIP() << "no pseudo-terminals here (/dev/pts is not mounted)";
  Folder f;
  prepared(f);
  const Outcome colored = run(f, Launch{{"run", "stone.acf"}, {"TERM=xterm", "NO_COLOR="}, 0, true, {}});
  EXPECT_EQ(colored.code, 0);
  EXPECT_EQ(colored.err, "");
  EXPECT_NE(colored.out.find("\r"), std::string::npos);
  EXPECT_NE(colored.out.find("\x1b[32m"), std::string::npos) << colored.out;
  EXPECT_NE(colored.out.find("100 %  t = 1 of 1"), std::string::npos) << colored.out;
  const Outcome plain = run(f, Launch{{"run", "stone.acf"}, {"TERM=xterm", "NO_COLOR=1"}, 0, true, {}});
  EXPECT_EQ(plain.out.find("\x1b[32m"), std::string::npos);
}

TEST(Launch, a_log_that_cannot_be_written_does_not_stop_the_run) {
  Folder f;
  prepared(f);
  const Outcome o = run(f, Launch{{"run", "stone.acf"}, {}, 0, false, "/dev/full"});
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(f.json("stone.status.json")["state"], "finished");
  EXPECT_EQ(f.channel("stone.nc", "TIME").size(), 11u);
}

TEST(Launch, prefix_and_folder_of_the_output) {
  Folder f;
  prepared(f);
  EXPECT_EQ(run(f, {"run", "stone.acf", "-o", "heavy", "-C", "new/deep"}).code, 0);
  EXPECT_TRUE(f.has("new/deep/heavy.nc")) << f.list();
  EXPECT_EQ(run(f, {"run", "stone.acf", "-o", "other/light"}).code, 0);
  EXPECT_TRUE(f.has("other/light.msg")) << f.list();
  EXPECT_EQ(run(f, {"run", "stone.acf", "-o", "third/"}).code, 0);  // a folder: the name is the deck's
  EXPECT_TRUE(f.has("third/stone.msg")) << f.list();
}

TEST(Launch, names_of_files_are_found_without_extension_and_whatever_their_case) {
  Folder f;
  prepared(f);
  EXPECT_EQ(run(f, {"run", "stone", "-o", "a"}).code, 0);  // the command file before the dataset
  EXPECT_EQ(run(f, {"run", "STONE.ACF", "-o", "b"}).code, 0);
  f.write("cased.acf", "Stone.ADM\ncased\n" + one_second);
  EXPECT_EQ(run(f, {"run", "cased"}).code, 0);
  EXPECT_TRUE(f.has("a.nc") && f.has("b.nc") && f.has("cased.nc")) << f.list();
}

TEST(Launch, overlaps_in_contact_have_a_file) {
  Folder f;
  const std::string deck = falling_body(
      "MARKER/4, PART=1, QP=0,0,-3\nGRAPHICS/1, PLANE, RM=4\nGRAPHICS/2, ELLIPSOID, CM=2, XSCALE=1, "
      "YSCALE=1, "
      "ZSCALE=1\nCONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1E5, EXPONENT=1.5, DMAX=0.01\n");
  f.write("stone.adm", deck);
  EXPECT_EQ(run(f, {"run", "stone.adm", "--end", "1", "--steps", "40", "--quiet"}).code, 0);
  EXPECT_TRUE(f.has("stone.contacts.nc")) << f.list();
  const Outcome listed = run(f, {"info", "stone.contacts.nc"});
  EXPECT_NE(listed.out.find("CONTACT/1/1 : SHAPE_I SHAPE_J X Y Z"), std::string::npos) << listed.out;
  EXPECT_EQ(run(f, {"convert", "stone.nc", "all.contacts"}).code, 2);
  EXPECT_EQ(
      run(f, {"run", "stone.adm", "--end", "0.1", "--steps", "4", "--quiet", "-o", "a", "--formats", "nc"})
          .code,
      0);
  EXPECT_FALSE(f.has("a.contacts.nc"));
  f.write("none.adm", deck.substr(0, deck.rfind("END")) + "RESULTS/NOCONTACTS, XRF\nEND\n");
  EXPECT_EQ(run(f, {"run", "none.adm", "--end", "0.1", "--steps", "4", "--quiet"}).code, 0);
  EXPECT_FALSE(f.has("none.contacts.nc"));
}

TEST(Launch, formats) {
  Folder f;
  prepared(f);
  EXPECT_EQ(run(f, {"run", "--formats", "NC,req,res", "stone.acf", "-o", "all"}).code, 0);
  EXPECT_TRUE(f.has("all.nc") && f.has("all.req") && f.has("all.res")) << f.list();
  EXPECT_EQ(run(f, {"run", "stone.acf", "--formats", "res", "-o", "one"}).code, 0);
  EXPECT_TRUE(!f.has("one.nc") && f.has("one.res")) << f.list();
  EXPECT_EQ(run(f, {"run", "stone.acf", "--formats", "none", "-o", "no"}).code, 0);
  EXPECT_TRUE(!f.has("no.nc") && f.has("no.msg")) << f.list();
}

TEST(Launch, deck_decides_on_request_and_result_files) {
  Folder f;
  f.write("stone.adm", falling_body("REQUEST/1, DISPLACEMENT, I=2\nOUTPUT/REQSAVE\nRESULTS/XRF\n"));
  f.write("stone.acf", "stone\nstone\n" + one_second);
  f.write("not.acf", "stone\nnot\nOUTPUT/NOREQSAVE\n" + one_second);
  EXPECT_EQ(run(f, {"run", "stone.acf"}).code, 0);
  EXPECT_TRUE(f.has("stone.req") && f.has("stone.res")) << f.list();
  EXPECT_EQ(run(f, {"run", "not.acf"}).code, 0);
  EXPECT_TRUE(!f.has("not.req") && f.has("not.res")) << f.list();
}

TEST(Launch, a_dataset_alone_needs_an_end) {
  Folder f;
  prepared(f);
  const Outcome o = run(f, {"run", "stone.adm"});
  EXPECT_EQ(o.code, 2);
  EXPECT_NE(o.err.find("--end"), std::string::npos) << o.err;
  EXPECT_FALSE(f.has("stone.msg"));
  EXPECT_EQ(run(f, {"run", "stone.adm", "--end", "1", "--dtout", "0.25", "-o", "d"}).code, 0);
  EXPECT_EQ(f.channel("d.nc", "TIME"), (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(run(f, {"run", "stone.adm", "--end", "1", "--steps", "2", "-o", "s"}).code, 0);
  EXPECT_EQ(f.channel("s.nc", "TIME"), (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(run(f, {"run", "stone.adm", "--end", "1", "-o", "n"}).code, 0);
  EXPECT_EQ(f.channel("n.nc", "TIME").size(), 101u);
}

TEST(Launch, an_output_step_that_does_not_divide_the_interval_keeps_its_length) {
  Folder f;
  prepared(f);
  EXPECT_EQ(run(f, {"run", "stone.adm", "--end", "1", "--dtout", "0.3"}).code, 0);
  const std::vector<double> t = f.channel("stone.nc", "TIME"), z = f.channel("stone.nc", "PART/2.Z");
  ASSERT_EQ(t.size(), 5u);
  const double expected[] = {0, 0.3, 0.6, 0.9, 1.0};
  for (int k = 0; k < 5; ++k) {
    EXPECT_NEAR(t[k], expected[k], 1e-15);
    EXPECT_NEAR(z[k], -5 * expected[k] * expected[k], 1e-12);  // exact method, rounding of some 50 steps
  }
}

TEST(Launch, dry_run_writes_nothing) {
  Folder f;
  prepared(f);
  const std::string before = f.list();
  for (const std::string file : {"stone.acf", "stone.adm"}) {
    const Outcome o = run(f, {"run", file, "--dry-run", "-C", "results"});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.out.find("6 degrees of freedom"), std::string::npos) << o.out;
  }
  f.write("bad.acf", "stone\nbad\nSIMULATE/DYNAMIC, END=-1\n");
  EXPECT_EQ(run(f, {"run", "bad.acf", "--dry-run"}).code, 3);
  EXPECT_EQ(f.list(), "bad.acf " + before);
}

struct Wrong {
  std::vector<std::string> arguments;
  int code;
  std::string says;  ///< part of standard error
};

class WrongLines : public testing::TestWithParam<Wrong> {};

TEST_P(WrongLines, end_with_their_code_and_a_message) {
  Folder f;
  prepared(f);
  f.write("file", "");
  f.write("broken.adm", "a deck\nPART/1, GROUND\nPART/2, MASS=one\nEND\n");
  f.write("lost.acf", "nowhere\nlost\n" + one_second);
  const Outcome o = run(f, GetParam().arguments);
  EXPECT_EQ(o.code, GetParam().code) << o.err;
  EXPECT_NE(o.err.find(GetParam().says), std::string::npos) << o.err;
}

INSTANTIATE_TEST_SUITE_P(
    all, WrongLines,
    testing::Values(
        Wrong{{}, 2, "subcommand"}, Wrong{{"run"}, 2, "file is required"},
        Wrong{{"simulate", "stone.acf"}, 2, "unknown command \"simulate\"; commands are run, converge"},
        Wrong{{"stone.acf"}, 2, "trammel run stone.acf"},
        Wrong{{"run", "stone.acf", "--bogus"}, 2, "--bogus"},
        Wrong{{"run", "stone.acf", "second.acf"}, 2, "second.acf"},
        Wrong{{"run", "stone.acf", "--steps", "many"}, 2, "--steps"},
        Wrong{{"run", "stone.acf", "--steps", "0"}, 2, "--steps"},
        Wrong{{"run", "stone.acf", "--dtout", "-1"}, 2, "--dtout"},
        Wrong{{"run", "stone.acf", "--dtout", "0.1", "--steps", "3"}, 2, "--dtout"},
        Wrong{{"run", "stone.acf", "--end", "nan"}, 2, "--end"},
        Wrong{{"run", "stone.acf", "--end", "-1"}, 2, "stone.acf:3"},
        Wrong{{"run", "stone.adm", "--end", "1", "--dtout", "1e-12"}, 2, "100 million"},
        Wrong{{"run", "stone.acf", "--strict", "--permissive"}, 2, "--strict"},
        Wrong{{"run", "stone.acf", "--formats", "nc,hdf"}, 2, "nc, req, res"},
        Wrong{{"run", "stone.acf", "--formats", "none,nc"}, 2, "none"}, Wrong{{"run", ""}, 2, "empty"},
        Wrong{{"run", "absent.acf"}, 7, "absent.acf"}, Wrong{{"run", "absent"}, 7, "absent"},
        Wrong{{"check", "absent.adm"}, 7, "absent.adm"}, Wrong{{"info", "absent.adm"}, 7, "absent.adm"},
        Wrong{{"run", "."}, 7, "is no file"},
        Wrong{{"run", "lost.acf"}, 3, "lost.acf:1: the model 'nowhere' does not exist"},
        Wrong{{"run", "broken.adm", "--end", "1"}, 3, "broken.adm:3: "},
        Wrong{{"check", "broken.adm"}, 3, "broken.adm:3: "},
        Wrong{{"run", "stone.acf", "-C", "file/below"}, 7, "file/below"},
        Wrong{{"run", "stone.acf", "-C", "/proc/nothing"}, 7, "/proc/nothing"},
        Wrong{{"run", "stone.acf", "--set", "PART/9, MASS=1"},
              3,
              "--set PART/9, MASS=1: PART/9 does not exist"},
        Wrong{{"run", "stone.acf", "--set", "PART/2, MAS5=1"}, 3, "did you mean MASS"},
        Wrong{{"run", "stone.acf", "--set", "PART/2, MASS=-1"}, 3, "--set PART/2, MASS=-1"},
        Wrong{{"run", "stone.acf", "--set", "PART/2, CM=77"}, 3, "marker 77 does not exist"},
        Wrong{{"run", "stone.acf", "--set", ""}, 3, "--set"},
        Wrong{{"run", "stone.acf", "--set", "SFORCE/1, FUNCTION=FOO(2)"}, 3, "FOO"}));

TEST(Launch, several_sets_apply_in_order_and_do_not_swallow_the_file) {
  Folder f;
  prepared(f);
  // x = F t²/(2 m): 3/(2·4); z = −g t²/2 with g = 4.
  const Outcome o = run(f, {"run", "--set", "PART/2, MASS=9", "--set", "PART/2, MASS=4", "--set",
                            "SFORCE/1, FUNCTION=3", "--set", "ACCGRAV/KGRAV=-4", "stone.acf"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NEAR(f.channel("stone.nc", "PART/2.X").back(), 0.375, 1e-12);  // exact but for rounding
  EXPECT_NEAR(f.channel("stone.nc", "PART/2.Z").back(), -2.0, 1e-12);
  EXPECT_NE(f.read("stone.msg").find("Changed by --set: SFORCE/1, FUNCTION=3"), std::string::npos);
}

TEST(Launch, the_unwritable_file_is_named) {
  Folder f;
  prepared(f);
  f.write("stone.nc/in_the_way", "");
  const Outcome o = run(f, {"run", "stone.acf"});
  EXPECT_EQ(o.code, 7);
  EXPECT_NE(o.err.find("stone.nc"), std::string::npos) << o.err;
  EXPECT_NE(f.read("stone.msg").find("---- START: ERROR ----"), std::string::npos);
  EXPECT_EQ(f.json("stone.status.json")["exit_code"], 7);
}

TEST(Launch, help_teaches_by_examples_and_version_is_told) {
  Folder f;
  for (const std::string command : {"run", "check", "info", "plot"}) {
    const Outcome o = run(f, {command, "--help"});
    EXPECT_EQ(o.code, 0);
    EXPECT_NE(o.out.find("\n  trammel " + command + " "), std::string::npos) << o.out;
    EXPECT_EQ(o.err, "");
  }
  EXPECT_NE(run(f, {"--help"}).out.find("Exit codes"), std::string::npos);
  EXPECT_EQ(run(f, {"--version"}).out.substr(0, 8), "trammel ");
}

}  // namespace
}  // namespace launch_test
