// The Planner makes a plan; commands use its functions to plan themselves (session/commands/).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "session/plan.h"

namespace trammel {

struct CommandRow;

/// The analysis that a SIMULATE asks for, dynamics for TRANSIENT; null: it is another command.
const AnalysisRow* analysis_of(const Statement& command);
/// Whether a command simulates over an interval of time: DYNAMICS, KINEMATICS, TRANSIENT, STATICS with END.
bool simulates_in_time(const Statement& command);

class Planner {
 public:
  Planner(Job& job, const TimeOptions& options, bool strict, bool permissive);

  /// Plans the next command.
  void plan(const Command& command, const CommandRow& row);
  /// Call after the last command. `simulate`: the row of a simulation that --end alone asks for.
  void finish(const CommandRow& simulate);
  /// The plan; call once.
  Plan take() { return std::move(plan_); }

  // ---- for commands: stages

  /// A stage of the command that is being planned.
  Stage stage_of(const Command& command) const;
  void add(Stage stage);
  /// Adds a stage that only echoes the command.
  void add_echo(const Command& command);

  // ---- the model

  Diagnostics& diagnostics() { return job_.diagnostics; }
  bool permissive() const { return permissive_; }
  /// The description with all changes so far.
  Description& present() { return later_ ? *later_ : job_.description; }
  /// Makes a change of the model.
  void change(const Statement& statement);
  /// Call before a command that uses the model: checks the model that changes have made. The first model is
  /// compiled by the run.
  void begin_use();
  bool in_use() const { return in_use_; }
  /// SAVE/SYSTEM and RELOAD/SYSTEM: after RELOAD the model is the saved one, and its time not known. False,
  /// after an error, for a file that neither exists nor is written by an earlier SAVE.
  void save(const Statement& statement);
  bool reload(const Statement& statement);

  // ---- settings: statements of the description, read again after each change

  /// The description as the run begins with it.
  Description& description() { return job_.description; }
  void read_settings_at(const Location& where);
  /// Reads OUTPUT and RESULTS.
  void read_files();

  // ---- simulations

  void begin_simulations() { simulates_ = true; }
  bool simulates() const { return simulates_; }
  /// Sets begin, end and output steps of a simulation in time. False, after an error or warning, where they
  /// make no sense: the command is then left out.
  bool set_interval_of(Stage& stage, const Command& command);

 private:
  Diagnostic at_its_change(Diagnostic d) const;
  bool sensor_may_return();
  void add_from_options(const CommandRow& simulate);
  [[noreturn]] void nothing_to_do() const;

  Job& job_;
  const TimeOptions& options_;
  bool strict_, permissive_;
  int mistakes_before_;  ///< number of errors known before planning
  Plan plan_;
  DynamicsSettings settings_;
  const CommandRow* row_ = nullptr;                              ///< row of the command that is being planned
  const Command *first_simulation_ = nullptr, *last_ = nullptr;  ///< first and last SIMULATE in time
  std::optional<Description> later_;  ///< description with the changes since the first use of the model
  double now_ = 0;                    ///< the latest possible time
  bool uncertain_ = false;            ///< `now_` may be too late: a sensor may end an earlier simulation
  bool reloaded_ = false;             ///< a RELOAD came before: the time is not known
  bool in_use_ = false;
  std::map<std::string, Description> saved_;  ///< description at each SAVE so far, by FILE
  std::vector<Statement> changes_;            ///< changes since the model was last checked
  bool simulates_ = false, said_binary_ = false;
};

}  // namespace trammel
