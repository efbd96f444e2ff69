// The program.
#include <cstdlib>  // defines __GLIBC__

#include "cli/program.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

int main(int argc, char** argv) {
#ifdef __GLIBC__
  // What large arrays leave behind is taken by the next ones, instead of being returned to the system, which
  // would clear its pages anew.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
#endif
  return trammel::run_command_line(argc, argv);
}
