// SAVE/SYSTEM and RELOAD/SYSTEM: what follows a RELOAD has the bits of what followed the SAVE, in the same
// run and in another one, with changes of the model, states and sensors.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "links.h"
#include "support.h"

using namespace trammel_test;

namespace save_test {
namespace {

/// Columns of a csv file, one record behind the other; those before `from` and the time left out.
std::vector<std::string> records_from(const Folder& f, const std::string& file, double from) {
  std::vector<std::string> out;
  std::istringstream lines(f.read(file));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || !(std::isdigit(static_cast<unsigned char>(line[0])) || line[0] == '-')) continue;
    if (std::stod(line) >= from) out.push_back(line);
  }
  return out;
}

Outcome run_links(const Folder& f, const std::string& name, const std::string& commands) {
  f.write("links.adm", links());
  f.write(name + ".acf", "links\n" + name + "\n" + commands);
  return run(f, {"run", name + ".acf", "--formats", "csv"});
}

const std::string first = "SIMULATE/DYNAMIC, END=0.5, STEPS=20\n",
                  second = "SIMULATE/DYNAMIC, END=1, STEPS=20\n";

TEST(Save, what_follows_a_reload_in_another_run_has_the_same_bits) {
  for (const std::string change : {"", "DEACTIVATE/SPRINGDAMPER, ID=1\n", "PART/3, MASS=2\n"}) {
    SCOPED_TRACE(change);
    Folder f;
    const Outcome whole = run_links(f, "whole", first + change + "SAVE/SYSTEM, FILE=half.sav\n" + second);
    ASSERT_EQ(whole.code, 0) << whole.err;
    const Outcome rest = run_links(f, "rest", "RELOAD/SYSTEM, FILE=half.sav\n" + second);
    ASSERT_EQ(rest.code, 0) << rest.err;
    const auto expected = records_from(f, "whole.csv", 0.51), found = records_from(f, "rest.csv", 0.51);
    EXPECT_GT(expected.size(), 20u);
    EXPECT_EQ(expected, found);
    EXPECT_NE(rest.out.find("RELOAD from half.sav successful.  System time is now 0.5"), std::string::npos)
        << rest.out;
  }
}

TEST(Save, a_run_goes_back_to_what_it_saved) {
  Folder f;
  const Outcome o = run_links(
      f, "job", first + "SAVE/SYSTEM, FILE=half.sav\n" + second + "RELOAD/SYSTEM, FILE=half.sav\n" + second);
  ASSERT_EQ(o.code, 0) << o.err;
  const auto records = records_from(f, "job.csv", 0.51);
  ASSERT_EQ(records.size() % 2, 0u);
  const auto middle = records.begin() + static_cast<long>(records.size() / 2);
  EXPECT_TRUE(std::equal(records.begin(), middle, middle, records.end()));
}

TEST(Save, mistakes_are_told_before_the_run) {
  Folder f;
  const Outcome missing = run_links(f, "missing", first + "RELOAD/SYSTEM, FILE=none.sav\n" + second);
  EXPECT_EQ(missing.code, 3);
  EXPECT_NE(missing.err.find("missing.acf:4: RELOAD: "), std::string::npos) << missing.err;
  EXPECT_NE(missing.err.find("no SAVE before this command writes it"), std::string::npos) << missing.err;
  f.write("text.sav", "something\n");
  const Outcome other = run_links(f, "other", "RELOAD/SYSTEM, FILE=text.sav\n" + second);
  EXPECT_EQ(other.code, 3);
  EXPECT_NE(other.err.find("text.sav is no saved state"), std::string::npos) << other.err;
  const Outcome input = run_links(f, "input", first + "SAVE/SYSTEM, FILE=links.adm\n");
  EXPECT_EQ(input.code, 2);
  EXPECT_EQ(f.read("links.adm"), links());
}

TEST(Save, damaged_files_are_refused) {
  Folder f;
  ASSERT_EQ(run_links(f, "whole", first + "SAVE/SYSTEM, FILE=half.sav\n").code, 0);
  const std::string bytes = f.read("half.sav");
  for (std::size_t k = 30; k < bytes.size(); k += bytes.size() / 7) {
    std::string damaged = bytes;
    damaged[k] = static_cast<char>(damaged[k] ^ 1);
    f.write("half.sav", damaged);
    EXPECT_EQ(run_links(f, "rest", "RELOAD/SYSTEM, FILE=half.sav\n" + second).code, 3) << k;
    f.write("half.sav", bytes.substr(0, k));
    EXPECT_EQ(run_links(f, "rest", "RELOAD/SYSTEM, FILE=half.sav\n" + second).code, 3) << k;
  }
}

/// At the zeros that a state has before initial conditions the ends of the spring coincide.
TEST(Save, also_before_the_first_simulation) {
  Folder f;
  const Outcome whole = run_links(f, "whole", "SAVE/SYSTEM, FILE=begin.sav\n" + first);
  ASSERT_EQ(whole.code, 0) << whole.err;
  const Outcome rest = run_links(f, "rest", "RELOAD/SYSTEM, FILE=begin.sav\n" + first);
  ASSERT_EQ(rest.code, 0) << rest.err;
  const Outcome plain = run_links(f, "plain", first);
  ASSERT_EQ(plain.code, 0) << plain.err;
  EXPECT_GT(records_from(f, "plain.csv", 0).size(), 20u);
  EXPECT_EQ(records_from(f, "plain.csv", 0), records_from(f, "whole.csv", 0));
  EXPECT_EQ(records_from(f, "plain.csv", 0), records_from(f, "rest.csv", 0));
}

TEST(Save, files_of_the_run_are_refused_before_it_begins) {
  Folder f;
  fs::create_directory(f.path("sub"));
  f.write("links.adm", links());
  for (const std::string name :
       {"job.csv", "job.nc", "job.msg", "job.status.json", "job.checkpoint", "job.lock", "./sub/../job.csv",
        "job.csv.1", "log.jsonl", "links.adm", "job.acf"}) {
    f.write("job.acf", "links\njob\n" + first + "SAVE/SYSTEM, FILE=" + name + "\n");
    const Outcome o = run(f, {"run", "job.acf", "--formats", "csv", "--log-json", "log.jsonl"});
    EXPECT_EQ(o.code, 2) << name;
    EXPECT_NE(o.err.find(name), std::string::npos) << o.err;
    EXPECT_FALSE(f.has("job.csv")) << name;  // nothing was simulated
    EXPECT_EQ(f.read("links.adm"), links());
  }
  EXPECT_EQ(run_links(f, "job", first + "SAVE/SYSTEM, FILE=job.sav\n").code, 0);
}

TEST(Save, a_file_that_cannot_be_written_leaves_no_other) {
  Folder f;
  f.write("half.sav/there", "a folder has the name");
  const Outcome o = run_links(f, "job", first + "SAVE/SYSTEM, FILE=half.sav\n");
  EXPECT_EQ(o.code, 7) << o.err;
  EXPECT_FALSE(f.has("half.sav.unfinished"));
}

}  // namespace
}  // namespace save_test
