// Any exception as a Failure.
#pragma once

#include "base/diagnostics.h"

namespace trammel {

/// The exception that is being handled, as a Failure: io for errors of the file system, internal for
/// exceptions that are defects of the program. Call only in a catch block.
Failure present_failure();

}  // namespace trammel
