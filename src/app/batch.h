// `trammel batch`: many variants of one model, several at a time, into one table.
#pragma once

#include "app/batch_options.h"

namespace trammel {

/// The exit code: 0 all done, 5 some variants failed; errors are on stderr by then.
int batch_command(const BatchOptions& options);

}  // namespace trammel
