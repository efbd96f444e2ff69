// `trammel run` and `trammel batch`, told on the screen.
#pragma once

#include "session/batch_options.h"
#include "session/run.h"

namespace trammel {

/// The exit code; errors are on standard error by then. `quiet`: nothing else is printed.
int run_command(const RunOptions& options, bool quiet);
int batch_command(const BatchOptions& options, bool quiet);

}  // namespace trammel
