// The documented exit codes of the program (docs/commands.md).
#pragma once

namespace trammel {

enum class ExitCode : int {
  ok = 0,
  internal = 1,       ///< a defect of the program
  usage = 2,          ///< wrong command line
  input = 3,          ///< a file that cannot be understood
  unsupported = 4,    ///< a statement, command or option that does not exist yet
  solver = 5,         ///< no convergence, singular, inconsistent; results up to there are kept
  io = 7,             ///< disk full, unwritable, unreadable
  backend = 8,        ///< the requested back end is not available
  comparison = 9,     ///< results differ by more than the tolerance
  resubmit = 75,      ///< stopped after writing a checkpoint
  interrupted = 130,  ///< SIGINT: step finished, results flushed
  terminated = 143,   ///< SIGTERM: step finished, results flushed
};

}  // namespace trammel
