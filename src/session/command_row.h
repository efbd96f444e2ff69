// What a command of a command file is to a run: a row of the table in session/commands/table.cpp.
#pragma once

#include <string_view>

namespace trammel {

struct Command;
struct Stage;
class Planner;
class StageRunner;

/// What comes after a stage, or after its begin.
enum class Next {
  stage,  ///< the next one
  steps,  ///< its own steps, which are due
  end,    ///< nothing: the run ends
};

struct CommandRow {
  std::string_view keyword;
  /// Before the run: looks for mistakes, and adds a stage to the plan.
  void (*plan)(Planner& planner, const Command& command);
  /// When its turn comes. Null: nothing is left to do then but its echo.
  Next (*execute)(StageRunner& runner, const Stage& stage) = nullptr;
};

}  // namespace trammel
