// Plots of result channels, drawn by gnuplot.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "output/look/gnuplot.h"
#include "output/look/spectrum.h"

namespace trammel {

struct PlotOptions {
  std::string output = "plot.png";  ///< .png or .svg: the kind of picture
  std::string x_channel = "TIME";
  std::string title = {};                  ///< "": the model's title
  int width = 1000;                        ///< pixels
  int height = 0;                          ///< pixels; 0: by the number of panels
  std::vector<std::string> overlays = {};  ///< further result files, drawn dashed into the same panels
  /// Pairs (name in the first file, name in the overlays) of channels named differently.
  std::vector<std::pair<std::string, std::string>> map = {};
  std::vector<std::string> panels = {};  ///< channels of further panels, as "PART/2.X,PART/2.Y"
  /// Names of the curves (all of the first file, then of the next), or one name per file.
  std::vector<std::string> legends = {};
  std::optional<double> from = {}, to = {};  ///< time window, ends included
  bool fft = false;                          ///< amplitude spectra instead of the channels
  Window window = Window::hann;              ///< for the spectra
  bool log_y = false;
  bool equal = false;  ///< equal scales on both axes, for paths
  /// Bands about the curves of the first file, as wide as the estimated error that run --accuracy wrote to
  /// the file of the same name with .error.nc for .nc.
  bool errors = false;
};

/// Plots `channels` of a result file (any format of ResultReader; "PART/2" for all its channels, or patterns)
/// over x_channel: one panel per unit, then those of options.panels, stacked, with legends. Returns remarks
/// for the user: truncated files, channels missing in an overlay, samples interpolated for a spectrum.
/// Failures: usage (unknown channel, no channels, extension other than .png or .svg, size out of range, too
/// few samples, wrong number of legends), input (invalid file, different units), io (file, gnuplot missing or
/// failing).
std::vector<std::string> plot_channels(const std::string& file, const std::vector<std::string>& channels,
                                       const PlotOptions& options);

}  // namespace trammel
