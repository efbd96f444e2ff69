// The entry of the program, in a header without the options of its commands, so that the main file compiles
// fast.
#pragma once

namespace trammel {

/// Executes the command line, and returns the exit code.
int run_command_line(int argc, char** argv);

}  // namespace trammel
