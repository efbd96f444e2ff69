// Runs that are killed and go on from their checkpoint end with the files and counters of a run that was not.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <sstream>
#include <thread>

#include "links.h"
#include "output/write/classic_layout.h"
#include "output/write/native_file.h"
#include "support.h"

using namespace trammel_test;

namespace checkpoint_test {
namespace {

/// A change of the model, and a way back.
constexpr const char* commands =
    "links\njob\nINTEGRATOR/HHT,ERROR=1e-7\nSIMULATE/DYNAMIC, END=0.5, STEPS=20\nSAVE/SYSTEM, FILE=half.sav\n"
    "DEACTIVATE/SPRINGDAMPER, ID=1\nSIMULATE/DYNAMIC, END=1, STEPS=20\nRELOAD/SYSTEM, FILE=half.sav\n"
    "PART/3, MASS=2\nSIMULATE/DYNAMIC, DURATION=0.4, STEPS=20\n";

/// What is left of a file when dates and the like are taken out: records.
std::string records_of(const Folder& f, const std::string& name) {
  std::string out;
  std::istringstream lines(f.read(name));
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("#")) out += line + "\n";
  return out;
}

/// "421 steps, 3 rejected ...": the counters at the end of the message file.
std::string counters_of(const Folder& f, const std::string& name) {
  const std::string text = f.read(name);
  const std::size_t at = text.rfind(" rejected (");
  return at == std::string::npos
             ? ""
             : text.substr(text.rfind('\n', at), text.find('\n', at) - text.rfind('\n', at));
}

struct Job {
  std::string file, prefix;
  std::vector<std::string> options;
};

Launch launch(const Job& job, const std::string& folder, std::vector<std::string> more) {
  std::vector<std::string> all{"run", job.file, "-C", folder, "--formats", "csv,nc,contacts,req"};
  all.insert(all.end(), job.options.begin(), job.options.end());
  all.insert(all.end(), more.begin(), more.end());
  Launch out;
  out.arguments = std::move(all);
  out.environment = {"TRAMMEL_FLUSH_SECONDS=0.001"};
  return out;
}

/// Kills and resumes a run, with one and two threads in turn, until it comes to its end; the number of kills.
int killed_until_done(const Folder& f, const Job& job) {
  int kills = 0;
  for (int k = 0; k < 400; ++k) {
    Process process(f, launch(job, "cut", {"--checkpoint", "1e-9", "--resume", "-j", k % 2 ? "2" : "1"}));
    // Longer and longer, so that a slow machine gets on, too.
    std::this_thread::sleep_for(std::chrono::milliseconds(15 + 7 * (k % 5) + k));
    process.send(SIGKILL);
    const Outcome o = process.wait();
    if (o.signal == SIGKILL) {
      ++kills;
      continue;
    }
    EXPECT_EQ(o.code, 0) << o.err;
    return kills;
  }
  ADD_FAILURE() << "no end after " << kills << " kills";
  return kills;
}

void expect_the_same_however_often_killed(const Folder& f, const Job& job) {
  const Outcome whole = run(f, launch(job, "whole", {}));
  ASSERT_EQ(whole.code, 0) << whole.err;
  EXPECT_GE(killed_until_done(f, job), 3);
  EXPECT_EQ(records_of(f, "whole/" + job.prefix + ".csv"), records_of(f, "cut/" + job.prefix + ".csv"));
  EXPECT_EQ(counters_of(f, "whole/" + job.prefix + ".msg"), counters_of(f, "cut/" + job.prefix + ".msg"));
  EXPECT_EQ(f.channel("whole/" + job.prefix + ".nc", "TIME"), f.channel("cut/" + job.prefix + ".nc", "TIME"));
  EXPECT_FALSE(f.has("cut/" + job.prefix + ".checkpoint"));
}

void write_links(const Folder& f) {
  f.write("links.adm", links("REQUEST/1,DISPLACEMENT,I=30\nOUTPUT/REQSAVE,PRINT\nRESULTS/XRF\n"));
  f.write("job.acf", commands);
}

/// The same for half a second, in which it can be stopped.
void write_lasting_links(const Folder& f) {
  write_links(f);
  f.write("job.acf", "links\njob\nINTEGRATOR/HHT,ERROR=1e-9\nSIMULATE/DYNAMIC, END=100, STEPS=2000\n");
}

/// Stops a run with SIGTERM after its first checkpoint, when a condition holds.
template <class Condition>
Outcome stopped(const Folder& f, const Launch& run, const Condition& condition) {
  Process process(f, run);
  EXPECT_TRUE(wait_until(condition));
  process.send(SIGTERM);
  return process.wait();
}

/// What --stats tells of one phase, in seconds.
double seconds_of(const std::string& phase, const std::string& out) {
  const std::size_t at = out.find(phase);
  EXPECT_NE(at, std::string::npos) << out;
  return at == std::string::npos ? -1 : std::stod(out.substr(at + phase.size()));
}

TEST(Checkpoint, killed_runs_end_with_the_same_bits) {
  Folder f;
  write_links(f);
  expect_the_same_however_often_killed(f, {"job.acf", "job", {}});
}

TEST(Checkpoint, also_on_the_host_back_end_and_with_redundant_rows) {
  Folder f;
  for (const char* name : {"four_bar_revolute.acf", "four_bar_revolute.adm"})
    fs::copy(fs::path(TRAMMEL_SOURCE_DIR) / "models/four_bar_n" / name, f.path(name));
  expect_the_same_however_often_killed(
      f,
      {"four_bar_revolute.acf", "four_bar_revolute", {"--backend", "host", "--end", "0.3", "--steps", "50"}});
}

TEST(Checkpoint, also_the_tracks_of_contacts) {
  Folder f;
  fs::copy(fs::path(TRAMMEL_SOURCE_DIR) / "models/heap/heap.adm", f.path("job.adm"));
  f.write("job.acf", "job.adm\njob\nSIMULATE/DYNAMIC, END=0.2, STEPS=120\n");
  expect_the_same_however_often_killed(f, {"job.acf", "job", {}});
  for (const char* component : {"RECORD", "CONTACT", "TRACK", "SHAPE_I", "SHAPE_J", "X", "FNZ", "VX"})
    EXPECT_EQ(f.channel("whole/job.contacts.nc", std::string("INCIDENT/1.") + component),
              f.channel("cut/job.contacts.nc", std::string("INCIDENT/1.") + component));
}

/// 78 CONTACTs of twelve balls and a floor: of these the matrix has what is near.
TEST(Checkpoint, also_what_of_many_contacts_has_places_in_the_matrix) {
  std::string deck =
      "many\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nACCGRAV/KGRAV=-9.81\n"
      "PART/1, GROUND\nMARKER/1, PART=1\nGRAPHICS/1, PLANE, RM=1\n";
  for (int k = 10, id = 1; k < 22; ++k) {
    const std::string n = std::to_string(k);
    deck += "PART/" + n + ", MASS=2, IP=0.008, 0.008, 0.008, CM=" + n + "0, QG=" + std::to_string(0.01 * k) +
            ",0," + std::to_string(0.12 + 0.22 * (k - 10)) + "\nMARKER/" + n + "0, PART=" + n +
            "\nGRAPHICS/" + n + ", ELLIPSOID, CM=" + n + "0, XSCALE=0.2, YSCALE=0.2, ZSCALE=0.2\n";
    for (int j = 9; j < k; ++j, ++id)
      deck += "CONTACT/" + std::to_string(id) + ", IGEOM=" + n + ", JGEOM=" + std::to_string(j == 9 ? 1 : j) +
              ", IMPACT, STIFFNESS=1E5, EXPONENT=1.5, DAMPING=50, DMAX=1E-3\n";
  }
  Folder f;
  f.write("job.adm", deck + "INTEGRATOR/HHT, ERROR=1E-5\nEND\n");
  f.write("job.acf", "job.adm\njob\nSIMULATE/DYNAMIC, END=1, STEPS=100\n");
  expect_the_same_however_often_killed(f, {"job.acf", "job", {}});
  EXPECT_NE(f.read("whole/job.msg").find("contacts are near: a matrix of"), std::string::npos);
}

TEST(Checkpoint, also_kinematics_and_sequences_of_equilibria) {
  const std::string bar =
      "a bar\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nACCGRAV/JGRAV=-9.81\nPART/1, "
      "GROUND\n"
      "MARKER/1, PART=1\nMARKER/2, PART=1, QP=2,0,0\nPART/2, MASS=3, CM=20, IP=.1,.5,.5\nMARKER/20, PART=2, "
      "QP=1,0,0\n"
      "MARKER/21, PART=2\nJOINT/1, REVOLUTE, I=21, J=1\nREQUEST/1, F2=AZ(20,1)\n";
  const std::pair<std::string, std::string> cases[] = {
      {"MOTION/1, JOINT=1, ROT, FUNCTION=2*TIME\nEND\n", "SIMULATE/TRANSIENT, END=10, STEPS=120\n"},
      {"SFORCE/1, TRANSLATION, I=20, J=2, FUNCTION=-100*(DM(20,2)-1-0.2*SIN(TIME))\nEND\n",
       "SIMULATE/STATIC, END=3, STEPS=120\n"},
  };
  for (const auto& [more, command] : cases) {
    Folder f;
    f.write("bar.adm", bar + more);
    f.write("job.acf", "bar\njob\n" + command);
    expect_the_same_however_often_killed(f, {"job.acf", "job", {}});
  }
}

TEST(Checkpoint, a_signal_saves_and_asks_for_another_run) {
  Folder f;
  write_lasting_links(f);
  const Job job{"job.acf", "job", {}};
  ASSERT_EQ(run(f, launch(job, "whole", {})).code, 0);
  Process process(f, launch(job, "cut", {"--checkpoint", "0.001"}));
  ASSERT_TRUE(wait_until([&] { return f.has("cut/job.checkpoint"); }));
  process.send(SIGTERM);
  const Outcome stopped = process.wait();
  ASSERT_EQ(stopped.code, 75) << stopped.err;
  EXPECT_EQ(f.json("cut/job.status.json")["exit_code"], 75);
  const Outcome rest = run(f, launch(job, "cut", {"--resume"}));
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(records_of(f, "whole/job.csv"), records_of(f, "cut/job.csv"));
  EXPECT_NE(f.read("cut/job.msg").find("Continued from the checkpoint at time = "), std::string::npos);
}

TEST(Checkpoint, a_run_with_modes_goes_on_after_a_signal) {
  Folder f;
  write_lasting_links(f);
  f.write("job.acf",
          "links\njob\nINTEGRATOR/HHT,ERROR=1e-9\nSIMULATE/DYNAMIC, END=1, STEPS=20\nLINEAR/EIGENSOL\n"
          "SIMULATE/DYNAMIC, END=100, STEPS=2000\n");
  const Job job{"job.acf", "job", {}};
  ASSERT_EQ(run(f, launch(job, "whole", {})).code, 0);
  const Outcome first = stopped(f, launch(job, "cut", {"--checkpoint", "0.001"}),
                                [&] { return f.has("cut/job_linear_1.npz") && f.has("cut/job.checkpoint"); });
  ASSERT_EQ(first.code, 75) << first.err;
  const Outcome rest = run(f, launch(job, "cut", {"--resume"}));
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(records_of(f, "whole/job.csv"), records_of(f, "cut/job.csv"));
  const auto records_in = [&](const std::string& name) {
    return f.read(name).substr(trammel::read_classic_layout(f.path(name).string()).value().first_record);
  };
  EXPECT_TRUE(records_in("whole/job.nc") == records_in("cut/job.nc"));
  const auto modes_in = [&](const std::string& name) {
    return trammel::NativeReader(f.path(name).string()).modes();
  };
  ASSERT_EQ(modes_in("cut/job.nc").size(), 1u);
  EXPECT_EQ(modes_in("cut/job.nc")[0].eigenvalue, modes_in("whole/job.nc")[0].eigenvalue);
  EXPECT_EQ(modes_in("cut/job.nc")[0].shape, modes_in("whole/job.nc")[0].shape);
}

TEST(Checkpoint, another_deck_or_other_options_are_refused) {
  Folder f;
  write_lasting_links(f);
  const Job job{"job.acf", "job", {}};
  Process process(f, launch(job, "cut", {"--checkpoint", "0.001"}));
  ASSERT_TRUE(wait_until([&] { return f.has("cut/job.checkpoint"); }));
  process.send(SIGKILL);
  ASSERT_EQ(process.wait().signal, SIGKILL);
  const std::string kept = f.read("cut/job.csv");
  const Outcome other = run(f, launch(job, "cut", {"--resume", "--every", "3"}));
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("--resume: --every is another than when the run was saved (then: 1; now: 3)"),
            std::string::npos)
      << other.err;
  f.write("links.adm", f.read("links.adm") + " ");
  const Outcome deck = run(f, launch(job, "cut", {"--resume"}));
  EXPECT_EQ(deck.code, 2);
  EXPECT_NE(deck.err.find("links.adm is another"), std::string::npos) << deck.err;
  EXPECT_EQ(f.read("cut/job.csv"), kept);
  write_lasting_links(f);
  EXPECT_EQ(run(f, launch(job, "cut", {"--resume"})).code, 0);
}

TEST(Checkpoint, without_one_a_run_begins_anew) {
  Folder f;
  write_links(f);
  const Job job{"job.acf", "job", {}};
  const Outcome first = run(f, launch(job, "cut", {"--checkpoint", "60", "--resume"}));
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_FALSE(f.has("cut/job.checkpoint"));
  const Outcome second = run(f, launch(job, "cut", {"--checkpoint", "60", "--resume"}));
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_TRUE(f.has("cut/job.csv.1"));  // the earlier results are kept
  EXPECT_EQ(run(f, launch(job, "cut", {"--checkpoint", "-1"})).code, 2);
}

TEST(Checkpoint, a_deck_by_another_name_and_in_another_folder_goes_on) {
  Folder f;
  f.write("deck/job.acf", "links\njob\nINTEGRATOR/HHT,ERROR=1e-9\nSIMULATE/DYNAMIC, END=100, STEPS=2000\n");
  f.write("deck/k.mtx", "ADAMSMAT\n1 K\nK FULL RORDER 1 1 1\n5\n");
  f.write("deck/links.adm", links("MATRIX/1,FILE=k.mtx\n"));
  const std::string deck = f.path("deck/job.acf").string();
  ASSERT_EQ(run(f, launch({deck, "job", {}}, "whole", {})).code, 0);
  const Outcome first = stopped(f, launch({deck, "job", {}}, "cut", {"--checkpoint", "0.001"}),
                                [&] { return f.has("cut/job.checkpoint"); });
  ASSERT_EQ(first.code, 75) << first.err;
  fs::rename(f.path("deck"), f.path("moved"));
  fs::rename(f.path("cut"), f.path("moved/cut"));
  const Outcome rest = run(f, launch({"moved/../moved/./job.acf", "job", {}}, "moved/cut", {"--resume"}));
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_NE(f.read("moved/cut/job.msg").find("Continued from the checkpoint"), std::string::npos);
  EXPECT_EQ(records_of(f, "whole/job.csv"), records_of(f, "moved/cut/job.csv"));
}

TEST(Checkpoint, times_of_a_run_that_goes_on_are_of_all_its_processes) {
  Folder f;
  write_lasting_links(f);
  const Job job{"job.acf", "job", {"--stats"}};
  // What is left to do takes less time than what was done.
  const auto near_the_end = [&] {
    return f.has("cut/job.csv") && f.read("cut/job.csv").find("\n60") != std::string::npos;
  };
  const Outcome first = stopped(f, launch(job, "cut", {"--checkpoint", "0.05"}), near_the_end);
  ASSERT_EQ(first.code, 75) << first.err;
  const Outcome rest = run(f, launch(job, "cut", {"--resume"}));
  ASSERT_EQ(rest.code, 0) << rest.err;
  for (const char* phase : {"\n  equations", "\n  tangent", "\n  factorization", "\n  solution"})
    EXPECT_GE(seconds_of(phase, rest.out), seconds_of(phase, first.out)) << phase;
}

TEST(Checkpoint, what_a_killed_process_left_unfinished_is_removed) {
  Folder f;
  write_links(f);
  f.write("cut/job.checkpoint.unfinished", "the beginning of one");
  EXPECT_EQ(run(f, launch({"job.acf", "job", {}}, "cut", {})).code, 0);
  EXPECT_FALSE(f.has("cut/job.checkpoint.unfinished"));
}

TEST(Checkpoint, a_dry_run_has_none) {
  Folder f;
  write_links(f);
  for (const std::vector<std::string>& option :
       {std::vector<std::string>{"--resume"}, {"--checkpoint", "60"}}) {
    std::vector<std::string> words{"run", "job.acf", "--dry-run"};
    words.insert(words.end(), option.begin(), option.end());
    const Outcome o = run(f, words);
    EXPECT_EQ(o.code, 2);
    EXPECT_NE(o.err.find(option[0]), std::string::npos) << o.err;
  }
  EXPECT_EQ(run(f, {"run", "job.acf", "--dry-run"}).code, 0);
}

}  // namespace
}  // namespace checkpoint_test
