#include "session/version.h"

#ifndef TRAMMEL_VERSION
#define TRAMMEL_VERSION "0"
#endif
#ifndef TRAMMEL_REVISION
#define TRAMMEL_REVISION "unknown"
#endif

namespace trammel {

std::string program_version() {
  return TRAMMEL_VERSION;
}

std::string program_build() {
  return std::string("g++ ") + __VERSION__ + ", revision " + TRAMMEL_REVISION;
}

void describe_run(RunInfo& info) {
  info.version = program_version();
  info.build = program_build();
  info.backend = "cpu";
  describe_process(info);
}

}  // namespace trammel
