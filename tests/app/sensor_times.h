// What a run says of its SENSORs.
#pragma once

#include <regex>
#include <string>
#include <vector>

namespace trammel_test {

/// The times in "Sensor/1 has become active at time = 1.5."
inline std::vector<double> times_told(const std::string& text, int id) {
  std::vector<double> times;
  const std::regex line("Sensor/" + std::to_string(id) + " has become active at time = ([-+.0-9e]+)\\.\n");
  for (std::sregex_iterator at(text.begin(), text.end(), line), end; at != end; ++at)
    times.push_back(std::stod((*at)[1]));
  return times;
}

}  // namespace trammel_test
