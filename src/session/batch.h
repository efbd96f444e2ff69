// A batch: many variants of one model, several at a time, into one table.
#pragma once

#include "session/batch_options.h"
#include "session/listener.h"

namespace trammel {

/// Returns the exit code: 0: all variants are done; 5: some failed, which is told; other failures are thrown.
/// While a SignalGuard exists, signals end the batch.
int run_batch(const BatchOptions& options, Listener listener);

}  // namespace trammel
