// ApiModel: simulations, by commands and outside them, saving and restoring.
#include <cmath>
#include <cstring>

#include "api/api_model.h"
#include "session/commands/table.h"
#include "session/saved_file.h"
#include "session/version.h"

namespace trammel {

/// A simulation from the present time on, outside the commands.
Stage ApiModel::stage_of_own() const {
  Stage stage;
  stage.row = &command_row("SIMULATE");
  stage.analysis = &dynamics_analysis;
  stage.settings = run_->settings;
  return stage;
}

AnalysisEnd ApiModel::go_on() {
  const bool first = std::exchange(run_->at_begin, false);
  return first ? run_->stages.take_steps() : run_->stages.go_on_steps();
}

/// Notes how steps have ended. False: further steps are to come.
bool ApiModel::take(AnalysisEnd end) {
  if (end == AnalysisEnd::interrupted) return false;
  run_->stages.end_steps(end);
  run_->how = end == AnalysisEnd::complete   ? TRAMMEL_COMPLETE
              : end == AnalysisEnd::returned ? TRAMMEL_RETURNED
                                             : TRAMMEL_HALTED;
  return true;
}

bool ApiModel::run_commands() {
  require_idle();
  run_->begun = true;
  return under_way([&] {
    ApiRun& run = *run_;
    const std::vector<Stage>& stages = run.plan.stages;
    if (run.how == TRAMMEL_STEPPING && run.of_commands && !take(go_on())) return false;
    while (run.next < stages.size() && run.how != TRAMMEL_HALTED && !stop_) {
      const Stage& stage = stages[run.next++];
      run.settings = stage.settings;
      if (run.stages.begin(stage) != Next::steps) continue;
      run.how = TRAMMEL_STEPPING;
      run.of_commands = run.at_begin = true;
      if (!take(go_on())) return false;
    }
    return run.next >= stages.size() || run.how == TRAMMEL_HALTED;
  });
}

void ApiModel::begin(double end, double output_interval) {
  require_idle();
  session();
  if (!std::isfinite(end) || !(end > time()))
    fail(ExitCode::usage, "the end of a simulation, {:.9g}, must be after the present time, {:.9g}", end,
         time());
  if (!std::isfinite(output_interval) || output_interval < 0)
    fail(ExitCode::usage, "the output interval must be 0 or more, not {:.9g}", output_interval);
  Stage stage = stage_of_own();
  stage.interval.end = end;
  if (output_interval > 0)
    stage.interval.dtout = output_interval;
  else
    stage.interval.steps = 1;
  set_interval(stage, time());
  under_way([&] {
    run_->how = TRAMMEL_NONE;
    run_->stages.begin(stage);
    run_->how = TRAMMEL_STEPPING;
    run_->at_begin = true;
    run_->of_commands = false;
  });
}

int ApiModel::step() {
  require_idle();
  if (run_->how != TRAMMEL_STEPPING) fail(ExitCode::usage, "no simulation has steps to come: begin one");
  return under_way([&] {
    allowed_ = 1;
    take(go_on());
    return run_->how;
  });
}

bool ApiModel::finish() {
  require_idle();
  if (run_->how != TRAMMEL_STEPPING) fail(ExitCode::usage, "no simulation has steps to come: begin one");
  return under_way([&] { return take(go_on()); });
}

// ---- saving

namespace {

constexpr std::string_view saved_mark = "trammel model 1";

void archive_settings(Archive& a, DynamicsSettings& settings) {
  a(settings.integrator, settings.initial, settings.interpolate, settings.break_points, settings.hmax_given,
    settings.hinit_given, settings.requested);
}

/// A checksum of deck and program, by which saved bytes are checked against the deck.
std::uint64_t mark_of(const Job& deck) {
  Description description = deck.description;
  Archive a;
  archive(a, description);
  std::string text = program_version() + program_build() + a.bytes();
  for (const Command& command : deck.commands.commands) text += command.echo + '\n';
  return checksum(text);
}

}  // namespace

std::string ApiModel::save() {
  require_idle();
  session();
  Archive a;
  std::uint64_t mark = mark_of(deck_);
  ApiRun& run = *run_;
  a(mark, changes_, run.next, run.how, run.of_commands, run.at_begin);
  archive_settings(a, run.settings);
  run.stages.archive(a, stage_of_own());
  std::uint64_t sum = checksum(a.bytes());
  std::string bytes(saved_mark);
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return bytes + a.bytes();
}

void ApiModel::restore(std::string bytes) {
  require_idle();
  std::uint64_t sum = 0;
  const std::size_t head = saved_mark.size() + sizeof sum;
  if (bytes.size() < head || std::string_view(bytes).substr(0, saved_mark.size()) != saved_mark)
    fail(ExitCode::input, "these bytes are no saved model");
  std::memcpy(&sum, bytes.data() + saved_mark.size(), sizeof sum);
  bytes.erase(0, head);
  if (sum != checksum(bytes)) fail(ExitCode::input, "the saved model is damaged");
  Archive a(std::move(bytes));
  std::uint64_t mark = 0;
  std::vector<std::string> changes;
  a(mark);
  if (mark != mark_of(deck_))
    fail(ExitCode::input, "the saved model is of another deck, or of another version of the program");
  a(changes);
  // the messages about the deck have been told before
  const auto hears = std::exchange(listeners.text, nullptr);
  std::unique_ptr<ApiRun> run;
  try {
    run = prepared(changes);
  } catch (...) {
    listeners.text = hears;
    throw;
  }
  listeners.text = hears;
  a(run->next, run->how, run->of_commands, run->at_begin);
  archive_settings(a, run->settings);
  const bool of_commands = run->how == TRAMMEL_STEPPING && run->of_commands;
  Stage stage = of_commands ? run->plan.stages.at(run->next - 1) : stage_of_own();
  stage.settings = run->settings;
  run->stages.archive(a, stage);
  run->begun = true;
  run_ = std::move(run);
  changes_ = std::move(changes);
  recorded_ = nullptr;
  channels_.reset();
}

}  // namespace trammel
