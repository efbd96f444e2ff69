// `trammel converge`: whether results have converged, and with which settings they do.
#pragma once

#include <string>

#include "study/converge.h"

namespace trammel {

struct ConvergeCommand {
  ConvergeOptions options;
  std::string figure;  ///< .svg or .png; "": PREFIX.converge.svg where gnuplot is there
  bool json = false;
};

/// Prints the table of runs, each when it ends, and the verdict. Exit code 0: converged; 9: not; else that of
/// a failure.
int converge_command(const ConvergeCommand& command);

}  // namespace trammel
