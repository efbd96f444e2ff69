// `trammel run` and `trammel batch`, with messages on the screen.
#pragma once

namespace trammel {

/// `argv`: the words of the command line, already checked. `quiet`: prints errors only. Returns the exit
/// code; errors have been told on standard error by then.
int job_command(int argc, char** argv, bool quiet);

}  // namespace trammel
