// Command linear: a deck linearised, by commands of a command file.
#pragma once

#include <optional>
#include <string>

#include "session/run.h"

namespace trammel {

struct LinearCommand {
  RunOptions run;            ///< job, -C, -o
  std::optional<double> at;  ///< after a simulation up to there
  bool statics = false;      ///< at an equilibrium
  bool energies = false, no_damping = false;
  std::optional<int> pinput, poutput, pstate, RM, modes;
  double near = 0;  ///< [cycles/time]
  std::string out;  ///< file of matrices and shapes, .npz, or the beginning of the names of text files
};

/// The commands that it stands for, a line each.
std::string commands_of(const LinearCommand& command);

int linear_command(const LinearCommand& command);

}  // namespace trammel
