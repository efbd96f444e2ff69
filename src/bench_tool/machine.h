// When and on what a benchmark ran, for its JSON.
#pragma once

#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

namespace trammel::bench {

/// Over 1, 5 and 15 minutes; −1: not known.
inline nlohmann::ordered_json load_average() {
  double load[3] = {-1, -1, -1};
  getloadavg(load, 3);
  return {load[0], load[1], load[2]};
}

inline nlohmann::ordered_json describe_machine() {
  utsname u;
  uname(&u);
  std::string cpu = "unknown";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) {
      cpu = line.substr(line.find(':') + 2);
      break;
    }
  return {{"system", std::string(u.sysname) + " " + u.release + " " + u.machine},
          {"cpu", cpu},
          {"processors", sysconf(_SC_NPROCESSORS_ONLN)}};
}

/// ISO 8601, UTC.
inline std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

}  // namespace trammel::bench
