// A plan in the making, and the tools with which commands plan (session/commands/).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "session/plan.h"

namespace trammel {

struct CommandRow;

/// SIMULATE/DYNAMICS or TRANSIENT.
/// The analysis that a SIMULATE asks for; null: it is another command.
const AnalysisRow* analysis_of(const Statement& command);
bool simulates_in_time(const Statement& command);

class Planner {
 public:
  Planner(Job& job, const TimeOptions& options, bool strict, bool permissive);

  /// Plans the next command.
  void plan(const Command& command, const CommandRow& row);
  /// After the last command. A simulation that --end alone asks for is carried out by the row `simulate`.
  void finish(const CommandRow& simulate);
  /// The plan, once.
  Plan take() { return std::move(plan_); }

  // ---- for commands: stages

  /// Of the command that is being planned.
  Stage stage_of(const Command& command) const;
  void add(Stage stage);
  /// Where nothing is left to do when its turn comes.
  void add_echo(const Command& command);

  // ---- the model

  Diagnostics& diagnostics() { return job_.diagnostics; }
  bool permissive() const { return permissive_; }
  /// The description with all changes so far.
  Description& present() { return later_ ? *later_ : job_.description; }
  /// Makes a change of the model.
  void change(const Statement& statement);
  /// Before the model is used: checks what changes have made of it. The first model is compiled by the run.
  void begin_use();
  bool in_use() const { return in_use_; }
  /// SAVE/SYSTEM and RELOAD/SYSTEM: the model from there on is the saved one, its time not known. False,
  /// after an error, for a file that neither is there nor will be.
  void save(const Statement& statement);
  bool reload(const Statement& statement);

  // ---- settings: statements of the description, read again after each change

  /// The description as the run begins with it.
  Description& description() { return job_.description; }
  void read_settings_at(const Location& where);
  /// OUTPUT and RESULTS.
  void read_files();

  // ---- simulations

  void begin_simulations() { simulates_ = true; }
  bool simulates() const { return simulates_; }
  /// Begin, end and output steps of a simulation in time. False where they make no sense, which is told: then
  /// it is left out.
  bool set_interval_of(Stage& stage, const Command& command);

 private:
  Diagnostic at_its_change(Diagnostic d) const;
  bool sensor_may_return();
  void add_from_options(const CommandRow& simulate);
  [[noreturn]] void nothing_to_do() const;

  Job& job_;
  const TimeOptions& options_;
  bool strict_, permissive_;
  int mistakes_before_;  ///< errors of the deck, told before
  Plan plan_;
  DynamicsSettings settings_;
  const CommandRow* row_ = nullptr;                              ///< of the command that is being planned
  const Command *first_simulation_ = nullptr, *last_ = nullptr;  ///< of those in time
  std::optional<Description> later_;  ///< with the changes since the model is in use
  double now_ = 0;                    ///< the latest possible time
  bool uncertain_ = false;            ///< a sensor may have ended a simulation before
  bool reloaded_ = false;             ///< the time is that of a saved state
  bool in_use_ = false;
  std::map<std::string, Description> saved_;  ///< by the commands so far, by FILE
  std::vector<Statement> changes_;            ///< since the model was checked
  bool simulates_ = false, said_binary_ = false;
};

}  // namespace trammel
