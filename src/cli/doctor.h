// `trammel doctor`: what makes a run slow or ends it, in words.
#pragma once

#include "session/doctor/doctor.h"

namespace trammel {

struct DoctorCommand {
  DoctorOptions options;
  bool json = false;
};

/// The exit code: 0 for a report on a run that went on, 5 for one on a run that failed.
int doctor_command(const DoctorCommand& command);

}  // namespace trammel
