// `trammel compare`: the differences of two result files.
#pragma once

#include <string>
#include <vector>

#include "output/look/compare.h"

namespace trammel {

struct CompareCommand {
  std::string a, b;
  CompareOptions options;        ///< without `map` and window of time, which come from the texts below
  std::vector<std::string> map;  ///< "NAME_IN_A=NAME_IN_B"
  std::string times;             ///< "FROM:TO", either may be empty
  int worst = 10;                ///< rows of the table; 0: all channels
};

/// Prints the number of compared channels and the worst ones. Exit code 0: within tolerance; 9: not; else
/// that of a failure.
int compare_command(const CompareCommand& command);

}  // namespace trammel
