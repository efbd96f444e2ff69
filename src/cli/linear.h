// Command linear: linearises a deck, by the commands of a command file.
#pragma once

#include <optional>
#include <string>

#include "session/run.h"

namespace trammel {

struct LinearCommand {
  RunOptions run;            ///< job, -C, -o
  std::optional<double> at;  ///< end of a dynamic simulation before LINEAR [model time]
  bool statics = false;      ///< whether an equilibrium is found before LINEAR
  bool energies = false, no_damping = false;
  std::optional<int> pinput, poutput, pstate, RM, modes;
  double near = 0;  ///< [cycles/time]
  std::string out;  ///< .npz file of matrices and shapes, or the beginning of the names of text files
};

/// The equivalent commands of a command file, one a line.
std::string commands_of(const LinearCommand& command);

int linear_command(const LinearCommand& command);

}  // namespace trammel
