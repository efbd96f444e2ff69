#include "session/planner.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "dataset/changes.h"
#include "dataset/check.h"
#include "model/compile.h"
#include "session/command_row.h"
#include "session/output_statements.h"
#include "session/saved_file.h"

namespace trammel {

namespace {

Interval given_by(const Statement& s) {
  Interval g;
  if (s.has("END")) g.end = s.real("END", 0);
  if (s.has("DURATION")) g.duration = s.real("DURATION", 0);
  if (s.has("DTOUT")) g.dtout = s.real("DTOUT", 0);
  if (s.has("STEPS")) g.steps = s.integer("STEPS", 0);
  return g;
}

}  // namespace

const AnalysisRow* analysis_of(const Statement& command) {
  if (command.spec->keyword != "SIMULATE") return nullptr;
  for (const AnalysisRow* row : analyses())
    if (command.has(row->name)) return row;
  return &dynamics_analysis;  // TRANSIENT
}

bool simulates_in_time(const Statement& command) {
  const AnalysisRow* analysis = analysis_of(command);
  return analysis && (analysis->extent == Extent::interval ||
                      (analysis->extent == Extent::either && given_by(command).given()));
}

Planner::Planner(Job& job, const TimeOptions& options, bool strict, bool permissive)
    : job_(job),
      options_(options),
      strict_(strict),
      permissive_(permissive),
      mistakes_before_(job.diagnostics.count(Severity::error)) {
  read_settings_at({job_.description.file, 0});
  plan_.settings = settings_;
  read_files();
  for (const Command& c : job_.commands.commands)
    if (simulates_in_time(c.statement)) {
      if (!last_) first_simulation_ = &c;
      last_ = &c;
    }
}

void Planner::plan(const Command& command, const CommandRow& row) {
  row_ = &row;
  row.plan(*this, command);
}

void Planner::finish(const CommandRow& simulate) {
  if (!job_.has_command_file) {
    if (options_.end) add_from_options(simulate);
    return;
  }
  begin_use();
  if (!last_ && options_.end) add_from_options(simulate);
  if (plan_.stages.empty() || !simulates_) nothing_to_do();
}

// ---- stages

Stage Planner::stage_of(const Command& command) const {
  Stage stage;
  stage.row = row_;
  stage.echo = command.echo;
  stage.where = command.where;
  stage.statement = command.statement;
  return stage;
}

void Planner::add(Stage stage) {
  stage.settings = settings_;
  stage.debug = debug_words(job_.description);
  plan_.stages.push_back(std::move(stage));
}

void Planner::add_echo(const Command& command) {
  Stage stage = stage_of(command);
  stage.row = nullptr;
  add(std::move(stage));
}

// ---- the model

void Planner::change(const Statement& statement) {
  if (in_use_ && !later_) later_ = job_.description;
  apply_change(present(), statement, job_.diagnostics);
  changes_.push_back(statement);
}

void Planner::save(const Statement& statement) {
  saved_[std::string(statement.text("FILE"))] = present();
}

bool Planner::reload(const Statement& statement) {
  const std::string name(statement.text("FILE"));
  Description model;
  if (const auto known = saved_.find(name); known != saved_.end()) {
    model = known->second;
  } else {
    try {
      Archive a(read_saved((std::filesystem::path(job_.folder) / name).string()));
      archive(a, model);
    } catch (const Failure& failure) {
      job_.diagnostics.error(statement.where, "RELOAD: {}; no SAVE before this command writes it",
                             failure.what());
      return false;
    }
  }
  later_ = std::move(model);
  uncertain_ = reloaded_ = true;
  now_ = -std::numeric_limits<double>::infinity();
  return true;
}

void Planner::begin_use() {
  in_use_ = true;
  if (changes_.empty() || job_.diagnostics.count(Severity::error) > mistakes_before_) return;
  Diagnostics found;
  check_description(present(), found);
  if (later_ && !found.has_errors()) job_.counted_angles.merge(counted_angles(compile(*later_, found)));
  for (const Diagnostic& d : found.list())
    if (d.severity == Severity::error) job_.diagnostics.add(at_its_change(d));
  changes_.clear();
}

/// Places a mistake that changes have made at the command that changes the statement it names, else at the
/// last change: the dataset alone has no such mistake.
Diagnostic Planner::at_its_change(Diagnostic d) const {
  if (d.where.file != job_.description.file) return d;
  const Statement* cause = &changes_.back();
  for (const Statement& change : changes_)
    if (d.text.starts_with(change.label())) cause = &change;
  d.text += fmt::format(" ({})", to_string(d.where));
  d.where = cause->where;
  return d;
}

// ---- settings

void Planner::read_settings_at(const Location& where) {
  settings_ = read_settings(job_.description, job_.diagnostics, permissive_);
  tune(settings_, job_.tuning);
  settings_.initial.keep_exact = strict_;
  if (!strict_) return;
  for (const std::string& text : settings_.warnings)
    job_.diagnostics.unsupported(where, "INTEGRATOR: {} (--strict)", text);
  for (const std::string& text : settings_.idle) job_.diagnostics.unsupported({}, "{} (--strict)", text);
}

void Planner::read_files() {
  const Statement* output = job_.description.find("OUTPUT");
  const Statement* results = job_.description.find("RESULTS");
  const bool contacts = std::ranges::any_of(job_.description.statements,
                                            [](const Statement& s) { return s.spec->keyword == "CONTACT"; });
  plan_.formats = chosen_formats(output, results, contacts);
  plan_.results = results_options(results);
  plan_.table = table_options(output);
  if (results && !results->has("XRF") && !said_binary_) {
    job_.diagnostics.note(
        results->where, "RESULTS without XRF: that format is not written; all channels are in the .nc file");
    said_binary_ = true;
  }
}

// ---- simulations

namespace {

/// The interval of a statement, with the command line's options in place of its own.
Interval overridden(Interval g, const TimeOptions& options) {
  if (options.end) {
    g.end = options.end;
    g.duration.reset();
  }
  if (options.dtout || options.steps) {
    g.dtout = options.dtout;
    g.steps = options.steps;
  }
  return g;
}

}  // namespace

bool Planner::set_interval_of(Stage& stage, const Command& command) {
  const bool changed = &command == last_ && options_.given();
  stage.interval = given_by(command.statement);
  if (changed) stage.interval = overridden(stage.interval, options_);
  stage.ends_early = uncertain_ = uncertain_ || sensor_may_return();
  try {
    set_interval(stage, now_);
  } catch (const Failure& failure) {
    if (stage.ends_early && (reloaded_ || &command != first_simulation_)) {  // decided during the run
      stage.end = stage.begin;
      return true;
    }
    if (changed)
      fail(ExitCode::usage, "--end, --dtout, --steps: {} ({})", failure.what(), to_string(command.where));
    // Decks whose sensors (left out here) end simulations early repeat an END.
    if (permissive_)
      job_.diagnostics.warning(command.where, "SIMULATE: {}: this command is left out", failure.what());
    else
      job_.diagnostics.error(command.where, "SIMULATE: {}", failure.what());
    return false;
  }
  now_ = stage.end;
  return true;
}

/// Whether a sensor may return; one with a mistake counts.
bool Planner::sensor_may_return() {
  const auto& absent = present().absent;
  if (!permissive_ && std::any_of(absent.begin(), absent.end(), [](const Absence& a) {
        return a.keyword.empty() || a.keyword == "SENSOR";
      }))
    return true;
  const auto& list = present().statements;
  return std::any_of(list.begin(), list.end(), [](const Statement& s) {
    return s.active && s.spec->keyword == "SENSOR" && s.has("RETURN");
  });
}

void Planner::add_from_options(const CommandRow& simulate) {
  Stage stage;
  stage.row = &simulate;
  stage.analysis = &dynamics_analysis;
  stage.interval = overridden({}, options_);
  stage.ends_early = uncertain_;
  try {
    set_interval(stage, now_);
  } catch (const Failure& failure) {
    fail(ExitCode::usage, "--end, --dtout, --steps: {}", failure.what());
  }
  simulates_ = true;
  add(std::move(stage));
}

void Planner::nothing_to_do() const {
  fail(ExitCode::input,
       "{}: no SIMULATE command, so there is nothing to compute; add SIMULATE/DYNAMIC, END=1, STEPS=100, or "
       "give --end",
       job_.commands.path);
}

}  // namespace trammel
