// `trammel compare`: two result files against each other.
#pragma once

#include <string>
#include <vector>

#include "output/look/compare.h"

namespace trammel {

struct CompareCommand {
  std::string a, b;
  CompareOptions options;        ///< map and window of time come from the texts below
  std::vector<std::string> map;  ///< "NAME_IN_A=NAME_IN_B"
  std::string times;             ///< "FROM:TO", either may be empty
  int worst = 10;                ///< rows of the table; 0: all channels
};

/// Prints what was compared and the worst channels. Exit code 0: within tolerance, 9: not, else as failures.
int compare_command(const CompareCommand& command);

}  // namespace trammel
