// `trammel doctor`: runs a command file without writing anything, watched, and says in words where steps go.
#pragma once

#include "session/doctor/report.h"
#include "session/plan.h"

namespace trammel {

struct DoctorOptions {
  JobOptions job;
  TimeOptions times;
  double seconds = 60;  ///< of wall time, at most
};

/// Throws Failure for a deck that cannot be read or run at all. Signals end it where a SignalGuard lives.
DoctorReport examine(const DoctorOptions& options);

}  // namespace trammel
