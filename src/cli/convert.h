// `trammel convert`: a result file in another format.
#pragma once

#include <string>
#include <vector>

namespace trammel {

struct ConvertCommand {
  std::string in, out;
  std::vector<std::string> channels;  ///< patterns
  std::string times;                  ///< "FROM:TO", either may be empty
  int every = 1;
  bool single_precision = false, quiet = false;
};

/// Returns the exit code; failures are told on standard error.
int convert_command(const ConvertCommand& command);

}  // namespace trammel
