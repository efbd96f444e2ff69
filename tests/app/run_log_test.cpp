// The account of a run that goes on in another process: messages, JSON lines and status are those of one run.
#include "session/run_log.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <regex>
#include <sstream>
#include <thread>

#include "base/archive.h"
#include "support.h"

namespace trammel::run_log_test {
namespace {

using trammel_test::Folder;
using Action = std::function<void(RunLog&)>;

const std::string continued = "  Continued from the checkpoint at time = ";

void add_simulation(std::vector<Action>& run, double begin, int outputs) {
  Stage stage;
  stage.analysis = &dynamics_analysis;
  stage.begin = begin;
  stage.end = begin + outputs;
  stage.steps = outputs;
  stage.output_step = 1;
  stage.settings.warnings = {"a setting that is odd"};
  run.push_back([stage](RunLog& log) { log.echo(fmt::format("SIMULATE/DYNAMIC, END={}", stage.end)); });
  run.push_back([stage](RunLog& log) { log.begin_stage(stage); });
  run.push_back([stage](RunLog& log) { log.begin_steps(stage); });
  for (int k = 0; k < outputs; ++k)
    run.push_back([=](RunLog& log) {
      StepResult step;
      step.t = begin + k;
      step.h = 0.1 + 0.01 * k;
      StepCounters counters;
      counters.steps = k + 7;
      counters.evaluations = 3 * k;
      log.step(step, counters);
      log.record(step.t, counters);
    });
  run.push_back([stage](RunLog& log) { log.end_stage(stage, stage.end, {}); });
}

/// Two simulations and what may be said around them, part by part.
std::vector<Action> parts_of_a_run() {
  std::vector<Action> run;
  run.push_back([](RunLog& log) { log.warn("found in the deck"); });
  run.push_back([](RunLog& log) { log.note("of the solver"); });
  add_simulation(run, 0, 23);
  run.push_back([](RunLog& log) { log.warn("found in the deck"); });
  run.push_back([](RunLog& log) { log.tell("SENSOR/1 acts"); });
  run.push_back([](RunLog& log) { log.tell("SENSOR/1 acts"); });
  run.push_back([](RunLog& log) { log.warn("found on the way"); });
  add_simulation(run, 23, 12);
  run.push_back([](RunLog& log) { log.warn("found on the way"); });
  return run;
}

std::string text_without(const std::string& text, const std::string& expression) {
  return std::regex_replace(text, std::regex(expression), "");
}

class RunLogGoesOn : public ::testing::Test {
 protected:
  RunLogGoesOn() {
    info_.title = "a model";
    info_.version = "1";
    info_.local_time = "2031-01-02 03:04:05";
    info_.process_id = 17;
    listener_.say = [this](const std::string& text) { heard_ += text + "\n"; };
    listener_.begin_steps = [this](double begin, double end) {
      heard_ += fmt::format("steps from {} to {}\n", begin, end);
    };
  }
  std::string path(const std::string& name) const { return folder_.path(name).string(); }
  void open(RunLog& log, const std::string& name, const RunInfo& info) const {
    log.open_json(path(name + ".jsonl"), "trammel run");
    log.open(path(name), info);
  }
  void save(RunLog& log) const {
    Archive archive;
    log.save(archive);
    std::ofstream(path("saved"), std::ios::binary) << archive.bytes();
  }
  void go_on(RunLog& log) const {
    Archive archive(folder_.read("saved"));
    log.go_on(archive, 12.5);
    EXPECT_TRUE(archive.at_end());
  }
  void whole() {
    RunLog log(listener_);
    open(log, "whole", info_);
    for (const Action& part : run_) part(log);
    log.finish(35, 0, {});
  }
  /// Killed with some parts behind those that were saved.
  void interrupted(std::size_t kept, std::size_t end) {
    const pid_t child = fork();
    if (child == 0) {
      RunLog log(Listener{});
      open(log, "a", info_);
      for (std::size_t k = 0; k < kept; ++k) run_[k](log);
      save(log);
      for (std::size_t k = kept; k < end; ++k) run_[k](log);
      raise(SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
  }
  /// A new process finds the same in the deck, chooses the same solver, and then goes on.
  void resumed(std::size_t kept) {
    RunLog log(listener_);
    log.hold_files();
    RunInfo info = info_;
    info.process_id = 18;
    info.command_line = "trammel run --resume";
    open(log, "a", info);
    run_[0](log);
    run_[1](log);
    go_on(log);
    for (std::size_t k = kept; k < run_.size(); ++k) run_[k](log);
    log.finish(35, 0, {});
  }
  std::string messages(const std::string& name) const {
    std::string text = folder_.read(name + ".msg");
    text = text_without(text, "\\S+ \n");                // last column of the step table
    return text_without(text, "\nElapsed time = .*\n");  // of the end
  }
  std::string lines(const std::string& name) const {
    const std::string expression = R"re("(wall|cpu|date)":[^,}]*|)re" + path(name);
    return text_without(folder_.read(name + ".jsonl"), expression);
  }
  nlohmann::json status(const std::string& name) const {
    nlohmann::json json = folder_.json(name + ".status.json");
    for (const char* key : {"started", "updated", "pid", "command_line", "files"}) json.erase(key);
    return json;
  }

  Folder folder_;
  RunInfo info_;
  Listener listener_;
  std::string heard_;
  std::vector<Action> run_ = parts_of_a_run();
};

TEST_F(RunLogGoesOn, files_are_those_of_one_run) {
  whole();
  for (std::size_t kept = 2; kept <= run_.size(); ++kept) {
    interrupted(kept, kept % 2 == 0 ? kept : std::min(kept + 5, run_.size()));
    const std::string started = folder_.json("a.status.json")["started"];
    resumed(kept);
    std::string text = messages("a");
    const std::string note = continued + "12.5.\n";
    const std::size_t at = text.find(note);
    ASSERT_NE(at, std::string::npos) << text;
    text.erase(at, note.size());
    EXPECT_EQ(text, messages("whole")) << kept;
    EXPECT_EQ(lines("a"), lines("whole")) << kept;
    EXPECT_EQ(status("a"), status("whole")) << kept;
    EXPECT_EQ(folder_.json("a.status.json")["started"], started);
    EXPECT_EQ(folder_.json("a.status.json")["command_line"], "trammel run --resume");
    if (HasFailure()) return;
  }
}

TEST_F(RunLogGoesOn, the_listener_hears_again_what_was_found_and_which_steps_are_under_way) {
  interrupted(9, 11);
  const std::string before = folder_.read("a.msg");
  RunLog log(listener_);
  log.hold_files();
  open(log, "a", info_);
  run_[0](log);
  EXPECT_EQ(folder_.read("a.msg"), before);
  go_on(log);
  EXPECT_EQ(
      heard_,
      "warning: found in the deck\nContinued from the checkpoint at time = 12.5.\nsteps from 0 to 23\n");
  EXPECT_EQ(log.warnings(), (std::vector<std::string>{"found in the deck", "a setting that is odd"}));
}

TEST_F(RunLogGoesOn, time_between_two_processes_does_not_count) {
  const auto pause = [](int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  };
  double before = 0;
  {
    RunLog log(listener_);
    open(log, "a", info_);
    pause(300);
    before = log.elapsed();
    save(log);
  }
  pause(400);
  const RunLog present(listener_);
  RunLog log(listener_);
  log.hold_files();
  open(log, "a", info_);
  pause(100);
  go_on(log);
  const double since = log.elapsed() - before;
  EXPECT_GE(since, 0.1);
  EXPECT_LE(since, present.elapsed() + 0.3);  // and what saving took; 0.4 is in between
}

TEST_F(RunLogGoesOn, a_log_of_lines_that_is_asked_for_later_begins_there) {
  {
    RunLog log(listener_);
    log.open(path("a"), info_);
    save(log);
  }
  RunLog log(listener_);
  log.hold_files();
  open(log, "a", info_);
  EXPECT_FALSE(folder_.has("a.jsonl"));
  go_on(log);
  log.tell("from here on");
  std::istringstream text(folder_.read("a.jsonl"));
  std::vector<std::string> events;
  for (std::string line; std::getline(text, line);) events.push_back(nlohmann::json::parse(line)["event"]);
  EXPECT_EQ(events, (std::vector<std::string>{"start", "run", "message"}));
}

TEST_F(RunLogGoesOn, a_failure_before_that_is_told_in_the_status_alone) {
  interrupted(9, 11);
  for (const std::string name : {"a.msg", "a.jsonl"}) {
    const std::string messages = folder_.read("a.msg"), lines = folder_.read("a.jsonl");
    std::filesystem::rename(path(name), path("away"));
    RunLog log(listener_);
    log.hold_files();
    open(log, "a", info_);
    try {
      go_on(log);
      ADD_FAILURE() << "went on without " << name;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), ExitCode::io);
      EXPECT_NE(std::string(failure.what()).find(path(name)), std::string::npos) << failure.what();
      log.tell_error(failure);
      log.failed(7, {});
    }
    EXPECT_FALSE(folder_.has(name));
    std::filesystem::rename(path("away"), path(name));
    EXPECT_EQ(folder_.read("a.msg"), messages);
    EXPECT_EQ(folder_.read("a.jsonl"), lines);
    const nlohmann::json json = folder_.json("a.status.json");
    EXPECT_EQ(json["state"], "failed");
    EXPECT_NE(json["message"].get<std::string>().find("it is not there"), std::string::npos);
    EXPECT_TRUE(json["files"].empty());
  }
}

}  // namespace
}  // namespace trammel::run_log_test
