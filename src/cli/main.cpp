// The program.
#include "cli/program.h"

int main(int argc, char** argv) {
  return trammel::run_command_line(argc, argv);
}
