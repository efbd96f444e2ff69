#include "cli/run.h"

#include "session/batch.h"
#include "session/signals.h"
#include "terminal/print.h"
#include "terminal/screen.h"

namespace trammel {

int run_command(const RunOptions& options, bool quiet) {
  const SignalGuard signals;
  Screen screen(quiet);
  return run_job(options, screen.listener());
}

int batch_command(const BatchOptions& options, bool quiet) {
  return guarded_command([&] {
    const SignalGuard signals;
    Screen screen(quiet);
    return run_batch(options, screen.listener());
  });
}

}  // namespace trammel
