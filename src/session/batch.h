// A batch: many variants of one model, several at a time, into one table.
#pragma once

#include "session/batch_options.h"
#include "session/listener.h"

namespace trammel {

/// The exit code: 0 all done, 5 some variants failed, and that is told; other failures are thrown. Signals
/// end it where a SignalGuard lives.
int run_batch(const BatchOptions& options, Listener listener);

}  // namespace trammel
