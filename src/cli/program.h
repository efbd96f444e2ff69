// What the program does; apart from the options of its commands, so that its main file is compiled at once.
#pragma once

namespace trammel {

/// Carries the command line out. The exit code.
int run_command_line(int argc, char** argv);

}  // namespace trammel
