// `trammel run` and `trammel batch`, told on the screen.
#pragma once

namespace trammel {

/// Gets the words of the command line, which are known to be right. The exit code; errors are on standard
/// error by then. `quiet`: nothing else is printed.
int job_command(int argc, char** argv, bool quiet);

}  // namespace trammel
