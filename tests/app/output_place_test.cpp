// Where results go: one run at a time writes there, inputs are never overwritten, earlier results are kept,
// and every output of every command says when it could not be written.
#include <gtest/gtest.h>

#include <unistd.h>

#include <csignal>
#include <map>

#include <fmt/format.h>

#include "output/write/native_file.h"
#include "support.h"

using namespace trammel_test;

namespace output_place_test {
namespace {

const std::string requests = "REQUEST/1, DISPLACEMENT, I=2\n";

Folder& with_stone(Folder& f, const std::string& more = requests) {
  f.write("stone.adm", falling_body(more));
  f.write("stone.acf", "stone\nstone\nINTEGRATOR/HHT\nSIMULATE/DYNAMIC, END=1, STEPS=10\nSTOP\n");
  f.write("long.acf", "stone\nstone\nINTEGRATOR/HHT, HMAX=1E-5\nSIMULATE/DYNAMIC, END=1E5, DTOUT=0.01\n");
  return f;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

int state_pid(const Folder& f) {
  return f.json("stone.status.json")["pid"].get<int>();
}

// ---- one at a time

TEST(Lock, a_second_run_of_one_prefix_is_refused_and_touches_nothing) {
  Folder f;
  with_stone(f);
  Process first(f, Launch{{"run", "long.acf"}, {"TRAMMEL_FLUSH_SECONDS=0.02"}, 0, false, {}});
  ASSERT_TRUE(wait_until([&] { return f.has("stone.nc") && fs::file_size(f.path("stone.nc")) > 20000; }));
  const int pid = state_pid(f);
  const std::string messages = f.read("stone.msg");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"run", "stone.acf"}, {"run", "stone.adm", "--end", "1", "-o", "stone"}}) {
    const Outcome second = run(f, arguments);
    EXPECT_EQ(second.code, 7);
    EXPECT_TRUE(contains(second.err, fmt::format("stone.* is being written by process {} on ", pid)))
        << second.err;
    EXPECT_TRUE(contains(second.err, "choose another prefix (-o)")) << second.err;
  }
  f.write("t.csv", "PART/2.MASS\n1\n");
  EXPECT_EQ(run(f, {"batch", "stone.acf", "--variants", "t.csv", "-o", "stone"}).code, 7);
  EXPECT_EQ(run(f, {"run", "stone.acf", "-o", "other"}).code, 0);
  EXPECT_EQ(run(f, {"convert", "other.nc", "stone.nc"}).code, 7);
  EXPECT_EQ(run(f, {"convert", "stone.nc", "part.csv"}).code, 0);  // what grows may be read
  EXPECT_TRUE(f.read("stone.msg").starts_with(messages));
  EXPECT_FALSE(f.has("stone.nc.1"));
  EXPECT_EQ(state_pid(f), pid);
  first.send(SIGTERM);
  EXPECT_EQ(first.wait().code, 143);
  EXPECT_FALSE(f.has("stone.lock"));
  const std::vector<double> t = f.channel("stone.nc", "TIME");
  for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(t[k], 0.01 * static_cast<double>(k), 1e-9);
}

TEST(Lock, what_a_killed_run_left_is_taken_over_and_told) {
  Folder f;
  with_stone(f);
  Process first(f, Launch{{"run", "long.acf"}, {"TRAMMEL_FLUSH_SECONDS=0.02"}, 0, false, {}});
  ASSERT_TRUE(wait_until([&] { return f.has("stone.nc") && fs::file_size(f.path("stone.nc")) > 20000; }));
  const int pid = state_pid(f);
  first.send(SIGKILL);
  first.wait();
  ASSERT_TRUE(f.has("stone.lock"));
  EXPECT_EQ(run(f, {"run", "stone.acf"}).code, 0);
  EXPECT_TRUE(contains(f.read("stone.msg"), fmt::format("by process {} on ", pid))) << f.read("stone.msg");
  EXPECT_EQ(f.channel("stone.nc", "TIME").size(), 11u);
  EXPECT_GT(f.channel("stone.nc.1", "TIME").size(), 11u);  // what was computed then
  EXPECT_FALSE(f.has("stone.lock"));
}

TEST(Lock, variants_of_a_batch_have_their_own) {
  Folder f;
  with_stone(f);
  Process first(f, Launch{{"run", "long.acf", "-o", "b_1"}, {}, 0, false, {}});
  ASSERT_TRUE(wait_until([&] { return f.has("b_1.nc"); }));
  f.write("t.csv", "PART/2.MASS\n1\n2\n");
  const Outcome o = run(f, {"batch", "stone.acf", "--variants", "t.csv", "-o", "b", "--full"});
  EXPECT_EQ(o.code, 5);
  EXPECT_TRUE(contains(o.err, "b_1.* is being written by process")) << o.err;
  EXPECT_TRUE(f.has("b_2.nc"));
  first.send(SIGTERM);
  EXPECT_EQ(first.wait().code, 143);
}

// ---- inputs

TEST(Inputs, are_never_overwritten) {
  Folder f;
  with_stone(f);
  f.write("nested.acf", "SIMULATE/DYNAMIC, END=1, STEPS=10\n");
  f.write("outer.acf", "stone\nouter\nINTEGRATOR/HHT\nFILE/COMMAND=nested\nSTOP\n");
  f.write("t.csv", "PART/2.MASS\n1\n");
  fs::create_symlink("stone.adm", f.path("link.nc"));
  fs::create_hard_link(f.path("stone.adm"), f.path("hard.msg"));
  const std::vector<std::string> inputs = {"stone.adm", "outer.acf", "nested.acf", "t.csv"};
  std::map<std::string, std::string> before;
  for (const std::string& name : inputs) before[name] = f.read(name);
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"run", "outer.acf", "--log-json", "stone.adm"},
        {"run", "outer.acf", "--log-json", "outer.acf"},
        {"run", "outer.acf", "--log-json", "nested.acf"},
        {"run", "outer.acf", "-o", "link"},
        {"run", "outer.acf", "-o", "hard"},
        {"batch", "outer.acf", "--variants", "t.csv", "-o", "t"},
        {"batch", "outer.acf", "--variants", "t.csv", "-o", "stone.adm/x"}}) {
    const Outcome o = run(f, arguments);
    EXPECT_TRUE(o.code == 2 || o.code == 7) << arguments.back() << ": " << o.code << o.err;
    EXPECT_EQ(contains(o.err, "must not be overwritten"), o.code == 2) << o.err;
    for (const std::string& name : inputs) EXPECT_EQ(f.read(name), before[name]) << arguments.back();
  }
}

/// Decks of any extension can stand where results would go.
TEST(Inputs, that_have_the_name_of_a_result) {
  Folder f;
  for (const char* name : {"deck.msg", "deck.req", "deck.res", "deck.nc"}) {
    f.write(name, falling_body(requests));
    const Outcome o = run(f, {"run", name, "--end", "1", "--formats", "nc,req,res"});
    EXPECT_EQ(o.code, 2) << name << o.err;
    EXPECT_EQ(f.read(name), falling_body(requests));
    fs::remove(f.path(name));
  }
}

TEST(Inputs, files_that_statements_name) {
  Folder f;
  const std::string matrix = "ADAMSMAT\n1 A\nA FULL RORDER 1 1 1 (1E16.8)\n  1.00000000E+00\n";
  f.write("stone.csv", matrix);
  f.write("stone.adm", falling_body("MATRIX/1, FILE=stone.csv, NAME=A\n"));
  const Outcome o = run(f, {"run", "stone.adm", "--end", "1", "--formats", "csv"});
  EXPECT_EQ(o.code, 2) << o.err;
  EXPECT_EQ(f.read("stone.csv"), matrix);
}

// ---- earlier results

TEST(EarlierResults, are_kept_once) {
  Folder f;
  with_stone(f);
  ASSERT_EQ(run(f, {"run", "stone.acf", "--end", "0.5"}).code, 0);
  const std::string first = f.read("stone.nc");
  const Outcome second = run(f, {"run", "stone.acf"});
  ASSERT_EQ(second.code, 0);
  EXPECT_TRUE(contains(second.out, "Earlier results are kept as stone.nc.1.")) << second.out;
  EXPECT_EQ(f.read("stone.nc.1"), first);
  EXPECT_TRUE(contains(f.read("stone.msg.1"), "--end 0.5"));
  const std::string kept = f.read("stone.nc");
  ASSERT_EQ(run(f, {"run", "stone.acf"}).code, 0);
  EXPECT_EQ(f.read("stone.nc.1"), kept);
  EXPECT_FALSE(f.has("stone.nc.2"));
  EXPECT_FALSE(f.has("stone.nc.1.1"));
}

/// A run that ends before it has results leaves those of the last one in place.
TEST(EarlierResults, stay_where_a_run_does_not_begin) {
  Folder f;
  with_stone(f);
  ASSERT_EQ(run(f, {"run", "stone.acf"}).code, 0);
  const std::string first = f.read("stone.nc");
  EXPECT_EQ(run(f, {"run", "stone.acf", "--set", "PART/99, MASS=1"}).code, 3);
  EXPECT_EQ(f.read("stone.nc"), first);
  EXPECT_FALSE(f.has("stone.nc.1"));
}

TEST(EarlierResults, of_a_batch_and_behind_a_link) {
  Folder f;
  with_stone(f);
  f.write("t.csv", "PART/2.MASS\n1\n2\n");
  f.write("far/x", "");
  fs::create_symlink("far/b.csv", f.path("b.csv"));
  const std::vector<std::string> batch = {"batch", "stone.acf", "--variants", "t.csv", "-o", "b"};
  ASSERT_EQ(run(f, batch).code, 0);
  const std::string first = f.read("far/b.csv");
  ASSERT_EQ(run(f, batch).code, 0);
  EXPECT_EQ(f.read("far/b.csv.1"), first);
  EXPECT_TRUE(fs::is_symlink(f.path("b.csv")));
}

// ---- what is printed

TEST(StandardOutput, that_is_full_ends_with_code_7) {
  Folder f;
  with_stone(f);
  ASSERT_EQ(run(f, {"run", "stone.acf"}).code, 0);
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"info", "stone.adm"},
                                                    {"info", "stone.nc"},
                                                    {"check", "stone.acf"},
                                                    {"check", "stone.acf", "--json"},
                                                    {"compare", "stone.nc", "stone.nc"},
                                                    {"convert", "stone.nc", "a.csv"},
                                                    {"reference"},
                                                    {"devices"},
                                                    {"run", "stone.acf", "--dry-run"},
                                                    {"--help"},
                                                    {"run", "--help"},
                                                    {"--version"}}) {
    const Outcome o = run(f, Launch{arguments, {}, 0, false, "/dev/full"});
    EXPECT_EQ(o.code, 7) << arguments[0] << o.err;
    EXPECT_TRUE(contains(o.err, "cannot write standard output")) << o.err;
  }
  // The results of a run are its files.
  EXPECT_EQ(run(f, Launch{{"run", "stone.acf"}, {}, 0, false, "/dev/full"}).code, 0);
}

TEST(Outputs, of_other_commands_at_their_size_limit_end_with_code_7) {
  Folder f;
  with_stone(f);
  f.write("t.csv", "PART/2.MASS\n" + std::string(400, '1') + "\n2\n");
  ASSERT_EQ(run(f, {"run", "stone.acf"}).code, 0);
  const auto limited = [&](const std::vector<std::string>& arguments) {
    const Outcome o = run(f, Launch{arguments, {}, 2000, false, {}});
    EXPECT_EQ(o.code, 7) << arguments[0] << " " << arguments.back() << ": " << o.err;
    EXPECT_EQ(o.signal, 0);
  };
  for (const char* suffix : {"nc", "res", "csv"})
    limited({"convert", "stone.nc", std::string("small.") + suffix});
  limited({"plot", "stone.nc", "PART/2.Z", "-o", "a.png"});
  limited({"plot", "stone.nc", "PART/2.Z", "-o", "a.svg"});
  EXPECT_FALSE(f.has("a.png"));  // no half picture
  EXPECT_FALSE(f.has("a.svg"));
}

// ---- paths

TEST(Paths, that_cannot_be_looked_at_end_with_code_7_and_the_words_of_the_system) {
  Folder f;
  with_stone(f);
  fs::create_symlink("loop", f.path("loop"));
  fs::create_symlink("loop.nc", f.path("loop.nc"));
  const std::string long_name(300, 'x');
  f.write("long.acf", long_name + "\nlong\nSIMULATE/DYNAMIC, END=1, STEPS=1\n");
  f.write("loop.acf", "loop/model\nlong\nSIMULATE/DYNAMIC, END=1, STEPS=1\n");
  f.write("matrix.adm", falling_body("MATRIX/1, FILE=loop/a.mat\n"));
  ASSERT_EQ(run(f, {"run", "stone.acf"}).code, 0);
  const std::string loops = "Too many levels of symbolic links", too_long = "File name too long";
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"run", "loop"}, loops},
      {{"run", "loop/deck.adm", "--end", "1"}, loops},
      {{"check", "loop"}, loops},
      {{"info", "loop"}, loops},
      {{"info", "loop.nc"}, loops},
      {{"compare", "stone.nc", "loop.nc"}, loops},
      {{"convert", "loop.nc", "a.csv"}, loops},
      {{"plot", "loop.nc", "PART/2.Z"}, loops},
      {{"convert", "stone.nc", "loop/a.csv"}, loops},
      {{"plot", "stone.nc", "PART/2.Z", "-o", "loop/a.png"}, loops},
      {{"run", "stone.acf", "-o", "loop/a"}, loops},
      {{"run", "stone.acf", "-C", "loop"}, loops},
      {{"run", "stone.acf", "--log-json", "loop"}, loops},
      {{"run", "loop.acf"}, loops},
      {{"batch", "stone.acf", "--variants", "loop"}, loops},
      {{"run", long_name}, too_long},
      {{"run", "long.acf"}, too_long},
      {{"info", long_name + ".nc"}, too_long},
      {{"run", "stone.acf", "-o", long_name}, too_long},
      {{"run", "stone.acf", "-C", long_name}, too_long},
      {{"convert", "stone.nc", long_name + ".csv"}, too_long},
      {{"plot", "stone.nc", "PART/2.Z", "-o", long_name + ".png"}, too_long},
      {{"run", "matrix.adm", "--end", "1"}, loops}};
  for (const auto& [arguments, words] : cases) {
    const Outcome o = run(f, arguments);
    EXPECT_TRUE(o.code == 7 || (arguments[1] == "matrix.adm" && o.code == 3))
        << arguments[0] << " " << arguments.back() << ": " << o.code;
    EXPECT_TRUE(contains(o.err, words)) << arguments[0] << " " << arguments.back() << ": " << o.err;
  }
}

}  // namespace
}  // namespace output_place_test
