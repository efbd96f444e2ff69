// `trammel run` and `trammel batch`, told on the screen.
#pragma once

#include "session/batch_options.h"

namespace trammel {

/// The exit code; errors are on standard error by then. `quiet`: nothing else is printed. A run gets the
/// words of the command line, which are known to be right.
int run_command(int argc, char** argv, bool quiet);
int batch_command(const BatchOptions& options, bool quiet);

}  // namespace trammel
