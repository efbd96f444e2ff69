// The program.
#include "cli/command_line.h"

int main(int argc, char** argv) {
  return trammel::run_command_line(argc, argv);
}
