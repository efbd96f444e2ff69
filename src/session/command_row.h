// A kind of command of a command file: a row of the table in session/commands/table.cpp.
#pragma once

#include <string_view>

namespace trammel {

struct Command;
struct Stage;
class Planner;
class StageRunner;

/// What follows after a stage, or after its beginning.
enum class Next {
  stage,  ///< the next stage
  steps,  ///< the steps of this stage
  end,    ///< nothing: the run ends
};

struct CommandRow {
  std::string_view keyword;
  /// Called before the run: looks for mistakes, and adds a stage to the plan.
  void (*plan)(Planner& planner, const Command& command);
  /// Called when the turn of the stage comes. Null: only the echo of the command is left to do.
  Next (*execute)(StageRunner& runner, const Stage& stage) = nullptr;
  bool needs_deck = true;  ///< `execute` reads or changes the description
};

}  // namespace trammel
