// What was thrown, as a Failure.
#pragma once

#include "base/diagnostics.h"

namespace trammel {

/// The exception that is being handled as a Failure: io for files that the system refuses, internal for what
/// should not be.
Failure present_failure();

}  // namespace trammel
