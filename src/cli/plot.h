// `trammel plot`: pictures of result channels.
#pragma once

#include <string>
#include <vector>

#include "output/look/plot.h"

namespace trammel {

struct PlotCommand {
  std::string file;
  std::vector<std::string> channels;
  PlotOptions options;
  bool modes = false;            ///< eigenvalues are drawn, of .npz of LINEAR or of result files
  std::string window = "hann";   ///< none, hann, flattop
  std::string times;             ///< "FROM:TO", either may be empty
  std::vector<std::string> map;  ///< "NAME=NAME_IN_OVERLAY"
};

/// The exit code; failures are on standard error.
int plot_command(const PlotCommand& command);

}  // namespace trammel
