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
  bool modes = false;            ///< draw eigenvalues, from .npz files of LINEAR or from result files
  std::string window = "hann";   ///< none, hann, flattop
  std::string times;             ///< "FROM:TO", either may be empty
  std::vector<std::string> map;  ///< "NAME=NAME_IN_OVERLAY"
};

/// Returns the exit code; failures are told on standard error.
int plot_command(const PlotCommand& command);

}  // namespace trammel
