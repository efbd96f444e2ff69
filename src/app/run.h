// `trammel run`: reads a deck, runs its commands, writes its results.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/settings.h"
#include "app/job.h"

namespace trammel {

struct RunOptions {
  JobOptions job;
  std::optional<double> end, dtout;
  std::optional<int> steps;
  std::string prefix, directory;     ///< -o, -C
  std::vector<std::string> formats;  ///< --formats nc,req ... or none; empty: nc and what the deck asks for
  bool single_precision = false;     ///< --single: float32 in the native file
  int every = 1;                     ///< --every: decimation of the native file
  std::string log_json;              ///< --log-json FILE
  bool quiet = false, dry_run = false;
  ComputeSettings compute;  ///< -j
  bool stats = false;       ///< --stats: where the time went
  std::string command_line;
};

/// The exit code; errors are on stderr and in the message and status files by then.
int run_command(const RunOptions& options);

}  // namespace trammel
