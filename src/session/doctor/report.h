// The report of `trammel doctor`.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "integrate/step_data.h"

namespace trammel {

/// A cause of many steps or of the end of the run, with advice.
struct DoctorFinding {
  std::string kind;  ///< for programs: "fast motion", "jump", "hmax" ...
  std::string text;  ///< the observation
  std::string mend;  ///< the advice
  double share = 0;  ///< share of steps, iterations or attempts that the text names, 0 to 1
  std::vector<Fact> facts;
};

struct DoctorReport {
  std::string file;
  std::string ended;  ///< "complete", "time is up", "stopped", "failed"
  std::string failure;
  int exit_code = 0;
  double begin = 0, end = 0, planned_end = 0;  ///< model time
  double output_step = 0;                      ///< the longest of the run
  double seconds = 0;                          ///< wall time
  StepCounters counters;
  double mean_order = 0, smallest_step = 0, smallest_at = 0;
  std::vector<std::string> limits;  ///< limits of the step size, one line each, the most frequent first
  std::vector<DoctorFinding> findings;
  std::vector<std::string> warnings;  ///< warnings of the run
};

}  // namespace trammel
