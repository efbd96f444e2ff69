// `trammel check` and `trammel info`: what a deck is, without running it.
#pragma once

#include "app/job.h"

namespace trammel {

/// Parses, resolves, counts degrees of freedom and redundant equations, lists what is unsupported. The
/// exit code is that which `run` would end with before its first step.
int check_command(const JobOptions& options, bool json);
/// Title, units, statements by kind, result channels; of a result file (.nc, .res, .req,
/// .csv): what it holds.
int info_command(const JobOptions& options);

}  // namespace trammel
