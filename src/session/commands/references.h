// Whether the elements that a command names exist.
#pragma once

#include "session/planner.h"

namespace trammel::commands {

/// False, after an error or warning, where an element that the command names does not exist.
inline bool references_are_there(Planner& planner, const Statement& command) {
  bool all = true;
  for (const Argument& a : command.arguments) {
    if (a.field->refers.empty()) continue;
    const int id = static_cast<int>(a.numbers.front());
    if (planner.present().find(a.field->refers, id)) continue;
    all = false;
    if (!planner.present().find_absent(a.field->refers, id))
      planner.diagnostics().error(a.where, "{}: {}/{} does not exist", command.spec->keyword, a.field->refers,
                                  id);
    else if (planner.permissive())
      planner.diagnostics().warning(a.where, "{}: {}/{} is left out; this command is left out",
                                    command.spec->keyword, a.field->refers, id);
  }
  return all;
}

}  // namespace trammel::commands
