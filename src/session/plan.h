// The stages of a run, in order, worked out before it starts, so that mistakes in the last command of a long
// run are found in its first second.
#pragma once

#include <optional>
#include <vector>

#include "output/output_set.h"
#include "session/job.h"
#include "session/stage.h"

namespace trammel {

/// --end, --dtout, --steps. With a command file they replace what its last SIMULATE says.
struct TimeOptions {
  std::optional<double> end, dtout;
  std::optional<int> steps;
  bool given() const { return end || dtout || steps; }
};

/// Failure(usage) for times and steps that make no sense, together or alone.
void check_times(const TimeOptions& options);
/// Failure(usage) for a dataset without --end: it does not say how long to simulate.
void check_end_is_known(const Job& job, const TimeOptions& options);

struct Plan {
  std::vector<Stage> stages;
  DynamicsSettings settings;    ///< at the start
  std::vector<Format> formats;  ///< native, and what OUTPUT and RESULTS ask for
  ResultsOptions results;       ///< RESULTS
  TableOptions table;           ///< OUTPUT
  /// Whether the first analysis integrates: it needs initial accelerations. Commands may change the model
  /// before later ones.
  bool begins_with_motion() const;
  /// Number of output records of all stages, if no sensor ends a stage or adds records.
  long long records() const;
  /// Number of them that the native file keeps with --every.
  long long kept_records(int every) const;
};

/// Options of the result files: RESULTS, OUTPUT, --single, --every, and TRAMMEL_FLUSH_SECONDS (2), the
/// longest time for which results are held in memory [s]; Failure(usage) where it is no time.
OutputOptions output_options(const Plan& plan, bool single_precision, int every);

}  // namespace trammel
