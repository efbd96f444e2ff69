// The status of runs that are slow, seen from outside: it is refreshed in one long output interval and in
// initial conditions, is never half a file, and says how far the run is.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <set>
#include <thread>

#include "support.h"

using namespace trammel_test;

namespace live_status_test {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

Launch launch_of(std::vector<std::string> arguments, std::vector<std::string> environment = {}) {
  Launch launch;
  launch.arguments = std::move(arguments);
  launch.environment = std::move(environment);
  return launch;
}

/// Looks at a status file again and again.
struct Looks {
  int changes = 0, looks = 0;
  double longest = 0;  ///< between two changes, by the times of the file, s
  nlohmann::json last;
  std::set<std::string> phases;
  int in_initial_conditions = 0;  ///< changes that left this phase as it was
  fs::file_time_type written{};

  /// Until `done(*this)` or for so many seconds.
  template <class Done>
  void look(const Folder& f, const std::string& name, double seconds, const Done& done) {
    const auto begin = Clock::now();
    for (; seconds_since(begin) < seconds && !done(*this);
         std::this_thread::sleep_for(std::chrono::milliseconds(2))) {
      std::error_code absent;
      const auto time = fs::last_write_time(f.path(name), absent);
      if (absent || time == written) continue;
      if (changes++ > 0) longest = std::max(longest, std::chrono::duration<double>(time - written).count());
      written = time;
      last = nlohmann::json::parse(f.read(name));  // throws on half a file
      if (last["phase"].is_null()) return;
      const std::string phase = last["phase"];
      in_initial_conditions += phase == "initial conditions" && phases.count(phase) > 0;
      phases.insert(phase);
    }
  }
};

/// A chain of balls on spherical joints.
std::string chain(int links) {
  std::string deck = "chain\nPART/1, GROUND\nMARKER/1, PART=1\nACCGRAV/KGRAV=-10\n";
  for (int k = 2; k < links + 2; ++k) {
    deck += "PART/" + std::to_string(k) + ", MASS=1, CM=" + std::to_string(10 * k) +
            ", IP=1,1,1, QG=" + std::to_string(k - 1.5) + ",0,0\n";
    for (int end = 0; end < 3; ++end)
      deck += "MARKER/" + std::to_string(10 * k + end) + ", PART=" + std::to_string(k) +
              ", QP=" + std::to_string(end == 0 ? 0.0 : end - 1.5) + ",0,0\n";
    deck += "JOINT/" + std::to_string(k) + ", SPHERICAL, I=" + std::to_string(10 * k + 1) +
            ", J=" + std::to_string(k == 2 ? 1 : 10 * k - 8) + "\n";
  }
  return deck + "END\n";
}

TEST(LiveStatus, is_fresh_after_five_seconds_in_one_output_interval) {
  Folder f;
  f.write("stone.adm", falling_body("INTEGRATOR/HHT, HMAX=1E-6\n"));
  Process process(f, launch_of({"run", "stone.adm", "--end", "1000", "--steps", "1", "--quiet"}));
  Looks looks;
  double t = -1;
  int moved = 0;
  looks.look(f, "stone.status.json", 20, [&](const Looks& l) {
    if (l.last.is_object() && l.last["t"] > t) ++moved, t = l.last["t"];
    return moved > 3;  // 0, and three times on the way
  });
  process.send(SIGTERM);
  EXPECT_EQ(process.wait().code, 143);
  EXPECT_GT(moved, 3);
  EXPECT_LE(looks.longest, 5);
  EXPECT_EQ(looks.last["phase"], "steps");
  EXPECT_NEAR(looks.last["progress"].get<double>(), looks.last["t"].get<double>() / 1000, 1e-12);
  EXPECT_NEAR(looks.last["step_size"].get<double>(), 1e-6, 1e-9);
  // What is left at the rate so far, from its own beginning: within a factor of three on a machine with
  // others on it.
  const double rate = looks.last["t"].get<double>() / 12;
  EXPECT_GT(looks.last["seconds_left"].get<double>(), 1000 / rate / 3);
  EXPECT_LT(looks.last["seconds_left"].get<double>(), 1000 / rate * 3);
  const nlohmann::json end = f.json("stone.status.json");
  EXPECT_EQ(end["state"], "stopped");
  EXPECT_TRUE(end["phase"].is_null() && end["seconds_left"].is_null());
}

/// Four seconds before the second write that falls due, the status says that steps are taken.
TEST(LiveStatus, tells_a_new_phase_at_once) {
  Folder f;
  f.write("stone.adm", falling_body("INTEGRATOR/HHT, HMAX=1E-6\n"));
  Process process(f, launch_of({"run", "stone.adm", "--end", "1000", "--steps", "1", "--quiet"}));
  Looks looks;
  looks.look(f, "stone.status.json", 3, [](const Looks& l) { return l.phases.count("steps") > 0; });
  process.send(SIGTERM);
  EXPECT_EQ(process.wait().code, 143);
  EXPECT_EQ(looks.phases.count("steps"), 1u);
}

TEST(LiveStatus, is_refreshed_while_initial_conditions_are_found) {
  Folder f;
  f.write("chain.adm", chain(8000));
  // Initial conditions take some 100 ms, so that several updates 10 ms apart fall into them. Looks every 2 ms
  // miss the reading, some 10 ms, where other programs take the processor: up to five runs.
  std::set<std::string> phases;
  int in_initial_conditions = 0;
  for (int run = 0; run < 5 && (phases.size() < 3 || in_initial_conditions < 3); ++run) {
    Process process(f, launch_of({"run", "chain.adm", "--end", "1", "--quiet", "--backend", "cpu"},
                                 {"TRAMMEL_STATUS_SECONDS=0.01"}));
    Looks looks;
    looks.look(f, "chain.status.json", 60, [](const Looks& l) { return l.phases.count("steps") > 0; });
    process.send(SIGTERM);
    process.wait();
    phases.merge(looks.phases);
    in_initial_conditions = std::max(in_initial_conditions, looks.in_initial_conditions);
  }
  EXPECT_EQ(phases, (std::set<std::string>{"initial conditions", "reading", "steps"}));
  EXPECT_GE(in_initial_conditions, 3);
}

TEST(LiveStatus, a_time_that_is_none_is_refused) {
  Folder f;
  f.write("stone.adm", falling_body());
  const Outcome o = run(f, launch_of({"run", "stone.adm", "--end", "1"}, {"TRAMMEL_STATUS_SECONDS=soon"}));
  EXPECT_EQ(o.code, 2);
  EXPECT_NE(o.err.find("TRAMMEL_STATUS_SECONDS=soon"), std::string::npos) << o.err;
}

}  // namespace
}  // namespace live_status_test
