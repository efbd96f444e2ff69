// Pictures of result channels, drawn by gnuplot.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "output/look/gnuplot.h"
#include "output/look/spectrum.h"

namespace trammel {

struct PlotOptions {
  std::string output = "plot.png";  ///< .png or .svg decides the kind of picture
  std::string x_channel = "TIME";
  std::string title = {};                  ///< "": title of the model
  int width = 1000;                        ///< pixels
  int height = 0;                          ///< pixels; 0: by the number of panels
  std::vector<std::string> overlays = {};  ///< further result files, drawn dashed into the same panels
  /// Names in the first file and in the overlays of channels that are called differently there.
  std::vector<std::pair<std::string, std::string>> map = {};
  std::vector<std::string> panels = {};  ///< "PART/2.X,PART/2.Y": the channels of one more panel
  /// Names, one for each curve, all of the first file, then of the next, or one for each file.
  std::vector<std::string> legends = {};
  std::optional<double> from = {}, to = {};  ///< window of time, ends included
  bool fft = false;                          ///< amplitude spectra instead of the channels
  Window window = Window::hann;              ///< of these
  bool log_y = false;
  bool equal = false;  ///< one scale on both axes, for paths
};

/// Draws `channels` of a result file (any format that ResultReader reads; "PART/2" for all of its channels,
/// or patterns) over x_channel: one panel per unit, then those of options.panels, stacked, with legends.
/// Returns what has to be said: cut files, channels that an overlay lacks, samples that were interpolated for
/// a spectrum. Failures: usage (unknown channel, no channels, other extension than .png or .svg, size out of
/// range, too few samples, a number of legends that fits neither curves nor files), input (a file that cannot
/// be understood, units that differ), io (file, gnuplot absent or failing).
std::vector<std::string> plot_channels(const std::string& file, const std::vector<std::string>& channels,
                                       const PlotOptions& options);

}  // namespace trammel
