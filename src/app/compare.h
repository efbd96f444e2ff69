// `trammel compare`: two result files against each other.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace trammel {

struct CompareCommand {
  std::string a, b;
  double atol = 0.0;
  std::optional<double> rtol;  ///< absent: by the formats
  bool pointwise = false, wrap = false, common = false;
  std::vector<std::string> channels;  ///< patterns
  std::vector<std::string> map;       ///< "NAME_IN_A=NAME_IN_B"
  std::string times;                  ///< "FROM:TO", either may be empty
  int worst = 10;                     ///< rows of the table; 0: all channels
};

/// Prints what was compared and the worst channels. Exit code 0: within tolerance, 9: not, else as failures.
int compare_command(const CompareCommand& command);

}  // namespace trammel
