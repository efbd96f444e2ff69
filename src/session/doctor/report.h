// What `trammel doctor` has found.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "integrate/step_data.h"

namespace trammel {

/// Something that costs steps or ends the run, and what to change.
struct DoctorFinding {
  std::string kind;  ///< for programs: "fast motion", "jump", "hmax" ...
  std::string text;  ///< what was seen
  std::string mend;  ///< what to change
  double share = 0;  ///< of what the text speaks of, 0 to 1
  std::vector<Fact> facts;
};

struct DoctorReport {
  std::string file;
  std::string ended;  ///< "complete", "time is up", "stopped", "failed"
  std::string failure;
  int exit_code = 0;
  double begin = 0, end = 0, planned_end = 0;  ///< model time
  double output_step = 0;                      ///< the longest
  double seconds = 0;                          ///< of wall time
  StepCounters counters;
  double mean_order = 0, smallest_step = 0, smallest_at = 0;
  std::vector<std::string> limits;  ///< what limits the steps, in lines, the most frequent first
  std::vector<DoctorFinding> findings;
  std::vector<std::string> warnings;  ///< of the run
};

}  // namespace trammel
