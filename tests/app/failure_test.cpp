// Runs that cannot go on, or are stopped: what was computed is kept, and every place says why.
#include <gtest/gtest.h>

#include <csignal>
#include <regex>
#include <tuple>

#include <fmt/format.h>

#include "output/write/native_file.h"
#include "session/signals.h"
#include "support.h"

using namespace trammel_test;

namespace failure_test {
namespace {

/// A body on a slide, pulled by an expression; every result file is asked for.
std::string pulled_by(const std::string& function) {
  return "body on a slide\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=2, IP=1,1,1\nMARKER/2, "
         "PART=2\n"
         "JOINT/1, TRANSLATIONAL, I=2, J=1\nREQUEST/1, DISPLACEMENT, I=2\nOUTPUT/REQSAVE\nRESULTS/XRF\n"
         "SFORCE/1, TRANSLATIONAL, I=2, J=1, ACTIONONLY, FUNCTION=" +
         function + "\nEND\n";
}

/// Two bars of length 1 and a slider that a motion pulls to x = 1 + t: they are straight at t = 1.
const std::string lock_up = R"(two bars that cannot reach where the motion wants them
PART/1, GROUND
MARKER/1, PART=1
MARKER/2, PART=1, REULER=90D,90D,0
PART/2, MASS=1, CM=20, IP=.1,.1,.1, REULER=60D,0,0
MARKER/20, PART=2, QP=0.5,0,0
MARKER/21, PART=2
MARKER/22, PART=2, QP=1,0,0
PART/3, MASS=1, CM=30, IP=.1,.1,.1, QG=0.5,0.8660254037844386,0, REULER=-60D,0,0
MARKER/30, PART=3, QP=0.5,0,0
MARKER/31, PART=3
MARKER/32, PART=3, QP=1,0,0
PART/4, MASS=1, CM=40, IP=.1,.1,.1, QG=1,0,0
MARKER/40, PART=4
MARKER/41, PART=4, REULER=90D,90D,0
JOINT/1, REVOLUTE, I=21, J=1
JOINT/2, REVOLUTE, I=31, J=22
JOINT/3, REVOLUTE, I=32, J=40
JOINT/4, TRANSLATIONAL, I=41, J=2
MOTION/1, JOINT=4, TRANSLATION, FUNCTION=1+TIME
REQUEST/1, DISPLACEMENT, I=40
OUTPUT/REQSAVE
RESULTS/XRF
END
)";

int lines(const std::string& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

/// The .req file: its head (3 lines, 2 for its one request), then two lines per record, none cut short.
void expect_complete_request_file(const Folder& f, const std::string& name, int records) {
  const std::string text = f.read(name);
  EXPECT_EQ(text.back(), '\n');
  EXPECT_EQ(lines(text), 5 + 2 * records);
}

void expect_complete_results_file(const Folder& f, const std::string& name, int records, const char* status) {
  const std::string text = f.read(name);
  int steps = -1;  // the state as the dataset gives it is in this file alone
  for (std::size_t at = text.find("<Step type="); at != std::string::npos;
       at = text.find("<Step type=", at + 1))
    ++steps;
  EXPECT_EQ(steps, records);
  EXPECT_NE(text.find("<Data name=\"modelInput_001\" id=\"1\">\n<Step type=\"input\">"), std::string::npos);
  EXPECT_NE(text.find(std::string("runStatus=\"") + status + "\""), std::string::npos);
  EXPECT_NE(text.rfind("</Results>"), std::string::npos);
}

/// The error stands on standard error, in the message file and in the status. `text`: regular expression.
void expect_told(const Folder& f, const std::string& prefix, const Outcome& o, int code,
                 const std::string& text) {
  EXPECT_EQ(o.code, code);
  const auto says = [&](const std::string& where) { return std::regex_search(where, std::regex(text)); };
  EXPECT_TRUE(says(o.err)) << o.err;
  const std::string messages = f.read(prefix + ".msg");
  const std::regex block("---- START: ERROR ----\n([^]*?)\n---- END: ERROR ----");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(messages, found, block)) << messages;
  EXPECT_TRUE(says(found[1])) << found[1];
  EXPECT_TRUE(std::regex_search(messages, std::regex("\nFinished -----\\s*\n")));
  const nlohmann::json status = f.json(prefix + ".status.json");
  EXPECT_EQ(status["state"], "failed");
  EXPECT_EQ(status["exit_code"], code);
  EXPECT_TRUE(says(status["message"].get<std::string>())) << status["message"];
}

struct Broken {
  std::string deck, says;
  double last;  ///< time of the last record that must be there
};

class NoSolution : public testing::TestWithParam<Broken> {};

TEST_P(NoSolution, keeps_the_records_up_to_there) {
  Folder f;
  f.write("deck.adm", GetParam().deck);
  const Outcome o = run(f, {"run", "deck.adm", "--end", "2", "--dtout", "0.1"});
  expect_told(f, "deck", o, 5, GetParam().says);
  const std::vector<double> t = f.channel("deck.nc", "TIME");
  ASSERT_GE(t.size(), 10u);
  EXPECT_GE(t.back(), GetParam().last - 1e-9);
  EXPECT_LE(t.back(), 1 + 1e-9);
  const int records = static_cast<int>(t.size());
  expect_complete_request_file(f, "deck.req", records);
  expect_complete_results_file(f, "deck.res", records, "Failed");
}

INSTANTIATE_TEST_SUITE_P(
    all, NoSolution,
    testing::Values(Broken{pulled_by("SQRT(1-TIME)"), "square root of a negative number", 0.9},
                    Broken{pulled_by("1/(1-TIME)"), "division by zero|exceeds ERROR", 0.9},
                    Broken{pulled_by("LOG(1-TIME)"), "SFORCE/1", 0.9},
                    Broken{lock_up, "(JOINT|MOTION)/", 0.9}));

/// A thousand integration steps per output step: goes on for hours.
const std::string long_run =
    "stone\nlong\nINTEGRATOR/HHT, HMAX=1E-5\nSIMULATE/DYNAMIC, END=1E5, DTOUT=0.01\n";

Folder& with_long_run(Folder& f) {
  f.write("stone.adm", falling_body("REQUEST/1, DISPLACEMENT, I=2\nOUTPUT/REQSAVE\nRESULTS/XRF\n"));
  f.write("long.acf", long_run);
  return f;
}

std::size_t readable_records(const Folder& f) {
  try {
    return trammel::NativeReader(f.path("long.nc").string()).records();
  } catch (const std::exception&) {
    return 0;
  }
}

Launch launch_long() {
  return Launch{{"run", "long.acf"}, {"TRAMMEL_FLUSH_SECONDS=0.02"}, 0, false, {}};
}

TEST(InitialConditions, contradicting_joints_are_named_and_nothing_is_recorded) {
  Folder f;
  // A second pin two units away from where the first one holds the same bar.
  f.write(
      "deck.adm",
      "bar\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, QP=3,0,0\nPART/2, MASS=1, CM=20, IP=1,1,1\n"
      "MARKER/20, PART=2\nMARKER/21, PART=2, QP=1,0,0\nJOINT/1, REVOLUTE, I=20, J=1\nJOINT/2, REVOLUTE, "
      "I=21, J=2\nEND\n");
  const Outcome o = run(f, {"run", "deck.adm", "--end", "1"});
  expect_told(f, "deck", o, 5, "JOINT/");
}

TEST(Disk, a_file_at_its_size_limit_ends_the_run_and_keeps_what_was_written) {
  Folder f;
  with_long_run(f);
  f.write("many.acf", "stone\nmany\nSIMULATE/DYNAMIC, END=100, STEPS=20000\n");
  const Outcome o =
      run(f, Launch{{"run", "many.acf", "--formats", "nc"}, {"TRAMMEL_FLUSH_SECONDS=0"}, 100000, false, {}});
  expect_told(f, "many", o, 7, "many.nc");
  EXPECT_NE(o.err.find("ulimit"), std::string::npos) << o.err;
  const std::vector<double> t = f.channel("many.nc", "TIME"), z = f.channel("many.nc", "PART/2.Z");
  EXPECT_GT(t.size(), 100u);  // 100 kB hold some 400 records of 31 channels
  EXPECT_LT(t.size(), 1000u);
  for (std::size_t k = 0; k < t.size(); ++k)
    EXPECT_NEAR(z[k], -5 * t[k] * t[k],
                1e-9 * (1 + t[k] * t[k]));  // every record whole: exact but for rounding
}

TEST(Disk, request_and_result_files_say_so_too) {
  for (const std::string format : {"req", "res"}) {
    Folder f;
    with_long_run(f);
    f.write("many.acf", "stone\nmany\nSIMULATE/DYNAMIC, END=100, STEPS=20000\n");
    const Outcome o = run(
        f, Launch{{"run", "many.acf", "--formats", format}, {"TRAMMEL_FLUSH_SECONDS=0"}, 100000, false, {}});
    expect_told(f, "many", o, 7, "many." + format);
  }
}

TEST(Signals, the_first_one_finishes_the_step_and_keeps_the_results) {
  for (const auto& [signal, code, signal_name] :
       {std::tuple{SIGINT, 130, "SIGINT"}, std::tuple{SIGTERM, 143, "SIGTERM"},
        std::tuple{SIGHUP, 129, "SIGHUP"}, std::tuple{SIGXCPU, 152, "SIGXCPU"},
        std::tuple{SIGUSR1, 138, "SIGUSR1"}}) {
    Folder f;
    Process process(with_long_run(f), launch_long());
    ASSERT_TRUE(wait_until([&] { return readable_records(f) > 2; }));
    process.send(signal);
    const Outcome o = process.wait();
    EXPECT_EQ(o.code, code);
    EXPECT_EQ(o.err, "");
    const nlohmann::json status = f.json("long.status.json");
    EXPECT_EQ(status["state"], "stopped");
    EXPECT_EQ(status["exit_code"], code);
    EXPECT_NE(f.read("long.msg").find(fmt::format("stopped by {} at time", signal_name)), std::string::npos);
    EXPECT_NE(f.read("long.msg").find("results up to there are kept"), std::string::npos);
    EXPECT_NE(f.read("long.msg").find("Finished -----"), std::string::npos);
    const int records = static_cast<int>(readable_records(f));
    EXPECT_GT(records, 2);
    expect_complete_request_file(f, "long.req", records);
    expect_complete_results_file(f, "long.res", records, "Failed");
  }
}

TEST(Signals, kill_leaves_the_records_up_to_the_last_flush) {
  Folder f;
  Process process(with_long_run(f), launch_long());
  ASSERT_TRUE(wait_until([&] { return readable_records(f) > 5; }));
  process.send(SIGKILL);
  const Outcome o = process.wait();
  EXPECT_EQ(o.signal, SIGKILL);
  const std::vector<double> t = f.channel("long.nc", "TIME"), z = f.channel("long.nc", "PART/2.Z");
  ASSERT_GT(t.size(), 5u);
  for (std::size_t k = 0; k < t.size(); ++k) {
    EXPECT_NEAR(t[k], 0.01 * static_cast<double>(k), 1e-12);
    EXPECT_NEAR(z[k], -5 * t[k] * t[k], 1e-9);  // rounding of thousands of steps
  }
  EXPECT_EQ(f.json("long.status.json")["state"], "running");
  const std::string results = f.read("long.res");
  EXPECT_NE(results.rfind("</Results>"), std::string::npos);  // complete XML at every flush
}

TEST(Signals, the_second_one_ends_at_once) {
  Folder f;
  // Both must come before the step at which the first is answered: the process sleeps meanwhile.
  Process process(with_long_run(f), launch_long());
  ASSERT_TRUE(wait_until([&] { return readable_records(f) > 2; }));
  process.send(SIGSTOP);
  process.send(SIGINT);
  process.send(SIGTERM);
  process.send(SIGCONT);
  const Outcome o = process.wait();
  EXPECT_TRUE(o.signal == SIGTERM || o.signal == SIGINT) << o.code;
  EXPECT_EQ(f.json("long.status.json")["state"], "running");
}

/// The system sends SIGXCPU every second from the limit on: the run still finishes its step.
TEST(Signals, a_repeated_cpu_limit_counts_once) {
  const trammel::SignalGuard guard;
  raise(SIGXCPU);
  raise(SIGXCPU);
  EXPECT_EQ(trammel::SignalGuard::caught(), SIGXCPU);
}

/// timeout(1) sends its signal to the process and to its group.
TEST(Signals, the_same_one_at_once_counts_once) {
  const trammel::SignalGuard guard;
  raise(SIGTERM);
  raise(SIGTERM);
  EXPECT_EQ(trammel::SignalGuard::caught(), SIGTERM);
}

TEST(Signals, the_same_one_later_ends_at_once) {
  const auto twice = [] {
    const trammel::SignalGuard guard;
    raise(SIGTERM);
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    raise(SIGTERM);
  };
  EXPECT_EXIT(twice(), testing::KilledBySignal(SIGTERM), "");
}

TEST(Signals, a_hangup_that_nohup_ignores_stays_ignored) {
  Folder f;
  with_long_run(f);
  f.write("long.acf", "stone\nlong\nINTEGRATOR/HHT, HMAX=1E-5\nSIMULATE/DYNAMIC, END=1, STEPS=100\n");
  signal(SIGHUP, SIG_IGN);  // as nohup does
  Process process(f, launch_long());
  signal(SIGHUP, SIG_DFL);
  ASSERT_TRUE(wait_until([&] { return readable_records(f) > 2; }));
  process.send(SIGHUP);
  EXPECT_EQ(process.wait().code, 0);
  EXPECT_EQ(readable_records(f), 101u);
}

TEST(Signals, a_stop_between_simulations_is_honoured) {
  Folder f;
  with_long_run(f);
  f.write("long.acf",
          "stone\nlong\nINTEGRATOR/HHT, HMAX=1E-5\nSIMULATE/DYNAMIC, END=1E5, DTOUT=0.01\nSIMULATE/DYNAMIC, "
          "END=2E5, DTOUT=1\n");
  Process process(f, launch_long());
  ASSERT_TRUE(wait_until([&] { return readable_records(f) > 2; }));
  process.send(SIGTERM);
  EXPECT_EQ(process.wait().code, 143);
  EXPECT_LT(f.channel("long.nc", "TIME").back(), 1e5);
}

TEST(Status, says_running_while_it_runs) {
  Folder f;
  Process process(with_long_run(f), launch_long());
  ASSERT_TRUE(wait_until([&] { return readable_records(f) > 1; }));
  const nlohmann::json status = f.json("long.status.json");
  EXPECT_EQ(status["state"], "running");
  EXPECT_TRUE(status["exit_code"].is_null());
  EXPECT_GT(status["pid"].get<int>(), 0);
}

/// The four-bar loses a rank at t = 0.714; at ERROR 1E-12 its steps are so small that rounding of φ, divided
/// by the vanishing singular value, is more than ERROR. The run goes on, and the message file says so.
TEST(Rounding, near_a_singular_position_is_told) {
  Folder f;
  f.write("bars.acf",
          model("four_bar_n/four_bar_n.adm").string() +
              "\nbars\nINTEGRATOR/HHT, ERROR=1E-12\nSIMULATE/DYNAMIC, END=0.75, STEPS=75\nSTOP\n");
  EXPECT_EQ(run(f, {"run", "bars.acf"}).code, 0);
  EXPECT_TRUE(std::regex_search(f.read("bars.msg"), std::regex("In [1-9][0-9]* steps rounding")));
}

/// t + h = t: a fixed step that no clock can count.
TEST(Steps, that_do_not_advance_time_end_the_run) {
  Folder f;
  f.write("stone.adm", falling_body());
  f.write("stone.acf",
          "stone\nstone\nINTEGRATOR/HHT, HINIT=0.5, HMIN=0.5, HMAX=0.5\nSIMULATE/DYNAMIC, END=1, STEPS=2\n"
          "INTEGRATOR/HHT, HINIT=1E-20, HMIN=1E-20, HMAX=1E-20\nSIMULATE/DYNAMIC, END=2, STEPS=2\nSTOP\n");
  const Outcome o = run(f, {"run", "stone.acf"});
  EXPECT_EQ(o.code, 5);
  EXPECT_NE(o.err.find("the time cannot go on from 1: a step of 1e-20"), std::string::npos) << o.err;
}

TEST(Statistics, tell_where_the_time_went) {
  Folder f;
  f.write("stone.adm", falling_body());
  f.write("stone.acf", "stone\nstone\nSIMULATE/DYNAMIC, END=1, STEPS=10\nSTOP\n");
  const std::string said = run(f, {"run", "stone.acf", "--stats"}).out;
  std::smatch m;
  double shares = 0;
  for (const char* part :
       {"equations", "tangent", "factorization", "solution", "reading, start, results, rest"}) {
    ASSERT_TRUE(std::regex_search(said, m, std::regex(std::string(part) + " +[0-9.e+-]+ s +([0-9.]+) %")))
        << said;
    shares += std::stod(m[1]);
  }
  EXPECT_NEAR(shares, 100, 0.25);  // five numbers of one decimal
  EXPECT_EQ(run(f, {"run", "stone.acf"}).out.find("factorization"), std::string::npos);
}

}  // namespace
}  // namespace failure_test
