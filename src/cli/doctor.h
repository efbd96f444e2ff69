// `trammel doctor`: the causes of a slow or failed run, in words.
#pragma once

#include "session/doctor/doctor.h"

namespace trammel {

struct DoctorCommand {
  DoctorOptions options;
  bool json = false;
};

/// Returns the exit code: 0 for a report on a run that did not fail, 5 for one on a run that failed.
int doctor_command(const DoctorCommand& command);

}  // namespace trammel
