// Pictures of result channels, drawn by gnuplot.
#pragma once

#include <string>
#include <vector>

namespace trammel {

struct PlotOptions {
  std::string output = "plot.png";  ///< .png or .svg decides the kind of picture
  std::string x_channel = "TIME";
  std::string title = {};  ///< "": title of the model
  int width = 1000;        ///< pixels
  int height = 0;          ///< pixels; 0: by the number of panels
};

/// Draws `channels` of a native result file over x_channel: one panel per unit, stacked, with a legend.
/// Failures: usage (unknown channel, no channels, other extension than .png or .svg, size out of range),
/// io (file, gnuplot absent or failing).
void plot_channels(const std::string& native_file, const std::vector<std::string>& channels,
                   const PlotOptions& options);

/// Path of gnuplot from PATH, "" if there is none.
std::string find_gnuplot();

/// A text as a gnuplot literal: single quotes, in which gnuplot substitutes nothing.
std::string gnuplot_quoted(const std::string& text);

}  // namespace trammel
