// `trammel doctor`: runs a command file under observation, without writing files, and reports what limits its
// steps.
#pragma once

#include "session/doctor/report.h"
#include "session/plan.h"

namespace trammel {

struct DoctorOptions {
  JobOptions job;
  TimeOptions times;
  double seconds = 60;  ///< largest wall time of the run
};

/// Throws Failure for a deck that cannot be read or run at all. While a SignalGuard exists, signals end the
/// run.
DoctorReport examine(const DoctorOptions& options);

}  // namespace trammel
